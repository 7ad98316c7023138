// Stores a delivery's attempts as lines of text in its row.
import type { Attempt, AttemptOutcome } from './outbox.ts';

type Line = readonly [
  atMs: number,
  durationMs: number,
  status: number | null,
  AttemptOutcome,
  answerBytes: number,
];

/**
 * Formats the line to append. The line number is the attempt's number, because a process that lost its lease
 * does not know of other attempts.
 */
export const attemptLine = ({ atMs, durationMs, status, outcome, answerBytes }: Attempt): string =>
  `[${atMs},${durationMs},${status},"${outcome}",${answerBytes}]\n`;

/** Parses the appended lines, oldest first. */
export const readAttemptLog = (log: string): readonly Attempt[] =>
  log
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const [atMs, durationMs, status, outcome, answerBytes] = JSON.parse(line) as Line;
      return { number: index + 1, atMs, durationMs, status, outcome, answerBytes };
    });
