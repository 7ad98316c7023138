// The validator's current yield and the source of each part: rewards paid at the current commission, otherwise
// the cluster's issuance, otherwise a provider.
import { type Notice, notice } from '../domain/notice.ts';
import { creditsShare, expectedInflationPerEpoch } from '../domain/validator/expected-apy.ts';
import type { InflationSchedule } from '../domain/validator/inflation-schedule.ts';
import {
  type Apy,
  annualYield,
  inflationPerEpochOf,
  type MeasuredRate,
  tipsPerEpochOf,
  totalApy,
} from '../domain/validator/realized-apy.ts';
import { type EarningState, stakeEarnings } from '../domain/validator/stake-earnings.ts';
import { creditsEarned } from '../domain/validator/validator-score.ts';
import type { MeasuredEpoch } from '../domain/validator/yield-interval.ts';
import { isAppError } from '../kernel/app-error.ts';
import { readMeasuredEpochs, withMeasured } from './measured-epochs.ts';
import type { ReadRealised } from './measured-inflation.ts';
import { HISTORY_EPOCHS, NO_NETWORK_PROVIDER, realisedTips } from './mev-rates.ts';
import { nullIfUnavailable } from './null-if-unavailable.ts';
import { type Part, part, providerPart, requireAny, warningsOf } from './response-part.ts';
import { type ChainFacts, commissionPct, earningStateOf, isNotListed } from './validator-chain-facts.ts';
import type { ValidatorSources } from './validator-sources.ts';
import { type YieldSpread, yieldSpread } from './yield-spread.ts';

/** Method by which a part of the yield was determined. */
export interface RateOrigin {
  /**
   * `realised`: from paid rewards. `expected`: from the cluster's issuance, because no rewards paid here have
   * been measured yet. `provider`: reported by the statistics provider. `none`: the validator does not share
   * tips.
   */
  readonly source: 'realised' | 'expected' | 'provider' | 'none';
  /** Null except for `realised`. */
  readonly window: MeasuredRate | null;
}

/** The yield with its method and warnings. */
export interface ApyFacts extends CurrentYield {
  /** Inflation schedule; null while it cannot be read. */
  readonly schedule: InflationSchedule | null;
  /** Every epoch with a known yield, each of them once. */
  readonly epochs: readonly MeasuredEpoch[];
  readonly spread: YieldSpread;
}

interface CurrentYield {
  readonly apy: Apy;
  /** Shares of the effective stake per epoch; null if the part is unknown. */
  readonly inflationPerEpoch: number | null;
  readonly tipsPerEpoch: number | null;
  readonly secondsPerEpoch: number | null;
  readonly staking: RateOrigin | null;
  readonly mev: RateOrigin | null;
  /** Reasons why stake may not earn, most severe first. */
  readonly notices: readonly Notice[];
  /** Warnings about missing values. */
  readonly warnings: readonly Notice[];
}

interface Rate {
  readonly perEpoch: number;
  readonly origin: RateOrigin;
}

// Worded so that it is also true for a wallet that has just been paid.
const EXPECTED = notice(
  'YIELD_EXPECTED',
  'The staking yield is estimated from the cluster’s issuance until rewards paid here are measured.',
);

