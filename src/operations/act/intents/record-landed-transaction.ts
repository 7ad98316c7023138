// Records a transaction that landed through this service: refreshes its accounts in the index and stores the
// transaction.
import type { Address, Signature } from '@solana/kit';
import { accountBalances, type WireTransaction } from '../../../chain/transactions/wire-transaction.ts';
import { epochOfSlot } from '../../../domain/epoch-of-slot.ts';
import { type Delegation, decodeStakeAccount } from '../../../domain/stake/stake-account.ts';
import { classifyStakeAct, type StakeAct } from '../../../domain/transaction/classify-stake-act.ts';
import type { Recognized } from '../../../domain/transaction/stake-verifier.ts';
import { kindRecord } from '../../../domain/transaction/transaction-kinds.ts';
import {
  legsOf,
  stakeAccountsOf,
  type TransactionLeg,
} from '../../../domain/transaction/transaction-legs.ts';
import { isAppError } from '../../../kernel/app-error.ts';
import { MAX_HISTORY_PAGE } from '../../../store/history-cursor.ts';
import type { RecordSource } from '../../../store/schema.ts';
import type { TransactionRecord } from '../../../store/transaction-records.ts';
import type { Context } from '../../context.ts';
import { type RecognizedWire, recognizeWire, recordedKind } from './recognize-transaction.ts';

/** A transaction that succeeded on chain. */
interface LandedBytes {
  readonly signature: string;
  readonly slot: bigint | null;
  readonly wireBytes: Uint8Array;
  /** Balances of the transaction's accounts before it ran, if a node reported them. */
  readonly preBalances?: readonly bigint[] | undefined;
}

interface LandedTransaction extends RecognizedWire {
  readonly signature: string;
  readonly slot: bigint;
  readonly preBalances?: readonly bigint[] | undefined;
}

/**
 * Decodes and recognizes landed bytes, unless `known` already contains the result. Returns null if the slot is
 * unknown or the service does not support the transaction format.
 */
