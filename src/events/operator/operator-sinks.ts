// Destinations of operator alerts: a signed webhook, and a URL that accepts plain text, such as ntfy.
import type { Secret } from '../../config/secret-settings.ts';
import type { OperatorAlert } from '../../domain/alerts/alert-table.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import type { Webhooks } from '../../store/webhooks.ts';
import type { OutboxSink } from '../delivery/attempt-delivery.ts';
import type { SendAttempt } from '../delivery/send-attempt.ts';
import { eventIdOf } from '../watcher/event-of-fact.ts';

/** The configured URLs; both may contain credentials. */
export interface OperatorUrls {
  /** URL that receives every alert as a signed notification of type `operator_alert`. */
  readonly webhook: Secret<string> | undefined;
  /** URL that receives every alert as text with the headers Title, Priority and Tags. */
  readonly notify: Secret<string> | undefined;
}

export const OPERATOR_WEBHOOK_ID = 'operator-webhook';
export const OPERATOR_NOTIFY_ID = 'operator-notify';

/**
 * Owner of these registrations. It is not a wallet address, so no request can name it. The URLs themselves are
 * not stored.
 */
const OWNER = 'operator';
const PLACEHOLDER_URL = 'https://operator.invalid/';

/** Caps without effect, because these registrations are not counted. */
const NOT_COUNTED = { perWalletAndClient: 1, perClient: 1 };

/** Returns the ids of the configured destinations. */
export const operatorRegistrations = ({ webhook, notify }: OperatorUrls): readonly string[] => [
  ...(webhook === undefined ? [] : [OPERATOR_WEBHOOK_ID]),
  ...(notify === undefined ? [] : [OPERATOR_NOTIFY_ID]),
];

/** Registers the configured destinations in the outbox and enables those that were disabled. */
export const registerOperator = async (
  webhooks: Pick<Webhooks, 'register' | 'enable'>,
  urls: OperatorUrls,
  nowMs: number,
): Promise<void> => {
  for (const id of operatorRegistrations(urls)) {
    const { outcome } = await webhooks.register(
      {
        id,
        kind: 'operator',
        walletAddress: OWNER,
        callbackUrl: PLACEHOLDER_URL,
        events: [],
        createdAtMs: nowMs,
        createdEpoch: 0n,
        createdSlot: 0n,
        client: OWNER,
      },
      NOT_COUNTED,
    );
    if (outcome === 'known') await webhooks.enable(id);
  }
};

/**
 * Builds the events of one alert, one per registration. `fact` identifies the alert, so all processes derive
 * the same event ids.
 */
export const operatorEvents = ({
  registrations,
  genesisHash,
  fact,
  alert,
  atMs,
  expiresAtMs = null,
}: {
  readonly registrations: readonly string[];
  readonly genesisHash: string;
  readonly fact: string;
  readonly alert: OperatorAlert;
  readonly atMs: number;
  readonly expiresAtMs?: number | null;
}): readonly NewEvent[] =>
  registrations.map((registrationId) => ({
    id: eventIdOf({ genesisHash, registrationId, type: 'operator_alert', fact }),
    registrationId,
    type: 'operator_alert',
    atMs,
    data: JSON.stringify(alert),
    expiresAtMs,
  }));

/**
 * Returns the lookup of delivery sinks for these registrations. A sink sends to the currently configured URL,
 * at any address.
 */
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
