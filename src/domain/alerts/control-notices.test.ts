import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CUSTODIAN, OWNER, STAKER } from '../../../test/support/stake-account-examples.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { controlNotices } from './control-notices.ts';

const held = (stakeAuthority: string, withdrawAuthority: string) =>
  ({ stakeAuthority, withdrawAuthority }) as StakeAccount;
const nobody = { otherWalletsOf: () => 0 };

test('each address that may unstake a wallet’s stakes is named once, with the number of other wallets whose stakes it controls', () => {
  const accounts = [held(STAKER, OWNER), held(OWNER, OWNER), held(CUSTODIAN, OWNER), held(STAKER, OWNER)];
  const [first, second, ...more] = controlNotices(accounts, OWNER, {
    otherWalletsOf: (address) => (address === CUSTODIAN ? 3 : 2),
  });
  assert.match(first!.text, new RegExp(`^${STAKER} may unstake and split 2 stakes of this wallet\\. If`));
  assert.match(
    second!.text,
    new RegExp(`^${CUSTODIAN} may unstake and split a stake of .* of 3 other wallets\\.`),
  );
  assert.deepEqual(first!.params, { stakeAuthority: STAKER, stakes: 2, otherWallets: 2 });
  assert.deepEqual(more, []);
});

test('a wallet gets no notice if it controls its own stakes or may unstake those of others', () => {
  assert.deepEqual(controlNotices([held(OWNER, OWNER), held(OWNER, STAKER)], OWNER, nobody), []);
});
