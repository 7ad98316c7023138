// Submissions in flight, one per signature. Callers join and leave; the submission continues until the chain
// has decided.

import type { Signature } from '@solana/kit';
import { orAbort } from '../../kernel/abort.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { Submission, SubmissionOutcome, Submitter } from '../ports.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { ConfirmationPoller } from './confirmation-poller.ts';
import { runSubmission, settleSubmission } from './run-submission.ts';
import { createSignatureFeed } from './signature-feed.ts';

export interface SubmitterOptions {
  readonly pool: RpcPool;
  /**
   * WebSocket URLs of the nodes that provide hints; may be empty. They may contain secrets and are never
   * shown.
   */
  readonly wsUrls: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Time without a response or a new block after which submissions in flight end as `unresolved`, in ms.
   * Default: 60,000. A blockhash is valid for about 32 s at today's slot times (about 214 ms), and the service
   * waits for its submissions for 75 s during shutdown.
   */
  readonly absenceMs?: number;
}

/** Opens a submitter. `close` abandons submissions in flight: waiting callers get `SHUTTING_DOWN`. */
export const createSubmitter = (options: SubmitterOptions): Submitter & { readonly close: () => void } => {
  const { pool, clock, logger, absenceMs = 60_000 } = options;
  const closing = new AbortController();
  const feed = createSignatureFeed({ wsUrls: options.wsUrls, clock, logger });
  const poller = new ConfirmationPoller({ pool, feed, clock, logger, absenceMs });
  const inFlight = new Map<Signature, Promise<SubmissionOutcome>>();

  const start = (submission: Submission): Promise<SubmissionOutcome> => {
    const running = runSubmission({ pool, poller, clock }, submission, closing.signal).finally(() =>
      inFlight.delete(submission.signature),
    );
    running.then(
      ({ kind }) => logger.debug({ signature: submission.signature, outcome: kind }, 'submission ended'),
      (error: unknown) =>
        logger.debug({ signature: submission.signature, err: error }, 'submission ended without an outcome'),
    );
    inFlight.set(submission.signature, running);
    return running;
  };

  return {
    submit: async (submission, signal) => {
      signal.throwIfAborted();
      return orAbort(inFlight.get(submission.signature) ?? start(submission), signal);
    },
    settle: (submission, signal) => settleSubmission(pool, submission, signal),
    get inFlight() {
      return inFlight.size;
    },
    close: () => {
      closing.abort(
        new AppError('SHUTTING_DOWN', 'The service is stopping; the transaction may still land.', {
          reason: 'TRANSACTION_IN_FLIGHT',
        }),
      );
      poller.close();
      feed.close();
    },
  };
};
