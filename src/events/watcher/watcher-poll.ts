// Decides what a poll of the watcher reads, and which events and which memory result from it. Pure.
import type { Address } from '@solana/kit';
import type { StakeChange, StakeIndex } from '../../chain/index/stake-index.ts';
import type { ChangeFact } from '../../domain/alerts/detect-control-changes.ts';
import {
  allDeactivatedOf,
  assessChange,
  type TransactionContext,
} from '../../domain/alerts/theft-patterns.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../domain/stake/stake-account.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import type { FinalizedSuspicions } from './choose-accounts-to-read.ts';
import { isSameStake, type KnownAccount } from './derive-delegation-periods.ts';
import type { OwnerChanges } from './detect-reassigned-wallets.ts';
import { epochEvents } from './epoch-complete-events.ts';
import { changeEvent, factEvent, type Gap, gapEvents, isReportedTo } from './event-of-fact.ts';
import { chainTimeOf, timeEvents, type UntimedEvent } from './event-times.ts';
import type { AccountReading } from './read-accounts.ts';
import type { WatchedWallets } from './search-wallet.ts';
import type { ChainFacts } from './watcher-chain.ts';
import type { WatcherCheckpoint } from './watcher-checkpoint.ts';
import type { WatcherMemory } from './watcher-memory.ts';

/** Minimum number of polls in a round across all known accounts: 20 s at the default interval of 2 s. */
const ROUND_POLLS = 10;
/** Number of accounts read per poll in a round, in four calls of 100. */
const ROUND_ACCOUNTS = 400;
/** Minimum time between two searches of all wallets after the index lost its subscription, in ms. */
const SEARCH_EVERY_MS = 600_000;
const CHECKPOINT_EVERY_MS = 30_000;

/** Input from which a poll is planned. */
export interface PollObservation {
  readonly wallets: WatchedWallets;
  readonly position: ChainFacts['position'];
  readonly index: Pick<ReturnType<StakeIndex['health']>, 'live' | 'slot'>;
  /** Changes announced by the index since the last poll. */
  readonly changes: readonly StakeChange[];
  /** Monotonic clock, in ms. */
  readonly nowMs: number;
  readonly pollEveryMs: number;
}

export interface PollReads {
  /** Wallets whose accounts are listed and compared. */
  readonly listed: readonly Address[];
  /** Wallets with new registrations, and the slot from which each is watched. */
  readonly fresh: ReadonlyMap<Address, bigint>;
  /** Wallets whose own transactions are searched, and the slot after which each search starts. */
  readonly searches: ReadonlyMap<Address, bigint>;
  /** Suspect accounts (`watcher-memory.ts`) whose slot is finalized by now. */
  readonly due: FinalizedSuspicions;
  /** Known accounts of the current round that are read in this poll. */
  readonly round: readonly Address[];
  /** Wallets that were added before earlier changes were final and are now compared again. */
  readonly rechecked: readonly Address[];
  /** True if every wallet's own transactions are searched. */
  readonly searchesAll: boolean;
}

/** Adds an observation to the memory and plans the reads. `next` is kept even if those reads fail. */
export const planPoll = (
  previous: WatcherMemory,
  seen: PollObservation,
): { readonly next: WatcherMemory; readonly plan: PollReads } => {
  const { wallets, position, index } = seen;
  const next = previous.copy();
  for (const change of seen.changes) next.noteChange(change);
  const fresh = next.meet(wallets, index.slot);
  const rechecked = [...next.rechecks].filter(
    ([wallet, { indexSlot }]) => indexSlot <= position.slot && wallets.byWallet.has(wallet),
  );
  for (const [wallet, { after }] of rechecked) next.search(wallet, after);
  const isBoundary = position.epoch > next.checkpoint.epoch;
  const searchesAll = noteSubscription(next, isBoundary, seen) || next.isCatchingUp;
  // A new leader compares everything with the previous leader's data.
  const listsAll = isBoundary || next.isCatchingUp;
  const some = new Set([...fresh.keys(), ...rechecked.map(([wallet]) => wallet)]);
  const plan = {
    listed: listsAll ? [...wallets.byWallet.keys()] : [...some],
    fresh,
    searches: new Map([...next.searches].filter(([, after]) => after < position.slot)),
    due: [...next.suspects].filter(([, { slot }]) => slot <= position.slot),
    round: takeRound(next, seen),
    rechecked: rechecked.map(([wallet]) => wallet),
    searchesAll,
  };
  return { next, plan };
};

/**
 * Tracks outages of the subscription, during which accounts may appear and disappear unnoticed. Afterwards, all
 * wallets are searched from the last slot at which it was known to be up. Returns true if that search is due
 * now.
 */
