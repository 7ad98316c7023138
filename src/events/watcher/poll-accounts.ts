// Polls the accounts of interest at finalized, assesses them, and composes their new events.
import type { Address } from '@solana/kit';
import type { FinalizedPosition } from '../../chain/cluster/finalized-position.ts';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import type { ChainAccount, SolanaReads } from '../../chain/ports.ts';
import type { LandedStakeTransactions } from '../../chain/transactions/landed-stake-transactions.ts';
import { type ChangeFact, factsOfChange } from '../../domain/alerts/change-facts.ts';
import {
  type AlertSurroundings,
  allDeactivatedOf,
  judgeChange,
} from '../../domain/alerts/compromise-patterns.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';
import { factsOfPeriod, isAfter, type StakeFact } from '../../domain/stake/stake-event-facts.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import type { TransactionRecords } from '../../store/transaction-records.ts';
import type { Registration } from '../../store/webhooks.ts';
import {
  type AccountAssessment,
  type AssessOptions,
  assessAccount,
  beforeSlotOf,
  isSameStake,
  type KnownAccount,
  wasDelegatedIn,
} from './assess-account.ts';
import {
  type ComposeOptions,
  changeEvent,
  factEvent,
  type Gap,
  gapEvents,
  isNewsTo,
} from './event-of-fact.ts';
import { momentOf, type UntimedEvent } from './event-times.ts';
import type { WatcherMemory } from './watcher-memory.ts';

/** An account to look at. */
interface Candidate {
  readonly wallet: Address;
  /** Something may have happened to it that its state does not show. */
  readonly isSuspect: boolean;
  /** Registrations are new to it: what is known of it does not count, and it is looked at from this slot on. */
  readonly freshFrom: bigint | null;
  readonly tries: number;
}

/** What a look works with. */
export interface PassOptions extends ComposeOptions {
  readonly reads: Pick<SolanaReads, 'accounts' | 'signaturesFor'>;
  readonly transactions: LandedStakeTransactions;
  readonly voteAccount: Address;
  readonly position: FinalizedPosition;
  readonly history: StakeHistory;
  readonly memory: WatcherMemory;
  readonly index: Pick<StakeIndex, 'walletRows'>;
  readonly records: Pick<TransactionRecords, 'find'>;
  readonly signal: AbortSignal;
}

/** What a look found. */
export interface PassResult {
  readonly events: readonly UntimedEvent[];
  /** Accounts whose history does not lead to their state yet. */
  readonly behind: ReadonlyMap<Address, Candidate>;
  readonly keep: readonly Omit<KnownAccount, 'account'>[];
  readonly gone: readonly Address[];
  readonly gaps: readonly Gap[];
  /** The judged accounts. */
  readonly assessed: ReadonlyMap<Address, AccountAssessment>;
}

const ACCOUNTS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;
const ASSESSED_AT_ONCE = 8;
/** Looks after which an account is judged by what there is: half a minute in which nodes can catch up. */
const MOST_TRIES = 15;

