// Compiles unsigned legacy transactions for a runtime that checks no signatures, about ten times faster than a
// wallet would.
import {
  type Address,
  getAddressEncoder,
  type Instruction,
  isSignerRole,
  isWritableRole,
  type Transaction,
} from '@solana/kit';

const encoder = getAddressEncoder();
const known = new Map<Address, Uint8Array>();

export const keyBytes = (address: Address): Uint8Array => {
  let bytes = known.get(address);
  if (bytes === undefined) {
    bytes = new Uint8Array(encoder.encode(address));
    if (known.size > 5_000) known.clear();
    known.set(address, bytes);
  }
  return bytes;
};

/** Compiles instructions with `payer` as the fee payer. The blockhash is zero and the signatures are absent. */
export const compileUnsigned = (payer: Address, instructions: readonly Instruction[]): Transaction => {
  const access = new Map<Address, { signs: boolean; writes: boolean }>([
    [payer, { signs: true, writes: true }],
  ]);
  const note = (address: Address, signs: boolean, writes: boolean) => {
    const before = access.get(address);
    access.set(address, {
      signs: signs || before?.signs === true,
      writes: writes || before?.writes === true,
    });
  };
  for (const { accounts = [] } of instructions) {
    for (const { address, role } of accounts) note(address, isSignerRole(role), isWritableRole(role));
  }
  for (const { programAddress } of instructions) note(programAddress, false, false);
  const rank = ({ signs, writes }: { signs: boolean; writes: boolean }) => (signs ? 0 : 2) + (writes ? 0 : 1);
  // Sorting is stable, so the payer, which was added first, stays first.
  const entries = [...access].sort(([, one], [, other]) => rank(one) - rank(other));
  const count = (wanted: number) => entries.filter(([, flags]) => rank(flags) === wanted).length;
  const index = new Map(entries.map(([address], i) => [address, i]));
  const bytes: number[] = [count(0) + count(1), count(1), count(3), entries.length];
  for (const [address] of entries) bytes.push(...keyBytes(address));
  for (let i = 0; i < 32; i += 1) bytes.push(0);
  bytes.push(instructions.length);
  for (const { programAddress, accounts = [], data = new Uint8Array() } of instructions) {
    bytes.push(
      index.get(programAddress)!,
      accounts.length,
      ...accounts.map(({ address }) => index.get(address)!),
    );
    bytes.push(
      ...(data.length < 128 ? [data.length] : [(data.length & 127) | 128, data.length >> 7]),
      ...data,
    );
  }
  const signers = entries.filter(([, { signs }]) => signs).map(([address]) => [address, null]);
  return {
    messageBytes: Uint8Array.from(bytes),
    signatures: Object.fromEntries(signers),
  } as unknown as Transaction;
};
