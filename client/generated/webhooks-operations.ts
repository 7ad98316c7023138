// Inputs and answers of the operations under "Webhooks".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { Meta, Sentence } from './shared-types.ts';

/** The webhook registration in a response. */
export interface WebhookRegistration {
  /** Id of the registration; 32 hexadecimal characters. */
  readonly id: string;
  readonly walletAddress: string;
  /** Where events are delivered; only its origin unless the registration's own secret was presented. */
  readonly callbackUrl: string;
  readonly events: ReadonlyArray<
    | 'withdraw_ready'
    | 'epoch_complete'
    | 'stake_activated'
    | 'stake_deactivated'
    | 'stake_authority_changed'
    | 'stake_lockup_changed'
    | 'stake_moved_away'
    | 'unexpected_deactivation'
    | 'wallet_owner_changed'
    | 'validator_changed'
  >;
  /** A disabled webhook gets only pings; a 2xx response to a ping re-enables it. */
  readonly status: 'active' | 'disabled';
  /**
   * failing: no delivery was accepted for 5 days. gone: the receiver responded with 410. Null while active.
   */
  readonly disabledReason: 'failing' | 'gone' | null;
  /**
   * True until the receiver has responded to a ping with 2xx. Until then, only pings are sent, and events
   * wait.
   */
  readonly awaitsAnswer: boolean;
  /** Time of registration. Earlier events are not delivered. ISO 8601. */
  readonly createdAt: string;
  /** Time of the last accepted delivery (2xx). ISO 8601. */
  readonly lastDeliveryAt: string | null;
  /** Time since which every attempt has failed; null if the last one succeeded. ISO 8601. */
  readonly failingSince: string | null;
}

/** The webhook delivery in a response. */
export interface WebhookDelivery {
  /** webhook-id of every attempt. */
  readonly id: string;
  readonly type: string;
  /** Time of the event. ISO 8601. */
  readonly timestamp: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  /** Attempts of the current schedule; a replay starts again. */
  readonly attempts: number;
  /** Null if none is due. ISO 8601. */
  readonly nextAttemptAt: string | null;
  /** Time at which it became delivered or dead. ISO 8601. */
  readonly settledAt: string | null;
  /** No attempts are made from this time on. ISO 8601. */
  readonly expiresAt: string | null;
  /**
   * The notification's data as it was recorded; each attempt of an autopilot_sweep adds its transaction.
   */
  readonly data: Readonly<Record<string, unknown>>;
  readonly attemptLog: readonly WebhookAttempt[];
}

/** The webhook attempt in a response. */
export interface WebhookAttempt {
  /** Counts from 1, including replays. */
  readonly number: number;
  /** Start of the attempt. ISO 8601. */
  readonly at: string;
  readonly durationMs: number;
  /** HTTP status; null if the receiver did not answer. */
  readonly status: number | null;
  /** delivered, or the failure in fixed words. */
  readonly outcome: string;
  /** Number of response body bytes that were read. */
  readonly answerBytes: number;
}

/** Input of `POST /api/v1/webhooks`. */
export interface RegisterWebhookInput {
  /** The wallet whose stakes are watched. */
  readonly walletAddress: string;
  /** HTTPS URL that events are delivered to. */
  readonly callbackUrl?: string | undefined;
  /** Alias of callbackUrl, which takes precedence if both are given. */
  readonly url?: string | undefined;
  /** Events to deliver, each once. */
  readonly events: ReadonlyArray<
    | 'withdraw_ready'
    | 'epoch_complete'
    | 'stake_activated'
    | 'stake_deactivated'
    | 'stake_authority_changed'
    | 'stake_lockup_changed'
    | 'stake_moved_away'
    | 'unexpected_deactivation'
    | 'wallet_owner_changed'
    | 'validator_changed'
  >;
}

/** Answer of `POST /api/v1/webhooks`. */
export interface RegisterWebhookAnswer extends RestoreWebhookAnswer {
  /**
   * Signs every delivery and authenticates you in management calls (whsec_ and base64). Save it: it is only
   * in the answer to the registration, and to a repeated request within 10 minutes with a random
   * idempotency key.
   */
  readonly secret?: string | undefined;
}

