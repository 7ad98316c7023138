// Formats a policy. The owner sees the amounts, the callback's origin, the last offer, and why no offer was
// made. Others only see that the policy exists. The response never includes the signature.
import { z } from 'zod';
import type { SkipReason } from '../../domain/autopilot/decide-autopilot-offer.ts';
import { solNumber } from '../../domain/lamports.ts';
import type { PolicyRecord } from '../../store/policies.ts';
import type { Registration } from '../../store/registration-rows.ts';
import { integer, sol, timestamp } from '../shared-schemas.ts';

export const skipReasonTexts: Readonly<Record<SkipReason, string>> = {
  WALLET_SHORT: 'The wallet holds no more than the amount to keep liquid.',
  BELOW_MIN_SWEEP: 'The amount above the liquid amount is too small for an offer.',
  BELOW_MINIMUM_STAKE: 'The stakeable amount is below the cluster’s current minimum stake.',
  VALIDATOR_FAILING:
    'There is a critical notice about the validator, so no new stake is offered. See GET /api/v1/validator.',
  EPOCH_REWARDS_ACTIVE: 'Rewards are being paid out, and stakes fail until that is done.',
  WALLET_CANNOT_PAY: 'The address is not a plain wallet, so it cannot pay fees.',
};

/**
 * Fields of a policy that anyone may see. They include the nonce, because the page needs it to change the
 * policy.
 */
const publicShape = {
  walletAddress: z.string(),
  webhookId: z.string().meta({
    description:
      "The id of the callback in /api/v1/webhooks/{id}/deliveries, /ping, /replay and /rotate-secret, which take the policy's secret.",
  }),
  paused: z.boolean().meta({ description: 'A paused policy makes no offers.' }),
  nonce: integer('The wallet’s latest nonce; the next must be greater.'),
  createdAt: timestamp('Time at which the policy was first set.'),
  updatedAt: timestamp('Time at which it was last set.'),
};

/** Fields shown only to the owner. */
const privateShape = {
  keepLiquidSol: sol('Amount that stays liquid in the wallet.'),
  minSweepSol: sol('A stake is offered only if the wallet holds more than this amount above keepLiquidSol.'),
  callbackOrigin: z.string().meta({ description: 'Origin of the callback; its path is not shown.' }),
  callbackStatus: z.enum(['active', 'disabled']).meta({
    description:
      'A disabled callback gets only pings: it accepted no delivery for 5 days, or responded with 410. To re-enable it, set the policy again or get a 2xx response to a ping.',
  }),
  lastSweep: z
    .object({
      epoch: integer('The epoch of the offer; at most one offer per epoch.'),
      amountSol: sol('Amount last offered, including rent.'),
      eventId: z.string().meta({ description: 'The `webhook-id` of its deliveries.' }),
      at: timestamp('Time of the offer.'),
    })
    .nullable()
    .meta({ description: 'The last stake that was offered; null before the first.' }),
  lastSkip: z
    .object({
      epoch: integer('The epoch.'),
      reason: z.enum(Object.keys(skipReasonTexts) as [SkipReason, ...SkipReason[]]),
      message: z.string(),
      at: timestamp('Time at which this became the reason.'),
    })
    .nullable()
    .meta({
      description: 'Reason why the last check made no offer; null if no check was ever without an offer.',
    }),
};

/** A policy, as shown to its owner. */
export const policySchema = z.object({ ...publicShape, ...privateShape });

/** A policy as shown to any caller. The owner's fields are absent unless the caller proves ownership. */
export const shownPolicySchema = z.object({ ...publicShape, ...z.object(privateShape).partial().shape });

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Formats the policy for anyone. */
export const publicPolicyBody = (record: PolicyRecord) => ({
  walletAddress: record.walletAddress,
  webhookId: record.registrationId,
  paused: record.paused,
  nonce: record.nonce,
  createdAt: isoOf(record.createdAtMs),
  updatedAt: isoOf(record.updatedAtMs),
});

/** Formats the policy for its owner. `disabledReason` belongs to the callback's registration. */
export const policyBody = (
  record: PolicyRecord,
  { disabledReason }: Pick<Registration, 'disabledReason'>,
): z.input<typeof policySchema> => {
  const { lastSweep, lastSkip } = record;
  return {
    ...publicPolicyBody(record),
    keepLiquidSol: solNumber(record.keepLiquidLamports),
    minSweepSol: solNumber(record.minSweepLamports),
    callbackOrigin: new URL(record.callbackUrl).origin,
    callbackStatus: disabledReason === null ? 'active' : 'disabled',
    lastSweep: lastSweep && {
      epoch: Number(lastSweep.epoch),
      amountSol: solNumber(lastSweep.lamports),
      eventId: lastSweep.eventId,
      at: isoOf(lastSweep.atMs),
    },
    lastSkip: lastSkip && {
      epoch: Number(lastSkip.epoch),
      reason: lastSkip.reason,
      message: skipReasonTexts[lastSkip.reason],
      at: isoOf(lastSkip.atMs),
    },
  };
};
