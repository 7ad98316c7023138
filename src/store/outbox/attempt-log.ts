// Attempts as a delivery keeps them: a line each, appended in the write that settles the attempt, so that a log costs no row of its own.
import type { Attempt, AttemptOutcome } from './outbox.ts';

type Line = readonly [
  atMs: number,
  durationMs: number,
  status: number | null,
  AttemptOutcome,
  answerBytes: number,
];

/** The line to append. Its number is that of the line, whatever the attempt was taken for: behind a process that lost its lease another has counted too. */
export const attemptLine = ({ atMs, durationMs, status, outcome, answerBytes }: Attempt): string =>
  `[${atMs},${durationMs},${status},"${outcome}",${answerBytes}]\n`;

/** What was appended, in order. */
export const readAttemptLog = (log: string): readonly Attempt[] =>
  log
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const [atMs, durationMs, status, outcome, answerBytes] = JSON.parse(line) as Line;
      return { number: index + 1, atMs, durationMs, status, outcome, answerBytes };
    });
