// Replays deliveries of a webhook: one event, or a time range.

import { z } from 'zod';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { type Sentence, sentence, sentenceMembers } from '../../kernel/sentence.ts';
import type { Outbox } from '../../store/outbox/outbox.ts';
import { defineOperation } from '../operation.ts';
import { integer, sentenceShape } from '../shared-schemas.ts';
import { provenLivingRegistration } from './require-webhook-secret.ts';
import { webhookId, webhookSecret } from './webhook-input.ts';

const instantSchema = (description: string) =>
  z.iso
    .datetime({
      offset: true,
      error: 'must be an ISO 8601 instant with its offset, such as 2026-11-21T00:00:00Z',
    })
    .optional()
    .meta({ description, examples: ['2026-11-21T00:00:00Z'] });

const WHICH_ISSUE = {
  path: '',
  code: 'event_or_range',
  message: 'pass either eventId alone, or from (optionally with to and states)',
} as const;

/** `POST /api/v1/webhooks/{id}/replay` */
export const replayDeliveries = defineOperation({
  name: 'replayDeliveries',
  summary: 'Deliver again',
  description:
    "Delivers again under the same webhook-id, from the first step of the schedule: one event (`eventId`), or every event that happened from `from` (inclusive) to `to` (exclusive) and is in one of `states`. Expired events are skipped. Takes the webhook's secret as bearer token; a disabled webhook must first be re-enabled by a ping.",
  effect: 'build',
  input: z.object({
    id: webhookId,
    secret: webhookSecret,
    eventId: z.string().min(1).max(128).optional().meta({ description: 'One event of the delivery log.' }),
    from: instantSchema('Start of the range, ISO 8601.'),
    to: instantSchema('End of the range, ISO 8601. Default: now.'),
    states: z
      .array(z.enum(['delivered', 'dead']))
      .min(1)
      .max(2)
      .optional()
      .meta({ description: 'States to include. Default: dead.' }),
  }),
  eitherOf: { members: ['from', 'eventId'], issue: WHICH_ISSUE },
  output: z.object({
    id: z.string(),
    replayed: integer('Number of events to be delivered again.'),
    ...sentenceShape('message'),
  }),
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input }) {
    const nowMs = ctx.clock.now();
    const which = chosen(input, nowMs);
    const { id, disabledReason } = await provenLivingRegistration(ctx, input);
    if (disabledReason !== null)
      throw new AppError('WEBHOOK_DISABLED', 'This webhook is disabled and gets only pings.', {
        reason: 'OWN',
        suggestedAction: guidance`Ping it: ${step('pingWebhook', { id })}. A 2xx response to the ping re-enables it.`,
      });
    const replayed = await ctx.store.outbox.replay(id, which, nowMs);
    if (replayed > 0) ctx.events.wakeDelivery();
    return {
      body: {
        id,
        replayed,
        ...sentenceMembers(
          'message',
          replayed === 0 ? nothingFound(which) : sentence('DELIVERIES_BEGIN', 'Deliveries begin now.'),
        ),
      },
      meta: { nextSteps: { deliveries: step('listDeliveries', { id }) } },
    };
  },
});

type Which = Parameters<Outbox['replay']>[1];

const chosen = (
  input: {
    readonly eventId?: string | undefined;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly states?: readonly ('delivered' | 'dead')[] | undefined;
  },
  nowMs: number,
): Which => {
  const { eventId, from, to, states } = input;
  if (eventId !== undefined && from === undefined && to === undefined && states === undefined)
    return { eventId };
  if (eventId !== undefined || from === undefined) throw validationError([WHICH_ISSUE]);
  const fromMs = Date.parse(from);
  const toMs = to === undefined ? nowMs + 1 : Date.parse(to);
  if (toMs <= fromMs)
    throw validationError([
      to === undefined
        ? { path: 'from', code: 'in_future', message: 'must not be in the future' }
        : { path: 'to', code: 'not_after_from', message: 'must be later than from' },
    ]);
  return { fromMs, toMs, states: states ?? ['dead'] };
};

const nothingFound = (which: Which): Sentence =>
  'eventId' in which
    ? sentence(
        'EVENT_NOT_DELIVERABLE',
        'Nothing is delivered again: the log has no such event, or it has expired or is already pending.',
      )
    : sentence(
        'RANGE_EMPTY',
        'Nothing to deliver again: this range has no unexpired event that is {states}.',
        { states: which.states.join(' or ') },
      );
