// How many registrations there may be, and how a caller is told of the cap that was met.
import { AppError } from '../../kernel/app-error.ts';
import type { RegistrationCaps } from '../../store/webhooks.ts';
import type { Context } from '../context.ts';

type Caps = Required<RegistrationCaps>;

/** Those of the autopilot are not counted; deleted ones count for 24 hours after they were made. */
export const capsOf = ({ settings }: Pick<Context, 'settings'>): Caps => ({
  perWalletAndClient: 20,
  perClient: 100,
  perSite: 400,
  perHost: settings.webhooksPerHost,
  inAll: settings.webhooksInAll,
});

const words: Readonly<Record<keyof Caps, (most: number) => string>> = {
  perWalletAndClient: (most) => `Your network has ${most} webhooks for this wallet, which is the most.`,
  perClient: (most) => `Your network has ${most} webhooks here, which is the most.`,
  perSite: (most) => `Your network (IPv6 /48) has ${most} webhooks here, which is the most.`,
  perHost: (most) =>
    `Within 24 hours ${most} webhooks were registered for this callback host that it has not answered yet, which is the most.`,
  inAll: (most) => `This service has ${most} webhooks, which is the most.`,
};

const advice: Readonly<Record<keyof Caps, string>> = {
  perWalletAndClient: 'Delete one that is not needed any more; it counts for 24 hours after it was made.',
  perClient: 'Delete one that is not needed any more; it counts for 24 hours after it was made.',
  perSite: 'Delete one that is not needed any more; it counts for 24 hours after it was made.',
  perHost: 'Answer the pings of the webhooks that were registered, or register again in 24 hours.',
  inAll: 'Ask the operator, or try again later.',
};

/** `WEBHOOK_LIMIT` for the cap that was met. */
export const capMet = (ctx: Pick<Context, 'settings'>, limit: keyof Caps): AppError =>
  new AppError('WEBHOOK_LIMIT', words[limit](capsOf(ctx)[limit]), { suggestedAction: advice[limit] });
