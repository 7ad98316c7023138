// Writes version 1 messages with any header, including headers that no library writes.
import type { Address } from '@solana/kit';
import { parseMessage } from '../../src/chain/transactions/wire-message.ts';
import { keyBytes } from './truth-message.ts';
import type { TruthRandom } from './truth-random.ts';

const SOL = 1_000_000_000n;

/** Values of a header. Null omits a value. */
export interface Version1Header {
  readonly feeLamports: bigint | null;
  readonly computeUnits: number | null;
  readonly loadedBytes: number | null;
  readonly heapBytes: number | null;
  /** Bits set in the mask although their value is missing. */
  readonly moreBits: number;
}

/** Limits that are enough for any transaction of a few instructions. */
export const ENOUGH: Version1Header = {
  feeLamports: null,
  computeUnits: 100_000,
  loadedBytes: 400_000,
  heapBytes: null,
  moreBits: 0,
};

/** Picks fees and limits: the requested ones, different ones, or none. */
export const drawnHeader = (random: TruthRandom): Version1Header => {
  if (random.chance(0.6)) return { ...ENOUGH, feeLamports: random.pick([null, 777n]) };
  return {
    feeLamports: random.pick([null, null, 0n, 777n, 10_000_000n, 10_000_001n, 20n * SOL, 2n ** 64n - 1n]),
    computeUnits: random.pick([100_000, 100_000, 100_000, 100_000, null, 0, 1, 1_400_000]),
    loadedBytes: random.pick([400_000, 400_000, 400_000, 400_000, null, 0, 1, 2 ** 32 - 1]),
    heapBytes: random.pick([null, null, null, null, 32_768, 262_144, 1, 32_769]),
    moreBits: random.pick([0, 0, 0, 0, 0, 0, 0, 1, 32, 2 ** 30]),
  };
};

const u16 = (value: number): readonly number[] => [value & 255, value >> 8];
const u32 = (value: number | null): readonly number[] =>
  value === null ? [] : [...u16(value & 0xffff), ...u16(value >>> 16)];

/** Converts a legacy message to version 1. */
export const version1MessageOf = (legacy: Uint8Array, header: Version1Header): Uint8Array => {
  const { staticAccounts, instructions } = parseMessage(legacy);
  const { feeLamports, computeUnits, loadedBytes, heapBytes, moreBits } = header;
  const bit = (value: unknown, mask: number): number => (value === null ? 0 : mask);
  const mask =
    bit(feeLamports, 3) | bit(computeUnits, 4) | bit(loadedBytes, 8) | bit(heapBytes, 16) | moreBits;
  const fee = new Uint8Array(new BigUint64Array([feeLamports ?? 0n]).buffer);
  const indexOf = (address: Address | null): number => staticAccounts.indexOf(address as Address);
  return Uint8Array.from([
    ...[0x81, ...legacy.subarray(0, 3), ...u32(mask)],
    ...Array<number>(32).fill(0),
    ...[instructions.length, staticAccounts.length],
    ...staticAccounts.flatMap((address) => [...keyBytes(address)]),
    ...(feeLamports === null ? [] : fee),
    ...[...u32(computeUnits), ...u32(loadedBytes), ...u32(heapBytes)],
    ...instructions.flatMap(({ programId, accounts, data }) => [
      ...[indexOf(programId), accounts.length, ...u16(data.length)],
    ]),
    ...instructions.flatMap(({ accounts, data }) => [
      ...accounts.map(({ address }) => indexOf(address)),
      ...data,
    ]),
  ]);
};

/** Returns the transaction of a version 1 message without signatures. */
export const unsignedVersion1 = (message: Uint8Array): Uint8Array =>
  Uint8Array.from([...message, ...Array<number>(64 * message[1]!).fill(0)]);
