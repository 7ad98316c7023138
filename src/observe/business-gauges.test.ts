// A scrape after a pause contains current values, or the last known ones with their age.
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
    validator: {
      facts: {
        chain: { own: () => chain.own() },
        sources: { mev: null, network: null, cluster: { recentEpochPosition: async () => ({ epoch: 1n }) } },
      },
    },
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

const ageIn = (gauges: Awaited<ReturnType<ReturnType<typeof createBusinessGauges>>>) =>
  gauges.find(({ name }) => name === 'holdfast_validator_age_seconds')?.value;

test('the first scrape after several minutes contains current values', async () => {
  const { clock, chain, gauges } = createPorts();
  assert.equal(commissionIn(await gauges()), 0);
  clock.advance(300_000);
  chain.own = async () => ownWith(500);
  assert.equal(commissionIn(await gauges()), 500);
});

test('a scrape does not wait long for the chain: until a poll succeeds, it contains the last known values with their age', async () => {
  const { clock, chain, gauges } = createPorts();
  await gauges();
  clock.advance(300_000);
  chain.own = () => new Promise(() => undefined);
  const scrape = gauges();
  clock.advance(3_000);
  const hanging = await scrape;
  assert.deepEqual([commissionIn(hanging), ageIn(hanging)], [0, 303]);
});

test('a value that cannot be read stays as last known, and its age grows until it is read again', async () => {
  const { clock, chain, gauges } = createPorts();
  assert.equal(ageIn(await gauges()), 0);
  clock.advance(60_000);
  chain.own = () => Promise.reject(new Error('away'));
  const failed = await gauges();
  assert.deepEqual([commissionIn(failed), ageIn(failed)], [0, 60]);
  clock.advance(5_000);
  chain.own = async () => ownWith(600);
  const back = await gauges();
  assert.deepEqual([commissionIn(back), ageIn(back)], [600, 0]);
});
