// Schemas of the `data` in deliveries. Receivers rely on these fields, so fields may be added but never
// removed.

import { z } from 'zod';
import { alertLevels, validatorChanges } from '../domain/alerts/alert-table.ts';
import type { ChangeFact } from '../domain/alerts/detect-control-changes.ts';
import { type AlertAssessment, theftPatternNames } from '../domain/alerts/theft-patterns.ts';
import { eventTypes, type NotificationType } from '../domain/notification-types.ts';
import { priorityLevels } from '../domain/priority-levels.ts';
import { shownLockup } from '../domain/stake/stake-account.ts';

const wallet = z.string().meta({ description: 'The wallet named in the registration.' });
const epoch = z.int().nonnegative().meta({ description: 'The epoch in which the event happened.' });
const stakeAccountAddress = z.string();
const activationEpoch = z.int().nonnegative();
const deactivationEpoch = z.int().nonnegative();
const balanceSol = z.number().meta({ description: 'Total balance of the account in SOL, rent included.' });
const stakedSol = z.number();

/**
 * `stake_activated`: an account of the wallet is fully effective for the first time since it was delegated.
 * Stake that was split off an active account does not count.
 */
export const stakeActivatedDataSchema = z.object({
  walletAddress: wallet,
  epoch,
  stakeAccountAddress,
  sol: balanceSol,
  stakedSol: stakedSol.meta({ description: 'Staked amount, SOL.' }),
  activationEpoch,
  unproven: z.literal(true).optional().meta({
    description:
      'Present only if no node keeps the account’s history any longer. The account may then have been split off from an active stake.',
  }),
});

/**
 * `stake_deactivated`: the stake is deactivating. A deactivation undone and repeated in the same epoch is the
 * same event.
 */
export const stakeDeactivatedDataSchema = z.object({
  walletAddress: wallet,
  epoch,
  stakeAccountAddress,
  sol: balanceSol,
  stakedSol: stakedSol.meta({ description: 'Amount that was staked, SOL.' }),
  activationEpoch: activationEpoch.nullable().meta({ description: 'Null if staked since genesis.' }),
  deactivationEpoch,
});

/** `withdraw_ready`: no stake is left, no lockup is active, and no rewards are being paid. */
export const withdrawReadyDataSchema = z.object({
  walletAddress: wallet,
  epoch,
  stakeAccountAddress,
  sol: balanceSol,
  deactivationEpoch,
});

/** `epoch_complete`: an epoch has ended and its rewards have been paid. */
export const epochCompleteDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch that ended.' }),
  late: z.boolean().meta({
    description:
      'The epoch was no longer the last one when the service noticed its end: the service was down, or epochs ended in quick succession. After an outage, each missed epoch is delivered, in order.',
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
        'The stake accounts of the wallet that are delegated to this validator, at the start of the next epoch. Null if that time has passed.',
    }),
});

const level = z.enum(alertLevels).meta({ description: 'critical: act now.' });
const known = z.string().nullable().meta({ description: 'Null if unknown.' });
const fromTo = z.object({ from: known, to: known });
const lockupSchema = z
  .object({ unixTimestamp: z.int(), epoch: z.int().nonnegative(), custodian: z.string() })
  .nullable()
  .meta({ description: 'Null if there is none or it is unknown.' });

/** Fields of all alerts about a stake account. They never contain a transaction or a link that prepares one. */
const changeShape = {
  walletAddress: wallet.meta({ description: 'The wallet that could withdraw the stake before the change.' }),
  epoch,
  stakeAccountAddress,
  level,
  patterns: z
    .array(z.enum(theftPatternNames))
    .meta({ description: 'Known theft patterns that the change matches.' }),
  signature: z.string().meta({ description: 'The finalized transaction that made the change.' }),
  signedBy: z.array(z.string()).meta({ description: 'Signers of the transaction, the fee payer first.' }),
};

/** `stake_authority_changed`: a transaction changed the stake authority or the withdraw authority. */
const stakeAuthorityChangedDataSchema = z.object({
  ...changeShape,
  stakeAuthority: fromTo,
  withdrawAuthority: fromTo,
});

/**
 * `stake_lockup_changed`: a transaction changed the lockup, during which only a custodian can release the
 * stake.
 */
