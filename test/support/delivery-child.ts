// Delivers from the store at argv[2] to a receiver, as one of several processes that a test kills. Also records
// its own events, and prints which of them are on disk.
import { createCallbackUrlRules } from '../../src/events/callbacks/callback-url-rules.ts';
import { createGuardedAgent } from '../../src/events/callbacks/guarded-agent.ts';
import { startDeliveryLoop } from '../../src/events/delivery/delivery-loop.ts';
import { createSendAttempt } from '../../src/events/delivery/send-attempt.ts';
import { createWebhookSecrets } from '../../src/events/delivery/webhook-secret.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { SecretBytes } from '../../src/kernel/secret-bytes.ts';
import { GENESIS } from './delivery-fixture.ts';
import { openStoreAt, storeOf } from './store-fixture.ts';

const [, , location = '', name = '', registrations = '', secretHex = '', count = '0', leaseMs = ''] =
  process.argv;
const clock = systemClock;
const store = storeOf(await openStoreAt(location, { clock }));
const secrets = createWebhookSecrets(
  SecretBytes.take(new Uint8Array(Buffer.from(secretHex, 'hex'))),
  GENESIS,
);
const { mayReach } = createCallbackUrlRules({
  allowCidrs: ['127.0.0.0/8'],
  bindsLoopback: true,
  ports: [443],
});
const agent = createGuardedAgent({ mayReach, resolve: async () => ['127.0.0.1'] });
const loop = startDeliveryLoop({
  outbox: store.outbox,
  owner: `${name} ${process.pid}`,
  send: createSendAttempt(agent, clock),
  secretsOf: (claimed, nowMs) => secrets.bytesOf({ ...claimed, id: claimed.registrationId }, nowMs),
  composers: {},
  random: Math.random,
  pollMs: 50,
  leaseMs: Number(leaseMs),
  clock,
  logger: createLogger('silent'),
});
process.stdout.write('started\n');

const ids = registrations.split(',');
for (let event = 0; event < Number(count); event += 1) {
  const id = `evt_${name}_${event}`;
  await store.outbox.record([
    {
      id,
      registrationId: ids[event % ids.length]!,
      type: 'epoch_complete',
      atMs: clock.now(),
      data: `{"walletAddress":"wallet","epoch":${event}}`,
      expiresAtMs: null,
    },
  ]);
  // Printed only after the write, so the event counts as acknowledged.
  process.stdout.write(`recorded ${id}\n`);
  loop.wake();
}
process.stdout.write('recorded all\n');
// Keeps the process running until it is killed.
setInterval(() => undefined, 60_000);
