// Measures, on a few accounts and once per epoch, the inflation paid to this validator's delegators in the
// last ended epochs, and in earlier ones that the record lacks. Never estimates.
import type { Address } from '@solana/kit';
import type { EpochPosition } from '../chain/ports.ts';
import type { EpochPayments, PaidInflation } from '../chain/validator/reward-reads.ts';
import { rewardsPhase } from '../domain/epoch-clock.ts';
import { inflationReturns } from '../domain/portfolio/account-rewards.ts';
import { decodeStakeAccount } from '../domain/stake/stake-account.ts';
import {
  type EpochReturn,
  inflationByEpoch,
  type MeasuredRate,
  measureInflation,
  ratesBeforeCommission,
} from '../domain/validator/realized-apy.ts';
import { creditsEarned } from '../domain/validator/validator-score.ts';
import { createChainCache } from './chain-cache.ts';
import { nullIfUnavailable } from './null-if-unavailable.ts';
import type { ChainFacts, OwnVoteAccount } from './validator-chain-facts.ts';
import type { ValidatorSources } from './validator-sources.ts';

/**
 * Number of ended epochs that a rate covers: enough for stability, but few enough to notice a change of
 * commission.
 */
export const MEASURED_EPOCHS = 5;

/**
 * Number of ended epochs that are measured for the history if the record lacks them, for example after an
 * outage: as many as a wallet's rewards cover by default.
 */
export const MAX_MEASURED_EPOCHS = 30;

export interface RealisedInflation {
  /** Null if no account was effective in any of the epochs. */
  readonly rate: MeasuredRate | null;
  /** Rate before commission, across the epochs with a known commission below 100 %. */
  readonly grossRate: MeasuredRate | null;
  /** Share of the effective stake that was paid in each measured epoch. */
  readonly byEpoch: ReadonlyMap<bigint, number>;
  /** Commission of each measured epoch in percent, if the chain reports it. */
  readonly commissionByEpoch: ReadonlyMap<bigint, number>;
  /** Commission paid to the vote account for each epoch. Absent if another account may have received it. */
  readonly commissionLamportsByEpoch: ReadonlyMap<bigint, bigint>;
}

const NOTHING: RealisedInflation = {
  rate: null,
  grossRate: null,
  byEpoch: new Map(),
  commissionByEpoch: new Map(),
  commissionLamportsByEpoch: new Map(),
};

/** Delay before the next attempt while the newest epoch is unknown. */
const RETRY_MS = 15_000;

/** Lists the ended epochs, newest first. */
const lastEpochs = (currentEpoch: bigint, count: number): readonly bigint[] =>
  Array.from({ length: count }, (_, i) => currentEpoch - BigInt(i + 1)).filter((epoch) => epoch >= 0n);

/**
 * Lists the epochs that the rate does not cover, newest first, back to the oldest one with vote credits whose
 * yield is not recorded.
 */
const unrecordedEpochs = async (
  { samples }: ValidatorSources,
  { listed, state }: OwnVoteAccount,
  currentEpoch: bigint,
): Promise<readonly bigint[]> => {
  const recorded = await nullIfUnavailable(samples.epochs(MAX_MEASURED_EPOCHS + 1));
  if (recorded === null) return [];
  const known = new Set(recorded.flatMap(({ epoch, apy }) => (apy === null ? [] : [epoch])));
  const earlier = lastEpochs(currentEpoch, MAX_MEASURED_EPOCHS).slice(MEASURED_EPOCHS);
  const oldest = earlier.findLastIndex(
    (epoch) => !known.has(epoch) && (creditsEarned((state ?? listed).epochCredits, epoch) ?? 0n) > 0n,
  );
  return earlier.slice(0, oldest + 1);
};

/**
 * Returns the commission paid to the vote account, by epoch. Omits epochs without a payment if another account
 * may have received it (SIMD-0232).
 */
const commissionPaid = (
  { listed, state }: OwnVoteAccount,
  paid: readonly Extract<EpochPayments, { state: 'known' }>[],
): ReadonlyMap<bigint, bigint> => {
  const { voteAccount } = listed;
  const collectsItself =
    state !== null && (state.layout4 === null || state.layout4.inflationCollector === voteAccount);
  return new Map(
    paid.flatMap(({ epoch, payments }): [bigint, bigint][] => {
      const payment = payments.get(voteAccount) ?? null;
      if (payment !== null) return [[epoch, payment.lamports]];
      return collectsItself ? [[epoch, 0n]] : [];
    }),
  );
};

/**
 * Returns true if the validator's delegators earned nothing in `epoch`, because of no credits or a commission
 * of 100 %. Otherwise, stake without a payment was in another account at that time.
 */
