// Reports the current position of the chain and the validator.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import { leaderSlots } from '../../domain/validator/leader-slots.ts';
import { creditsEarned } from '../../domain/validator/validator-score.ts';
import { mevCommission } from '../../validator/mev-commission.ts';
import { NO_SKIP_RATE_YET, part, warningIf, warningsOf } from '../../validator/response-part.ts';
import { commissionPct } from '../../validator/validator-chain-facts.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { integer, sol } from '../shared-schemas.ts';
import { nullableInteger, nullablePercent } from './validator-response-schemas.ts';

const leaderSlotsSchema = z
  .object({
    assigned: nullableInteger('Leader slots of the whole epoch.'),
    passed: nullableInteger('Leader slots that have passed.'),
    produced: nullableInteger('Blocks produced in the passed slots.'),
    skipped: nullableInteger('Passed slots without a block.'),
    skipRatePct: nullablePercent('Share of passed slots without a block; null if fewer than 8 have passed.'),
  })
  .meta({ description: 'Leader slots in the current epoch; all null while no RPC counts them.' });

const NOT_COUNTED = { assigned: null, passed: null, produced: null, skipped: null, skipRatePct: null };

/** `GET /api/v1/validator/live` */
export const validatorLive = defineOperation({
  name: 'validatorLive',
  summary: 'Current slot, epoch and votes',
  description:
    'Current slot and epoch, the leader slots of the validator in it, its last vote, credits and stake, and its commissions. Read from the Solana RPC; only `jitoCommissionBps` comes from a provider.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    currentSlot: integer('The current slot.'),
    currentEpoch: integer('The current epoch.'),
    epochProgressPct: z.number().meta({ description: 'Share of the epoch that has passed, percent.' }),
    slotIndex: integer('Slots since the epoch began.'),
    slotsInEpoch: integer('Slots of the whole epoch.'),
    slotDurationMs: z.number().meta({ description: 'Measured mean slot duration, milliseconds.' }),
    leaderSlots: leaderSlotsSchema,
    lastVoteSlot: integer('The last slot that the validator voted for.'),
    rootSlot: integer('The last slot that the validator considers finalized.'),
    epochCredits: integer('Vote credits earned this epoch.'),
    activatedStakeSol: sol('Stake that is active this epoch.'),
    delinquent: z
      .boolean()
      .meta({ description: 'True if the validator is delinquent (its votes lag behind).' }),
    commission: nullablePercent('Commission on inflation rewards, percent.'),
    jitoCommissionBps: nullableInteger('Commission on MEV tips, basis points.'),
    ...noticesMembers,
  }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const { chain } = ctx.validator.facts;
    const asked = ctx.chain.cluster.epochPosition(signal);
    const [position, own, leader, jito] = await Promise.all([
      asked,
      asked.then(({ epoch }) => chain.own(signal, epoch)),
      part(
        asked.then((at) => chain.leader(at, signal)),
        notice(
          'LEADER_SLOTS_UNAVAILABLE',
          'No RPC node counts this epoch’s leader slots, so they are unavailable.',
        ),
      ),
      mevCommission(ctx.validator.facts.sources, signal),
    ]);
    const timing = epochTiming(position, ctx.clock.now());
    const { listed } = own;
    const slots = leader.value && leaderSlots(leader.value);
    return {
      body: {
        currentSlot: Number(position.absoluteSlot),
        currentEpoch: timing.currentEpoch,
        epochProgressPct: timing.progressPct,
        slotIndex: timing.slotIndex,
        slotsInEpoch: timing.slotsInEpoch,
        slotDurationMs: timing.slotDurationMs,
        leaderSlots: slots ?? NOT_COUNTED,
        lastVoteSlot: Number(listed.lastVoteSlot),
        rootSlot: Number(listed.rootSlot),
        epochCredits: Number(creditsEarned(listed.epochCredits, position.epoch) ?? 0n),
        activatedStakeSol: solNumber(listed.activatedStakeLamports),
        delinquent: listed.delinquent,
        commission: commissionPct(own),
        jitoCommissionBps: jito.value?.commissionBps ?? null,
        ...noticesBody(warningsOf(leader, jito, warningIf(slots?.skipRatePct === null, NO_SKIP_RATE_YET))),
      },
    };
  },
});
