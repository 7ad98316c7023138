// Tests that a change of several accounts is suggested only if it is useful and the Stake program accepts it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChangeableAccount, plannedLine, stakeIdle, suggestedChanges } from './suggested-changes.ts';

const NOW = { walletAddress: 'W', validatorVoteAccount: 'V', rewardsActive: false };
const account = (more: Partial<ChangeableAccount> = {}): ChangeableAccount => ({
  role: 'owner',
  state: 'active',
  lamports: 5_000_000_000,
  withdrawReady: false,
  withdrawableSol: 0,
  activatingSol: 0,
  stakeAuthority: 'W',
  lockup: null,
  voteAccount: 'V',
  ...more,
});
const ready = (more: Partial<ChangeableAccount> = {}) =>
  account({ state: 'inactive', withdrawReady: true, withdrawableSol: 5, ...more });
const goals = (accounts: readonly ChangeableAccount[], now = NOW) =>
  suggestedChanges(accounts, now).map(({ goal }) => goal);

describe('withdrawing all', () => {
  it('is suggested for two or more accounts, with the sum of all that the wallet owns', () => {
    const [line] = suggestedChanges(
      [ready(), ready({ lamports: 5_220_000_000 }), ready({ role: 'staker' }), account()],
      NOW,
    );
    assert.equal(line?.goal, 'withdraw-all');
    assert.equal(line?.button, 'Withdraw all 10.22 SOL');
    assert.equal(line!.text, '2 accounts are inactive.');
    assert.deepEqual(goals([ready()]), []);
  });
});

describe('merging accounts', () => {
  it('shows how many accounts are merged', () => {
    const [line] = suggestedChanges([account(), account(), account()], NOW);
    assert.equal(line!.text, '3 active accounts can be merged into one.');
  });

  it('leaves out accounts that the Stake program would not merge', () => {
    for (const other of [
      { state: 'deactivating' },
      { activatingSol: 0.1 },
      { lockup: { custodian: 'C', unixTimestamp: 0, epoch: 9 } },
      { stakeAuthority: 'X' },
      { voteAccount: 'X' },
      { role: 'staker' },
    ] as const)
      assert.deepEqual(goals([account(), account(other)]), [], JSON.stringify(other));
  });
});

it('a sweep is suggested once idle SOL reaches 0.01 SOL, but not for fully withdrawable accounts', () => {
  const idle = (withdrawableSol: number) => account({ withdrawableSol, voteAccount: null });
  assert.deepEqual(goals([idle(0.006), idle(0.004)]), ['sweep']);
  assert.deepEqual(goals([idle(0.006), idle(0.003)]), []);
  assert.deepEqual(goals([idle(1)]), ['sweep']);
  assert.deepEqual(goals([ready()]), []);
});

it('no change is suggested while rewards are paid', () => {
  assert.deepEqual(goals([ready(), ready()], { ...NOW, rewardsActive: true }), []);
});

const RENT = 0.00166624;
const sol = (amount: number) => Number(amount.toFixed(9));
const planOf = (closed: number, wallet: number, count = 1) => ({
  plan: {
    accounts: Array.from({ length: closed + 1 }, (_, index) => ({
      stakeAccountAddress: String(index),
      voteAccount: 'V',
      before: { state: 'active' as const, sol: 2, stakedSol: 1.9, stakeAuthority: 'W' },
      after:
        index < closed ? null : { state: 'active' as const, sol: 9, stakedSol: 8.9, stakeAuthority: 'W' },
    })),
    wallet: { beforeSol: 1, afterSol: sol(1 + wallet - 0.000005), later: [] },
    cost: { feesSol: 0.000005, rentLockedSol: 0, forgoneSol: 0 },
    cancelsActivationOf: [],
    laterSteps: [],
    blocked: [],
  },
  transactions: Array(count).fill({}),
});

it('a suggestion shows its plan’s figures, without fees', () => {
  const of = (
    goal: 'tidy' | 'sweep' | 'withdraw-all',
    ...[closed, wallet, count]: Parameters<typeof planOf>
  ) => plannedLine({ goal, text: '', button: 'B' }, planOf(closed, wallet, count));
  assert.equal(of('tidy', 11, sol(11 * RENT))!.text, '12 accounts → 1, 0.0183 SOL of rent returned.');
  assert.equal(of('tidy', 1, 0)!.text, '2 accounts → 1.');
  assert.match(of('sweep', 0, 0.83)!.text, /^0\.83 SOL in stake accounts is not staked/);
  assert.deepEqual(of('withdraw-all', 2, 10.22), {
    goal: 'withdraw-all',
    text: '3 accounts are inactive. One signature is enough for all of them.',
    button: 'Withdraw all 10.22 SOL',
  });
  assert.match(of('withdraw-all', 2, 10.22, 3)!.text, /sign 3 times/);
});

it('a suggestion stays while its plan is not known yet, and disappears if no plan is possible', () => {
  const line = { goal: 'tidy', text: 'T', button: 'B' } as const;
  assert.equal(plannedLine(line, undefined), line);
  assert.equal(plannedLine(line, { plan: null, transactions: [] }), null);
});

it('idle SOL can be staked alone, together with the SOL that is missing to the minimum, or not at all', () => {
  const refused = (errorCode: string, shortfallSol?: number) => ({
    feasible: false,
    refusal: { errorCode, message: '', suggestedAction: null, shortfallSol },
  });
  const SOL = 1_000_000_000n;
  assert.deepEqual(stakeIdle({ feasible: true, refusal: null }, 0n), {
    label: 'Stake it',
    addedLamports: undefined,
  });
  assert.deepEqual(stakeIdle(refused('BELOW_MINIMUM_STAKE', 0.17), SOL), {
    label: 'Stake it with 0.17 more SOL',
    addedLamports: 170_000_000n,
  });
  assert.equal(stakeIdle(refused('BELOW_MINIMUM_STAKE', 1.5), SOL), null, 'more than the wallet has');
  assert.equal(stakeIdle(refused('NOTHING_TO_DO'), SOL), null);
  assert.equal(stakeIdle(undefined, SOL), null);
});
