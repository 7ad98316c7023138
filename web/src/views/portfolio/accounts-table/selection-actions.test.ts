// Tests that an action on a selection includes exactly the accounts that allow it, and explains a limit.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UNDO_MARGIN_SLOTS } from '../../../../../src/domain/plan/plan-goals.ts';
import { selectionActions, type TickedAccount } from './selection-actions.ts';

const where = {
  walletAddress: 'wallet',
  validatorVoteAccount: 'vote',
  timing: { currentEpoch: 10, slotsRemaining: UNDO_MARGIN_SLOTS + 1, epochRewardsActive: false },
};
const account = (address: string, more: Partial<TickedAccount> = {}): TickedAccount => ({
  address,
  role: 'owner',
  state: 'active',
  stakeAuthority: 'wallet',
  voteAccount: 'vote',
  lockup: null,
  lamports: 2_002_282_880,
  activeSol: 2,
  activatingSol: 0,
  deactivationEpoch: null,
  withdrawReady: false,
  ...more,
});
const cooled = (address: string, more: Partial<TickedAccount> = {}) =>
  account(address, { state: 'inactive', withdrawReady: true, activeSol: 0, ...more });
const cooling = (address: string, more: Partial<TickedAccount> = {}) =>
  account(address, { state: 'deactivating', deactivationEpoch: 10, ...more });

const offered = (...accounts: readonly TickedAccount[]) =>
  Object.fromEntries(selectionActions(accounts, where).map(({ goal, accounts: of }) => [goal, of.join('')]));

it('each action takes the accounts that allow it and leaves the others out', () => {
  assert.deepEqual(
    offered(
      ...[account('a'), account('b'), cooled('c'), cooled('d', { voteAccount: 'other' }), cooling('e')],
      ...[cooling('f', { deactivationEpoch: 9 }), account('g', { role: 'staker' })],
      account('h', { state: 'activating', activeSol: 0, activatingSol: 2 }),
    ),
    { 'withdraw-all': 'cd', restake: 'c', undo: 'e', unstake: 'abh', tidy: 'ab' },
  );
  assert.deepEqual(offered(account('a'), account('b', { lockup: {} as never })), { unstake: 'ab' });
  assert.deepEqual(offered(account('a', { stakeAuthority: 'other' })), {});
  assert.deepEqual(offered(cooling('f', { deactivationEpoch: 9 })), {});
});

it('an unstake includes activating stake, and shows the amount to be paid out, including rent', () => {
  const [unstake] = selectionActions(
    [account('a'), account('b', { activeSol: 0.5, activatingSol: 1 })],
    where,
  );
  assert.equal(unstake!.amountLamports, 3_500_000_000n);
  assert.equal(unstake!.label, 'Unstake 2 (3.50 SOL)');
});

it('a selection of too many accounts for one signature is refused, and the limit is shown', () => {
  const actions = selectionActions(
    Array.from({ length: 21 }, (_, index) => account(String(index))),
    where,
  );
  assert.deepEqual(
    actions.map(({ goal, refusal }) => [goal, refusal]),
    [
      ['unstake', 'Unstake: up to 20 accounts at a time.'],
      ['tidy', null],
    ],
  );
});

it('no action is offered while rewards are paid', () => {
  const paying = { ...where, timing: { ...where.timing, epochRewardsActive: true } };
  assert.deepEqual(selectionActions([cooled('a')], paying), []);
});
