// Finds the registration whose secret the caller sent. Other callers cannot learn whether the registration
// exists.

import type { SecretOwner } from '../../events/delivery/webhook-secret.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';

/** Dummy for the comparison if there is no registration, so the response time reveals nothing. */
const NOBODY: SecretOwner = { id: '0'.repeat(32), secretGeneration: 0, rotatedAtMs: null };

type Ports = Pick<Context, 'clock'> & {
  readonly store: Pick<Context['store'], 'webhooks'>;
  readonly events: Pick<Context['events'], 'webhookSecrets'>;
};

/** Advice for a missing or wrong secret, for callers of every interface. */
export const SEND_SECRET =
  'Pass the secret of the registration (whsec_…): over HTTP as a bearer token (Authorization: Bearer whsec_…), with MCP as the argument secret.';

/**
 * Finds the registration, even if it is deleted. Throws the same `AppError('NOT_FOUND')` for an unknown id, a
 * wrong secret and a missing secret.
 */
export const provenRegistration = async (
  ctx: Ports,
  { id, secret }: { readonly id: string; readonly secret?: string | undefined },
): Promise<Registration> => {
  const registration = await ctx.store.webhooks.find(id);
  const isProven = ctx.events.webhookSecrets.matches(registration ?? NOBODY, secret ?? '', ctx.clock.now());
  if (registration === null || !isProven)
    throw new AppError('NOT_FOUND', 'No webhook has this id and this secret.', {
      reason: 'NO_WEBHOOK',
      suggestedAction: SEND_SECRET,
    });
  return registration;
};

/**
 * Like `provenRegistration`, but throws `AppError('NOT_FOUND')` for a deleted registration, with instructions
 * to restore it.
 */
export const provenLivingRegistration = async (
  ctx: Ports,
  input: { readonly id: string; readonly secret?: string | undefined },
): Promise<Registration> => {
  const registration = await provenRegistration(ctx, input);
  if (registration.deletedAtMs !== null)
    throw new AppError('NOT_FOUND', 'This webhook was deleted.', {
      reason: 'WEBHOOK_DELETED',
      suggestedAction: guidance`Restore it within 30 days: ${step('restoreWebhook', { id: registration.id })} with the same secret.`,
    });
  return registration;
};

/**
 * True if the caller may see ids, origins and counts: they sent the registration's secret or are in the network
 * that registered it.
 */
export const mayReadRegistration = (
  {
    events: { webhookSecrets },
    clock,
  }: Pick<Context, 'clock'> & { readonly events: Pick<Context['events'], 'webhookSecrets'> },
  registration: Registration,
  caller: { readonly client: string; readonly secret?: string | undefined },
): boolean =>
  registration.client === caller.client ||
  (caller.secret !== undefined && webhookSecrets.matches(registration, caller.secret, clock.now()));
