// Logs repeated failures of background work: the first immediately, then once per minute with the number of
// failures, and finally the recovery. Durations are not logged here, because the work notices an outage late;
// see the alarm log for them.
import { isAppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from './logger.ts';

/** Time between two log lines of one outage, in ms. */
const LINE_EVERY_MS = 60_000;

/** Dependencies, and the content of the log lines. */
interface OutageLogOptions {
  readonly clock: Pick<Clock, 'steadyNow'>;
  readonly logger: Logger;
  /** Fields of every line, e.g. the role. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The work as the subject of a sentence, e.g. `background work`. */
  readonly subject: string;
}

/**
 * Logs the failures of one kind of work. Errors other than `AppError` are bugs in the service and are logged
 * as errors, with a stack trace in the first line.
 */
export interface OutageLog {
  readonly failed: (error: unknown) => void;
  readonly succeeded: () => void;
}

/** Creates a log for one kind of work. */
export const createOutageLog = ({ clock, logger, context, subject }: OutageLogOptions): OutageLog => {
  let failures = 0;
  let loggedMs = 0;
  let hasFault = false;
  return {
    failed: (error) => {
      const nowMs = clock.steadyNow();
      const isFault = !isAppError(error);
      failures += 1;
      const isFirst = failures === 1 || (isFault && !hasFault);
      hasFault ||= isFault;
      if (!isFirst && nowMs < loggedMs + LINE_EVERY_MS) return;
      loggedMs = nowMs;
      const level = isFault ? 'error' : 'warn';
      const words = `${subject} failed${isFault ? ' inside the service' : ''}; retrying`;
      if (isFirst)
        logger[level](isFault ? { ...context, err: error } : { ...context, reason: String(error) }, words);
      else logger[level]({ ...context, failures, reason: String(error) }, words);
    },
    succeeded: () => {
      if (failures === 0) return;
      logger.info({ ...context, failures }, `${subject} works again`);
      failures = 0;
      hasFault = false;
    },
  };
};
