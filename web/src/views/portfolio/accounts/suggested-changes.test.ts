// A change over several accounts is suggested only where it brings something and the Stake program accepts it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChangeableAccount, suggestedChanges } from './suggested-changes.ts';

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
  rentReserveSol: 0.00166624,
  ...more,
});
const ready = (more: Partial<ChangeableAccount> = {}) =>
  account({ state: 'inactive', withdrawReady: true, withdrawableSol: 5, ...more });
const goals = (accounts: readonly ChangeableAccount[], now = NOW) =>
  suggestedChanges(accounts, now).map(({ goal }) => goal);

describe('withdrawing all', () => {
  it('is suggested from two accounts on, with the whole sum of what the wallet owns', () => {
    const [line] = suggestedChanges(
      [ready(), ready({ lamports: 5_220_000_000 }), ready({ role: 'staker' }), account()],
      NOW,
    );
    assert.equal(line?.goal, 'withdraw-all');
    assert.equal(line?.button, 'Withdraw all 10.22 SOL');
    assert.match(line!.text, /^2 accounts .* One signature/);
    assert.deepEqual(goals([ready()]), []);
  });

  it('promises one signature only for as many as fit into a transaction', () => {
    const text = (count: number) => suggestedChanges(Array(count).fill(ready()), NOW)[0]!.text;
    assert.match(text(20), /One signature/);
    assert.doesNotMatch(text(21), /One signature/);
  });
});

describe('tidying up', () => {
  it('says how many become one and what rent comes back', () => {
    const [line] = suggestedChanges([account(), account(), account()], NOW);
    assert.match(line!.text, /^3 active accounts can become one\. 0\.0033 SOL of rent/);
  });

  it('leaves out what the Stake program would not merge', () => {
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

it('idle SOL is suggested from a hundredth on; a single account has a button of its own', () => {
  const beside = (withdrawableSol: number) => account({ withdrawableSol, voteAccount: null });
  assert.deepEqual(goals([beside(0.006), beside(0.004)]), ['sweep']);
  assert.deepEqual(goals([beside(0.006), beside(0.003)]), []);
  assert.deepEqual(goals([beside(1)]), []);
  assert.deepEqual(goals([beside(1), ready()]), []);
});

it('while rewards are paid out nothing is suggested', () => {
  assert.deepEqual(goals([ready(), ready()], { ...NOW, rewardsActive: true }), []);
});
