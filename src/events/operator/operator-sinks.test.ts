// Tests that the operator's destinations are registered once, and that a restart enables a disabled
// destination.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import {
  EXAMPLE_START_MS,
  exampleAttempt,
  exampleClaim,
  exampleEvent,
  exampleResult,
  rememberingKeys,
} from '../../../test/support/webhook-examples.ts';
import { Secret } from '../../config/secret-settings.ts';
import { OPERATOR_NOTIFY_ID, OPERATOR_WEBHOOK_ID, registerOperator } from './operator-sinks.ts';

test('a restart of the service enables a disabled destination', async (t) => {
  const { webhooks, outbox: stored } = await openTestStore(t);
  const outbox = rememberingKeys(stored);
  const urls = { webhook: undefined, notify: new Secret('https://ntfy.example/topic') };
  const reasonNow = async () => (await webhooks.find(OPERATOR_NOTIFY_ID))?.disabledReason;
  await registerOperator(webhooks, urls, EXAMPLE_START_MS);
  assert.equal(await webhooks.find(OPERATOR_WEBHOOK_ID), null);
  const registrationId = OPERATOR_NOTIFY_ID;
  await outbox.record([exampleEvent(1, { registrationId, type: 'operator_alert' })]);
  await outbox.claim(exampleClaim());
  const attempt = exampleAttempt({ status: 410, outcome: 'gone' });
  await outbox.settle([
    exampleResult(1, { registrationId, attempt, next: { state: 'dead' }, disable: 'gone' }),
  ]);
  assert.equal(await reasonNow(), 'gone');
  await registerOperator(webhooks, urls, EXAMPLE_START_MS + 1);
  assert.equal(await reasonNow(), null);
});
