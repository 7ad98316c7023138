// Complete, plausible landed transactions. A test sets only the fields under test.
import type { TransactionRecord } from '../../src/store/transaction-records.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Returns a signature made from a number. Signatures sort like their numbers. */
export const exampleSignature = (number: number): string => {
  let text = '';
  for (let rest = number; text.length < 88; rest = Math.floor(rest / 58)) text = BASE58[rest % 58] + text;
  return text;
};

/** Returns a stake of 2 SOL that landed in slot `number`. */
export const exampleTransaction = (
  number: number,
  overrides: Partial<TransactionRecord> = {},
): TransactionRecord => ({
  type: 'stake',
  signature: exampleSignature(number),
  wallet: 'wallet',
  stakeAccountAddress: `stake account ${number}`,
  amountLamports: 2_000_000_000n,
  slot: BigInt(number),
  epoch: 3n,
  confirmedAtMs: 1_800_000_000_000 + number,
  source: 'rest',
  hasMemo: true,
  legs: [],
  ...overrides,
});
