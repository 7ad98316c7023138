// Samples the validator periodically: refreshes its status, and on the leader records its history.

import type { EpochPosition } from '../chain/ports.ts';
import type { Notice } from '../domain/notice.ts';
import { annualYield } from '../domain/validator/apy.ts';
import { leaderSlots } from '../domain/validator/leader-slots.ts';
import { creditsEarned, UPTIME_EPOCHS, voteSuccessRate } from '../domain/validator/validator-score.ts';
import { repeatUntil } from '../kernel/abort.ts';
import { isAppError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { VOTE_SAMPLE_RETENTION_MS } from '../operations/validator/validator-history.ts';
import type { EpochSample } from '../store/validator-samples.ts';
import { realisedTips } from './mev-rates.ts';
import { commissionPct, isNotListed, type OwnVote } from './validator-chain-facts.ts';
import type { ValidatorFacts } from './validator-facts.ts';
import type { ValidatorStatusBoard } from './validator-status.ts';

/** What it works with. */
interface SamplerOptions {
  readonly facts: ValidatorFacts;
  readonly board: ValidatorStatusBoard;
  /** What was told of the validator and holds in this epoch. */
  readonly told: (epoch: bigint) => Promise<readonly Notice[]>;
  /** A signal while this process is the one that records, else null: every replica looks, one records. */
  readonly recording: () => AbortSignal | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One look, and what it leaves in the store. */
export interface Sampler {
  /** Never rejects: what cannot be seen now is seen by a later look. */
  readonly poll: (signal: AbortSignal) => Promise<void>;
}

/** Three looks within the time that a status is shown. */
const PASS_EVERY_MS = 20_000;
const QUARTER_MS = 15 * 60_000;
/** The epochs whose commission today's is compared with. */
const COMPARED_EPOCHS = 5n;

type Running = Omit<EpochSample, 'credits' | 'apy'>;

const orNull = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
};

const atLeastZero = (epoch: bigint): bigint => (epoch < 0n ? 0n : epoch);

/** Creates a sampler; it does nothing by itself. */
export const createSampler = ({ facts, board, told, recording, clock, logger }: SamplerOptions): Sampler => {
  const { chain, sources, realised } = facts;
  const { samples, cluster } = sources;
  let running: Running | null = null;
  let recordedQuarter = -1;
  let recordedEpoch: bigint | null = null;
  let firstIdentity: string | null = null;

  const recordedCommission = async (epoch: bigint): Promise<number | null> => {
    const recorded = (await orNull(samples.epochs(Number(COMPARED_EPOCHS) + 1))) ?? [];
    const known = recorded.flatMap((sample) =>
      sample.epoch < epoch && sample.epoch >= epoch - COMPARED_EPOCHS ? (sample.commission ?? []) : [],
    );
    return known.length === 0 ? null : Math.min(...known);
  };

  const postStatus = async (own: OwnVote, epoch: bigint, signal: AbortSignal): Promise<void> => {
    const [apy, recorded, warnings] = await Promise.all([
      orNull(facts.apy(signal)),
      recordedCommission(epoch),
      orNull(told(epoch)),
    ]);
    const { identity } = own.listed;
    firstIdentity ??= identity;
    board.post({
      listed: true,
      moved: identity === firstIdentity ? null : { from: firstIdentity, to: identity },
      delinquent: own.listed.delinquent,
      // Nothing was expected of one that never had stake.
      inEpoch: own.listed.inEpoch || own.listed.epochCredits.length === 0,
      told: warnings ?? [],
      commission: commissionPct(own),
      recordedCommission: recorded,
      apy,
    });
  };

  /** Votes and delinquency, once a quarter of an hour over all replicas; false to try again at the next look. */
  const recordQuarter = async (
    own: OwnVote,
    position: EpochPosition,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { epoch } = position;
    const blocks = await orNull(chain.blocks(position, signal));
    const earned = creditsEarned(own.listed.epochCredits, epoch) ?? 0n;
    const rate = blocks === null ? null : voteSuccessRate(earned, blocks);
    if (blocks !== null && rate === null) return false;
    const isFirst =
      rate === null ||
      (await samples.recordVote({
        timestampMs: clock.now(),
        slot: position.absoluteSlot,
        voteSuccessRate: rate,
      }));
    if (isFirst) await samples.recordDelinquency({ epoch, isDelinquent: own.listed.delinquent });
    await samples.forget({
      votesBeforeMs: clock.now() - VOTE_SAMPLE_RETENTION_MS,
      delinquencyBeforeEpoch: atLeastZero(epoch - UPTIME_EPOCHS + 1n),
    });
    return true;
  };

  /** Every ended epoch that the chain still tells of; false while the newest one's rewards are not to be known. */
  const recordEnded = async (own: OwnVote, epoch: bigint, signal: AbortSignal): Promise<boolean> => {
    const [measured, tips, secondsPerEpoch] = await Promise.all([
      realised(signal),
      realisedTips(sources, epoch, signal),
      chain.secondsPerEpoch(signal),
    ]);
    const ended = (own.state ?? own.listed).epochCredits.filter((entry) => entry.epoch < epoch);
    const rows = ended.map(({ epoch: one, credits, previousCredits }): EpochSample => {
      const rates = {
        inflationPerEpoch: measured?.byEpoch.get(one) ?? null,
        tipsPerEpoch: tips.value?.byEpoch.get(one) ?? null,
      };
      return {
        epoch: one,
        activeStakeLamports: null,
        credits: credits - previousCredits,
        apy: annualYield(rates, secondsPerEpoch).totalApy,
        commission: measured?.commissionByEpoch.get(one) ?? null,
        skipRate: null,
      };
    });
    if (rows.length > 0) await samples.recordEpochs(rows);
    const isMeasured = measured !== null && (measured.rate === null || measured.byEpoch.has(epoch - 1n));
    if (isMeasured && recordedEpoch === null)
      logger.info({ epochs: rows.length }, 'the record of earlier epochs was filled from the chain');
    return isMeasured;
  };

  const see = async (signal: AbortSignal): Promise<void> => {
    const own = await chain.own(signal);
    // Read anew, and after what it dates: else the stake of an epoch that has just begun would be kept as the last one's for ever.
    const position = await cluster.epochPosition(signal);
    await postStatus(own, position.epoch, signal);
    const turn = recording();
    if (turn === null) {
      // Whoever records now knows better than what was seen in an earlier turn.
      running = null;
      return;
    }
    // Stake, credits and rewards are in motion until then.
    if (position.epochRewardsActive) return;
    await record(own, position, AbortSignal.any([signal, turn])).catch((error: unknown) => {
      if (!turn.aborted) throw error;
    });
  };

  const record = async (own: OwnVote, position: EpochPosition, signal: AbortSignal): Promise<void> => {
    const { epoch } = position;
    const leader = await orNull(chain.leader(position, signal));
    const before = running;
    running = {
      epoch,
      activeStakeLamports: own.listed.activatedStakeLamports,
      commission: commissionPct(own),
      skipRate:
        leader === null
          ? before?.epoch === epoch
            ? before.skipRate
            : null
          : leaderSlots(leader).skipRatePct,
    };
    const isNewEpoch = before?.epoch !== epoch;
    const quarter = Math.floor(clock.now() / QUARTER_MS);
    const isNewQuarter = quarter !== recordedQuarter;
    if (isNewEpoch || isNewQuarter) {
      const seen = before !== null && isNewEpoch ? [before, running] : [running];
      await samples.recordEpochs(seen.map((one) => ({ ...one, credits: null, apy: null })));
    }
    // Tips settle hours after an epoch's end, so that its row is looked at again each quarter of an hour.
    if (recordedEpoch !== epoch || isNewQuarter) {
      if (await recordEnded(own, epoch, signal)) recordedEpoch = epoch;
    }
    if (isNewQuarter && (await recordQuarter(own, position, signal))) recordedQuarter = quarter;
  };

  return {
    poll: async (signal) => {
      try {
        await see(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isNotListed(error))
          board.post({
            listed: false,
            moved: null,
            delinquent: true,
            inEpoch: false,
            told: [],
            commission: null,
            recordedCommission: null,
            apy: null,
          });
        if (isAppError(error)) logger.debug({ err: error }, 'the validator could not be sampled');
        else logger.error({ err: error }, 'sampling the validator failed inside the service');
      }
    },
  };
};

/** Samples every 20 seconds until `signal` aborts; resolves when the last pass has ended. */
export const runSampler = (
  sampler: Sampler,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> => repeatUntil(signal, clock, PASS_EVERY_MS, () => sampler.poll(signal));
