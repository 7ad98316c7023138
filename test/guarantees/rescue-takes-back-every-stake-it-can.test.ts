// RESCUE-1: after any change to the authorities and lockups of a wallet's stakes, a rescue is planned exactly
// when one is possible, and the real Stake program accepts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { lockupInForce, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { MachineWorld } from '../support/machine-world.ts';
import { planWorldOf, runPlan } from '../support/planned-worlds.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const WORLDS = FULL ? 5_000 : 200;
const FIRST_SEED = 20_291_123;

/** Returns every transaction signed by the wallet alone that could give it both authorities. */
const attempts = ({ address, lockup }: StakeAccount, wallet: StakeAccount['withdrawAuthority']) => {
  const set = (role: 'staker' | 'withdrawer', withCustodian: boolean): MachineOperation => ({
    type: 'authorize',
    account: address,
    role,
    authority: wallet,
    newAuthority: wallet,
    ...(withCustodian ? { custodian: wallet } : {}),
  });
  const unlocked: MachineOperation = {
    type: 'setLockup',
    account: address,
    authority: wallet,
    lockup: { ...lockup, epoch: 0n, unixTimestamp: 0n },
  };
  const ways = [false, true].flatMap((custody): readonly (readonly MachineOperation[])[] => [
    [set('staker', custody)],
    [set('withdrawer', custody)],
    [set('withdrawer', custody), set('staker', custody)],
    [set('staker', custody), set('withdrawer', custody)],
  ]);
  return [...ways, ...ways.map((way) => [unlocked, ...way])];
};

test(`RESCUE-1: in ${WORLDS} cases of stolen authorities and outsiders’ lockups, the rescue takes back exactly the stakes that any transaction of the wallet could take back, and the program accepts it`, () => {
  const { runtime, keys } = preparedTruth();
  const counts = { possible: 0, lost: 0, locked: 0, refusedByRewards: 0 };
  for (const seed of truthSeeds(FIRST_SEED, WORLDS)) {
    const random = createTruthRandom(seed);
    const thief = readAddressAt(random.bytes(32), 0);
    const world = new MachineWorld(runtime, keys, random);
    for (let i = 0; i < 1 + random.int(6); i += 1)
      world.plant({
        otherStaker: 0.4,
        locked: 0.4,
        dust: 0.2,
        active: 0.3,
        activating: 0.2,
        deactivating: 0.2,
      });
    for (const account of planWorldOf(world).accounts)
      for (const role of ['staker', 'withdrawer'] as const) {
        if (!random.chance(0.3)) continue;
        const { address, stakeAuthority, withdrawAuthority, lockup } = account;
        const authority = role === 'staker' ? stakeAuthority : withdrawAuthority;
        const stolen = { account: address, role, authority, newAuthority: thief };
        // Under a lockup, the change is refused unless the custodian signs. Half of the thieves also have the
        // custodian's signature.
        const custody = random.chance(0.5) ? { custodian: lockup.custodian } : {};
        runtime.send([instructionOf({ type: 'authorize', ...stolen, ...custody })]);
      }
    if (random.chance(0.1)) runtime.setEpochRewardsActive(true);
    const planWorld = planWorldOf(world);
    const { wallet, accounts, chain } = planWorld;
    const story = `HOLDFAST_TEST_SEED=${seed}`;
    const isMine = ({ stakeAuthority, withdrawAuthority }: StakeAccount) =>
      stakeAuthority === wallet && withdrawAuthority === wallet;
    const possible = new Set(
      accounts
        .filter((account) => !isMine(account))
        .filter((account) =>
          attempts(account, wallet).some((operations) => {
            const roles = new Set(operations.flatMap((one) => (one.type === 'authorize' ? [one.role] : [])));
            const leads =
              (account.stakeAuthority === wallet || roles.has('staker')) &&
              (account.withdrawAuthority === wallet || roles.has('withdrawer'));
            return leads && runtime.simulate(operations.map(instructionOf)) === null;
          }),
        )
        .map(({ address }) => address),
    );
    const result = planStakeChange({ goal: 'rescue' }, planWorld);
    counts.possible += possible.size;
    counts.lost += accounts.filter((one) => !isMine(one) && !possible.has(one.address)).length;
    counts.locked += accounts.filter(
      ({ address, lockup }) =>
        possible.has(address) &&
        lockup.custodian !== wallet &&
        lockupInForce(lockup, chain.epoch, chain.unixTimestamp),
    ).length;
    if (chain.epochRewardsActive) {
      counts.refusedByRewards += 1;
      assert.equal(possible.size, 0, story);
      assert.equal(result.ok, false, story);
      runtime.setEpochRewardsActive(false);
      continue;
    }
    assert.equal(result.ok, possible.size > 0, story);
    if (!result.ok) continue;
    const touched = result.plan.transactions.flatMap(({ operations }) =>
      operations.flatMap((one) => (one.type === 'authorize' ? [one.account] : [])),
    );
    assert.deepEqual(new Set(touched), possible, story);
    assert.equal(touched.length, possible.size, story);
    runPlan(result.plan, 'rescue', planWorld, world, () => story);
    for (const account of planWorldOf(world).accounts)
      if (possible.has(account.address)) assert.ok(isMine(account), story);
  }
  if (FULL) console.log(counts);
  if (process.env.HOLDFAST_TEST_SEED) return;
  for (const [what, count] of Object.entries(counts)) assert.ok(count >= WORLDS / 20, `${what}: ${count}`);
});
