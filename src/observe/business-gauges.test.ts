// A scrape after a pause contains current values or none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { createBusinessGauges } from './business-gauges.ts';

type Ports = Parameters<typeof createBusinessGauges>[0];

const createPorts = () => {
  const clock = createManualClock();
  const chain = { own: async (): Promise<unknown> => ownWith(0) };
  const ports = {
    clock,
    store: { delegators: { epochs: async () => [] }, outbox: { checkpoint: async () => null } },
    validator: { facts: { chain: { own: () => chain.own() }, sources: { mev: null } } },
  } as unknown as Ports;
  return { clock, chain, gauges: createBusinessGauges(ports) };
};

const ownWith = (commissionBps: number) => ({
  commissionBps,
  state: null,
  listed: { delinquent: false, lastVoteSlot: 7n, epochCredits: [] },
});

const commissionIn = (gauges: Awaited<ReturnType<ReturnType<typeof createBusinessGauges>>>) =>
  gauges.find(({ labels }) => labels?.kind === 'inflation')?.value;

test('the first scrape after several minutes contains current values', async () => {
  const { clock, chain, gauges } = createPorts();
  assert.equal(commissionIn(await gauges()), 0);
  clock.advance(300_000);
  chain.own = async () => ownWith(500);
  assert.equal(commissionIn(await gauges()), 500);
});

test('a scrape does not wait long for the chain, and omits outdated values until the poll ends', async () => {
  const { clock, chain, gauges } = createPorts();
  assert.equal(commissionIn(await gauges()), 0);
  clock.advance(300_000);
  chain.own = () => new Promise(() => undefined);
  const scrape = gauges();
  clock.advance(3_000);
  assert.equal(commissionIn(await scrape), null);
});