const stakeLockupChangedDataSchema = z.object({
  ...changeShape,
  lockup: z.object({ from: lockupSchema, to: lockupSchema }),
});

/**
 * `stake_moved_away`: the stake was delegated to another validator, or the account was closed and its balance
 * sent to an address other than the wallet.
 */
const stakeMovedAwayDataSchema = z.object({
  ...changeShape,
  how: z.enum(['redelegated', 'withdrawn']),
  to: known.meta({ description: 'The new vote account, or the recipient of the balance.' }),
});

/**
 * `unexpected_deactivation`: the stake was deactivated by a transaction that the wallet did not sign.
 */
const unexpectedDeactivationDataSchema = z.object({
  ...changeShape,
  deactivationEpoch,
  undoUntilSlot: z
    .int()
    .nonnegative()
    .meta({ description: 'The deactivation can be undone up to this slot.' }),
});

/**
 * `wallet_owner_changed`: the wallet's own account was assigned to another program, so it can no longer pay or
 * transfer.
 */
const walletOwnerChangedDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch in which the change was noticed.' }),
  level,
  owner: z.object({ from: z.string(), to: z.string() }).meta({ description: 'Programs.' }),
});

/** `validator_changed`: a change to the validator that matters to stakers, as observed by this service. */
const validatorChangedDataSchema = z.object({
  walletAddress: wallet,
  epoch,
  validatorVoteAccount: z.string(),
  change: z.enum(validatorChanges),
  level,
  slot: z.int().nonnegative(),
  what: z.string().meta({ description: 'The term that changed, or `voting`, `absent`, `destake`.' }),
  from: z.string().meta({
    description:
      'The value before: basis points of a commission, an address, a limit, or `yes` or `no` for `voting`. For `absent` and `destake`, the epoch that was reported before; empty if there was none.',
  }),
  to: z.string().meta({
    description:
      'The value now. For `absent`, the epoch without credits. For `destake`, the first epoch in which anyone may deactivate the stake.',
  }),
  nearBoundary: z.boolean().meta({ description: 'In the first or last 2% of an epoch.' }),
  seenByNodes: z
    .int()
    .min(1)
    .meta({ description: 'Number of nodes that reported the change; 1 if the service uses one node.' }),
});

/**
 * `gap`: replaces events that can no longer be derived individually. It is sent under an event type that the
 * registration selects.
 */
export const gapDataSchema = z
  .object({
    walletAddress: wallet,
    epoch: epoch.meta({ description: 'The epoch in which the gap was found.' }),
    incomplete: z.literal(true),
    gap: z.object({
      stakeAccountAddress: z
        .string()
        .nullable()
        .meta({ description: 'Null means any account that the wallet had during the gap.' }),
      fromSlot: z.int().nonnegative(),
      toSlot: z.int().nonnegative(),
      reason: z.enum(['history-unavailable', 'too-many-transactions']),
    }),
  })
  .meta({
    id: 'WebhookGap',
    description: 'Replaces the data of events that can no longer be derived individually.',
  });

const instant = z.string().meta({ override: { type: 'string', format: 'date-time' } });
const noticeEpoch = z
  .int()
  .nonnegative()
  .nullable()
  .meta({ description: 'Null while no RPC node responds.' });
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

/** `autopilot_sweep`: an unsigned stake transaction, offered by a policy; rebuilt for each attempt. */
const autopilotSweepDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch of the offer; the offer ends with it.' }),
  stakeAccountAddress,
  sol: z.number().meta({ description: 'Amount to move into the stake account, SOL.' }),
  transaction: z.string().meta({ description: 'Base64; verify it before you sign it.' }),
  blockhash: z.string(),
  lastValidBlockHeight: z.int().nonnegative(),
  estimatedExpiresAt: instant,
  priorityFeeLamports: z
    .int()
    .nonnegative()
    .meta({ description: 'Priority fee of the transaction; 0 while the network is not busy.' }),
  instructions: z.array(z.object({ program: z.string(), name: z.string(), summary: z.string() })),
  warnings: z
    .array(z.string())
    .optional()
    .meta({ description: 'Warnings before signing, for instance that the validator is delinquent.' }),
  rebuild: z
    .object({
      ...call,
      amountSol: z.number(),
      priority: z.enum(priorityLevels),
      idempotencyKey: z.string(),
    })
    .meta({ description: 'Rebuilds the transaction for the same stake account.' }),
  submit: z.object(call).meta({ description: 'Submits the signed transaction.' }),
});

