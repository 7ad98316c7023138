// Tests the detection of validator changes, read from a node and recorded in a real store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshotOf } from '../../test/support/chain-snapshots.ts';
import { wholeFilePatience } from '../../test/support/patience.ts';
import { atSlot, startScriptedRpc } from '../../test/support/scripted-rpc.ts';
import { numbered } from '../../test/support/scripted-watch.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { openTestStore } from '../../test/support/store-fixture.ts';
import { exampleId, exampleRegistration, NO_CAPS } from '../../test/support/webhook-examples.ts';
import { createRpcPool } from '../chain/rpc/rpc-pool.ts';
import { VOTE_PROGRAM_ADDRESS } from '../chain/validator/validator-vote-state.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log/logger.ts';
import { beginWatchingValidator } from './poll-validator-changes.ts';

const FIRST_SLOT = 8_740_000;

/** Builds a version 4 vote account with this commission and without votes. */
const voteAccountWith = (commissionBps: number) => {
  const data = Buffer.alloc(200);
  data.writeUInt32LE(3, 0);
  data.writeUInt16LE(commissionBps, 132);
  return { data: [data.toString('base64'), 'base64'], lamports: 1, owner: VOTE_PROGRAM_ADDRESS };
};

test('a change to the validator becomes an event for each registration that subscribed to it before the change', async (t) => {
  let slot = FIRST_SLOT;
  const rpc = await startScriptedRpc(() =>
    atSlot(slot, [voteAccountWith(slot < FIRST_SLOT + 2 ? 500 : 600)]),
  );
  const logger = createLogger('silent');
  const pool = createRpcPool({
    urls: [rpc.url],
    timeoutMs: 60_000,
    maxConcurrent: 1,
    clock: systemClock,
    logger,
  });
  t.after(async () => {
    await pool.close();
    await rpc[Symbol.asyncDispose]();
  });
  const { webhooks, outbox } = await openTestStore(t);
  // The fourth poll is the second one that shows the change.
  const changedAt = BigInt(FIRST_SLOT + 3);
  for (const [number, createdSlot, name] of [
    [1, changedAt - 1n, 'validator_changed'],
    [2, changedAt, 'validator_changed'],
    [3, changedAt - 1n, 'epoch_complete'],
  ] as const)
    await webhooks.register(exampleRegistration(number, { createdSlot, events: [name] }), NO_CAPS);
  let recorded = 0;
  const poll = beginWatchingValidator(
    {
      pool,
      cluster: {
        genesisHash: 'genesis',
        epochPosition: async () => snapshotOf({ absoluteSlot: BigInt(slot) }).position,
        lastEpochPosition: () => undefined,
        limits: async () => ({
          minimumDelegationLamports: 1n,
          stakeRentLamports: 1n,
          walletRentLamports: 1n,
        }),
      },
      outbox,
      webhooks,
      voteAccount: numbered(7),
      onRecorded: () => {
        recorded += 1;
      },
      clock: createManualClock(),
    },
    wholeFilePatience(),
  );
  for (; slot <= FIRST_SLOT + 4; slot += 1) await poll();
  const changesOf = async (number: number) => {
    const query = { limit: 10, before: null, state: null };
    const deliveries = await outbox.deliveries(exampleId(number), query);
    return deliveries
      .map(({ data }) => JSON.parse(data))
      .map((one) => [one.change, one.from, one.to, one.slot]);
  };
  assert.deepEqual(await changesOf(1), [['commission', '500', '600', Number(changedAt)]]);
  assert.deepEqual([await changesOf(2), await changesOf(3)], [[], []]);
  assert.equal(recorded, 1);
});
