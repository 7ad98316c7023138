// The recorder only stores data for an ended epoch that was observed during that epoch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../../test/support/patience.ts';
import { SandboxStaker } from '../../test/support/sandbox-staker.ts';
import { openValidatorWorld } from '../../test/support/validator-world.ts';

const SOL = 1_000_000_000n;
const MINUTE = 60_000;

test('if an epoch boundary passes while a sample is being taken, no epoch is recorded with the stake of the next epoch', async (t) => {
  let passBoundary = async (): Promise<unknown> => undefined;
  const { sandbox, sources, clock, store, sampler } = await openValidatorWorld(t, {}, ({ chain }) => ({
    chain: {
      ...chain,
      voteAccount: async (...asked) => {
        await passBoundary();
        return chain.voteAccount(...asked);
      },
    },
  }));
  const staker = await SandboxStaker.fund(sandbox, 300n * SOL);
  await staker.stake(100n * SOL);
  const epoch = BigInt(sandbox.epoch());
  const poll = async () => {
    clock.advance(MINUTE);
    await sampler.poll(patience());
    const sample = (await store.samples.epochs(9)).find((one) => one.epoch === epoch);
    return sample?.activeStakeLamports;
  };
  const seen = await poll();
  assert.equal(typeof seen, 'bigint');
  // After the first second of an epoch, the position is cached for a while.
  for (let made = 0; made < 60; made += 1) await sandbox.nextBlock(patience());
  passBoundary = async () => {
    await sources.cluster.recentEpochPosition(patience());
    await sandbox.advanceEpochs(1);
  };
  await poll();
  passBoundary = async () => undefined;
  assert.equal(await poll(), seen);
});
