// Checks that the rewards of stake that was moved here from another validator begin with this validator.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StakingRewardsAnswer } from '../../client/generated/stake-operations.ts';
import { until } from '../support/index-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { sharedService } from '../support/service-fixture.ts';

const SOL = 1_000_000_000n;
const shared = sharedService({ before, after });

test('rewards of another validator are not listed, neither before nor after the stake was moved here', async () => {
  const { sandbox, service } = shared();
  const staker = await SandboxStaker.fund(sandbox, 20n * SOL);
  const own = await staker.stake(3n * SOL);
  const moved = await staker.stake(5n * SOL, { vote: sandbox.otherVoteAccount });
  const paidIn = async (account: string): Promise<readonly number[]> => {
    const { rewards }: StakingRewardsAnswer = await service.client.get(
      `/api/v1/stake/rewards/${staker.wallet.address}`,
    );
    return rewards
      .filter((one) => one.stakeAccountAddress === account && (one.inflationSol ?? 0) > 0)
      .map(({ epoch }) => epoch);
  };
  const start = sandbox.epoch();
  await sandbox.advanceEpochs(3);
  await staker.deactivate(moved);
  await sandbox.advanceEpochs(1);
  await staker.send([staker.delegateInstruction(moved, sandbox.voteAccount)]);
  await sandbox.advanceEpochs(3);
  await until(async () => (await paidIn(own)).includes(sandbox.epoch() - 1), 'the last reward');
  assert.deepEqual(await paidIn(own), [start + 6, start + 5, start + 4, start + 3, start + 2, start + 1]);
  assert.deepEqual(await paidIn(moved), [start + 6, start + 5]);
});