const paidNothing = (
  { listed, state }: OwnVoteAccount,
  paid: readonly Extract<EpochPayments, { state: 'known' }>[],
  epoch: bigint,
): boolean =>
  (creditsEarned((state ?? listed).epochCredits, epoch) ?? 0n) === 0n ||
  paid.find((one) => one.epoch === epoch)?.payments.get(listed.voteAccount)?.commissionPct === 100;

const measure = async (
  sources: ValidatorSources,
  references: readonly Address[],
  position: EpochPosition,
  own: OwnVoteAccount,
  signal: AbortSignal,
): Promise<RealisedInflation | null> => {
  const { rewards, reads, cluster } = sources;
  const paidIn = (epochs: readonly bigint[]) =>
    rewards.inflationPayments([...references, own.listed.voteAccount], epochs, { signal });
  const covered = lastEpochs(position.epoch, MEASURED_EPOCHS);
  const paid = await paidIn(covered);
  // The rate is unknown while the rewards of the newest epoch are being paid. The next attempt measures it.
  if (paid[0]?.state !== 'known') return null;
  const unrecorded = await unrecordedEpochs(sources, own, position.epoch);
  const [{ accounts }, history, earlier] = await Promise.all([
    reads.accounts(references, { signal }),
    cluster.stakeHistory(position.epoch, signal),
    // These epochs are not part of the rate, so a failure to read them is tolerated.
    unrecorded.length === 0 ? [] : nullIfUnavailable(paidIn(unrecorded)),
  ]);
  const known = [...paid, ...(earlier ?? [])].flatMap((entry) => (entry.state === 'known' ? [entry] : []));
  const commissionByEpoch = new Map<bigint, number>();
  const returns: EpochReturn[] = [];
  for (const account of accounts) {
    const delegation = account && decodeStakeAccount(account)?.delegation;
    if (!delegation) continue;
    const payments = new Map<bigint, PaidInflation | null>(
      known.map(({ epoch, payments: all }) => [epoch, all.get(account.address) ?? null]),
    );
    const ofAccount = inflationReturns(
      { delegation, lamports: account.lamports },
      payments,
      position.epoch,
      history,
      (epoch) => creditsEarned(own.state?.epochCredits ?? own.listed.epochCredits, epoch),
    ).filter(({ epoch, lamports }) => lamports > 0n || paidNothing(own, known, epoch));
    returns.push(...ofAccount);
    // Payments of earlier epochs may be those of another validator, from which the stake was moved here.
    for (const { epoch } of ofAccount) {
      const commissionPct = payments.get(epoch)?.commissionPct;
      if (commissionPct != null) commissionByEpoch.set(epoch, commissionPct);
    }
  }
  const recent = returns.filter(({ epoch }) => covered.includes(epoch));
  return {
    rate: measureInflation(recent),
    grossRate: measureInflation(ratesBeforeCommission(recent, commissionByEpoch)),
    byEpoch: inflationByEpoch(returns),
    commissionByEpoch,
    commissionLamportsByEpoch: commissionPaid(own, known),
  };
};

/**
 * Reads the measurement. Returns null while it is unknown, for example if the first rewards after startup are
 * still being paid.
 */
export type ReadRealised = (signal: AbortSignal) => Promise<RealisedInflation | null>;

/**
 * Measures once per epoch, after the epoch's rewards have been paid. Until then, the previous measurement is
 * used.
 */
export const createMeasuredInflation = (sources: ValidatorSources, facts: ChainFacts): ReadRealised => {
  const { clock, lifetime, cluster } = sources;
  let measured: { readonly epoch: bigint; readonly result: RealisedInflation } | null = null;
  let attemptedIn: string | null = null;

  const attempt = createChainCache({
    freshMs: RETRY_MS,
    clock,
    lifetime,
    timeoutMs: 300_000,
    load: async (signal) => {
      const position = await cluster.recentEpochPosition(signal);
      if (measured?.epoch === position.epoch || position.epochRewardsActive) return;
      const [{ references }, own] = await Promise.all([facts.delegatorScan(signal), facts.own(signal)]);
      const result =
        references.length === 0 ? NOTHING : await measure(sources, references, position, own, signal);
      if (result !== null) measured = { epoch: position.epoch, result };
    },
  });

  return async (signal) => {
    const position = await cluster.recentEpochPosition(signal);
    const { epoch } = position;
    const phase = rewardsPhase(position);
    if (attemptedIn !== phase) attempt.clear();
    attemptedIn = phase;
    if (measured?.epoch !== epoch) await attempt.read(signal);
    return measured?.result ?? null;
  };
};
