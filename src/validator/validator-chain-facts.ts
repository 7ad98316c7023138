// What the chain says of the validator, each fact read once for all who ask within its lifetime.

import type { EpochPosition } from '../chain/ports.ts';
import type { VoteAccount, VoteAccountState } from '../chain/validator/validator-reads.ts';
import type { LeaderCounts } from '../domain/validator/leader-slots.ts';
import { rankingOf, type ValidatorRanking } from '../domain/validator/validator-score.ts';
import { AppError, isAppError } from '../kernel/app-error.ts';
import type { Cache } from '../kernel/cache.ts';
import { createChainCache } from './chain-cache.ts';
import type { DelegatorScan, ValidatorSources } from './validator-sources.ts';

/** Our vote account as the cluster lists it and as its own bytes say. */
export interface OwnVote {
  readonly listed: VoteAccount;
  /** Null where the layout of the account is unknown. */
  readonly state: VoteAccountState | null;
  /** Hundredths of a percent, from the account's bytes where they can be read; null where nobody says. */
  readonly commissionBps: number | null;
}

/** Where in its epoch a slot is. */
type SlotOfEpoch = Pick<EpochPosition, 'absoluteSlot' | 'slotIndex'>;

/** Reads that are shared. All reject with `AppError('UPSTREAM_UNAVAILABLE')` when no RPC answers, or with the signal's reason. */
export interface ChainFacts {
  /** At most 5 s old; with `epoch` also not from before that epoch. */
  readonly own: (signal: AbortSignal, epoch?: bigint) => Promise<OwnVote>;
  /** Every vote account with stake. */
  readonly peers: (signal: AbortSignal) => Promise<readonly VoteAccount[]>;
  /** Our place among them in `epoch`, all seen at one moment: credits grow with every slot. */
  readonly ranking: (epoch: bigint, signal: AbortSignal) => Promise<ValidatorRanking>;
  /** Blocks of the whole cluster in the epoch of `at` so far: what could be voted for. Rejects also while the nodes are in another epoch. */
  readonly blocks: (at: SlotOfEpoch, signal: AbortSignal) => Promise<bigint>;
  /** Our leader slots in the epoch of `at`. Rejects also while the nodes are in another epoch. */
  readonly leader: (at: SlotOfEpoch, signal: AbortSignal) => Promise<LeaderCounts>;
  readonly software: (signal: AbortSignal) => Promise<string | null>;
  readonly delegatorScan: (signal: AbortSignal) => Promise<DelegatorScan>;
  /** From the index where there is one, else from the scan. */
  readonly delegators: (signal: AbortSignal) => Promise<number>;
  /** The length of an epoch by the slots of the last hours, seconds. */
  readonly secondsPerEpoch: (signal: AbortSignal) => Promise<number>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DELEGATOR_SCAN_TIMEOUT_MS = 5 * MINUTE;

/** Under the lifetimes of the answers made from them, so that an answer's age is its facts' age. */
const freshMs = {
  own: 5 * SECOND,
  peers: 45 * SECOND,
  blocks: 10 * SECOND,
  leader: 5 * SECOND,
  software: 10 * MINUTE,
  /** A scan may cost the nodes minutes: at most a hundredth of the time is spent on it. */
  delegatorScan: (tookMs: number) => Math.max(MINUTE, 100 * tookMs),
  secondsPerEpoch: 10 * MINUTE,
} as const;

const NOT_LISTED = 'The cluster does not list the vote account of this service.';

/** True for what `own` rejects with when the cluster answered and has no such vote account. */
export const isNotListed = (error: unknown): boolean =>
  isAppError(error, 'UPSTREAM_UNAVAILABLE') && error.message === NOT_LISTED;

/** Commission in percent as answers show it; null where the chain does not say. */
export const commissionPct = ({ commissionBps }: OwnVote): number | null =>
  commissionBps === null ? null : commissionBps / 100;

const readOwn = async (sources: ValidatorSources, signal: AbortSignal): Promise<OwnVote> => {
  const [listed, state] = await Promise.all([
    sources.chain.voteAccount(sources.voteAccount, { signal }),
    sources.chain.voteState(sources.voteAccount, { signal }),
  ]);
  if (listed === null) throw new AppError('UPSTREAM_UNAVAILABLE', NOT_LISTED);
  const listedBps = listed.commissionPct === null ? null : listed.commissionPct * 100;
  return { listed, state, commissionBps: state?.inflationCommissionBps ?? listedBps };
};

/** Nothing is read before the first call. */
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
  /** Reads with the epoch of before the read, so that nothing is taken for one of a later epoch than its own. */
  const dated =
    <T>(load: (signal: AbortSignal, epoch: bigint) => Promise<T>): Load<{ epoch: bigint; value: T }> =>
    async (signal) => {
      const { epoch } = await cluster.recentEpochPosition(signal);
      return { epoch, value: await load(signal, epoch) };
    };
  /** What is cached, read again where it is of another epoch than `isCurrent` asks for. */
  const current = async <T>(
    cache: Cache<T>,
    isCurrent: (found: T) => boolean,
    signal: AbortSignal,
  ): Promise<T> => {
    const found = await cache.read(signal);
    if (isCurrent(found)) return found;
    // Of all who waited for it the first forgets it.
    if (cache.peek()?.value === found) cache.clear();
    return cache.read(signal);
  };
  /** The same of counts whose first slot the chain tells; two nodes may still be in two epochs. */
  const counted = async <T extends { readonly firstSlot: bigint }>(
    cache: Cache<T>,
    { absoluteSlot, slotIndex }: SlotOfEpoch,
    signal: AbortSignal,
  ): Promise<T> => {
    const isCurrent = ({ firstSlot }: T): boolean => firstSlot === absoluteSlot - slotIndex;
    const found = await current(cache, isCurrent, signal);
    if (!isCurrent(found))
      throw new AppError('UPSTREAM_UNAVAILABLE', 'The Solana RPC counts the slots of another epoch.');
    return found;
  };
  const votes = cached(
    freshMs.own,
    dated((signal) => readOwn(sources, signal)),
  );
  const own = async (signal: AbortSignal, epoch = 0n): Promise<OwnVote> =>
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
  // Whoever staked in the last epoch has been paid for none before this one: a scan that was begun before a boundary ends behind it as the last epoch's.
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
  return {
    own,
    peers: async (signal) => (await peers.read(signal)).value,
    ranking: async (epoch, signal) => {
      // Credits begin anew with every epoch: a list from before it ranks nobody in it.
      const { value: all } = await current(peers, (found) => found.epoch >= epoch, signal);
      const listed = all.find(({ voteAccount }) => voteAccount === sources.voteAccount);
      return rankingOf(listed ?? (await own(signal, epoch)).listed, all, epoch);
    },
    blocks: async (at, signal) => (await counted(blocks, at, signal)).blocks,
    leader: (at, signal) => counted(leader, at, signal),
    software: (signal) => software.read(signal),
    delegatorScan: currentScan,
    delegators: async (signal) => sources.indexedDelegators() ?? (await currentScan(signal)).delegators,
    secondsPerEpoch: (signal) => secondsPerEpoch.read(signal),
  };
};
