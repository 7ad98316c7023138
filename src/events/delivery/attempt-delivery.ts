// Makes one attempt for a claimed delivery and always returns a result for the outbox.
import type { AlertLevel, OperatorAlert } from '../../domain/alerts/alert-table.ts';
import type { DeliveryType } from '../../domain/notification-types.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AttemptResult, ClaimedDelivery } from '../../store/outbox/outbox.ts';
import { type Consequence, consequenceOf } from './attempt-consequences.ts';
import type { OutgoingPost, SendAttempt, SentAttempt } from './send-attempt.ts';
import { signatureHeaders } from './sign-webhook.ts';

/**
 * Builds the `data` of a delivery for each attempt. `dead` is the reason, shown in the log, why the delivery is
 * no longer worth sending.
 */
export type DeliveryDataBuilder = (
  claimed: ClaimedDelivery,
  signal: AbortSignal,
) => Promise<{ readonly data: string } | { readonly dead: string }>;

/** Types whose data is built for each attempt. All others send the recorded data. */
export type DeliveryDataBuilders = Partial<Record<DeliveryType, DeliveryDataBuilder>>;

/** Destination whose URL comes from a setting instead of the store. */
export interface OutboxSink {
  readonly url: string;
  /**
   * If true, sends text with the headers Title, Priority, Tags and Click, as ntfy expects, instead of a signed
   * notification.
   */
  readonly isPlain: boolean;
  readonly send: SendAttempt;
}

export interface AttemptOptions {
  /** Id of this process, as in its claims. */
  readonly owner: string;
  readonly send: SendAttempt;
  /** Raw bytes of every valid secret, newest first. */
  readonly secretsOf: (claimed: ClaimedDelivery, nowMs: number) => readonly Uint8Array[];
  readonly composers: DeliveryDataBuilders;
  /** Returns the sink of an operator's registration. Default: none. */
  readonly sinkOf?: (registrationId: string) => OutboxSink | undefined;
  /** Called with the reason if a data builder fails or gives up. */
  readonly onComposeFailure: (claimed: ClaimedDelivery, reason: unknown) => void;
  readonly clock: Clock;
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Maximum duration of a data builder. Building and sending must finish within a lease. */
const COMPOSE_TIMEOUT_MS = 15_000;

const unsent = (outcome: SentAttempt['outcome']): SentAttempt => ({
  outcome,
  status: null,
  answerBytes: 0,
  retryAfterMs: null,
});

/** Builds the bytes to sign and send. `data` is JSON text. */
const notificationBody = ({ id, type, atMs }: ClaimedDelivery, data: string): string =>
  `{"id":${JSON.stringify(id)},"type":"${type}","timestamp":"${new Date(atMs).toISOString()}","data":${data}}`;

type Composed = { readonly data: string } | { readonly failed: 'dead' | 'retry' };

const compose = async (
  options: AttemptOptions,
  composer: DeliveryDataBuilder,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Composed> => {
  const ended = new AbortController();
  const late = new AbortController();
  options.clock.sleep(COMPOSE_TIMEOUT_MS, ended.signal).then(
    () => late.abort(new Error('composing took too long')),
    () => undefined,
  );
  try {
    const composed = await composer(claimed, AbortSignal.any([signal, late.signal]));
    if ('data' in composed) return composed;
    options.onComposeFailure(claimed, composed.dead);
    return { failed: 'dead' };
  } catch (error) {
    if (!signal.aborted) options.onComposeFailure(claimed, error);
    return { failed: 'retry' };
  } finally {
    ended.abort();
  }
};

/** Builds, signs and sends a delivery. Never rejects. If `signal` is aborted, the outcome is `interrupted`. */
export const attemptDelivery = async (
  options: AttemptOptions,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> => {
  const { clock, owner } = options;
  const atMs = clock.now();
  const composer = options.composers[claimed.type];
  const composed: Composed = composer ? await compose(options, composer, claimed, signal) : claimed;
  const receipt =
    'failed' in composed
      ? unsent(signal.aborted ? 'interrupted' : 'compose-failed')
      : await sendSigned(options, claimed, composed.data, signal);
  const nowMs = clock.now();
  const { outcome, status, answerBytes, retryAfterMs } = receipt;
  const consequence: Consequence =
    'failed' in composed && composed.failed === 'dead'
      ? { next: { state: 'dead' } }
      : consequenceOf({
          type: claimed.type,
          outcome,
          retryAfterMs,
          attempts: claimed.attempts,
          expiresAtMs: claimed.expiresAtMs,
          failingSinceMs: claimed.failingSinceMs,
          nowMs,
          random: options.random,
        });
  return {
    eventId: claimed.id,
    key: claimed.key,
    registrationId: claimed.registrationId,
    owner,
    attempt: {
      number: claimed.attemptsEver + 1,
      atMs,
      durationMs: Math.max(0, nowMs - atMs),
      status,
      outcome,
      answerBytes,
    },
    ...consequence,
  };
};

const SENT_HEADERS = { 'user-agent': 'Holdfast-Webhooks/1', 'accept-encoding': 'identity' };
const PRIORITIES: Readonly<Record<AlertLevel, string>> = { info: 'low', warning: 'high', critical: 'urgent' };

/**
 * Formats an alert as text for ntfy and similar services. `data` is the JSON text of an alert with title,
 * level and message.
 */
const plainPost = (callbackUrl: string, { id }: ClaimedDelivery, data: string): OutgoingPost => {
  const { title, level, message, alert, facts } = JSON.parse(data) as OperatorAlert;
  const runbook = typeof facts.runbook === 'string' ? facts.runbook : null;
  return {
    callbackUrl,
    headers: {
      ...SENT_HEADERS,
      'content-type': 'text/plain; charset=utf-8',
      'webhook-id': id,
      title: `Holdfast: ${title}`,
      priority: PRIORITIES[level],
      tags: alert,
      ...(runbook !== null && { click: runbook }),
    },
    body: runbook === null ? message : `${message}\nWhat to do: ${runbook}`,
  };
};

/**
 * Signs and sends a delivery. If our own code fails, the outcome is `compose-failed`; a later version may
 * succeed at the next attempt.
 */
const sendSigned = async (
  { send, secretsOf, sinkOf, clock, onComposeFailure }: AttemptOptions,
  claimed: ClaimedDelivery,
  data: string,
  signal: AbortSignal,
): Promise<SentAttempt> => {
  try {
    const sink = sinkOf?.(claimed.registrationId);
    if (sink?.isPlain) return await sink.send(plainPost(sink.url, claimed, data), signal);
    const nowMs = clock.now();
    const body = notificationBody(claimed, data);
    const signed = signatureHeaders(
      { id: claimed.id, timestampSeconds: Math.floor(nowMs / 1_000), body },
      secretsOf(claimed, nowMs),
    );
    const callbackUrl = sink?.url ?? claimed.callbackUrl;
    const headers = { ...SENT_HEADERS, 'content-type': 'application/json', ...signed };
    return await (sink?.send ?? send)({ callbackUrl, headers, body }, signal);
  } catch (error) {
    onComposeFailure(claimed, error);
    return unsent('compose-failed');
  }
};
