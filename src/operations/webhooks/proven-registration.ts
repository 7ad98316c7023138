// Finds the registration that a caller's secret proves. Other callers cannot learn whether it exists.

import type { SecretOwner } from '../../events/delivery/webhook-secret.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';

/** Compared with if no registration exists, so that timing reveals nothing. */
const NOBODY: SecretOwner = { id: '0'.repeat(32), secretGeneration: 0, rotatedAtMs: null };

type Ports = Pick<Context, 'clock'> & {
  readonly store: Pick<Context['store'], 'webhooks'>;
  readonly events: Pick<Context['events'], 'webhookSecrets'>;
};

/** Throws `NOT_FOUND` for an unknown id, a wrong secret and a missing secret alike. Also finds deleted registrations. */
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

/** The same, but for a deleted registration throws `NOT_FOUND` with how to restore it. */
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

/** True if a caller may see ids, origins and figures: with the registration's secret, or from the network that registered it. */
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
