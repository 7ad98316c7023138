// Records the validator's history every quarter of an hour and at the end of every epoch. Runs in the one
// elected process.
import type { EpochPosition } from '../chain/ports.ts';
import type { BlocksProduced } from '../chain/validator/validator-reads.ts';
import { leaderSlots } from '../domain/validator/leader-slots.ts';
import { creditsEarned, UPTIME_EPOCHS, voteSuccessRate } from '../domain/validator/validator-score.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import type { EpochSample, NewEpochSample } from '../store/validator-samples.ts';
import { validatorMevLamports } from '../upstream/mev-statistics.ts';
import { measuredEpochs } from './measured-epochs.ts';
import { realisedTips } from './mev-rates.ts';
import { nullIfUnavailable } from './null-if-unavailable.ts';
import { beginReadingBlockRewards } from './read-block-rewards.ts';
import { commissionPct, type OwnVoteAccount } from './validator-chain-facts.ts';
import type { ValidatorFacts } from './validator-facts.ts';

interface SampleRecorderOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Retention of vote samples, in ms. */
export const VOTE_SAMPLE_RETENTION_MS = 30 * 86_400_000;
const QUARTER_MS = 15 * 60_000;
/**
 * Time before the end of an epoch, in ms, during which its skip rate is read at every poll, because the last
 * value is the one that is recorded.
 */
const EPOCH_ENDS_MS = 120_000;

type Running = Pick<
  EpochSample,
  'epoch' | 'activeStakeLamports' | 'commission' | 'skipRate' | 'clusterSkipRate' | 'stakeRank' | 'validators'
>;

const skipRateOf = ({ slots, blocks }: BlocksProduced): number | null =>
  leaderSlots({ assigned: null, passed: Number(slots), produced: Number(blocks) }).skipRatePct;

const atLeastZero = (epoch: bigint): bigint => (epoch < 0n ? 0n : epoch);

/**
 * Starts a term of recording. Nothing is kept from earlier terms, because another process may have recorded
 * newer samples since.
 */
export const beginRecordingSamples = (
  facts: Pick<ValidatorFacts, 'chain' | 'sources' | 'realised'>,
  { clock, logger }: SampleRecorderOptions,
): ((signal: AbortSignal) => Promise<void>) => {
  const { chain, sources, realised } = facts;
  const { samples, cluster } = sources;
  const readBlockRewards = beginReadingBlockRewards(sources);
  let running: Running | null = null;
  /** Epoch in which the leader slots were last read. */
  let leaderReadIn: bigint | null = null;
  let recordedQuarter = -1;
  let recordedEpoch: bigint | null = null;

  /**
   * Records votes and delinquency once per quarter of an hour across all replicas. Returns false to try again
   * at the next poll.
   */
  const recordQuarter = async (
    own: OwnVoteAccount,
    position: EpochPosition,
    blocks: bigint | null,
  ): Promise<boolean> => {
    const { epoch } = position;
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

  /**
   * Records every ended epoch that the chain still lists. Returns false while the rewards of the newest epoch
   * are unknown.
   */
  const recordEnded = async (own: OwnVoteAccount, epoch: bigint, signal: AbortSignal): Promise<boolean> => {
    const [measured, tips, secondsPerEpoch, income] = await Promise.all([
      realised(signal),
      realisedTips(sources, epoch, signal),
      chain.secondsPerEpoch(signal),
      sources.mev?.rewards(signal),
    ]);
    const ownTips = new Map(
      (income?.value ?? []).map((entry) => [BigInt(entry.epoch), validatorMevLamports(entry)]),
    );
    const apys = new Map(
      measuredEpochs(measured, tips.value, secondsPerEpoch).map((one) => [one.epoch, one.apy]),
    );
    const ended = (own.state ?? own.listed).epochCredits.filter((entry) => entry.epoch < epoch);
    const rows = ended.map(
      ({ epoch: one, credits, previousCredits }): NewEpochSample => ({
        epoch: one,
        credits: credits - previousCredits,
        apy: apys.get(Number(one)) ?? null,
        commission: measured?.commissionByEpoch.get(one) ?? null,
        commissionLamports: measured?.commissionLamportsByEpoch.get(one) ?? null,
        tipsLamports: ownTips.get(one) ?? null,
      }),
    );
    if (rows.length > 0) await samples.recordEpochs(rows);
    const isMeasured = measured !== null && (measured.rate === null || measured.byEpoch.has(epoch - 1n));
    if (isMeasured && recordedEpoch === null)
      logger.info({ epochs: rows.length }, 'the history of earlier epochs was filled from the chain');
    return isMeasured;
  };

  /** Returns the rank by stake, which is fixed during an epoch and is therefore only read once. */
  const rankIn = async (
    epoch: bigint,
    before: Running | null,
    signal: AbortSignal,
  ): Promise<Pick<Running, 'stakeRank' | 'validators'>> => {
    if (before !== null && before.stakeRank !== null) return before;
    const ranking = await nullIfUnavailable(chain.ranking(epoch, signal));
    return { stakeRank: ranking?.stakeRank.rank ?? null, validators: ranking?.stakeRank.total ?? null };
  };

  const record = async (own: OwnVoteAccount, position: EpochPosition, signal: AbortSignal): Promise<void> => {
    const { epoch } = position;
    const before = running;
    const sameEpoch = before?.epoch === epoch ? before : null;
    const isNewEpoch = sameEpoch === null;
    const quarter = Math.floor(clock.now() / QUARTER_MS);
    const isNewQuarter = quarter !== recordedQuarter;
    const slotsLeft = Number(position.slotsInEpoch - position.slotIndex);
    const isRecorded = isNewQuarter || slotsLeft * position.slotDurationMs < EPOCH_ENDS_MS;
    const [leader, cluster, { stakeRank, validators }] = await Promise.all([
      isRecorded || leaderReadIn !== epoch ? nullIfUnavailable(chain.leader(position, signal)) : null,
      isNewQuarter ? nullIfUnavailable(chain.blocks(position, signal)) : null,
      rankIn(epoch, sameEpoch, signal),
    ]);
    if (leader !== null) leaderReadIn = epoch;
    running = {
      epoch,
      activeStakeLamports: own.listed.activatedStakeLamports,
      commission: commissionPct(own),
      skipRate: leader === null ? (sameEpoch?.skipRate ?? null) : leaderSlots(leader).skipRatePct,
      clusterSkipRate: cluster === null ? (sameEpoch?.clusterSkipRate ?? null) : skipRateOf(cluster),
      stakeRank,
      validators,
    };
    if (isNewEpoch || isNewQuarter)
      await samples.recordEpochs(before !== null && isNewEpoch ? [before, running] : [running]);
    // Tips settle hours after the end of an epoch, so its row is updated every quarter of an hour.
    if (recordedEpoch !== epoch || isNewQuarter) {
      if (await recordEnded(own, epoch, signal)) recordedEpoch = epoch;
    }
    if (isNewQuarter && (await recordQuarter(own, position, cluster?.blocks ?? null)))
      recordedQuarter = quarter;
  };

  return async (signal) => {
    const own = await chain.own(signal);
    // Must be read after the stake. Otherwise, the stake of a new epoch could be recorded for the previous
    // one.
    const position = await cluster.epochPosition(signal);
    // Stake, credits and rewards change until all rewards have been paid.
    if (position.epochRewardsActive) return;
    await record(own, position, signal);
    await readBlockRewards(own.listed.identity, position, signal);
  };
};
