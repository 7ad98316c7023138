// Destinations of operator alerts: a signed webhook, and one URL that takes plain text as ntfy does.
import type { Secret } from '../../config/secret-settings.ts';
import type { Webhooks } from '../../store/webhooks.ts';
import type { OutboxSink } from '../delivery/attempt-delivery.ts';
import type { SendAttempt } from '../delivery/send-attempt.ts';

/** The URLs as set; either may hold a credential. */
export interface OperatorUrls {
  /** Gets every alert as a signed notification of type `operator_alert`. */
  readonly webhook: Secret<string> | undefined;
  /** Gets every alert as text with the headers Title, Priority and Tags. */
  readonly notify: Secret<string> | undefined;
}

/** The registrations that their deliveries belong to. */
export const OPERATOR_WEBHOOK_ID = 'operator-webhook';
const OPERATOR_NOTIFY_ID = 'operator-notify';

/** Not a wallet's address, so that no request can name it. The URLs themselves are not stored. */
const OWNER = 'operator';
const PLACEHOLDER_URL = 'https://operator.invalid/';

/** Caps apply to other registrations only. */
const NOT_COUNTED = { perWalletAndClient: 1, perClient: 1 };

/** Ids of what is set. */
export const operatorRegistrations = ({ webhook, notify }: OperatorUrls): readonly string[] => [
  ...(webhook === undefined ? [] : [OPERATOR_WEBHOOK_ID]),
  ...(notify === undefined ? [] : [OPERATOR_NOTIFY_ID]),
];

/** Makes what is set known to the outbox, and active again where its receiver was given up. */
export const registerOperator = async (
  webhooks: Pick<Webhooks, 'register' | 'enable'>,
  urls: OperatorUrls,
  nowMs: number,
): Promise<void> => {
  for (const id of operatorRegistrations(urls)) {
    const { outcome } = await webhooks.register(
      {
        ...{ id, kind: 'operator', walletAddress: OWNER, callbackUrl: PLACEHOLDER_URL, events: [] },
        ...{ createdAtMs: nowMs, createdEpoch: 0n, createdSlot: 0n, client: OWNER },
      },
      NOT_COUNTED,
    );
    if (outcome === 'known') await webhooks.enable(id);
  }
};

/** How a delivery of these registrations is sent: to the URL that is set now, wherever that is. */
export const operatorSinks =
  ({ webhook, notify }: OperatorUrls, send: SendAttempt) =>
  (registrationId: string): OutboxSink | undefined => {
    const url =
      registrationId === OPERATOR_WEBHOOK_ID
        ? webhook
        : registrationId === OPERATOR_NOTIFY_ID
          ? notify
          : undefined;
    return url && { url: url.reveal(), isPlain: registrationId === OPERATOR_NOTIFY_ID, send };
  };
