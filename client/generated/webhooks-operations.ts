// What the operations under "Webhooks" take and give.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { Meta } from './shared-types.ts';

/** Part of an answer: webhook registration. */
export interface WebhookRegistration {
  /** Names the registration; 32 hexadecimal characters. */
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
  /** A disabled webhook gets only pings; a ping answered with 2xx re-enables it. */
  readonly status: 'active' | 'disabled';
  /** failing: nothing was accepted for 5 days. gone: the receiver answered 410. Null while active. */
  readonly disabledReason: 'failing' | 'gone' | null;
  /**
   * True until the receiver has answered a ping 2xx: until then nothing but pings is sent, and events wait.
   */
  readonly awaitsAnswer: boolean;
  /** When it was registered. Earlier events are not delivered. ISO 8601. */
  readonly createdAt: string;
  /** When a delivery was last accepted (2xx). ISO 8601. */
  readonly lastDeliveryAt: string | null;
  /** Since when every attempt has failed; null while the last one succeeded. ISO 8601. */
  readonly failingSince: string | null;
}

/** Part of an answer: webhook delivery. */
export interface WebhookDelivery {
  /** webhook-id of every attempt. */
  readonly id: string;
  readonly type: string;
  /** When it happened. ISO 8601. */
  readonly timestamp: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  /** Attempts of the present schedule; a replay begins anew. */
  readonly attempts: number;
  /** Null when none is due. ISO 8601. */
  readonly nextAttemptAt: string | null;
  /** When it became delivered or dead. ISO 8601. */
  readonly settledAt: string | null;
  /** No attempt is made from this moment on. ISO 8601. */
  readonly expiresAt: string | null;
  /**
   * The notification's data as it was recorded; each attempt of an autopilot_sweep adds its transaction.
   */
  readonly data: Readonly<Record<string, unknown>>;
  readonly attemptLog: readonly WebhookAttempt[];
}

/** Part of an answer: webhook attempt. */
export interface WebhookAttempt {
  /** Counts from 1, over replays too. */
  readonly number: number;
  /** When it began. ISO 8601. */
  readonly at: string;
  readonly durationMs: number;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** delivered, or what went wrong in fixed words. */
  readonly outcome: string;
  /** Bytes of the answer's body that were read. */
  readonly answerBytes: number;
}

/** What `POST /api/v1/webhooks` takes. */
export interface RegisterWebhookInput {
  /** The wallet whose stakes are watched. */
  readonly walletAddress: string;
  /** HTTPS URL that events are delivered to. */
  readonly callbackUrl?: string | undefined;
  /** Alias of callbackUrl, which wins where both are given. */
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

/** What `POST /api/v1/webhooks` answers. */
export interface RegisterWebhookAnswer extends RestoreWebhookAnswer {
  /**
   * Signs every delivery and proves you in management calls (whsec_ and base64). Keep it: only the answer
   * that registered has it, and its repetition within 10 minutes under a random idempotency key.
   */
  readonly secret?: string | undefined;
}

/** What `GET /api/v1/webhooks/{walletAddress}` takes. */
export interface ListWebhooksInput {
  /** The wallet. */
  readonly walletAddress: string;
  /** Webhooks of one page. At least 1. At most 100. Default 100. */
  readonly limit?: number | undefined;
  /** nextCursor of the previous page. */
  readonly cursor?: string | undefined;
}

/** What `GET /api/v1/webhooks/{walletAddress}` answers. */
export interface ListWebhooksAnswer {
  readonly walletAddress: string;
  readonly webhooks: readonly WebhookRegistration[];
  /** How many this answer lists. */
  readonly count: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly _meta: Meta;
}

/** What `DELETE /api/v1/webhooks/{id}` takes. */
export interface DeleteWebhookInput {
  /** The id of the registration, as returned by registering and listing. */
  readonly id: string;
  /** The wallet that the webhook belongs to; required. */
  readonly walletAddress?: string | undefined;
}

/** What `DELETE /api/v1/webhooks/{id}` answers. */
export interface DeleteWebhookAnswer {
  readonly deleted: true;
  readonly id: string;
  readonly _meta: Meta;
}

/** What `GET /api/v1/webhooks/{id}/deliveries` takes. */
export interface ListDeliveriesInput {
  /** The id of the registration, as returned by registering and listing. */
  readonly id: string;
  /** Only deliveries in this state; dead ones can be replayed. */
  readonly state?: 'pending' | 'delivered' | 'dead' | undefined;
  /** Deliveries of one page. At least 1. At most 100. Default 20. */
  readonly limit?: number | undefined;
  /** nextCursor of the previous page. */
  readonly cursor?: string | undefined;
}

/** What `GET /api/v1/webhooks/{id}/deliveries` answers. */
export interface ListDeliveriesAnswer {
  readonly id: string;
  readonly deliveries: readonly WebhookDelivery[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly _meta: Meta;
}

/** What `POST /api/v1/webhooks/{id}/replay` takes. */
export interface ReplayDeliveriesInput {
  /** The id of the registration, as returned by registering and listing. */
  readonly id: string;
  /** One event of the delivery log. */
  readonly eventId?: string | undefined;
  /** Begin of the range, ISO 8601. ISO 8601. */
  readonly from?: string | undefined;
  /** End of the range, ISO 8601. Default: now. ISO 8601. */
  readonly to?: string | undefined;
  /** Of the range. Default: dead ones. */
  readonly states?: ReadonlyArray<'delivered' | 'dead'> | undefined;
}

/** What `POST /api/v1/webhooks/{id}/replay` answers. */
export interface ReplayDeliveriesAnswer {
  readonly id: string;
  /** How many events are delivered again. */
  readonly replayed: number;
  readonly message: string;
  readonly _meta: Meta;
}

/** What `POST /api/v1/webhooks/{id}/ping` takes. */
export interface PingWebhookInput {
  /** The id of the registration, as returned by registering and listing. */
  readonly id: string;
}

/** What `POST /api/v1/webhooks/{id}/ping` answers. */
export interface PingWebhookAnswer {
  readonly id: string;
  /** webhook-id of the ping. */
  readonly eventId: string;
  readonly message: string;
  readonly _meta: Meta;
}

/** What `POST /api/v1/webhooks/{id}/rotate-secret` takes. */
export interface RotateWebhookSecretInput {
  /** The id of the registration, as returned by registering and listing. */
  readonly id: string;
}

/** What `POST /api/v1/webhooks/{id}/rotate-secret` answers. */
export interface RotateWebhookSecretAnswer {
  readonly id: string;
  /** The new secret (whsec_…); it is not shown again. */
  readonly secret: string;
  /** Until then the previous secret is valid too. ISO 8601. */
  readonly previousSecretUntil: string;
  readonly message: string;
  readonly _meta: Meta;
}

/** What `POST /api/v1/webhooks/{id}/restore` takes. */
export interface RestoreWebhookInput {
  /** The id of the registration, as returned by registering and listing. */
  readonly id: string;
}

/** What `POST /api/v1/webhooks/{id}/restore` answers. */
export interface RestoreWebhookAnswer extends WebhookRegistration {
  readonly message: string;
  readonly _meta: Meta;
}
