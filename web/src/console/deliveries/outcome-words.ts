// Describes the last attempt of a delivery in words.
import type { DeadLetters } from '../operator-api.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  delivered: 'Accepted',
  'refused-status': 'Refused',
  redirect: 'Redirected',
  gone: 'Gone',
  timeout: 'No response in time',
  'connection-failed': 'No connection',
  'tls-failed': 'TLS failed',
  'name-not-found': 'Host not found',
  'target-not-allowed': 'Address not allowed',
  'answer-too-slow': 'Response too slow',
  interrupted: 'Interrupted',
  'compose-failed': 'Could not be prepared',
};

/** Describes an outcome, with the HTTP status if there was a response. */
export const outcomeText = ({
  lastOutcome,
  lastStatus,
}: Pick<DeadLetters['deadLetters'][number], 'lastOutcome' | 'lastStatus'>): string => {
  if (lastOutcome === null) return 'Not attempted';
  const words = OUTCOMES[lastOutcome] ?? lastOutcome;
  return lastStatus === null ? words : `${words} (${lastStatus})`;
};
