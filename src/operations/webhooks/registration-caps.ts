// Limits on registrations, and the error for each limit.
import { AppError } from '../../kernel/app-error.ts';
import type { RegistrationCaps } from '../../store/registration-caps.ts';
import type { Context } from '../context.ts';

type Caps = Required<RegistrationCaps>;

/**
 * Limits on registrations. Registrations of the autopilot do not count; deleted ones count until 24 hours
 * after their creation.
 */
export const capsOf = ({
  service: { settings },
}: {
  readonly service: Pick<Context['service'], 'settings'>;
}): Caps => ({
  perWalletAndClient: 20,
  perClient: 100,
  perSite: 400,
  perHost: settings.webhooksPerHost,
  inAll: settings.webhooksInAll,
});

const words: Readonly<Record<keyof Caps, (most: number) => string>> = {
  perWalletAndClient: (most) => `Your network has ${most} webhooks for this wallet, which is the limit.`,
  perClient: (most) => `Your network has ${most} webhooks here, which is the limit.`,
  perSite: (most) => `Your network (IPv6 /48) has ${most} webhooks here, which is the limit.`,
  perHost: (most) =>
    `This callback host has ${most} webhooks from the last 24 hours that it has not answered yet, which is the limit.`,
  inAll: (most) => `This service has ${most} webhooks, which is the limit.`,
};

const advice: Readonly<Record<keyof Caps, string>> = {
  perWalletAndClient: 'Delete one you no longer need; it counts for 24 hours after it was created.',
  perClient: 'Delete one you no longer need; it counts for 24 hours after it was created.',
  perSite: 'Delete one you no longer need; it counts for 24 hours after it was created.',
  perHost: 'Answer the pings of the registered webhooks, or register again in 24 hours.',
  inAll: 'Ask the operator, or try again later.',
};

/** Creates the `WEBHOOK_LIMIT` error for a reached limit. */
export const capMet = (
  ctx: { readonly service: Pick<Context['service'], 'settings'> },
  limit: keyof Caps,
): AppError =>
  new AppError('WEBHOOK_LIMIT', words[limit](capsOf(ctx)[limit]), { suggestedAction: advice[limit] });
