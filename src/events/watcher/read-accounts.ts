// Reads candidates and their histories at `finalized`, and derives what happened to them. Stores nothing.
import type { Address } from '@solana/kit';
import type { ChainAccount, SolanaReads } from '../../chain/ports.ts';
import { type ChangeFact, factsOfChange } from '../../domain/alerts/detect-control-changes.ts';
import { factsOfPeriod, isAfter, type StakeFact } from '../../domain/stake/detect-stake-events.ts';
import type { Candidate } from './choose-accounts-to-read.ts';
import {
  type AccountAssessment,
  type AssessOptions,
  beforeSlotOf,
  deriveDelegationPeriods,
  wasDelegatedIn,
} from './derive-delegation-periods.ts';
import { isReportedTo } from './event-of-fact.ts';
import type { ChainFacts } from './watcher-chain.ts';
import type { WatcherMemory } from './watcher-memory.ts';

/** The reads that a poll makes. */
export interface AccountReads extends AssessOptions {
  readonly reads: Pick<SolanaReads, 'accounts' | 'signaturesFor'>;
}

/** The finalized account at `slot`, the slot of the response that contained it. */
interface FinalAccount {
  readonly now: ChainAccount | null;
  readonly slot: bigint;
}

/**
 * A fact, and whether the account's own history proves it. `refuted`: a part split off an active stake was not
 * activated itself.
 */
interface CheckedFact {
  readonly fact: StakeFact;
  readonly proof: 'proven' | 'unproven' | 'refuted';
}

/** The result of reading one candidate. */
export interface AccountReading {
  readonly candidate: Candidate;
  readonly final: FinalAccount;
  readonly assessment: AccountAssessment;
  /** Facts in chronological order, without those that were already reported. */
  readonly facts: readonly CheckedFact[];
  readonly changes: readonly ChangeFact[];
}

const ACCOUNTS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;
const ASSESSED_AT_ONCE = 8;
/**
 * Number of polls after which an account is assessed with the available data. It gives nodes half a minute to
 * catch up.
 */
const MAX_TRIES = 15;

/**
 * Runs `work` for each item, a few at a time. The first failure stops the rest and is thrown once the work in
 * progress has ended.
 */
export const forEachFewAtOnce = async <T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
) => {
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

const readFinalized = async (
  addresses: readonly Address[],
  { reads, minSlot, signal }: AccountReads,
): Promise<ReadonlyMap<Address, FinalAccount>> => {
  const found = new Map<Address, FinalAccount>();
  const batches = Array.from({ length: Math.ceil(addresses.length / ACCOUNTS_PER_CALL) }, (_, i) =>
    addresses.slice(i * ACCOUNTS_PER_CALL, (i + 1) * ACCOUNTS_PER_CALL),
  );
  await forEachFewAtOnce(batches, CALLS_AT_ONCE, async (batch) => {
    const query = { signal, commitment: 'finalized', minContextSlot: minSlot } as const;
    const { slot, accounts } = await reads.accounts(batch, query);
    for (const [i, address] of batch.entries()) found.set(address, { now: accounts[i] ?? null, slot });
  });
  return found;
};

/**
 * Returns the slot after which an account's history matters: the slot of a new registration or the last slot
 * read before, whichever is earlier.
 */
const fromSlotOf = (address: Address, { freshFrom }: Candidate, memory: WatcherMemory): bigint => {
  const readUntil = memory.known.get(address)?.slot ?? memory.checkpoint.slot;
  return freshFrom !== null && freshFrom < readUntil ? freshFrom : readUntil;
};

/** Removes duplicates, because a later period may repeat a fact. */
const firstOfEach = (facts: readonly StakeFact[]): readonly StakeFact[] => {
  const seen = new Set<string>();
  return facts.filter(({ type, wallet, identity }) => {
    const name = `${type} ${wallet} ${identity}`;
    return !seen.has(name) && seen.add(name);
  });
};

/**
 * Lists accounts that were split from this one after `fromSlot`. They may belong to another wallet by now.
 */
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

const readAccount = async (
  address: Address,
  candidate: Candidate,
  final: FinalAccount,
  { memory, chain, reads }: { memory: WatcherMemory; chain: ChainFacts; reads: AccountReads },
): Promise<AccountReading> => {
  const { position, history, voteAccount } = chain;
  const known = candidate.freshFrom === null ? (memory.known.get(address) ?? null) : null;
  const assessment = await deriveDelegationPeriods(
    {
      address,
      wallet: candidate.wallet,
      known,
      isSuspect: candidate.isSuspect,
      fromSlot: fromSlotOf(address, candidate, memory),
      isLastTry: candidate.tries >= MAX_TRIES,
      ...final,
    },
    reads,
  );
  const isUnreported = ({ stamp }: Pick<StakeFact, 'stamp'>): boolean =>
    known === null || isAfter(stamp, { ...memory.checkpoint, slot: beforeSlotOf(known) });
  const now = { epoch: position.epoch, seconds: position.unixTimestamp, history };
  const facts: CheckedFact[] = [];
  for (const fact of firstOfEach(
    assessment.periods.flatMap((period) => factsOfPeriod(address, period, now)),
  ).filter(isUnreported)) {
    const isUnsure =
      fact.type === 'stake_activated' &&
      fact.period.delegated === null &&
      (memory.wallets.byWallet.get(fact.wallet) ?? []).some((one) => isReportedTo(fact, one));
    const wasDelegated = isUnsure
      ? await wasDelegatedIn(address, fact.period.activationEpoch, final.slot, reads)
      : true;
    facts.push({
      fact,
      proof: wasDelegated === null ? 'unproven' : wasDelegated ? 'proven' : 'refuted',
    });
  }
  const changes = assessment.transactions.flatMap((transaction) =>
    factsOfChange(address, transaction, { voteAccount, grid: position }).filter(isUnreported),
  );
  return { candidate, final, assessment, facts, changes };
};

/**
 * Reads the candidates and the accounts that were split from them. Throws `AppError('UPSTREAM_UNAVAILABLE')`
 * if no RPC node returns a usable response.
 */
export const readAccounts = async (
  candidates: ReadonlyMap<Address, Candidate>,
  context: { readonly memory: WatcherMemory; readonly chain: ChainFacts; readonly reads: AccountReads },
): Promise<ReadonlyMap<Address, AccountReading>> => {
  const readings = new Map<Address, AccountReading>();
  const seen = new Set<Address>();
  for (let next = candidates; next.size > 0; ) {
    const parts = new Map<Address, Candidate>();
    const finals = await readFinalized([...next.keys()], context.reads);
    for (const address of next.keys()) seen.add(address);
    await forEachFewAtOnce([...next], ASSESSED_AT_ONCE, async ([address, candidate]) => {
      const reading = await readAccount(address, candidate, finals.get(address)!, context);
      readings.set(address, reading);
      if (reading.assessment.outcome === 'behind') return;
      for (const part of partsOf(address, reading.assessment, fromSlotOf(address, candidate, context.memory)))
        if (!context.memory.known.has(part)) parts.set(part, { ...candidate, isSuspect: true, tries: 0 });
    });
    next = new Map([...parts].filter(([part]) => !seen.has(part)));
  }
  return readings;
};
