// Runs a mounted handler for a request: it can be given up, is waited for by a stop, and its failures have the service's error shape.
import type { Logger } from '../../kernel/logger.ts';
import type { RateLimit } from '../guards/rate-limit.ts';
import type { Answers } from './answers.ts';
import type { Exchange } from './exchange.ts';
import type { InFlight } from './in-flight.ts';
import type { Mount } from './mount.ts';
import type { PathParams } from './target.ts';

/** What serving needs. */
export interface MountServing {
  readonly rateLimit: RateLimit;
  readonly answers: Answers;
  readonly inFlight: InFlight;
  readonly logger: Logger;
  readonly invite: (exchange: Exchange) => void;
}

const CALLER_GONE = new Error('the caller went away');

/** Builds the handler of `mount`. Never throws, never rejects. */
export const createMountHandler = (mount: Mount, serving: MountServing) => {
  const { rateLimit, answers, inFlight, logger, invite } = serving;

  const run = async (exchange: Exchange, path: PathParams): Promise<void> => {
    // Made when it is asked for: an abort controller costs 2 µs, and most answers are sent at once.
    let stop: AbortController | null = null;
    let over: Error | null = null;
    const end = (reason: Error): void => {
      over ??= reason;
      stop?.abort(over);
    };
    exchange.onGiveUp = (reason) => {
      end(reason);
      answers.fail(exchange, reason);
    };
    exchange.response.once('close', () => end(CALLER_GONE));
    try {
      await mount.serve({
        exchange,
        path,
        fail: (error) => answers.fail(exchange, error),
        get signal() {
          stop ??= new AbortController();
          if (over !== null) stop.abort(over);
          return stop.signal;
        },
        invite: () => invite(exchange),
        count: async (more) => {
          for (let counted = 0; counted < more; counted += 1) {
            const { headers, refusal } = await rateLimit(exchange.client);
            exchange.rateHeaders = headers;
            if (refusal !== null) return refusal;
          }
          return null;
        },
      });
    } catch (error) {
      answers.fail(exchange, error);
    }
  };

  return (exchange: Exchange, path: PathParams): void => {
    inFlight.enter(exchange);
    run(exchange, path)
      .finally(() => inFlight.leave(exchange))
      .catch((error: unknown) =>
        logger.error({ err: error, path: mount.path }, 'an answer could not be sent'),
      );
  };
};
