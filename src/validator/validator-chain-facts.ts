// Data about the validator from the chain, cached and shared by all callers.

import type { EpochPosition } from '../chain/ports.ts';
import type {
  BlocksProduced,
  Issuance,
  VoteAccount,
  VoteAccountState,
} from '../chain/validator/validator-reads.ts';
import type { InflationSchedule } from '../domain/validator/inflation-schedule.ts';
import type { LeaderCounts } from '../domain/validator/leader-slots.ts';
import type { EarningState } from '../domain/validator/stake-earnings.ts';
import { rankingOf, type ValidatorRanking } from '../domain/validator/validator-score.ts';
import { orAbort } from '../kernel/abort.ts';
import { AppError, isAppError } from '../kernel/app-error.ts';
import type { Cache } from '../kernel/cache.ts';
import { createChainCache } from './chain-cache.ts';
import type { DelegatorScan, ValidatorSources } from './validator-sources.ts';

/** Our vote account as listed by the cluster and as decoded from its bytes. */
export interface OwnVoteAccount {
  readonly listed: VoteAccount;
  /** Null if the layout of the account is unknown. */
  readonly state: VoteAccountState | null;
  /** Commission in basis points, from the account's bytes if readable; null if unknown. */
  readonly commissionBps: number | null;
}

type SlotOfEpoch = Pick<EpochPosition, 'absoluteSlot' | 'slotIndex'>;

/**
 * Shared reads. All of them reject with `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node responds, or with
 * the signal's reason.
 */
