// Lists the validator's changes that concern stakers, newest first, as observed by the service:
// delinquencies, commissions, missed epochs, limits.

import { z } from 'zod';
import { alertLevels, validatorChanges } from '../../domain/alerts/alert-table.ts';
import { readValidatorRecord } from '../../events/poll-validator-changes.ts';
import { defineOperation } from '../operation.ts';
import { timestamp } from '../shared-schemas.ts';

/** `GET /api/v1/validator/alerts` */
export const validatorAlerts = defineOperation({
  name: 'validatorAlerts',
  summary: 'Validator alerts',
  description:
    'Changes to the validator since this service started watching it, newest first, at most 200: delinquency (finalized votes more than 128 slots old in three polls) and recovery, every change to the commissions and collectors of the vote account, an epoch without credits, stake that anyone may deactivate (5 epochs without credits), and limits of the cluster. With several RPC nodes, a change is reported only if at least two agree; `seenByNodes` is their number. `nearBoundary`: changed in the first or last 2% of an epoch, as in rug pulls. A change that is reverted within 40 s may be missed; tips commissions (Jito) are not watched.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    validatorVoteAccount: z.string(),
    watchedSinceEpoch: z.int().nullable().meta({ description: 'Null until watching has begun.' }),
    alerts: z.array(
      z
        .object({
          change: z.enum(validatorChanges),
          level: z.enum(alertLevels),
          epoch: z.int(),
          slot: z.int(),
          timestamp: timestamp('Time of detection.'),
          what: z.string().meta({
            description: 'The term, `voting`, `absent` (to: the epoch) or `destake` (to: from which epoch).',
          }),
          from: z.string(),
          to: z.string(),
          nearBoundary: z.boolean(),
          seenByNodes: z.int().min(1),
        })
        .meta({ id: 'ValidatorAlert' }),
    ),
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx }) {
    const { state, alerts } = await readValidatorRecord(ctx.store.outbox);
    return {
      body: {
        validatorVoteAccount: ctx.service.settings.voteAccount,
        watchedSinceEpoch: state === null ? null : Number(state.firstEpoch),
        alerts: alerts.map(({ atMs, number: _, ...alert }) => ({
          ...alert,
          timestamp: new Date(atMs).toISOString(),
        })),
      },
    };
  },
});