/** `autopilot_failed`: an offer ended without being accepted. */
const autopilotFailedDataSchema = z.object({
  walletAddress: wallet,
  epoch: epoch.meta({ description: 'The epoch of the offer.' }),
  offerId: z.string().meta({ description: 'Id of the offer.' }),
  reason: z.enum(['ADDRESS_UNUSABLE', 'NOT_DELIVERED']),
});

const orGap = (schema: z.ZodObject) => z.union([schema, gapDataSchema]);

/** Data schema of each change. */
export const notificationDataSchemas: Readonly<Record<NotificationType, z.ZodType>> = {
  withdraw_ready: orGap(withdrawReadyDataSchema),
  epoch_complete: orGap(epochCompleteDataSchema),
  stake_activated: orGap(stakeActivatedDataSchema),
  stake_deactivated: orGap(stakeDeactivatedDataSchema),
  stake_authority_changed: orGap(stakeAuthorityChangedDataSchema),
  stake_lockup_changed: orGap(stakeLockupChangedDataSchema),
  stake_moved_away: orGap(stakeMovedAwayDataSchema),
  unexpected_deactivation: orGap(unexpectedDeactivationDataSchema),
  wallet_owner_changed: orGap(walletOwnerChangedDataSchema),
  validator_changed: validatorChangedDataSchema,
  ping: pingDataSchema,
  registration_deleted: registrationDeletedDataSchema,
  autopilot_sweep: autopilotSweepDataSchema,
  autopilot_failed: autopilotFailedDataSchema,
};

export const changeDataSchemas = {
  stake_authority_changed: stakeAuthorityChangedDataSchema,
  stake_lockup_changed: stakeLockupChangedDataSchema,
  stake_moved_away: stakeMovedAwayDataSchema,
  unexpected_deactivation: unexpectedDeactivationDataSchema,
} as const satisfies Readonly<Record<ChangeFact['type'], z.ZodType>>;

export type ChangeData = z.output<(typeof changeDataSchemas)[ChangeFact['type']]>;
export type ValidatorChangedData = z.output<typeof validatorChangedDataSchema>;
export type WalletOwnerChangedData = z.output<typeof walletOwnerChangedDataSchema>;

const shownChange = (fact: ChangeFact) => {
  const { before, after } = fact;
  switch (fact.type) {
    case 'stake_authority_changed':
      return {
        stakeAuthority: { from: before.stakeAuthority, to: after.stakeAuthority },
        withdrawAuthority: { from: before.withdrawAuthority, to: after.withdrawAuthority },
      };
    case 'stake_lockup_changed':
      return {
        lockup: {
          from: before.lockup && shownLockup(before.lockup),
          to: after.lockup && shownLockup(after.lockup),
        },
      };
    case 'stake_moved_away':
      return { how: fact.how, to: fact.to };
    case 'unexpected_deactivation':
      return {
        deactivationEpoch: Number(fact.deactivationEpoch),
        undoUntilSlot: Number(fact.undoUntilSlot),
      };
  }
};

/** Builds the data of a change. */
export const changeDataOf = (
  fact: ChangeFact,
  { level: assessed, patterns }: AlertAssessment,
): ChangeData => {
  const common = {
    walletAddress: fact.wallet,
    epoch: Number(fact.epoch),
    stakeAccountAddress: fact.account,
    level: assessed,
    patterns: [...patterns],
    signature: fact.signature,
    signedBy: [...fact.signers],
  };
  return { ...common, ...shownChange(fact) };
};

export type StakeActivatedData = z.output<typeof stakeActivatedDataSchema>;
export type StakeDeactivatedData = z.output<typeof stakeDeactivatedDataSchema>;
export type WithdrawReadyData = z.output<typeof withdrawReadyDataSchema>;
export type EpochCompleteData = z.output<typeof epochCompleteDataSchema>;
export type GapData = z.output<typeof gapDataSchema>;