const expectedRate = async (
  { cluster }: ValidatorSources,
  facts: ChainFacts,
  secondsPerEpoch: number,
  signal: AbortSignal,
): Promise<Rate | null> => {
  const { epoch } = await cluster.recentEpochPosition(signal);
  // A list that was read in an earlier epoch contains only part of that epoch's credits, which would distort
  // the share of the rewards.
  const [own, peers, issuance] = await Promise.all([
    facts.own(signal, epoch),
    facts.peers(signal, epoch),
    facts.issuance(signal),
  ]);
  if (own.commissionBps === null) return null;
  const earned = creditsEarned(own.listed.epochCredits, epoch - 1n);
  const credited = peers.flatMap(({ activatedStakeLamports, epochCredits }) => {
    const credits = creditsEarned(epochCredits, epoch - 1n);
    return credits === null ? [] : [{ activatedStakeLamports, credits }];
  });
  const perEpoch = expectedInflationPerEpoch(
    {
      ...issuance,
      clusterStakeLamports: peers.reduce((sum, peer) => sum + peer.activatedStakeLamports, 0n),
      creditsShare: earned === null ? 1 : (creditsShare(earned, credited) ?? 1),
      commissionBps: own.commissionBps,
    },
    secondsPerEpoch,
  );
  return perEpoch === null ? null : { perEpoch, origin: { source: 'expected', window: null } };
};

const stakingRate = async (
  sources: ValidatorSources,
  facts: ChainFacts,
  realised: ReadRealised,
  share: number,
  secondsPerEpoch: number,
  signal: AbortSignal,
): Promise<Part<Rate>> => {
  const measured = (await realised(signal))?.grossRate ?? null;
  if (measured !== null) {
    const origin = { source: 'realised', window: measured } as const;
    return { value: { perEpoch: measured.perEpoch * share, origin }, warnings: [] };
  }
  const expected = await expectedRate(sources, facts, secondsPerEpoch, signal);
  return { value: expected, warnings: expected === null ? [] : [EXPECTED] };
};

const mevRate = async (
  sources: ValidatorSources,
  epoch: bigint,
  signal: AbortSignal,
): Promise<Part<Rate>> => {
  const tips = await realisedTips(sources, epoch, signal);
  const window = tips.value?.rate ?? null;
  if (window !== null)
    return {
      value: { perEpoch: window.perEpoch, origin: { source: 'realised', window } },
      warnings: tips.warnings,
    };
  if (tips.value?.sharesTips === false)
    return { value: { perEpoch: 0, origin: { source: 'none', window: null } }, warnings: [] };
  return { value: null, warnings: tips.warnings };
};

const NO_STAKING_RATE = notice(
  'STAKING_YIELD_UNAVAILABLE',
  'The staking yield is currently unavailable from the chain and from providers.',
);
const NO_TIPS_RATE = notice(
  'TIP_YIELD_UNAVAILABLE',
  'The tip yield is currently unavailable; tips are not included.',
);

/** Reads the state of our vote account. Returns null if it cannot be read. */
export const readEarningState = async (
  facts: ChainFacts,
  signal: AbortSignal,
): Promise<EarningState | 'closed' | null> => {
  try {
    return earningStateOf(await facts.own(signal));
  } catch (error) {
    if (isNotListed(error)) return 'closed';
    if (isAppError(error, 'UPSTREAM_UNAVAILABLE')) return null;
    throw error;
  }
};

const NO_YIELD: Apy = { stakingApy: null, jitoMevApy: null, totalApy: null };

