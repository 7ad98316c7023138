// Registers a callback for a wallet's events. Only this response contains the secret used to sign deliveries.

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type EventType, eventTypes } from '../../domain/notification-types.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { step } from '../../kernel/guidance.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, idempotencyKeySchema, sentenceShape } from '../shared-schemas.ts';
import { capsOf, limitReached } from './registration-caps.ts';
import { pingOf } from './registration-notices.ts';
import { registrationShape, showRegistration } from './registration-view.ts';

/** Time during which a repeated request returns the first request's registration: 24 hours in ms. */
const REPEATABLE_MS = 24 * 60 * 60 * 1000;
/**
 * Time during which a repeated request also returns the secret, for callers who lost the first response: 10
 * minutes in ms. Requires an unguessable key.
 */
const SECRET_REPEATABLE_MS = 10 * 60 * 1000;
/** Matches a random UUID (version 4) or at least 32 hexadecimal digits, so at least 122 bits of entropy. */
const RANDOM_KEY = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[0-9a-f]{32,})$/i;

/** The API specification defines this message. */
const urlEitherOf = {
  members: ['callbackUrl', 'url'],
  issue: {
    path: '',
    code: 'required',
    message: 'callbackUrl (or url) is required',
    params: { or: 'callbackUrl (or url)' },
  },
} as const;

const urlSchema = (description: string) =>
  z
    .string()
    .max(2_048)
    .optional()
    .meta({ description, examples: ['https://example.com/holdfast'] });

/** `POST /api/v1/webhooks` */
export const registerWebhook = defineOperation({
  name: 'registerWebhook',
  summary: 'Register a webhook',
  description:
    'Notifies an HTTPS URL about the stakes of a wallet: stake that becomes active, unstaked or withdrawable, ends of epochs, and alerts about changes of control over a stake. Deliveries follow Standard Webhooks 1.0.0: verify webhook-signature with the secret from this response, which is not shown again, and drop deliveries with a webhook-id that you have seen. A delivery without a 2xx response within 15 s is retried for about three days. Events from before the registration are not sent. A signed ping is sent immediately; events wait until a ping gets a 2xx response. Repeating a request with the same idempotency key within 24 hours returns the same registration. The secret is returned again only within 10 minutes, and only if the key is a random UUID (version 4) or at least 32 random hexadecimal digits. Without a key, every request creates another registration.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet whose stakes are watched.'),
    callbackUrl: urlSchema('HTTPS URL that events are delivered to.'),
    url: urlSchema('Alias of callbackUrl, which takes precedence if both are given.'),
    events: z
      .array(z.enum(eventTypes))
      .min(1)
      .max(eventTypes.length)
      .refine((events) => new Set(events).size === events.length, {
        message: 'must name each event once',
        params: { code: 'duplicates' },
      })
      .meta({ description: 'Events to deliver, each once.', uniqueItems: true }),
    idempotencyKey: idempotencyKeySchema,
  }),
  eitherOf: urlEitherOf,
  output: z.object({
    ...registrationShape,
    secret: z.string().optional().meta({
      description:
        'Used to sign every delivery and to authenticate you in management calls (whsec_ and base64). Save it: it is only in the response to the registration, and to a repeated request within 10 minutes with a random idempotency key.',
    }),
    ...sentenceShape('message'),
  }),
  errors: ['WEBHOOK_LIMIT', 'IDEMPOTENCY_KEY_REUSED', 'STORE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, client, signal }) {
    const { walletAddress, idempotencyKey } = input;
    const callbackUrl = permittedUrl(ctx, input);
    const events = eventTypes.filter((type) => input.events.includes(type));
    const wanted = { walletAddress, callbackUrl, events };
    const id =
      idempotencyKey === undefined
        ? randomBytes(16).toString('hex')
        : ctx.events.webhookSecrets.registrationIdOf({ client, idempotencyKey });
    if (idempotencyKey !== undefined) {
      const known = await ctx.store.webhooks.find(id);
      if (known) return repeatedResponse(ctx, known, { ...wanted, idempotencyKey });
    }
    const position = await ctx.chain.cluster.epochPosition(signal);
    const result = await ctx.store.webhooks.register(
      {
        ...wanted,
        id,
        kind: 'events',
        createdAtMs: ctx.clock.now(),
        // Events of an epoch are held back until its rewards have been paid out. A webhook registered before
        // that should get them, so it counts as registered in the previous epoch.
        createdEpoch: position.epochRewardsActive ? position.epoch - 1n : position.epoch,
        createdSlot: position.absoluteSlot,
        client,
      },
      capsOf(ctx),
      await pingOf(ctx, { id, walletAddress, awaitsAnswer: true }, signal),
    );
    if (result.outcome === 'limit') throw limitReached(ctx, result.limit);
    ctx.events.wakeDelivery();
    const registration = await ctx.store.webhooks.find(id);
    if (registration === null) throw new Error('a registration that was just stored is missing');
    if (result.outcome === 'known') return repeatedResponse(ctx, registration, { ...wanted, idempotencyKey });
    return response(registration, ctx.events.webhookSecrets.of(registration, ctx.clock.now())[0]);
  },
});

