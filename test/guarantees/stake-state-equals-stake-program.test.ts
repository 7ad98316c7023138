// TRUTH-1: after any history of a stake account, the service's state and withdrawable amount match what the
// real Stake program accepts, to the lamport.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getGetMinimumDelegationInstruction } from '@solana-program/stake';
import { TruthChecker } from '../support/truth-check.ts';
import { TruthCommands } from '../support/truth-commands.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';
import { TruthWorld } from '../support/truth-world.ts';

const STEPS = 30;
const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const SEQUENCES = FULL ? 10_000 : 80;
/** Seed of the first sequence, incremented for each further one. */
const FIRST_SEED = 20_261_121;

test('the program under test is the Stake program with a minimum delegation of 1 SOL (v5)', () => {
  const { runtime } = preparedTruth();
  const response = Buffer.from(runtime.ask(getGetMinimumDelegationInstruction()));
  assert.equal(response.readBigUInt64LE(0), 1_000_000_000n);
});

test(`TRUTH-1: the service's rules and the program agree after every step of ${SEQUENCES} random sequences`, () => {
  const { runtime, keys } = preparedTruth();
  const commands = new Map<string, number>();
  const compared = new Map<string, number>();
  const add = (counts: Map<string, number>, what: string, by = 1) =>
    counts.set(what, (counts.get(what) ?? 0) + by);
  const startedAt = performance.now();
  const report = (done: number) => {
    const sum = [...compared.values()].reduce((total, count) => total + count, 0);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    console.log(`${done} sequences, ${sum} comparisons, ${runtime.transactions} transactions, ${seconds} s`);
  };

  const all = truthSeeds(FIRST_SEED, SEQUENCES);
  for (const [done, seed] of all.entries()) {
    const random = createTruthRandom(seed);
    const world = new TruthWorld(runtime, keys, random);
    const life = new TruthCommands(world);
    const checker = new TruthChecker(createTruthRandom(~seed), keys.votes, runtime.payer);
    const history: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const { command, refusal } = life.step();
      history.push(`epoch ${runtime.epoch} ${command}: ${refusal ?? 'done'}`);
      add(commands, refusal === null ? command : `${command}: ${refusal}`);
      try {
        for (const account of world.accounts())
          for (const question of checker.questions(account, world.facts))
            checker.evaluate(question, runtime.simulate(question.instructions));
      } catch (error) {
        assert.fail(`HOLDFAST_TEST_SEED=${seed}, step ${step}: ${String(error)}\n${history.join('\n')}`);
      }
    }
    for (const [what, count] of checker.counts) add(compared, what, count);
    if (FULL && (done + 1) % 500 === 0) report(done + 1);
  }
  if (process.env.HOLDFAST_TEST_SEED) return;

  // A run must include every case to prove anything about it.
  for (const command of [
    'stake',
    'create',
    'delegate',
    'redelegate',
    'delegate again',
    'undo',
    'unstake',
    'transfer',
    'withdraw',
    'close',
    'split',
    'merge',
    'moveStake',
    'moveLamports',
    'setLockup',
    'authorize',
    'epoch',
    'leap',
    'freeze',
    'rent',
  ]) {
    assert.ok((commands.get(command) ?? 0) > 0, `no ${command} was accepted`);
  }
  for (const what of [
    'state initialized',
    'state activating',
    'state active',
    'state deactivating',
    'state inactive',
    'partly cooled down',
    'partly warmed up',
    'nothing effective',
    'STAKE_LOCKED',
    'EPOCH_REWARDS_ACTIVE',
    'STAKE_NOT_WITHDRAWABLE',
    'INSUFFICIENT_STAKE_BALANCE',
    'WITHDRAW_LEAVES_BELOW_RENT',
    'STAKE_NOT_DELEGATED',
    'STAKE_ALREADY_DEACTIVATED',
  ]) {
    assert.ok((compared.get(what) ?? 0) > 0, `${what} was never compared`);
  }
  report(all.length);
  if (FULL) console.log(Object.fromEntries([...commands].sort()), Object.fromEntries([...compared].sort()));
});