export const readLanded = (
  ctx: Context,
  { signature, slot, wireBytes, preBalances }: LandedBytes,
  known?: RecognizedWire,
): LandedTransaction | null => {
  if (slot === null) return null;
  try {
    const read = known?.wire.signature === signature ? known : recognizeWire(ctx, wireBytes);
    return { ...read, signature, slot, preBalances };
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

/** Returns the start slot and the length of the current epoch. */
export const epochGrid = async (
  ctx: { readonly chain: Pick<Context['chain'], 'cluster'> },
  signal: AbortSignal,
) => {
  const { epoch, absoluteSlot, slotIndex, slotsInEpoch } =
    await ctx.chain.cluster.recentEpochPosition(signal);
  return { epoch, slotsInEpoch, firstSlot: absoluteSlot - slotIndex };
};

type Facts = Pick<TransactionRecord, 'signature' | 'slot' | 'epoch' | 'confirmedAtMs' | 'source' | 'legs'>;

/**
 * Returns the history record of a recognized transaction. Returns null unless it is exactly one of the kinds
 * that this service builds, for our vote account or donation address.
 */
export const recordOf = (seen: Recognized, facts: Facts): TransactionRecord | null => {
  const type = recordedKind(seen);
  return type === 'other'
    ? null
    : {
        ...facts,
        type,
        wallet: seen.wallet,
        stakeAccountAddress: seen.stakeAccount ?? null,
        amountLamports: seen.lamports ?? 0n,
        hasMemo: true,
      };
};

/**
 * Refreshes the transaction's accounts in the index in the background. Responses about these wallets wait for
 * the refresh.
 */
export const refreshIndexAccounts = (ctx: Context, landed: LandedTransaction | null): void => {
  if (landed !== null) void ctx.chain.index?.touch(touched(landed.wire), landed.slot);
};

interface Delegations {
  /** By account, including deactivating ones. Without accounts that are undelegated or closed. */
  readonly found: ReadonlyMap<string, Delegation>;
  /** Epoch in which they were read. */
  readonly epoch: bigint;
}

/** Reads the delegations of accounts. */
const delegationsOf = async (
  ctx: Context,
  named: readonly string[],
  minContextSlot: bigint,
): Promise<Delegations> => {
  const addresses = [...new Set(named)] as Address[];
  if (addresses.length === 0) return { found: new Map(), epoch: 0n };
  const { accounts, slot } = await ctx.chain.reads.accounts(addresses, {
    signal: ctx.service.lifetime,
    minContextSlot,
  });
  const delegations = accounts.map((account) => (account && decodeStakeAccount(account)?.delegation) ?? null);
  return {
    found: new Map(addresses.flatMap((address, at) => (delegations[at] ? [[address, delegations[at]]] : []))),
    epoch: epochOfSlot(slot, await epochGrid(ctx, ctx.service.lifetime)),
  };
};

/**
 * Returns the amount that was delegated in `landedEpoch`, or null if a reward may have been added to it since.
 * Stake earns nothing in the epoch of its activation, so its first reward is paid two epochs later.
 */
const delegatedIn = (
  landedEpoch: bigint,
  { stakeLamports, activationEpoch, deactivationEpoch }: Delegation,
  readEpoch: bigint,
): bigint | null => {
  const earnedNothing =
    activationEpoch === landedEpoch && (deactivationEpoch === landedEpoch || readEpoch === landedEpoch + 1n);
  return readEpoch === landedEpoch || earnedNothing ? stakeLamports : null;
};

/**
 * Returns the accounts whose delegated amounts can only be read from the accounts themselves. For a new stake,
 * the creating instruction contains the amount.
 */
const unknownStakes = (legs: readonly TransactionLeg[]): readonly string[] => {
  const created = new Set(legs.map(({ type, stakeAccount }) => (type === 'create' ? stakeAccount : null)));
  return legs.flatMap(({ type, stakeAccount, lamports }) =>
    (type === 'delegate' || type === 'deactivate') && lamports === null && !created.has(stakeAccount)
      ? (stakeAccount ?? [])
      : [],
  );
};

/**
 * True if the index or the wallet's history shows that the closed account belonged to the wallet and was
 * delegated to our vote account.
 */
const isRemembered = async (ctx: Context, { wallet, stakeAccount }: StakeAct): Promise<boolean> => {
  if (ctx.chain.index?.seenEver(wallet).includes(stakeAccount)) return true;
  const { entries } = await ctx.store.transactions.pageWalletHistory(wallet, { limit: MAX_HISTORY_PAGE });
  return entries.some((entry) => stakeAccountsOf(entry).includes(stakeAccount));
};

/**
 * Returns the history record of a transaction that is not exactly one of the kinds that this service builds.
 * Returns null if it does not affect stake delegated to our vote account.
 */
const recordOfAct = async (
  ctx: Context,
  wire: WireTransaction,
  { hasOurMemo }: Recognized,
  facts: Facts,
): Promise<TransactionRecord | null> => {
  const act = wire.hasLookups ? null : classifyStakeAct(wire.instructions);
  if (act === null) return null;
  const named = [act.stakeAccount, ...unknownStakes(facts.legs)];
  const delegations = await delegationsOf(ctx, named, facts.slot);
  const voteAccount = act.voteAccount ?? delegations.found.get(act.stakeAccount)?.voteAccount ?? null;
  const isOurs =
    voteAccount === ctx.service.settings.voteAccount ||
    (voteAccount === null && (await isRemembered(ctx, act)));
  if (!isOurs) return null;
  const { type, wallet, stakeAccount } = act;
  const common = { ...facts, type, wallet, hasMemo: hasOurMemo };
  const record =
    type === 'rearrange'
      ? // The legs of a rearrangement contain several accounts, and no SOL moves in or out.
        { ...common, stakeAccountAddress: null, amountLamports: 0n }
      : { ...common, stakeAccountAddress: stakeAccount, amountLamports: act.lamports ?? 0n };
  return withStakes(record, delegations, act.lamports === null);
};

/**
 * Fills in delegated amounts that are missing in the record's legs. With `isAmount`, also sets the record's own
 * amount, or 0 if it is unknown.
 */
const withStakes = (
  record: TransactionRecord,
  delegations: Delegations,
  isAmount: boolean,
): TransactionRecord => {
  const legs = record.legs.map((leg) => {
    const delegation = delegations.found.get(leg.stakeAccount ?? '');
    return (leg.type === 'delegate' || leg.type === 'deactivate') && leg.lamports === null && delegation
      ? { ...leg, lamports: delegatedIn(record.epoch, delegation, delegations.epoch) }
      : leg;
  });
  const own = legs.find(
    ({ type, stakeAccount }) =>
      (type === 'delegate' || type === 'deactivate') && stakeAccount === record.stakeAccountAddress,
  );
  return isAmount ? { ...record, legs, amountLamports: own?.lamports ?? 0n } : { ...record, legs };
};

/** Adds the delegated amounts of the accounts to a record whose transaction does not contain them. */
const withDelegations = async (ctx: Context, record: TransactionRecord): Promise<TransactionRecord> =>
  withStakes(
    record,
    await delegationsOf(ctx, unknownStakes(record.legs), record.slot),
    kindRecord(record.type).amountFrom === 'delegation',
  );

/**
 * Stores a landed transaction if it is a donation to us, a stake on our vote account, or an unstake, restake or
 * withdrawal of such stake, with or without our memo. Rejects with `AppError('STORE_UNAVAILABLE')` or
 * `AppError('UPSTREAM_UNAVAILABLE')` if the chain or the store cannot be read. Transactions missed here are
 * found on chain later.
 */
export const recordLanded = async (
  ctx: Context,
  landed: LandedTransaction | null,
  source: RecordSource,
): Promise<void> => {
  if (landed === null) return;
  const { signature, slot, wire, seen } = landed;
  if (!seen.ok && classifyStakeAct(wire.instructions) === null) return;
  const epoch = epochOfSlot(slot, await epochGrid(ctx, ctx.service.lifetime));
  const isMerge = wire.instructions.some(({ data }) => data.type === 'stake.merge');
  const preBalances =
    landed.preBalances ??
    (isMerge
      ? await ctx.chain.reads.transaction(signature as Signature, { signal: ctx.service.lifetime })
      : null
    )?.preBalances;
  const record = await recordOfWire(
    ctx,
    { wire, seen },
    { signature, slot, epoch, confirmedAtMs: ctx.clock.now(), source },
    preBalances,
  );
  if (record !== null) await ctx.store.transactions.record([record]);
};

/**
 * Returns the history record of a transaction; null if it does not belong in the history. Rejects with
 * `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response.
 */
export const recordOfWire = async (
  ctx: Context,
  { wire, seen }: RecognizedWire,
  landed: Omit<Facts, 'legs'>,
  preBalances: readonly bigint[] | undefined,
): Promise<TransactionRecord | null> => {
  const facts = { ...landed, legs: legsOf(wire.instructions, accountBalances(wire, preBalances)) };
  const own = recordOf(seen, facts);
  return own === null ? recordOfAct(ctx, wire, seen, facts) : withDelegations(ctx, own);
};