const readCurrentYield = async (
  sources: ValidatorSources,
  facts: ChainFacts,
  realised: ReadRealised,
  signal: AbortSignal,
): Promise<CurrentYield> => {
  const epochs = await part(
    Promise.all([sources.cluster.recentEpochPosition(signal), facts.secondsPerEpoch(signal)]),
    notice('REALISED_YIELD_UNAVAILABLE', 'No RPC node is responding, so the realized yield cannot be read.'),
  );
  const secondsPerEpoch = epochs.value?.[1] ?? null;
  const { isPaid, inflationShare, notices } = stakeEarnings(await readEarningState(facts, signal));
  if (!isPaid)
    return {
      apy: NO_YIELD,
      inflationPerEpoch: null,
      tipsPerEpoch: null,
      secondsPerEpoch,
      staking: null,
      mev: null,
      notices,
      warnings: warningsOf(epochs),
    };
  const nothing: Part<Rate> = { value: null, warnings: [] };
  const [staking, mev] =
    epochs.value === null || secondsPerEpoch === null
      ? [nothing, nothing]
      : await Promise.all([
          inflationShare === null
            ? nothing
            : part(
                stakingRate(sources, facts, realised, inflationShare, secondsPerEpoch, signal),
                notice('PAID_REWARDS_UNAVAILABLE', 'Rewards paid on chain are currently unavailable.'),
              ).then(({ value, warnings }) => value ?? { value: null, warnings }),
          mevRate(sources, epochs.value[0].epoch, signal),
        ]);
  // The provider is only requested if a part is missing.
  const needsProvider = staking.value === null || mev.value === null;
  const reported: Part<{ stakingApyPct: number | null; jitoApyPct: number | null }> = needsProvider
    ? await providerPart(sources.network?.validator(signal), NO_NETWORK_PROVIDER)
    : { value: null, warnings: [] };
  requireAny([staking, mev, reported, { value: epochs.value, warnings: [] }]);

  const own = annualYield(
    {
      inflationPerEpoch: staking.value?.perEpoch ?? null,
      tipsPerEpoch: mev.value?.perEpoch ?? null,
    },
    secondsPerEpoch ?? 1,
  );
  const stakingApy = own.stakingApy ?? (inflationShare === 0 ? 0 : (reported.value?.stakingApyPct ?? null));
  const jitoMevApy = own.jitoMevApy ?? reported.value?.jitoApyPct ?? null;
  const provider: RateOrigin = { source: 'provider', window: null };
  return {
    apy: { stakingApy, jitoMevApy, totalApy: totalApy(stakingApy, jitoMevApy) },
    inflationPerEpoch:
      staking.value?.perEpoch ??
      // A yield reported by a provider is only projected if the commission and the state are known.
      (stakingApy === null || secondsPerEpoch === null || inflationShare === null
        ? null
        : inflationPerEpochOf(stakingApy, secondsPerEpoch)),
    tipsPerEpoch:
      mev.value?.perEpoch ??
      (jitoMevApy === null || secondsPerEpoch === null ? null : tipsPerEpochOf(jitoMevApy, secondsPerEpoch)),
    secondsPerEpoch,
    staking: staking.value?.origin ?? (stakingApy === null ? null : provider),
    mev: mev.value?.origin ?? (jitoMevApy === null ? null : provider),
    notices,
    warnings: warningsOf(epochs, staking, mev, reported, {
      value: null,
      warnings: [
        ...(stakingApy === null ? [NO_STAKING_RATE] : []),
        ...(jitoMevApy === null ? [NO_TIPS_RATE] : []),
      ],
    }),
  };
};

/**
 * Computes the yield. Throws `AppError('UPSTREAM_UNAVAILABLE')` if neither the chain nor a provider has data.
 */
export const readApyFacts = async (
  sources: ValidatorSources,
  facts: ChainFacts,
  realised: ReadRealised,
  signal: AbortSignal,
): Promise<ApyFacts> => {
  const [current, schedule, samples, own, position] = await Promise.all([
    readCurrentYield(sources, facts, realised, signal),
    nullIfUnavailable(facts.inflationSchedule(signal)),
    nullIfUnavailable(sources.samples.epochs(HISTORY_EPOCHS)),
    nullIfUnavailable(facts.own(signal)),
    nullIfUnavailable(sources.cluster.recentEpochPosition(signal)),
  ]);
  const { secondsPerEpoch } = current;
  const measured =
    position === null || secondsPerEpoch === null
      ? []
      : await readMeasuredEpochs(sources, realised, { epoch: position.epoch, secondsPerEpoch }, signal);
  const epochs = withMeasured(samples ?? [], measured);
  return {
    ...current,
    schedule,
    epochs,
    spread: yieldSpread(samples && epochs, {
      apy: current.apy,
      epoch: position?.epoch ?? null,
      secondsPerEpoch,
      commission: own && commissionPct(own),
      schedule,
    }),
  };
};
