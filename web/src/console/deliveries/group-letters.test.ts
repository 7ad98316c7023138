// Tests that dead letters with the same receiver and reason form one row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeadLetter, groupLetters } from './group-letters.ts';

const letter = (id: string, more: Partial<DeadLetter> = {}): DeadLetter => ({
  id,
  webhookId: 'one',
  walletAddress: 'wallet',
  callbackHost: 'receiver.example',
  webhookDisabled: null,
  type: 'stake_activated',
  timestamp: '2026-11-27T06:00:00Z',
  deadAt: null,
  expiresAt: null,
  attempts: 10,
  lastOutcome: 'refused-status',
  lastStatus: 500,
  ...more,
});

test('letters are grouped by receiver, reason and state of the webhook, and alerts to the operator share one receiver', () => {
  const groups = groupLetters([
    letter('a'),
    letter('b', { lastOutcome: 'timeout', lastStatus: null }),
    letter('c', { webhookId: 'two', walletAddress: 'other' }),
    letter('d', { callbackHost: 'other.example' }),
    letter('e', { webhookDisabled: 'failing' }),
    letter('f', { type: 'operator_alert', callbackHost: 'operator.invalid' }),
    letter('g', { type: 'operator_alert', callbackHost: null }),
  ]);
  assert.deepEqual(
    groups.map(({ letters }) => letters.map(({ id }) => id).join('')),
    ['ac', 'b', 'd', 'e', 'fg'],
  );
});
