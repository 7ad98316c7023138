// Finds the registration that a caller's secret proves; other callers learn nothing, not even whether it exists.

import type { SecretOwner } from '../../events/delivery/webhook-secret.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';

/** Compared with where nothing is registered, so that this takes as long. */
const NOBODY: SecretOwner = { id: '0'.repeat(32), secretGeneration: 0, rotatedAtMs: null };

type Ports = Pick<Context, 'clock'> & {
  readonly store: Pick<Context['store'], 'webhooks'>;
  readonly events: Pick<Context['events'], 'webhookSecrets'>;
};

/** Throws `NOT_FOUND` alike for an unknown id, a wrong secret and none. Deleted ones are found too. */
export const provenRegistration = async (
  ctx: Ports,
  { id, secret }: { readonly id: string; readonly secret?: string | undefined },
): Promise<Registration> => {
  const registration = await ctx.store.webhooks.find(id);
  const isProven = ctx.events.webhookSecrets.matches(registration ?? NOBODY, secret ?? '', ctx.clock.now());
  if (registration === null || !isProven)
    throw new AppError('NOT_FOUND', 'No webhook has this id and this secret.', {
      suggestedAction: 'Send the secret of the registration as a bearer token: Authorization: Bearer whsec_…',
    });
  return registration;
};

/** The same, unless it was deleted: then `NOT_FOUND` says how it comes back. */
export const provenLivingRegistration = async (
  ctx: Ports,
  input: { readonly id: string; readonly secret?: string | undefined },
): Promise<Registration> => {
  const registration = await provenRegistration(ctx, input);
  if (registration.deletedAtMs !== null)
    throw new AppError('NOT_FOUND', 'This webhook was deleted.', {
      suggestedAction: guidance`Restore it within 30 days: ${step('restoreWebhook', { id: registration.id })} with the same secret.`,
    });
  return registration;
};

/** Whether a caller may see ids, origins and figures: with the registration's secret, or from the network that registered. */
export const mayRead = (
  {
    events: { webhookSecrets },
    clock,
  }: Pick<Context, 'clock'> & { readonly events: Pick<Context['events'], 'webhookSecrets'> },
  registration: Registration,
  caller: { readonly client: string; readonly secret?: string | undefined },
): boolean =>
  registration.client === caller.client ||
  (caller.secret !== undefined && webhookSecrets.matches(registration, caller.secret, clock.now()));
