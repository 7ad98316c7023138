// Calls the webhook endpoints of a running service as an outside client would, and returns complete responses
// with any status.
import assert from 'node:assert/strict';
import { newWallet } from './wallets.ts';

/** A response. */
interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  readonly body: any;
}

/** Optional parts of a call. */
interface CallParts {
  readonly body?: unknown;
  /** The webhook's secret, sent as a bearer token. */
  readonly secret?: string;
  readonly idempotencyKey?: string;
  /** The client address. The service must trust the peer that sends it. */
  readonly from?: string;
}

interface WebhookCalls {
  readonly call: (method: string, path: string, parts?: CallParts) => Promise<Answered>;
  /** Registers a webhook. Fails if it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  readonly register: (body?: Readonly<Record<string, unknown>>, parts?: CallParts) => Promise<any>;
}

/** A callback URL whose host is unknown to every name server (RFC 6761). */
export const CALLBACK = 'https://hooks.example.invalid/tell?token=very-private';

/** Returns a registration request for a new wallet. */
export const registration = (overrides: Readonly<Record<string, unknown>> = {}) => ({
  walletAddress: newWallet().walletAddress,
  callbackUrl: CALLBACK,
  events: ['withdraw_ready'],
  ...overrides,
});

/** Calls the service at `url()`, which is evaluated at each call. */
export const webhookCalls = (url: () => string): WebhookCalls => {
  const call: WebhookCalls['call'] = async (method, path, { body, secret, idempotencyKey, from } = {}) => {
    const response = await fetch(new URL(path, url()), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    call,
    register: async (body = {}, parts = {}) => {
      const response = await call('POST', '/api/v1/webhooks', { body: registration(body), ...parts });
      assert.equal(response.status, 200, JSON.stringify(response.body));
      return response.body;
    },
  };
};
