// WHATIF-1: a plan correctly predicts the amount that reaches the wallet in the Stake program, and the epoch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { Plan, PlanInputs } from '../../src/domain/plan/plan.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { createTally } from '../support/count-outcomes.ts';
import { MachineWorld } from '../support/machine-world.ts';
import { drawnPlanWorld, planWorldOf, runPlan, shownJson } from '../support/planned-worlds.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';

const LIVES = process.env.HOLDFAST_TEST_FULL === '1' ? 2_000 : 100;
const FIRST_SEED = 20_261_128;
const SOL = 1_000_000_000n;
/** Maximum number of simulated epochs. Operations predicted for later epochs are only counted. */
const MAX_EPOCHS = 60n;

/** A cluster so large that no account of a wallet affects it. */
const LARGE = { leastRestLamports: 30_000_000n * SOL, isQuiet: true };

const drawnGoal = (random: TruthRandom, world: MachineWorld): PlanGoal => {
  const all = planWorldOf(world).accounts.reduce((sum, { lamports }) => sum + lamports, 0n);
  const lamports = (all * BigInt(random.int(1_000_001))) / 1_000_000n + 1n;
  return random.pick<PlanGoal>([
    { goal: 'unstake', lamports, rounding: 'atLeast' },
    { goal: 'unstake', lamports, rounding: 'atLeast' },
    { goal: 'withdraw-amount', lamports, rounding: 'atLeast' },
    { goal: 'withdraw-amount', lamports, rounding: 'atLeast' },
    { goal: 'migrate' },
    { goal: 'tidy' },
    { goal: 'withdraw-all' },
    { goal: 'sweep', to: 'wallet' },
  ]);
};

const wholeStake = ({ accounts }: PlanInputs): PlanGoal => ({
  goal: 'unstake',
  rounding: 'atLeast',
  lamports: accounts[0]!.delegation!.stakeLamports,
});

/** Withdraws from an account. If the wallet is the custodian, it also signs as custodian. */
const withdrawal = (account: Address, lamports: bigint, wallet: Address): MachineOperation => ({
  type: 'withdraw',
  account,
  to: wallet,
  lamports,
  authority: wallet,
  custodian: wallet,
});

/** An operation that the plan predicts will be possible from `epoch` on. */
interface Foretold {
  readonly epoch: bigint;
  readonly account: Address;
  readonly what: 'withdraw' | 'delegate';
}

const foretoldBy = ({ wallet, laterSteps, blocked }: Plan): readonly Foretold[] => [
  ...wallet.later.map(({ account, epoch }): Foretold => ({ account, epoch, what: 'withdraw' })),
  ...laterSteps.map(
    ({ account, epoch, action }): Foretold => ({
      account,
      epoch,
      what: action === 'delegate' ? 'delegate' : 'withdraw',
    }),
  ),
  ...blocked.flatMap(({ account, reason, possibleFromEpoch }): Foretold[] =>
    reason === 'cooling down' && possibleFromEpoch !== null
      ? [{ account, epoch: possibleFromEpoch, what: 'withdraw' }]
      : [],
  ),
];

test(`WHATIF-1: in ${LIVES} random histories, the amounts and epochs predicted by plans match the Stake program`, (t) => {
  const prepared = preparedTruth();
  const { counts, count } = createTally();
  for (const seed of truthSeeds(FIRST_SEED, LIVES)) {
    const random = createTruthRandom(seed);
    // A stake that is large relative to the cluster takes several epochs to cool down. The prediction assumes
    // that it cools down alone.
    const isAlone = random.chance(0.3);
    const world = isAlone
      ? new MachineWorld(prepared.runtime, prepared.keys, random, { isQuiet: true })
      : drawnPlanWorld(random, 1 + random.int(6), prepared, LARGE);
    if (isAlone) world.plant({ active: 1 });
    for (let epochs = random.int(3) + (isAlone ? 1 : 0); epochs > 0; epochs -= 1) world.truth.advance();
    world.setWallet(prepared.keys.owner, 100n * SOL);
    const { runtime, keys } = world;
    const planWorld = planWorldOf(world);
    const goal = isAlone ? wholeStake(planWorld) : drawnGoal(random, world);
    const result = planStakeChange(goal, planWorld);
    if (!result.ok) {
      count(`refused: ${result.refusal.why}`);
      continue;
    }
    const { plan } = result;
    const begun = planWorld.chain.epoch;
    const story = () =>
      `HOLDFAST_TEST_SEED=${seed}, epoch ${begun}, now ${runtime.epoch}\n${shownJson({ goal, plan })}`;
    runPlan(plan, goal.goal, planWorld, world, story);
    const ask = ({ account, what }: Foretold): string | null => {
      const { lamports } = runtime.account(account)!;
      const operation: MachineOperation =
        what === 'delegate'
          ? { type: 'delegate', account, voteAccount: planWorld.voteAccount, authority: keys.owner }
          : withdrawal(account, lamports, keys.owner);
      return runtime.simulate([instructionOf(operation)]);
    };
    const foretold = foretoldBy(plan).filter(({ epoch }) => {
      const isNear = epoch <= begun + MAX_EPOCHS;
      if (!isNear) count('too far away');
      return isNear;
    });
    const last = foretold.reduce((latest, { epoch }) => (epoch > latest ? epoch : latest), begun);
    for (; runtime.epoch <= last; world.truth.advance())
      for (const one of foretold) {
        if (one.epoch < runtime.epoch) continue;
        const refusal = ask(one);
        const isNow = one.epoch === runtime.epoch;
        assert.equal(refusal === null, isNow, `${shownJson(one)}: ${refusal}\n${story()}`);
        if (!isNow) continue;
        count(`${goal.goal}: ${one.what} after ${one.epoch - begun > 1n ? 'several epochs' : 'one epoch'}`);
      }
    // The whole amount must reach the wallet, to the lamport.
    const comes = plan.wallet.later.filter(({ epoch }) => epoch <= last);
    const before = runtime.account(keys.owner)!.lamports;
    for (const { account } of comes) {
      const { lamports } = runtime.account(account)!;
      const withdraw = withdrawal(account, lamports, keys.owner);
      assert.equal(runtime.run([instructionOf(withdraw)]), null, story());
    }
    const received = runtime.account(keys.owner)!.lamports - before;
    assert.equal(
      received,
      comes.reduce((sum, { lamports }) => sum + lamports, 0n),
      story(),
    );
  }
  t.diagnostic(JSON.stringify(counts));
  if (process.env.HOLDFAST_TEST_SEED) return;
  for (const what of [
    'unstake: withdraw after one epoch',
    'unstake: withdraw after several epochs',
    'withdraw-amount: withdraw after one epoch',
    'migrate: delegate after one epoch',
  ])
    assert.ok((counts[what] ?? 0) >= LIVES / 100, `${what}: ${JSON.stringify(counts)}`);
});
