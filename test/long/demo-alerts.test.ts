// Triggers each alert with the sandbox's own controls, as in `npm run demo`. Each alert must be reported once,
// and the sandbox must end in its initial state.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { playAlerts } from '../../demo/life-alerts.ts';
import { createStory } from '../../demo/story.ts';
import { startWebhookReceiver } from '../../demo/webhook-receiver.ts';
import { startServiceHere } from '../support/service-fixture.ts';
import { createRunningClock } from '../support/steerable-clock.ts';

test('the demo reports a recovered authority, a rug pull, a delinquency and an empty ticket, each once', async (t) => {
  const { client } = await startServiceHere(
    t,
    {
      HOLDFAST_SANDBOX_EPOCH_SECONDS: '0',
      HOLDFAST_SANDBOX_SLOT_MS: '20',
      HOLDFAST_RATE_LIMIT: '1000000',
      HOLDFAST_ONE_SHOT_LOOPBACK: 'on',
      HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    },
    undefined,
    // Responses may be up to 30 s old. The receiver rejects timestamps more than five minutes ahead.
    createRunningClock(5),
  );
  const out = new PassThrough({ encoding: 'utf8' });
  const receiver = await startWebhookReceiver();
  t.after(receiver.close);
  await playAlerts(client, createStory(out), receiver);
  const said = String(out.read());
  assert.equal(said.match(/^✓/gm)?.length, 15, said);
  // The alert names the place and time only once the watcher has reported the change. On a fast machine, the
  // alert may be requested earlier.
  assert.match(said, /validator’s commission .*rose from 0% to 10%/);
  assert.match(
    said,
    /critical: the validator changed its commission from 0% to 10%, right at the epoch boundary/,
  );
  assert.match(said, /: the validator stopped voting/);
  assert.match(said, /: the validator is voting again/);
  assert.doesNotMatch(said, /yes → no|no → yes/);
  assert.match(said, /10 alerts, 10 deliveries/);
  const { commissionBps, votes, admitted, ticketSol } = await client.post('/sandbox/validator', {});
  assert.deepEqual([commissionBps, votes, admitted, ticketSol], [0, true, true, 0]);
});
