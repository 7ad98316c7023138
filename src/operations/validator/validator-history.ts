// Reports every known completed epoch of the validator, and its votes of the last 30 days.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import type { EpochSample } from '../../store/validator-samples.ts';
import { HISTORY_EPOCHS, NO_NETWORK_PROVIDER } from '../../validator/mev-rates.ts';
import { nullIfUnavailable } from '../../validator/null-if-unavailable.ts';
import { VOTE_SAMPLE_RETENTION_MS } from '../../validator/record-validator-samples.ts';
import { part, providerPart, warningIf, warningsOf } from '../../validator/response-part.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { integer, timestamp } from '../shared-schemas.ts';
import { nullableInteger, nullablePercent, nullableSol } from './validator-response-schemas.ts';

const SOME_UNKNOWN = notice(
  'EARLIER_FIGURES_UNAVAILABLE',
  'Some values for earlier epochs are unavailable and left blank.',
);

/** `GET /api/v1/validator/history` */
export const validatorHistory = defineOperation({
  name: 'validatorHistory',
  summary: 'Validator history by epoch, with vote samples',
  description:
    'Completed epochs, newest first: active stake, vote credits, APY, commission and skip rate, recorded by this service each epoch; earlier epochs are backfilled from the chain and the providers; unavailable values are null. `voteSamples` is the vote success over the last 30 days, sampled every 15 minutes, oldest first.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    epochs: z.array(
      z
        .object({
          epoch: integer('The epoch.'),
          activeStakeSol: nullableSol('Stake that was active in this epoch.'),
          credits: nullableInteger('Vote credits earned in this epoch.'),
          apy: nullablePercent('Yearly yield based on the epoch’s rewards and tips, percent.'),
          commission: nullablePercent('Commission rate applied to the rewards, percent.'),
          skipRate: nullablePercent('Share of leader slots without a block, percent.'),
        })
        .meta({ id: 'ValidatorEpoch', description: 'One completed epoch.' }),
    ),
    voteSamples: z.array(
      z
        .object({
          timestamp: timestamp('Time of the sample.'),
          slot: integer('Slot at that time.'),
          voteSuccessRate: z
            .number()
            .meta({ description: 'Credits earned as a share of the maximum, percent.' }),
        })
        .meta({ id: 'VoteSample', description: 'One sample of the votes.' }),
    ),
    ...noticesMembers,
  }),
  errors: ['UPSTREAM_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const { sources, apy: readApy } = ctx.validator.facts;
    const [recorded, yields, votes, position, stakes] = await Promise.all([
      sources.samples.epochs(HISTORY_EPOCHS),
      // Adds the yields of the newest epochs, which the record may lack.
      nullIfUnavailable(readApy(signal)),
      sources.samples.votes(ctx.clock.now() - VOTE_SAMPLE_RETENTION_MS),
      part(
        sources.cluster.recentEpochPosition(signal),
        notice(
          'CURRENT_EPOCH_UNAVAILABLE',
          'No RPC node is responding, so the current epoch is unavailable.',
        ),
      ),
      providerPart(sources.network?.stakeHistory(signal), NO_NETWORK_PROVIDER),
    ]);
    const newest = recorded[0]?.epoch;
    // The newest record may be for the current epoch. Only the chain knows whether that epoch has ended.
    const current = position.value?.epoch ?? newest ?? 0n;
    const epochs = new Map(recorded.map((sample) => [sample.epoch, sample]));
    const provider = new Map(
      (stakes.value ?? []).map(({ epoch, activeStakeSol }) => [BigInt(epoch), activeStakeSol]),
    );
    const measured = new Map((yields?.epochs ?? []).map((one) => [BigInt(one.epoch), one]));
    const all = [...new Set([...epochs.keys(), ...measured.keys(), ...provider.keys()])].filter(
      (epoch) => epoch < current,
    );
    const completed = all
      .sort((a, b) => (a > b ? -1 : 1))
      .map((epoch) => {
        const {
          activeStakeLamports = null,
          credits = null,
          apy = null,
          commission = null,
          skipRate = null,
        }: Partial<EpochSample> = epochs.get(epoch) ?? {};
        return {
          epoch: Number(epoch),
          activeStakeSol:
            activeStakeLamports === null ? (provider.get(epoch) ?? null) : solNumber(activeStakeLamports),
          credits: credits === null ? null : Number(credits),
          apy: measured.get(epoch)?.apy ?? apy,
          commission: measured.get(epoch)?.commission ?? commission,
          skipRate,
        };
      });
    const hasGaps = completed.some((one) => Object.values(one).includes(null));
    return {
      body: {
        epochs: completed,
        voteSamples: votes.map(({ timestampMs, slot, voteSuccessRate }) => ({
          timestamp: new Date(timestampMs).toISOString(),
          slot: Number(slot),
          voteSuccessRate,
        })),
        ...noticesBody(warningsOf(position, stakes, warningIf(hasGaps, SOME_UNKNOWN))),
      },
    };
  },
});