interface Wanted {
  readonly walletAddress: string;
  readonly callbackUrl: string;
  readonly events: readonly EventType[];
}

/** Returns the URL to call. Throws `AppError('VALIDATION_ERROR')` if it is not allowed. */
const permittedUrl = (
  ctx: { readonly events: Pick<Context['events'], 'callbackTargets'> },
  { callbackUrl, url }: { readonly callbackUrl?: string | undefined; readonly url?: string | undefined },
): string => {
  const given = callbackUrl ?? url;
  if (given === undefined) throw validationError([urlEitherOf.issue]);
  const refusal = ctx.events.callbackTargets.validate(given);
  if (refusal) throw refusal;
  return new URL(given).href;
};

const REUSED = {
  OTHER_WEBHOOK: 'This idempotency key was used for another webhook.',
  WEBHOOK_DELETED: 'This idempotency key registered a webhook that has since been deleted.',
  WEBHOOK_ROTATED: 'This idempotency key registered a webhook whose secret has since been rotated.',
  WEBHOOK_OLD: 'This idempotency key registered a webhook more than 24 hours ago.',
} as const;

/**
 * Returns the registration created with the same idempotency key if the request is equal and recent enough.
 * Throws `AppError('IDEMPOTENCY_KEY_REUSED')` otherwise.
 */
const repeated = (ctx: Context, known: Registration, wanted: Wanted): Registration => {
  const isSame =
    known.walletAddress === wanted.walletAddress &&
    known.callbackUrl === wanted.callbackUrl &&
    known.events.join() === wanted.events.join();
  const reason = !isSame
    ? 'OTHER_WEBHOOK'
    : known.deletedAtMs !== null
      ? 'WEBHOOK_DELETED'
      : known.secretGeneration > 0
        ? 'WEBHOOK_ROTATED'
        : ctx.clock.now() >= known.createdAtMs + REPEATABLE_MS
          ? 'WEBHOOK_OLD'
          : null;
  if (reason === null) return known;
  throw new AppError('IDEMPOTENCY_KEY_REUSED', REUSED[reason], {
    reason,
    suggestedAction: 'Use a new idempotency key for a new webhook.',
  });
};

/**
 * Builds the response to a repeated request. Other clients behind the same address could repeat it, so it
 * contains the secret only for an unguessable key and only for a short time.
 */
const repeatedResponse = (
  ctx: Context,
  known: Registration,
  { idempotencyKey = '', ...wanted }: Wanted & { readonly idempotencyKey: string | undefined },
) => {
  const registration = repeated(ctx, known, wanted);
  const nowMs = ctx.clock.now();
  const isUnguessable = RANDOM_KEY.test(idempotencyKey) && new Set(idempotencyKey).size >= 8;
  return isUnguessable && nowMs < registration.createdAtMs + SECRET_REPEATABLE_MS
    ? response(registration, ctx.events.webhookSecrets.of(registration, nowMs)[0])
    : response(registration);
};

/** Builds the response. `secret` is undefined if it must not be shown. */
const response = (registration: Registration, secret?: string) => ({
  body: {
    ...showRegistration(registration, 'whole'),
    ...(secret === undefined ? {} : { secret }),
    ...sentenceMembers(
      'message',
      secret === undefined
        ? sentence(
            'WEBHOOK_REGISTERED_BEFORE',
            'This idempotency key has already registered this webhook. Its secret was in the first response; if you lost it, register with a new key.',
          )
        : sentence(
            'WEBHOOK_REGISTERED',
            'Webhook registered. Save the secret: you need it to verify deliveries, and it is not shown again. Events follow once a ping gets a 2xx response.',
          ),
    ),
  },
  meta: {
    nextSteps: {
      test: step('pingWebhook', { id: registration.id }),
      list: step('listWebhooks', { walletAddress: registration.walletAddress }),
      deliveries: step('listDeliveries', { id: registration.id }),
    },
  },
});