export interface ChainFacts {
  /** Returns our vote account, at most 5 s old and, if `epoch` is given, not from an earlier epoch. */
  readonly own: (signal: AbortSignal, epoch?: bigint) => Promise<OwnVoteAccount>;
  /** Reads our vote account again, also for later calls of `own`. */
  readonly ownNow: (signal: AbortSignal) => Promise<OwnVoteAccount>;
  /**
   * Returns every vote account with stake. If `epoch` is given, the list was not read in an earlier epoch.
   */
  readonly peers: (signal: AbortSignal, epoch?: bigint) => Promise<readonly VoteAccount[]>;
  /**
   * Returns our rank among the peers in `epoch`. Based on a single list, because credits grow with every
   * slot.
   */
  readonly ranking: (epoch: bigint, signal: AbortSignal) => Promise<ValidatorRanking>;
  /**
   * Returns the leader slots and blocks of the whole cluster in the epoch of `at` so far. Validators can only
   * vote on these blocks. Also rejects while the nodes are in another epoch.
   */
  readonly blocks: (at: SlotOfEpoch, signal: AbortSignal) => Promise<BlocksProduced>;
  /** Returns our leader slots in the epoch of `at`. Also rejects while the nodes are in another epoch. */
  readonly leader: (at: SlotOfEpoch, signal: AbortSignal) => Promise<LeaderCounts>;
  readonly software: (signal: AbortSignal) => Promise<string | null>;
  readonly delegatorScan: (signal: AbortSignal) => Promise<DelegatorScan>;
  /** Returns the number of delegators, from the index if there is one, otherwise from the scan. */
  readonly delegators: (signal: AbortSignal) => Promise<number>;
  /** Returns the length of an epoch in seconds, estimated from the slots of the last hours. */
  readonly secondsPerEpoch: (signal: AbortSignal) => Promise<number>;
  /** Returns inflation and supply, which change slowly. */
  readonly issuance: (signal: AbortSignal) => Promise<Issuance>;
  /** Returns the inflation schedule, which only changes by a vote of the cluster. */
  readonly inflationSchedule: (signal: AbortSignal) => Promise<InflationSchedule>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DELEGATOR_SCAN_TIMEOUT_MS = 5 * MINUTE;
/** Maximum age of the position whose epoch is used to tag a read, in ms. */
const EPOCH_TAG_MS = 20 * SECOND;

/**
 * Lifetimes of the cached reads, in ms. Reads of fast-changing data expire before cached responses do, so a
 * response is about as old as its data.
 */
const freshMs = {
  own: 5 * SECOND,
  peers: 45 * SECOND,
  blocks: 10 * SECOND,
  leader: 5 * SECOND,
  software: 10 * MINUTE,
  /** A scan can take minutes on the nodes, so at most one percent of the time is spent on scans. */
  delegatorScan: (tookMs: number) => Math.max(MINUTE, 100 * tookMs),
  secondsPerEpoch: 10 * MINUTE,
  issuance: 10 * MINUTE,
  inflationSchedule: 60 * MINUTE,
} as const;

const NOT_LISTED = 'The cluster does not list this service’s vote account.';

/** Returns true for the error that `own` throws if the cluster does not list our vote account. */
export const isNotListed = (error: unknown): boolean =>
  isAppError(error, 'UPSTREAM_UNAVAILABLE') && error.message === NOT_LISTED;

/** Returns the commission in percent for responses; null if the chain does not report it. */
export const commissionPct = ({ commissionBps }: OwnVoteAccount): number | null =>
  commissionBps === null ? null : commissionBps / 100;

export const earningStateOf = (own: OwnVoteAccount): EarningState => ({
  delinquent: own.listed.delinquent,
  // A validator that never had stake is not expected to participate.
  inEpoch: own.listed.inEpoch || own.listed.epochCredits.length === 0,
  commissionPct: commissionPct(own),
});

const readOwn = async (sources: ValidatorSources, signal: AbortSignal): Promise<OwnVoteAccount> => {
  const [listed, state] = await Promise.all([
    sources.chain.voteAccount(sources.voteAccount, { signal }),
    sources.chain.voteState(sources.voteAccount, { signal }),
  ]);
  if (listed === null) throw new AppError('UPSTREAM_UNAVAILABLE', NOT_LISTED, { reason: 'NOT_LISTED' });
  const listedBps = listed.commissionPct === null ? null : listed.commissionPct * 100;
  return { listed, state, commissionBps: state?.inflationCommissionBps ?? listedBps };
};

/** Creates the shared reads. Reads nothing before the first call. */
export const createChainFacts = (sources: ValidatorSources): ChainFacts => {
  const { chain, clock, lifetime, cluster } = sources;
  type Load<T> = (signal: AbortSignal) => Promise<T>;
  const cached = <T>(ms: number | ((tookMs: number) => number), load: Load<T>, timeoutMs?: number) =>
    createChainCache({
      freshMs: ms,
      clock,
      lifetime,
      load,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  /**
   * Tags a read with the epoch at its start, so that it never counts for a later epoch. A recently read epoch
   * is sufficient: if it has ended since, the read only counts for the earlier epoch.
   */
  const dated =
    <T>(load: (signal: AbortSignal, epoch: bigint) => Promise<T>): Load<{ epoch: bigint; value: T }> =>
    async (signal) => {
      const { epoch } = await cluster.recentEpochPosition(signal, EPOCH_TAG_MS);
      return { epoch, value: await load(signal, epoch) };
    };
  /** Returns the cached value, or reads again if `isCurrent` rejects it. */
  const current = async <T>(
    cache: Cache<T>,
    isCurrent: (found: T) => boolean,
    signal: AbortSignal,
  ): Promise<T> => {
    const found = await cache.read(signal);
    if (isCurrent(found)) return found;
    // Only the first of the waiting callers clears the cache.
    if (cache.peek()?.value === found) cache.clear();
    return cache.read(signal);
  };
  /**
   * Like `current`, but for counts whose first slot the chain reports. Rejects counts from another epoch,
   * because nodes can be in different epochs.
   */
  const counted = async <T extends { readonly firstSlot: bigint }>(
    cache: Cache<T>,
    { absoluteSlot, slotIndex }: SlotOfEpoch,
    signal: AbortSignal,
  ): Promise<T> => {
    const isCurrent = ({ firstSlot }: T): boolean => firstSlot === absoluteSlot - slotIndex;
    const found = await current(cache, isCurrent, signal);
    if (!isCurrent(found))
      throw new AppError('UPSTREAM_UNAVAILABLE', 'The Solana RPC counts the slots of another epoch.', {
        reason: 'OTHER_EPOCH',
      });
    return found;
  };
  const votes = cached(
    freshMs.own,
    dated(async (signal) => {
      try {
        const read = await readOwn(sources, signal);
        sources.noteState?.(earningStateOf(read));
        return read;
      } catch (error) {
        if (isNotListed(error)) sources.noteState?.('closed');
        throw error;
      }
    }),
  );
  const own = async (signal: AbortSignal, epoch = 0n): Promise<OwnVoteAccount> =>
    (await current(votes, (found) => found.epoch >= epoch, signal)).value;
  const peers = cached(
    freshMs.peers,
    dated((signal) => chain.voteAccounts({ signal })),
  );
  const blocks = cached(freshMs.blocks, (signal) => chain.blocksProduced({ signal }));
  const leader = cached(freshMs.leader, async (signal) =>
    chain.leaderRecord((await own(signal)).listed.identity, { signal }),
  );
  const software = cached(freshMs.software, async (signal) =>
    chain.software((await own(signal)).listed.identity, { signal }),
  );
  const scan = cached(
    freshMs.delegatorScan,
    dated((signal, epoch) => sources.scan(epoch, signal)),
    DELEGATOR_SCAN_TIMEOUT_MS,
  );
  // The rewards of an epoch are paid after its boundary. A scan that started before the boundary lacks them
  // and counts for the previous epoch.
  const currentScan = async (signal: AbortSignal): Promise<DelegatorScan> => {
    const { epoch } = await cluster.recentEpochPosition(signal);
    return (await current(scan, (found) => found.epoch >= epoch, signal)).value;
  };
  const secondsPerEpoch = cached(freshMs.secondsPerEpoch, async (signal) => {
    const [position, longMs] = await Promise.all([
      cluster.recentEpochPosition(signal),
      chain.longSlotDurationMs({ signal }),
    ]);
    return (Number(position.slotsInEpoch) * (longMs ?? position.slotDurationMs)) / SECOND;
  });
  const issuance = cached(freshMs.issuance, (signal) => chain.issuance({ signal }));
  const inflationSchedule = cached(freshMs.inflationSchedule, (signal) =>
    chain.inflationSchedule({ signal }),
  );
  return {
    own,
    ownNow: async (signal) => (await orAbort(votes.refresh(), signal)).value.value,
    peers: async (signal, epoch = 0n) =>
      (await current(peers, (found) => found.epoch >= epoch, signal)).value,
    ranking: async (epoch, signal) => {
      // Credits restart with every epoch, so an earlier list cannot provide the ranks in this one.
      const { value: all } = await current(peers, (found) => found.epoch >= epoch, signal);
      const listed = all.find(({ voteAccount }) => voteAccount === sources.voteAccount);
      return rankingOf(listed ?? (await own(signal, epoch)).listed, all, epoch);
    },
    blocks: (at, signal) => counted(blocks, at, signal),
    leader: (at, signal) => counted(leader, at, signal),
    software: (signal) => software.read(signal),
    delegatorScan: currentScan,
    delegators: async (signal) => sources.indexedDelegators() ?? (await currentScan(signal)).delegators,
    secondsPerEpoch: (signal) => secondsPerEpoch.read(signal),
    issuance: (signal) => issuance.read(signal),
    inflationSchedule: (signal) => inflationSchedule.read(signal),
  };
};
