// Reads the finalized history of one account as replayable steps, and reports whether the history is complete
// within the requested slots.
import type { Address, Signature } from '@solana/kit';
import type { AddressSignature, SolanaReads } from '../../chain/ports.ts';
import type {
  LandedStakeTransaction,
  LandedStakeTransactions,
} from '../../chain/transactions/landed-stake-transactions.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import { type StakeOperation, touchedBy } from '../../domain/stake/stake-operation.ts';
import type { AccountStep } from '../../domain/stake/stake-replay.ts';

/** A range of slots, from the slot after `after` up to and including `through`. */
export interface SlotRange {
  /** Null to start at the beginning. */
  readonly after: bigint | null;
  readonly through: bigint;
}

/** The history of an account within a range. */
export interface AccountHistory {
  readonly steps: readonly AccountStep[];
  /** Transaction of each operation. */
  readonly transactionOf: ReadonlyMap<StakeOperation, LandedStakeTransaction>;
  /** False if there are more transactions than are read, or if no node has some of them any more. */
  readonly isComplete: boolean;
}

export interface HistoryOptions {
  readonly reads: Pick<SolanaReads, 'signaturesFor'>;
  readonly transactions: LandedStakeTransactions;
  readonly grid: { readonly epoch: bigint; readonly slotsInEpoch: bigint; readonly firstSlot: bigint };
  /** Minimum finalized slot of a node that may be read. Nodes behind it are retried later or replaced. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/** Maximum number of signatures that an RPC call returns. A stake account has only a few. */
const PAGE_ROWS = 1_000;
const READS_AT_ONCE = 4;

/**
 * Lists the finalized, successful signatures of an address, oldest first. `isComplete` is true if they reach
 * back to `after`.
 */
export const signaturesWithin = async (
  { reads, signal, minSlot }: HistoryOptions,
  address: Address,
  { after, through }: SlotRange,
): Promise<{ readonly rows: readonly AddressSignature[]; readonly isComplete: boolean }> => {
  const all = await reads.signaturesFor(address, {
    signal,
    commitment: 'finalized',
    minContextSlot: minSlot,
    limit: PAGE_ROWS,
  });
  const isComplete = all.length < PAGE_ROWS || (after !== null && all.some(({ slot }) => slot <= after));
  const rows = all.filter(
    ({ slot, succeeded }) => succeeded && slot <= through && (after === null || slot > after),
  );
  return { rows: rows.toReversed(), isComplete };
};

/** Reads transactions in the given order, a few at a time. */
export const readTransactions = async (
  { transactions, signal }: Pick<HistoryOptions, 'transactions' | 'signal'>,
  signatures: readonly Signature[],
): Promise<readonly (LandedStakeTransaction | null)[]> => {
  const found: (LandedStakeTransaction | null)[] = [];
  for (let at = 0; at < signatures.length; at += READS_AT_ONCE) {
    const some = signatures.slice(at, at + READS_AT_ONCE);
    found.push(...(await Promise.all(some.map((signature) => transactions.read(signature, signal)))));
  }
  return found;
};

/**
 * Reads the history of a stake account. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a
 * usable response.
 */
export const readAccountHistory = async (
  options: HistoryOptions,
  address: Address,
  range: SlotRange,
): Promise<AccountHistory> => {
  const { rows, isComplete } = await signaturesWithin(options, address, range);
  const found = await readTransactions(
    options,
    rows.map(({ signature }) => signature),
  );
  const bySlot = new Map<bigint, LandedStakeTransaction[]>();
  for (const transaction of found)
    if (transaction) bySlot.set(transaction.slot, [...(bySlot.get(transaction.slot) ?? []), transaction]);
  const steps = [...bySlot].map(
    ([slot, ofSlot]): AccountStep => ({
      slot,
      epoch: epochOfSlot(slot, options.grid),
      seconds: ofSlot.at(-1)!.seconds,
      operations: ofSlot.flatMap(({ operations }) =>
        operations.filter((operation) => touchedBy(operation).includes(address)),
      ),
      lamportsAfter: ofSlot.at(-1)!.balances.get(address) ?? 0n,
    }),
  );
  const transactionOf = new Map(
    found.flatMap((one) => one?.operations.map((operation) => [operation, one] as const) ?? []),
  );
  return { steps, transactionOf, isComplete: isComplete && !found.includes(null) };
};
