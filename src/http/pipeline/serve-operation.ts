// Serves a route by running its operation: gathers the input, runs, answers, and wipes what was secret, whatever happens.

import { type BodyMembers, expectsBody, readMembers } from '../../adapter/read-body.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Context } from '../../operations/context.ts';
import type { Answers } from './answers.ts';
import type { Exchange } from './exchange.ts';
import type { InFlight } from './in-flight.ts';
import { planInput, readInput } from './input.ts';
import { parseQuery } from './parse-query.ts';
import type { Route } from './route.ts';
import type { PathParams } from './target.ts';

/** What serving needs. */
export interface OperationServing {
  readonly ctx: Context;
  readonly logger: Logger;
  readonly answers: Answers;
  readonly inFlight: InFlight;
  /** Tells a client that waits for `100 Continue` to send its body now. */
  readonly invite: (exchange: Exchange) => void;
}

// RFC 6750: the scheme in any case, one token without blanks.
const BEARER = /^bearer +(\S+) *$/i;

const CALLER_GONE = new Error('the caller went away');

const header = (exchange: Exchange, name: string): string | undefined => {
  const value = exchange.request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** The query, completed by what the Accept header asks for. */
const withAlternative = (
  exchange: Exchange,
  query: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const { alternative } = exchange.route ?? {};
  if (alternative === undefined || query.has(alternative.name)) return query;
  const accepted = (header(exchange, 'accept') ?? '').toLowerCase();
  const isMeant = accepted.includes(alternative.type) && !accepted.includes('json');
  return isMeant ? new Map([...query, [alternative.name, alternative.value]]) : query;
};

const IDS = ['walletAddress', 'stakeAccountAddress', 'signature', 'address', 'id'] as const;

/** What of a validated input may stand in the paths of its answer. */
const idsOf = (input: unknown): Readonly<Record<string, string>> => {
  const members = input as Readonly<Record<string, unknown>>;
  const ids: Record<string, string> = {};
  for (const name of IDS) if (typeof members[name] === 'string') ids[name] = members[name];
  return ids;
};

/** Builds the handler of `route`; it gets the decoded path parameters. Never throws, never rejects. */
export const createOperationHandler = (route: Route, serving: OperationServing) => {
  const { ctx, logger, answers, inFlight, invite } = serving;
  const { operation } = route;
  const plan = planInput(route);
  const takesBody = plan.body.length > 0 || route.method === 'POST';

  const readBody = async (exchange: Exchange, secrets: DisposableStack): Promise<BodyMembers> => {
    if (!takesBody || !expectsBody(exchange.request)) return { body: {}, provided: {} };
    invite(exchange);
    return readMembers(exchange.request, route.carriesSecretKey === true, secrets);
  };

  const gather = async (exchange: Exchange, path: PathParams, secrets: DisposableStack) => {
    const query = withAlternative(exchange, parseQuery(exchange.request.url ?? '', plan.query));
    const idempotencyKey = header(exchange, 'idempotency-key');
    const bearerToken = BEARER.exec(header(exchange, 'authorization') ?? '')?.[1];
    return readInput(plan, {
      path,
      query,
      idempotencyKey,
      bearerToken,
      ...(await readBody(exchange, secrets)),
    });
  };

  const run = async (exchange: Exchange, path: PathParams): Promise<void> => {
    const stop = new AbortController();
    exchange.onGiveUp = (reason) => {
      stop.abort(reason);
      answers.fail(exchange, reason);
    };
    exchange.response.once('close', () => {
      if (!exchange.answered) stop.abort(CALLER_GONE);
    });
    using secrets = new DisposableStack();
    try {
      const input = await gather(exchange, path, secrets);
      exchange.known = idsOf(input);
      const { client, source } = exchange;
      const call = { ctx, input, signal: stop.signal, source, client } as const;
      answers.succeed(exchange, await operation.run(call));
    } catch (error) {
      answers.fail(exchange, error);
    }
  };

  return (exchange: Exchange, path: PathParams): void => {
    inFlight.enter(exchange);
    const startedMs = performance.now();
    run(exchange, path)
      .finally(() => {
        inFlight.leave(exchange);
        const level = operation.effect === 'act' ? 'info' : 'debug';
        logger[level](
          {
            operation: operation.name,
            status: exchange.response.statusCode,
            requestId: exchange.requestId,
            durationMs: Math.round(performance.now() - startedMs),
          },
          'answered',
        );
      })
      .catch((error: unknown) =>
        logger.error({ err: error, operation: operation.name }, 'an answer could not be sent'),
      );
  };
};