/** Input of `GET /api/v1/webhooks/{walletAddress}`. */
export interface ListWebhooksInput {
  /** The wallet. */
  readonly walletAddress: string;
  /** Webhooks per page. At least 1. At most 100. Default 100. */
  readonly limit?: number | undefined;
  /** `nextCursor` from the previous page. */
  readonly cursor?: string | undefined;
}

/** Answer of `GET /api/v1/webhooks/{walletAddress}`. */
export interface ListWebhooksAnswer {
  readonly walletAddress: string;
  readonly webhooks: readonly WebhookRegistration[];
  /** Number of webhooks in this answer. */
  readonly count: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly _meta: Meta;
}

/** Input of `DELETE /api/v1/webhooks/{id}`. */
export interface DeleteWebhookInput {
  /** The id of the registration, as returned when registering and listing. */
  readonly id: string;
  /** The wallet that the webhook belongs to; required. */
  readonly walletAddress?: string | undefined;
}

/** Answer of `DELETE /api/v1/webhooks/{id}`. */
export interface DeleteWebhookAnswer {
  readonly deleted: true;
  readonly id: string;
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/webhooks/{id}/deliveries`. */
export interface ListDeliveriesInput {
  /** The id of the registration, as returned when registering and listing. */
  readonly id: string;
  /** Only deliveries in this state; dead ones can be replayed. */
  readonly state?: 'pending' | 'delivered' | 'dead' | undefined;
  /** Deliveries per page. At least 1. At most 100. Default 20. */
  readonly limit?: number | undefined;
  /** `nextCursor` from the previous page. */
  readonly cursor?: string | undefined;
}

/** Answer of `GET /api/v1/webhooks/{id}/deliveries`. */
export interface ListDeliveriesAnswer {
  readonly id: string;
  readonly deliveries: readonly WebhookDelivery[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/webhooks/{id}/replay`. */
export interface ReplayDeliveriesInput {
  /** The id of the registration, as returned when registering and listing. */
  readonly id: string;
  /** One event of the delivery log. */
  readonly eventId?: string | undefined;
  /** Start of the range, ISO 8601. ISO 8601. */
  readonly from?: string | undefined;
  /** End of the range, ISO 8601. Default: now. ISO 8601. */
  readonly to?: string | undefined;
  /** States to include. Default: dead. */
  readonly states?: ReadonlyArray<'delivered' | 'dead'> | undefined;
}

/** Answer of `POST /api/v1/webhooks/{id}/replay`. */
export interface ReplayDeliveriesAnswer {
  readonly id: string;
  /** Number of events to be delivered again. */
  readonly replayed: number;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/webhooks/{id}/ping`. */
export interface PingWebhookInput {
  /** The id of the registration, as returned when registering and listing. */
  readonly id: string;
}

/** Answer of `POST /api/v1/webhooks/{id}/ping`. */
export interface PingWebhookAnswer {
  readonly id: string;
  /** webhook-id of the ping. */
  readonly eventId: string;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/webhooks/{id}/rotate-secret`. */
export interface RotateWebhookSecretInput {
  /** The id of the registration, as returned when registering and listing. */
  readonly id: string;
}

/** Answer of `POST /api/v1/webhooks/{id}/rotate-secret`. */
export interface RotateWebhookSecretAnswer {
  readonly id: string;
  /** The new secret (whsec_…); it is not shown again. */
  readonly secret: string;
  /** Time at which the previous secret expires. ISO 8601. */
  readonly previousSecretUntil: string;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/webhooks/{id}/restore`. */
export interface RestoreWebhookInput {
  /** The id of the registration, as returned when registering and listing. */
  readonly id: string;
}

/** Answer of `POST /api/v1/webhooks/{id}/restore`. */
export interface RestoreWebhookAnswer extends WebhookRegistration {
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly _meta: Meta;
}
