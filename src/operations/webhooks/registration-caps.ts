// Defines the limits on registrations and the error for each limit.
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import type { RegistrationCaps } from '../../store/count-registrations.ts';
import type { Context } from '../context.ts';

type Caps = Required<RegistrationCaps>;

/**
 * Returns the limits for a registration. Autopilot registrations do not count; deleted ones count until 24
 * hours after their creation.
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

const words: Readonly<Record<keyof Caps, readonly [reason: ErrorReason<'WEBHOOK_LIMIT'>, message: string]>> =
  {
    perWalletAndClient: [
      'OF_WALLET_AND_NETWORK',
      'Your network has {limit} webhooks for this wallet, which is the limit.',
    ],
    perClient: ['OF_NETWORK', 'Your network has {limit} webhooks here, which is the limit.'],
    perSite: ['OF_IPV6_48', 'Your network (IPv6 /48) has {limit} webhooks here, which is the limit.'],
    perHost: [
      'OF_HOST',
      'This callback host has {limit} webhooks from the last 24 hours without a response, which is the limit.',
    ],
    inAll: ['OF_SERVICE', 'This service has {limit} webhooks, which is the limit.'],
  };

const advice: Readonly<Record<keyof Caps, string>> = {
  perWalletAndClient: 'Delete one you no longer need; it counts for 24 hours after it was created.',
  perClient: 'Delete one you no longer need; it counts for 24 hours after it was created.',
  perSite: 'Delete one you no longer need; it counts for 24 hours after it was created.',
  perHost: 'Respond to the pings of the registered webhooks, or try again in 24 hours.',
  inAll: 'Ask the operator, or try again later.',
};

/** Creates the `WEBHOOK_LIMIT` error for a reached limit. */
export const limitReached = (
  ctx: { readonly service: Pick<Context['service'], 'settings'> },
  limit: keyof Caps,
): AppError => {
  const [reason, message] = words[limit];
  return new AppError('WEBHOOK_LIMIT', message, {
    reason,
    params: { limit: capsOf(ctx)[limit] },
    suggestedAction: advice[limit],
  });
};
