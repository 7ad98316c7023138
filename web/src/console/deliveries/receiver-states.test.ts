import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiverStates } from './receiver-states.ts';

const titles = (
  webhooks: number,
  disabledWebhooks: number,
  failingWebhooks: number,
  deletedWebhooks: number,
) =>
  receiverStates({ webhooks, disabledWebhooks, failingWebhooks, deletedWebhooks }).map(
    ({ title, webhooks: number }) => `${number} ${title}`,
  );

test('the worst state of a receiver comes first, and each state has its number of webhooks', () => {
  assert.deepEqual(titles(1, 0, 0, 0), ['1 OK']);
  assert.deepEqual(titles(2, 1, 0, 1), ['1 Disabled', '1 Deleted']);
  assert.deepEqual(titles(6, 0, 2, 1), ['2 Failing', '3 OK', '1 Deleted']);
  assert.deepEqual(titles(1, 0, 0, 1), ['1 Deleted']);
});
