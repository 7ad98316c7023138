// The `data` of everything that is delivered: which members it has and what they mean. Receivers rely on it, so members are only ever added.
import { z } from 'zod';
import { eventTypes, type NotificationType } from '../domain/notification-types.ts';

const wallet = z.string().meta({ description: 'The wallet that the registration names.' });
const epoch = z.int().nonnegative().meta({ description: 'The epoch in which it became true.' });
const stakeAccountAddress = z.string();
const activationEpoch = z.int().nonnegative();
const deactivationEpoch = z.int().nonnegative();
const balanceSol = z.number().meta({ description: 'The whole balance of the account, rent included, SOL.' });
/** Absent in what was recorded by versions before 0.2, whose `sol` was the stake. */
const stakedSol = z.number().optional();

/** `stake_activated`: an account of the wallet is fully effective for the first time since its own delegation. */
export const stakeActivatedDataSchema = z.object({
  walletAddress: wallet,
  epoch,
  stakeAccountAddress,
  sol: balanceSol,
  stakedSol: stakedSol.meta({ description: 'What is staked, SOL.' }),
  activationEpoch,
  unproven: z.literal(true).optional().meta({
    description:
      'Only where no node keeps the history of the account any more: it may also be a part that was split off an active stake.',
  }),
});

/** `stake_deactivated`: a deactivation is set. Undone and set again in the same epoch it is the same event. */
export const stakeDeactivatedDataSchema = z.object({
  walletAddress: wallet,
  epoch,
  stakeAccountAddress,
  sol: balanceSol,
  stakedSol: stakedSol.meta({ description: 'What was staked, SOL.' }),
  activationEpoch: activationEpoch.nullable().meta({ description: 'Null: staked since genesis.' }),
  deactivationEpoch,
});

/** `withdraw_ready`: nothing is staked any more, no lockup is in force, no rewards are being paid. */
export const withdrawReadyDataSchema = z.object({
  walletAddress: wallet,
  epoch,
  stakeAccountAddress,
  sol: balanceSol,
  deactivationEpoch,
});

/** `epoch_complete`: an epoch has ended and its rewards are paid. */
export const epochCompleteDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch that ended.' }),
  late: z.boolean().meta({
    description:
      'The service was down when the epoch ended. After an outage, each missed epoch is delivered, in order.',
  }),
  portfolio: z
    .object({
      accounts: z.int().nonnegative(),
      activeSol: z.number(),
      activatingSol: z.number(),
      deactivatingSol: z.number(),
    })
    .nullable()
    .meta({
      description:
        'The stake accounts of the wallet that are delegated to this validator, at the start of the next epoch. Null where that is past.',
    }),
});

/** Replaces events that can no longer be derived one by one; its type is one that the registration names. */
export const gapDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch in which the gap was found.' }),
  incomplete: z.literal(true),
  gap: z.object({
    stakeAccountAddress: z
      .string()
      .nullable()
      .meta({ description: 'Null: any account that the wallet had during the gap.' }),
    fromSlot: z.int().nonnegative(),
    toSlot: z.int().nonnegative(),
    reason: z.enum(['history-unavailable', 'too-many-transactions']),
  }),
});

const instant = z.string().meta({ override: { type: 'string', format: 'date-time' } });
const noticeEpoch = z.int().nonnegative().nullable().meta({ description: 'Null while no RPC node answers.' });
const webhookId = z.string().meta({ description: 'Id of the registration.' });

/** `ping`: a test delivery. */
const pingDataSchema = z.object({ walletAddress: wallet, epoch: noticeEpoch, webhookId });

/** `registration_deleted`: the last delivery of a registration. */
const registrationDeletedDataSchema = z.object({
  walletAddress: wallet,
  epoch: noticeEpoch,
  webhookId,
  events: z.array(z.enum(eventTypes)),
  deletedAt: instant,
  restorableUntil: instant,
});

const call = { method: z.literal('POST'), endpoint: z.string() };

/** `autopilot_sweep`: an unsigned stake transaction, offered by a policy; made anew for each attempt. */
const autopilotSweepDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch of the offer; the offer ends with it.' }),
  stakeAccountAddress,
  sol: z.number().meta({ description: 'What would be moved into the stake account, SOL.' }),
  transaction: z.string().meta({ description: 'Base64; verify it before you sign it.' }),
  blockhash: z.string(),
  lastValidBlockHeight: z.int().nonnegative(),
  estimatedExpiresAt: instant,
  instructions: z.array(z.object({ program: z.string(), name: z.string(), summary: z.string() })),
  warnings: z
    .array(z.string())
    .optional()
    .meta({ description: 'Warnings before signing, for instance that the validator is delinquent.' }),
  rebuild: z
    .object({ ...call, amountSol: z.number(), idempotencyKey: z.string() })
    .meta({ description: 'Rebuilds the transaction for the same stake account.' }),
  submit: z.object(call).meta({ description: 'Where the signed transaction goes.' }),
});

/** `autopilot_failed`: an offer ended without having been accepted. */
const autopilotFailedDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch of the offer.' }),
  offerId: z.string().meta({ description: 'Id of the offer.' }),
  reason: z.enum(['ADDRESS_UNUSABLE', 'NOT_DELIVERED']),
});

const orGap = (schema: z.ZodObject) => z.union([schema, gapDataSchema]);

/** `data` of each type. */
export const notificationDataSchemas: Readonly<Record<NotificationType, z.ZodType>> = {
  withdraw_ready: orGap(withdrawReadyDataSchema),
  epoch_complete: orGap(epochCompleteDataSchema),
  stake_activated: orGap(stakeActivatedDataSchema),
  stake_deactivated: orGap(stakeDeactivatedDataSchema),
  ping: pingDataSchema,
  registration_deleted: registrationDeletedDataSchema,
  autopilot_sweep: autopilotSweepDataSchema,
  autopilot_failed: autopilotFailedDataSchema,
};

export type StakeActivatedData = z.output<typeof stakeActivatedDataSchema>;
export type StakeDeactivatedData = z.output<typeof stakeDeactivatedDataSchema>;
export type WithdrawReadyData = z.output<typeof withdrawReadyDataSchema>;
export type EpochCompleteData = z.output<typeof epochCompleteDataSchema>;
export type GapData = z.output<typeof gapDataSchema>;
