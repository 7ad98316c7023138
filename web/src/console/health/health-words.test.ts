// Each part of the service reports its health in a sentence, without names of fields.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ServiceHealth } from '../operator-api.ts';
import { healthLines, networkLine } from './health-words.ts';

const part = (
  name: string,
  more: Partial<ServiceHealth['dependencies'][number]> = {},
): ServiceHealth['dependencies'][number] => ({
  name,
  ok: true,
  optional: false,
  ageSeconds: 0,
  error: null,
  details: {},
  ...more,
});

const textOf = (...given: Parameters<typeof part>) => healthLines(part(...given)).line.text;

it('shows the age of the last response, and the state of each node', () => {
  const nodes = [
    { index: 0, origin: 'https://one', role: 'read', ok: true, lastError: null, latencyMs: 6.7 },
    { index: 1, origin: 'https://two', role: 'send', ok: false, lastError: 'timeout', latencyMs: 9 },
  ];
  const found = healthLines(part('rpc', { ageSeconds: 2, details: { nodes } }));
  assert.deepEqual(found.line, { name: 'Solana RPC', state: 'ok', text: 'Last answer 2 s ago' });
  assert.deepEqual(
    found.nodes.map(({ name, text }) => [name, text]),
    [
      ['https://one', 'Answers in 7 ms'],
      ['https://two (sending only)', 'Timeout'],
    ],
  );
});

it('deliveries show the number waiting, the delay, and the number failed', () => {
  const details = { pending: 3, oldestDueSeconds: 90, dead: 2, inFlight: 1 };
  assert.equal(
    textOf('webhooks', { details }),
    '3 waiting, the oldest is 1 min 30 s late, 2 failed for good',
  );
  assert.equal(
    textOf('webhooks', { details: { pending: 0, oldestDueSeconds: 0, dead: 0 } }),
    'Nothing is waiting',
  );
});

it('a fault is its reason as a sentence; an unknown part keeps its name', () => {
  assert.equal(textOf('store', { ok: false, error: 'the store cannot be read' }), 'The store cannot be read');
  assert.equal(healthLines(part('store', { ok: false })).line.state, 'down');
  assert.equal(healthLines(part('profile', { ok: false, optional: true })).line.state, 'degraded');
  assert.equal(healthLines(part('new')).line.name, 'new');
});

it('the network is busy while places in blocks have a price, or transactions sent here expired', () => {
  const network = (medium: number, recentlyExpired: number) =>
    networkLine({
      priorityPrices: { low: 0, medium, high: 2 * medium },
      recentTransactions: 50,
      recentlyExpired,
    });
  assert.deepEqual(network(0, 0), {
    name: 'Solana network',
    state: 'ok',
    text: 'Blocks have room: no priority fee is needed. 0 of the last 50 transactions sent here expired (0%).',
  });
  assert.equal(network(1, 0).state, 'busy');
  assert.equal(network(0, 5).state, 'ok');
  assert.equal(network(0, 6).state, 'busy');
  const unknown = networkLine({ priorityPrices: null, recentTransactions: 0, recentlyExpired: 0 });
  assert.deepEqual([unknown.state, /No node/.test(unknown.text)], ['ok', true]);
});
