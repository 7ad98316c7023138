// Changes the Stake program's minimum delegation to 1 lamport in its machine code. All its other rules stay
// real.
import assert from 'node:assert/strict';

const INSTRUCTION_BYTES = 8;
/**
 * The code from this address up to the constants formats numbers. It also compares with 1,000,000,000 and must
 * not be patched.
 */
const RULES_END = 100_000;
/**
 * Opcodes of `jge` and `jlt` with a constant, and of storing a constant. The rules use them to compare with the
 * minimum and to return it.
 */
const OPCODES: ReadonlySet<number> = new Set([0x35, 0xa5, 0x7a]);
const SOL = 1_000_000_000;
/** Replacements for the minimum and for the largest amount below it. */
const CONSTANTS: ReadonlyMap<number, number> = new Map([
  [SOL, 1],
  [SOL - 1, 0],
]);
/** Number of places to patch in the image of release 5. Any other image must be analyzed again. */
const PLACES = 11;

/**
 * Returns the ELF file of the Stake program of release 5 with a minimum delegation of 1 lamport. Throws if
 * given another program.
 */
export const withMinimumOfOneLamport = (bundled: Uint8Array): Uint8Array => {
  const image = Buffer.from(bundled);
  const start = 0;
  let places = 0;
  for (let at = start; at < RULES_END; at += INSTRUCTION_BYTES) {
    const constant = CONSTANTS.get(image.readUInt32LE(at + 4));
    if (constant === undefined || !OPCODES.has(image[at]!)) continue;
    image.writeUInt32LE(constant, at + 4);
    places += 1;
  }
  assert.equal(places, PLACES, 'this patch was made for a different Stake program');
  return image;
};