const noteSubscription = (
  next: WatcherMemory,
  isBoundary: boolean,
  { index, nowMs }: PollObservation,
): boolean => {
  const isTime = isBoundary || nowMs >= next.searchedAtMs + SEARCH_EVERY_MS;
  const isSearching = next.wasSubscriptionLost && isTime;
  if (isSearching) {
    next.searchedAtMs = nowMs;
    next.searchAll();
  }
  next.wasSubscriptionLost = (!isSearching && next.wasSubscriptionLost) || !index.live;
  return isSearching;
};

/**
 * Returns the next few known accounts to compare with the chain, because the subscription does not announce an
 * account that leaves the validator.
 */
const takeRound = (
  next: WatcherMemory,
  { nowMs, pollEveryMs, position }: PollObservation,
): readonly Address[] => {
  if (next.round.length === 0 && nowMs >= next.roundAtMs + ROUND_POLLS * pollEveryMs) {
    next.roundAtMs = nowMs;
    next.round = [...next.known.keys()];
  }
  const some = next.round.slice(0, ROUND_ACCOUNTS);
  next.round = next.round.slice(ROUND_ACCOUNTS);
  // Changes reported by a node ahead of `position` wait until they are finalized.
  return some.filter((address) => (next.known.get(address)?.slot ?? position.slot) <= position.slot);
};

export interface PollFacts {
  readonly chain: ChainFacts;
  readonly plan: PollReads;
  readonly readings: ReadonlyMap<Address, AccountReading>;
  /** Changes that were found. */
  readonly changes: readonly ChangeFact[];
  /** Wallets whose own account is now owned by another program. */
  readonly owners: OwnerChanges;
  /** Gaps found while searching the wallets. */
  readonly gaps: readonly Gap[];
  /** Changes announced by the index while the poll was reading. */
  readonly changesMeanwhile: readonly StakeChange[];
  readonly otherWalletsOf: TransactionContext['otherWalletsOf'];
  /** Times of the monotonic clock and the wall clock, in ms. */
  readonly nowMs: number;
  readonly wallMs: number;
}

/** Result of a poll. `next` replaces the memory once the rest has been stored. */
export interface PollResult {
  readonly next: WatcherMemory;
  readonly events: readonly NewEvent[];
  readonly owners: OwnerChanges;
  readonly gaps: readonly Gap[];
  readonly keep: readonly Omit<KnownAccount, 'account'>[];
  readonly gone: readonly Address[];
  /** True if the events and the checkpoint must be written now. */
  readonly isStored: boolean;
  /**
   * False if the histories of some accounts do not lead to their current state yet. The checkpoint must then
   * wait for them.
   */
  readonly isComplete: boolean;
}

/** Evaluates what a poll has read. Pure: does not modify `previous`. */
export const evaluatePoll = (previous: WatcherMemory, facts: PollFacts): PollResult => {
  const { chain, plan, readings, owners, nowMs } = facts;
  const next = previous.copy();
  for (const change of facts.changesMeanwhile) next.noteChange(change);
  // An account is `behind` if the transactions found so far do not lead to its current state.
  const isComplete = ![...readings.values()].some(({ assessment }) => assessment.outcome === 'behind');
  const gaps = [...facts.gaps, ...accountGaps(readings, previous)];
  const untimed = [
    ...stakeEvents(facts, previous.wallets),
    ...changeEvents(facts, previous),
    ...owners.events,
    ...gaps.flatMap((gap) =>
      (previous.wallets.byWallet.get(gap.wallet) ?? []).flatMap((registration) =>
        gapEvents(gap, registration, chain.position.epoch, chain),
      ),
    ),
    ...(isComplete ? epochEvents(previous, readings, chain) : []),
  ];
  const events = timeEvents(untimed, facts.wallMs, previous.checkpoint.lastEventAtMs);
  const reached = isComplete ? checkpointAfter(next, facts) : previous.checkpoint;
  next.checkpoint = { ...reached, lastEventAtMs: events.at(-1)?.atMs ?? previous.checkpoint.lastEventAtMs };
  const isStored =
    events.length + owners.checkpoints.length > 0 ||
    next.checkpoint.epoch > previous.checkpoint.epoch ||
    nowMs >= previous.storedAtMs + CHECKPOINT_EVERY_MS;
  if (isStored) next.storedAtMs = nowMs;
  const { keep, gone } = accountsAfter(readings, previous, chain);
  for (const [address, { slot }] of plan.due)
    if ((next.suspects.get(address)?.slot ?? 0n) <= slot) next.suspects.delete(address);
  for (const [address, { candidate, assessment }] of readings)
    if (assessment.outcome === 'behind')
      next.suspect(address, candidate.wallet, chain.position.slot, candidate.tries + 1);
  for (const row of keep) next.remember(row);
  for (const address of gone) next.forget(address);
  // Lockups that have ended by the chain's time no longer matter.
  for (const [address, seconds] of next.locked)
    if (seconds <= next.checkpoint.seconds) next.locked.delete(address);
  if (isComplete) next.settle(plan.rechecked);
  return { next, events, owners, gaps, keep, gone, isStored, isComplete };
};

