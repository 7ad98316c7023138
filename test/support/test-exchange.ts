// Creates an exchange outside a server, from the few parts that a test sets.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { Exchange, type RateLimit, type ReportedResponse, type Target } from '../../src/adapter/exchange.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Logger } from '../../src/kernel/log/logger.ts';
import { printGuidance } from './guidance-text.ts';

export interface ExchangeParts {
  readonly request?: IncomingMessage;
  readonly response?: ServerResponse;
  readonly target?: Partial<Target>;
  readonly corsHeaders?: readonly string[];
  readonly rateLimit?: RateLimit;
  readonly onResponse?: (answer: ReportedResponse) => void;
}

/** Creates an exchange with the request id `id-1`, whose target does nothing. */
export const exchangeOf = (parts: ExchangeParts): Exchange =>
  new Exchange(
    {
      source: { documentationUrl: 'http://docs', clusterName: () => 'sandbox', printGuidance },
      clock: systemClock,
      logger: pino({ level: 'silent' }) as Logger,
      rateLimit:
        parts.rateLimit ??
        (() => {
          throw new Error('this exchange is not counted');
        }),
      transportRefusal: () => null,
      monotonicMs: () => performance.now(),
      onResponse: parts.onResponse,
    },
    {
      request: parts.request ?? ({ headers: {} } as IncomingMessage),
      response: parts.response ?? ({} as ServerResponse),
      target: {
        path: '/',
        methods: ['GET'],
        limited: true,
        browsers: 'public',
        serve: () => {},
        ...parts.target,
      },
      path: {},
      requestId: 'id-1',
      client: 'client',
      corsHeaders: parts.corsHeaders ?? [],
      expectsContinue: false,
    },
  );
