// What becomes known when a transaction lands through this service: the index reads again what it touched, and the store keeps it.
import type { Address } from '@solana/kit';
import { decodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import type { Recognised } from '../../domain/transaction/stake-verifier.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { RecordSource, TransactionRecord } from '../../store/transaction-records.ts';
import type { Context } from '../context.ts';
import { recognise } from './recognise.ts';

/** A transaction that succeeded on chain. */
export interface LandedBytes {
  readonly signature: string;
  readonly slot: bigint | null;
  readonly wireBytes: Uint8Array;
}

const decoded = (wireBytes: Uint8Array): WireTransaction | null => {
  try {
    return decodeWire(wireBytes);
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

const touched = (wire: WireTransaction): readonly Address[] => [
  ...new Set([
    ...wire.requiredSigners,
    ...wire.instructions.flatMap(({ accounts }) =>
      accounts.flatMap(({ address, writable }) => (writable && address !== null ? [address] : [])),
    ),
  ]),
];

/** Where the current epoch begins and how long it is. */
export const epochGrid = async (ctx: Pick<Context, 'cluster'>, signal: AbortSignal) => {
  const { epoch, absoluteSlot, slotIndex, slotsInEpoch } = await ctx.cluster.recentEpochPosition(signal);
  return { epoch, slotsInEpoch, firstSlot: absoluteSlot - slotIndex };
};

/** What a history keeps of a recognised transaction; null for what is not exactly one of ours, on our vote account or donation address. */
export const recordOf = (
  seen: Recognised,
  facts: Pick<TransactionRecord, 'signature' | 'slot' | 'epoch' | 'confirmedAtMs' | 'source'>,
): TransactionRecord | null =>
  !seen.ok || seen.kind === 'other'
    ? null
    : {
        ...facts,
        type: seen.kind,
        wallet: seen.wallet,
        stakeAccountAddress: seen.stakeAccount ?? null,
        amountLamports: seen.lamports ?? 0n,
      };

/** Has the index read what the transaction touched, in the background: answers about these wallets wait for it. */
export const touchIndex = (ctx: Context, { slot, wireBytes }: LandedBytes): void => {
  const wire = slot === null ? null : decoded(wireBytes);
  if (wire !== null && slot !== null) void ctx.index?.touch(touched(wire), slot);
};

/**
 * Keeps a landed transaction, if it is one of ours. Rejects with `STORE_UNAVAILABLE` or `UPSTREAM_UNAVAILABLE`; what was not kept is found
 * on chain later.
 */
export const recordLanded = async (
  ctx: Context,
  { signature, slot, wireBytes }: LandedBytes,
  source: RecordSource,
): Promise<void> => {
  const wire = slot === null ? null : decoded(wireBytes);
  if (wire === null || slot === null) return;
  const seen = recognise(ctx, wire);
  if (!seen.ok) return;
  const epoch = epochOfSlot(slot, await epochGrid(ctx, ctx.lifetime));
  const record = recordOf(seen, { signature, slot, epoch, confirmedAtMs: ctx.clock.now(), source });
  if (record !== null) await ctx.transactions.record([record]);
};
