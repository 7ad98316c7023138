// Sends answers and failures, each in its one shape, and keeps note of what went wrong here.

import { announcesBody, discardBody } from '../../adapter/body-discard.ts';
import { errorAnswer, toAppError } from '../../adapter/error-body.ts';
import { buildMeta, type Meta, type MetaSource } from '../../adapter/meta.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Answer } from '../../operations/operation.ts';
import { type Exchange, JSON_TYPE, TEXT_TYPE, UNCACHED_DATA_POLICY } from './exchange.ts';

/** Sends answers. */
export interface Answers {
  readonly succeed: (exchange: Exchange, answer: Answer<unknown>) => void;
  /** Sends the failure; `extraHeaders` are names and values in turn. */
  readonly fail: (exchange: Exchange, error: unknown, extraHeaders?: readonly string[]) => void;
}

// A mount is no operation's endpoint, but callers should see what refused them.
const placeOf = ({ mount }: Exchange): Partial<Meta> =>
  mount === null
    ? {}
    : { endpoint: mount.path, description: mount.description ?? 'Another protocol of this service.' };

/** Needs the documentation's address, the time, and where to report bugs. */
export const createAnswers = (source: MetaSource, clock: Clock, logger: Logger): Answers => {
  const guided = (exchange: Exchange, body: Readonly<Record<string, unknown>>) =>
    source.guide?.rewrite(body, exchange.source, exchange.known) ?? body;

  const successText = (exchange: Exchange, { body, meta }: Answer<unknown>): string => {
    const { route } = exchange;
    return JSON.stringify(
      guided(exchange, {
        ...(body as object),
        _meta: buildMeta(source, route, clock.now(), route?.operation.name ?? '', meta),
      }),
    );
  };

  const succeed: Answers['succeed'] = (exchange, answer) => {
    const { plainText, alternative } = exchange.route ?? {};
    const vary = alternative === undefined ? [] : ['vary', 'accept'];
    if (answer.text !== undefined) {
      exchange.send(200, answer.text.type, answer.text.content, [...UNCACHED_DATA_POLICY, ...vary]);
      return;
    }
    if (plainText === undefined) {
      exchange.send(200, JSON_TYPE, successText(exchange, answer), [...UNCACHED_DATA_POLICY, ...vary]);
      return;
    }
    const members = answer.body as Readonly<Record<string, string>>;
    const headers = Object.entries(plainText.headers).flatMap(([name, member]) => [name, members[member]!]);
    exchange.send(200, TEXT_TYPE, members[plainText.member]!, [...UNCACHED_DATA_POLICY, ...headers]);
  };

  const fail: Answers['fail'] = (exchange, error, extraHeaders = []) => {
    // The caller went away: there is nobody to tell, and what was thrown is only the consequence.
    if (exchange.answered || exchange.response.destroyed) return;
    const appError = toAppError(error);
    if (appError.code === 'INTERNAL')
      logger.error(
        {
          err: appError.cause ?? appError,
          requestId: exchange.requestId,
          operation: exchange.route?.operation.name,
        },
        'a request failed inside the service',
      );
    const { status, body, retryAfterSeconds } = errorAnswer(
      appError,
      exchange.route,
      source,
      clock.now(),
      placeOf(exchange),
    );
    const shown = exchange.mount?.errorBody?.(appError) ?? guided(exchange, body);
    const retry = retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)];
    if (announcesBody(exchange.request)) discardBody(exchange.request);
    exchange.send(status, JSON_TYPE, JSON.stringify(shown), [
      ...UNCACHED_DATA_POLICY,
      ...retry,
      ...extraHeaders,
    ]);
  };

  return { succeed, fail };
};
