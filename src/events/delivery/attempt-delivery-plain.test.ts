// A text notification about an alarm has a link that works where it is read, outside the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../../../test/support/patience.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { beginAlert, endAlert } from '../../domain/alerts/service-alarm-table.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import type { OutgoingPost } from './send-attempt.ts';

test('the text about an alarm ends with the full link to its instructions, and tapping the notification opens the same link', async () => {
  const facts = {
    rpc: { responses: false, sinceMs: null },
    chain: null,
    store: { isWritable: true, writtenMs: 0 },
    webhooks: null,
    lease: null,
  };
  const reported = { instance: null, publicUrl: 'https://stake.example' };
  const begun = beginAlert('rpc_unreachable', 1, facts, reported);
  const ended = endAlert('rpc_unreachable', 1, 60_001, null);
  const posts: OutgoingPost[] = [];
  const send = async (post: OutgoingPost) => {
    posts.push(post);
    return { outcome: 'delivered', status: 204, answerBytes: 0, retryAfterMs: null } as const;
  };
  for (const alert of [begun, ended])
    await attemptDelivery(
      {
        owner: 'one',
        send,
        secretsOf: () => [],
        composers: {},
        sinkOf: () => ({ url: 'https://ntfy.example/topic', isPlain: true, send }),
        onComposeFailure: (_claimed, reason) => assert.fail(String(reason)),
        clock: createManualClock(),
        random: () => 0,
      },
      { id: 'evt_1', data: JSON.stringify(alert) } as Parameters<typeof attemptDelivery>[1],
      patience(),
    );
  const link = 'https://stake.example/docs/guides/operate#no-rpc-node-answers';
  assert.equal(posts[0]!.body, `${begun.message}\nWhat to do: ${link}`);
  assert.equal(posts[0]!.headers.click, link);
  assert.deepEqual([posts[1]!.body, 'click' in posts[1]!.headers], [ended.message, false]);
});
