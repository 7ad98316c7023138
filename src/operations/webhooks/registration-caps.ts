// How many registrations one client may have, and how a caller is told of the cap that was met.
import { AppError } from '../../kernel/app-error.ts';
import type { RegistrationCaps } from '../../store/webhooks.ts';

/** Deleted ones and those of the autopilot are not counted. */
export const WEBHOOK_CAPS: RegistrationCaps = { perWalletAndClient: 20, perClient: 100 };

/** `WEBHOOK_LIMIT` for the cap that was met. */
export const capMet = (limit: keyof RegistrationCaps): AppError =>
  new AppError(
    'WEBHOOK_LIMIT',
    limit === 'perClient'
      ? `Your network has ${WEBHOOK_CAPS.perClient} webhooks here, which is the most.`
      : `Your network has ${WEBHOOK_CAPS.perWalletAndClient} webhooks for this wallet, which is the most.`,
    { suggestedAction: 'Delete one that is not needed any more.' },
  );