/** Runs `work` for each item, a few at once; the first failure stops it and is thrown when nothing is under way any more. */
const eachFew = async <T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) => {
  let next = 0;
  const run = async () => {
    while (next < items.length) {
      const item = items[next]!;
      next += 1;
      try {
        await work(item);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const runs = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, run));
  for (const one of runs) if (one.status === 'rejected') throw one.reason;
};

/** The earlier of a new registration's first slot and the last slot already read for the older ones. */
const earlier = (freshFrom: bigint | null, readUntil: bigint): bigint =>
  freshFrom !== null && freshFrom < readUntil ? freshFrom : readUntil;

/** A fact that came about again, in a later period, is the same fact. */
const firstOfEach = (facts: readonly StakeFact[]): readonly StakeFact[] => {
  const seen = new Set<string>();
  return facts.filter(({ type, wallet, identity }) => {
    const name = `${type} ${wallet} ${identity}`;
    return !seen.has(name) && seen.add(name);
  });
};

interface FinalAccount {
  readonly now: ChainAccount | null;
  readonly slot: bigint;
}

/** Reads accounts at `finalized`, each with the slot of its own answer. */
const readFinalized = async (
  { reads, position, signal }: PassOptions,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, FinalAccount>> => {
  const found = new Map<Address, FinalAccount>();
  const batches = Array.from({ length: Math.ceil(addresses.length / ACCOUNTS_PER_CALL) }, (_, i) =>
    addresses.slice(i * ACCOUNTS_PER_CALL, (i + 1) * ACCOUNTS_PER_CALL),
  );
  await eachFew(batches, CALLS_AT_ONCE, async (batch) => {
    const { slot, accounts } = await reads.accounts(batch, {
      signal,
      commitment: 'finalized',
      minContextSlot: position.slot,
    });
    for (const [i, address] of batch.entries()) found.set(address, { now: accounts[i] ?? null, slot });
  });
  return found;
};

/** Accounts that came out of this one after `fromSlot`; what was split off may already be somebody else's. */
const partsOf = (
  address: Address,
  { transactions }: AccountAssessment,
  fromSlot: bigint,
): readonly Address[] =>
  transactions.flatMap(({ operations }) =>
    operations.flatMap(({ operation, step }) =>
      operation.type === 'split' && operation.account === address && step.slot >= fromSlot
        ? [operation.into]
        : [],
    ),
  );

/** Leaves out deactivations that were submitted here. Throws `STORE_UNAVAILABLE`. */
export const withoutOwn = async (
  changes: readonly ChangeFact[],
  records: Pick<TransactionRecords, 'find'>,
): Promise<readonly ChangeFact[]> => {
  const deactivations = changes.filter(({ type }) => type === 'unexpected_deactivation');
  if (deactivations.length === 0) return changes;
  const own = await records.find(deactivations.map(({ signature }) => signature));
  return changes.filter((one) => one.type !== 'unexpected_deactivation' || !own.has(one.signature));
};

/** Events of changes, each judged beside the others. */
const changeEvents = async (
  found: readonly ChangeFact[],
  assessed: ReadonlyMap<Address, AccountAssessment>,
  options: PassOptions,
): Promise<readonly UntimedEvent[]> => {
  const { memory, index, records, voteAccount } = options;
  const changes = await withoutOwn(found, records);
  if (changes.length === 0) return [];
  const staked = (wallet: Address): number => {
    const accounts = new Map([...memory.known].map(([address, { account }]) => [address, account]));
    for (const [address, { account }] of assessed)
      if (account) accounts.set(address, account);
      else accounts.delete(address);
    return [...accounts.values()].filter(
      ({ withdrawAuthority, delegation }) =>
        withdrawAuthority === wallet &&
        delegation?.voteAccount === voteAccount &&
        delegation.deactivationEpoch === EPOCH_ABSENT,
    ).length;
  };
  const around = surroundingsOf(index, allDeactivatedOf(changes, staked));
  return changes.flatMap((change, order) => {
    const recipients = memory.wallets.byWallet.get(change.wallet) ?? [];
    const verdict = judgeChange(change, around);
    return recipients
      .filter((registration) => isNewsTo(change, registration))
      .map((registration) => changeEvent(change, verdict, registration, order, options));
  });
};

/** What is known beside a transaction: from the index, and whether all of the wallet's stakes went at once. */
export const surroundingsOf = (
  index: Pick<StakeIndex, 'walletRows'>,
  isAllDeactivated: AlertSurroundings['isAllDeactivated'],
): AlertSurroundings => ({
  isAllDeactivated,
  otherWalletsOf: otherWalletsIn(index),
});

/** Counts other wallets by the authorities that an address has of their stakes here. */
export const otherWalletsIn =
  (index: Pick<StakeIndex, 'walletRows'>): AlertSurroundings['otherWalletsOf'] =>
  (address, wallet) =>
    new Set(
      (index.walletRows(address)?.rows ?? []).flatMap(({ account: { stakeAuthority, withdrawAuthority } }) =>
        [stakeAuthority, withdrawAuthority].filter((one) => one !== address && one !== wallet),
      ),
    ).size;

/** Looks at the candidates. Throws `AppError('UPSTREAM_UNAVAILABLE')`; nothing is changed by a look. */
export const pollAccounts = async (
  candidates: ReadonlyMap<Address, Candidate>,
  options: PassOptions,
): Promise<PassResult> => {
  const { memory, position, history, voteAccount } = options;
  const { byWallet } = memory.wallets;
  const assessing: AssessOptions = {
    ...options,
    grid: position,
    minSlot: position.slot,
    voteAccount,
    history,
  };
  const result = {
    events: [] as UntimedEvent[],
    behind: new Map<Address, Candidate>(),
    keep: [] as Omit<KnownAccount, 'account'>[],
    gone: [] as Address[],
    gaps: [] as Gap[],
    assessed: new Map<Address, AccountAssessment>(),
  };
  const changes: ChangeFact[] = [];
  const parts = new Map<Address, Candidate>();
  const now = { epoch: position.epoch, seconds: position.unixTimestamp, history };

  const emit = async (address: Address, facts: readonly StakeFact[], slot: bigint): Promise<void> => {
    for (const [order, fact] of facts.entries()) {
      const recipients = (byWallet.get(fact.wallet) ?? []).filter((registration) =>
        isNewsTo(fact, registration),
      );
      if (recipients.length === 0) continue;
      const isUnsure = fact.type === 'stake_activated' && fact.period.delegated === null;
      const proof = isUnsure
        ? await wasDelegatedIn(address, fact.period.activationEpoch, slot, assessing)
        : true;
      if (proof === false) continue;
      const moment = momentOf(fact, position, order);
      for (const registration of recipients)
        result.events.push(factEvent(fact, registration, proof === true, moment, options));
    }
  };

  const keep = (
    address: Address,
    { account, delegatedEpoch }: AccountAssessment,
    { now: read, slot }: FinalAccount,
    known: KnownAccount | null,
    isFresh: boolean,
  ): void => {
    const isOurs =
      account !== null &&
      read !== null &&
      account.delegation?.voteAccount === voteAccount &&
      byWallet.has(account.withdrawAuthority);
    if (!isOurs) {
      if (known) result.gone.push(address);
      return;
    }
    const isNew = known === null || isFresh || !isSameStake(known.account, account);
    if (!isNew && known.delegatedEpoch === delegatedEpoch) return;
    result.keep.push({
      address,
      wallet: account.withdrawAuthority,
      slot,
      lamports: read.lamports,
      data: read.data,
      delegatedEpoch,
    });
  };

  const assess = async (address: Address, candidate: Candidate, final: FinalAccount): Promise<void> => {
    const stored = memory.known.get(address) ?? null;
    const known = candidate.freshFrom === null ? stored : null;
    const fromSlot = earlier(candidate.freshFrom, stored?.slot ?? memory.checkpoint.slot);
    const assessment = await assessAccount(
      {
        address,
        wallet: candidate.wallet,
        known,
        isSuspect: candidate.isSuspect,
        fromSlot,
        isLastTry: candidate.tries >= MOST_TRIES,
        ...final,
      },
      assessing,
    );
    if (assessment.outcome === 'behind') {
      result.behind.set(address, candidate);
      return;
    }
    result.assessed.set(address, assessment);
    if (assessment.outcome === 'gap') {
      const { wallet } = candidate;
      const since = stored?.slot ?? candidate.freshFrom ?? memory.checkpoint.slot;
      const reason = 'history-unavailable';
      result.gaps.push({ wallet, account: address, fromSlot: since, toSlot: final.slot, reason });
    }
    const facts = firstOfEach(assessment.periods.flatMap((period) => factsOfPeriod(address, period, now)));
    const isUnannounced = ({ stamp }: Pick<StakeFact, 'stamp'>): boolean =>
      known === null || isAfter(stamp, { ...memory.checkpoint, slot: beforeSlotOf(known) });
    await emit(address, facts.filter(isUnannounced), final.slot);
    for (const transaction of assessment.transactions)
      changes.push(
        ...factsOfChange(address, transaction, { voteAccount, grid: position }).filter(isUnannounced),
      );
    for (const part of partsOf(address, assessment, fromSlot))
      if (!memory.known.has(part)) parts.set(part, { ...candidate, isSuspect: true, tries: 0 });
    keep(address, assessment, final, stored, candidate.freshFrom !== null || candidate.isSuspect);
  };

  const seen = new Set<Address>();
  for (let next = candidates; next.size > 0; next = new Map([...parts].filter(([part]) => !seen.has(part)))) {
    const finals = await readFinalized(options, [...next.keys()]);
    for (const address of next.keys()) seen.add(address);
    await eachFew([...next], ASSESSED_AT_ONCE, ([address, candidate]) =>
      assess(address, candidate, finals.get(address)!),
    );
  }
  result.events.push(...(await changeEvents(changes, result.assessed, options)));
  return result;
};

/** The events of gaps. */
export const gapEventsFor = (
  gaps: readonly Gap[],
  byWallet: ReadonlyMap<Address, readonly Registration[]>,
  epoch: bigint,
  options: ComposeOptions,
): readonly UntimedEvent[] =>
  gaps.flatMap((gap) =>
    (byWallet.get(gap.wallet) ?? []).flatMap((registration) => gapEvents(gap, registration, epoch, options)),
  );

/** Suspicions whose slot is finalized. */
export type Due = readonly (readonly [
  Address,
  { readonly wallet: Address; readonly slot: bigint; readonly tries: number },
])[];

/** Where candidates come from. */
export interface CandidateSources {
  /** Wallets whose accounts are compared as a whole, with what they own now. */
  readonly listed: ReadonlyMap<Address, readonly Address[]>;
  /** Wallets that are watched since this look, each from its slot on. */
  readonly fresh: ReadonlyMap<Address, bigint>;
  /** Accounts that a search of their wallets' transactions met. */
  readonly searched: ReadonlyMap<Address, Address>;
  readonly due: Due;
  /** Known accounts whose turn it is. */
  readonly round: readonly Address[];
  /** The chain's finalized time, Unix seconds: lockups until then are over. */
  readonly seconds: bigint;
}

/** Each account once; a suspicion from any source stays, and the most tries count. */
export const candidatesOf = (
  memory: Pick<WatcherMemory, 'byWallet' | 'isForeign' | 'known' | 'locked'>,
  { listed, fresh, searched, due, round, seconds }: CandidateSources,
): ReadonlyMap<Address, Candidate> => {
  const candidates = new Map<Address, Candidate>();
  const add = (address: Address, wallet: Address, isSuspect: boolean, tries = 0): void => {
    const before = candidates.get(address);
    candidates.set(address, {
      wallet,
      freshFrom: fresh.get(wallet) ?? null,
      isSuspect: isSuspect || (before?.isSuspect ?? false),
      tries: Math.max(tries, before?.tries ?? 0),
    });
  };
  const owned = listed.size > 0 ? memory.byWallet() : new Map<Address, readonly Address[]>();
  for (const [wallet, addresses] of listed)
    for (const address of [...(owned.get(wallet) ?? []), ...addresses])
      add(address, wallet, memory.isForeign(address));
  for (const [address, wallet] of searched) add(address, wallet, true);
  for (const [address, { wallet, tries }] of due) add(address, wallet, true, tries);
  for (const address of round) {
    const known = memory.known.get(address);
    if (known) add(address, known.wallet, false);
  }
  for (const [address, until] of memory.locked) {
    const known = memory.known.get(address);
    if (known && until <= seconds) add(address, known.wallet, false);
  }
  return candidates;
};