const accountGaps = (readings: PollFacts['readings'], { known, checkpoint }: WatcherMemory): readonly Gap[] =>
  [...readings].flatMap(([address, { candidate, final, assessment }]) =>
    assessment.outcome === 'gap'
      ? [
          {
            wallet: candidate.wallet,
            account: address,
            fromSlot: known.get(address)?.slot ?? candidate.freshFrom ?? checkpoint.slot,
            toSlot: final.slot,
            reason: 'history-unavailable',
          },
        ]
      : [],
  );

const stakeEvents = ({ readings, chain }: PollFacts, { byWallet }: WatchedWallets): readonly UntimedEvent[] =>
  [...readings.values()].flatMap(({ facts }) =>
    facts.flatMap(({ fact, proof }, order) =>
      proof === 'refuted'
        ? []
        : (byWallet.get(fact.wallet) ?? [])
            .filter((registration) => isReportedTo(fact, registration))
            .map((registration) =>
              factEvent(
                fact,
                registration,
                proof === 'proven',
                chainTimeOf(fact, chain.position, order),
                chain,
              ),
            ),
    ),
  );

/** Builds the events of changes. Each change is evaluated together with the others, to detect patterns. */
const changeEvents = (
  { changes, readings, chain, otherWalletsOf }: PollFacts,
  { known, wallets }: WatcherMemory,
): readonly UntimedEvent[] => {
  if (changes.length === 0) return [];
  const accounts = new Map([...known].map(([address, { account }]) => [address, account]));
  for (const [address, { assessment }] of readings)
    if (assessment.outcome === 'behind') continue;
    else if (assessment.account) accounts.set(address, assessment.account);
    else accounts.delete(address);
  const isStaked = ({ delegation }: StakeAccount): boolean =>
    delegation?.voteAccount === chain.voteAccount && delegation.deactivationEpoch === EPOCH_ABSENT;
  const staked = (wallet: Address): number =>
    [...accounts.values()].filter((one) => one.withdrawAuthority === wallet && isStaked(one)).length;
  const around = { isAllDeactivated: allDeactivatedOf(changes, staked), otherWalletsOf };
  return changes.flatMap((change, order) => {
    const result = assessChange(change, around);
    return (wallets.byWallet.get(change.wallet) ?? [])
      .filter((registration) => isReportedTo(change, registration))
      .map((registration) => changeEvent(change, result, registration, order, chain));
  });
};

/**
 * Computes the next checkpoint. It stays before finalized suspicions that have not been assessed yet, and does
 * not move while changes may have gone unnoticed.
 */
const checkpointAfter = (
  { checkpoint, suspects, rechecks, wasSubscriptionLost }: WatcherMemory,
  { plan, chain: { position } }: PollFacts,
): Omit<WatcherCheckpoint, 'lastEventAtMs'> => {
  const assessed = new Map(plan.due);
  let { slot } = position;
  for (const [address, suspicion] of suspects)
    if (assessed.get(address)?.slot !== suspicion.slot && suspicion.slot <= slot) slot = suspicion.slot - 1n;
  const isHeld = (wasSubscriptionLost && !plan.searchesAll) || rechecks.size > 0;
  return {
    epoch: position.epoch,
    slot: isHeld || slot < checkpoint.slot ? checkpoint.slot : slot,
    seconds: position.unixTimestamp > checkpoint.seconds ? position.unixTimestamp : checkpoint.seconds,
  };
};

/** Returns the accounts to store, and the accounts that are no longer watched. */
const accountsAfter = (
  readings: PollFacts['readings'],
  { known, wallets }: WatcherMemory,
  { voteAccount }: ChainFacts,
): Pick<PollResult, 'keep' | 'gone'> => {
  const keep: Omit<KnownAccount, 'account'>[] = [];
  const gone: Address[] = [];
  for (const [address, { candidate, final, assessment }] of readings) {
    const { outcome, account, delegatedEpoch } = assessment;
    if (outcome === 'behind') continue;
    const before = known.get(address);
    const isOurs =
      account?.delegation?.voteAccount === voteAccount && wallets.byWallet.has(account.withdrawAuthority);
    if (!isOurs || final.now === null) {
      if (before) gone.push(address);
      continue;
    }
    const isNew =
      before === undefined ||
      candidate.freshFrom !== null ||
      candidate.isSuspect ||
      !isSameStake(before.account, account) ||
      before.delegatedEpoch !== delegatedEpoch;
    if (!isNew) continue;
    const { lamports, data } = final.now;
    keep.push({
      address,
      wallet: account.withdrawAuthority,
      slot: final.slot,
      lamports,
      data,
      delegatedEpoch,
    });
  }
  return { keep, gone };
};
