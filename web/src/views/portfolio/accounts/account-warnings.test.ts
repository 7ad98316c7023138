// Tests that an owner is warned of every other wallet with rights to an account, and until when.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dateText } from '../../../text/format-figures.ts';
import { accountWarnings, type WarnedAccount } from './account-warnings.ts';

const [wallet, outsider, custodian] = ['Mine1111mine', 'Else2222else', 'Cust3333cust'];
const account: WarnedAccount = {
  role: 'owner',
  state: 'active',
  stakeAuthority: wallet,
  withdrawAuthority: wallet,
  lockup: null,
};
const warnings = (more: Partial<WarnedAccount>): string =>
  accountWarnings({ ...account, ...more }, wallet).join(' | ');

it('there is no warning if only the wallet has rights', () => {
  assert.equal(warnings({}), '');
});

it('an account belongs to its withdraw authority if the wallet is only its stake authority', () => {
  assert.equal(
    warnings({ role: 'staker', withdrawAuthority: outsider }),
    'Owned by Else…else, the only wallet that can withdraw. This wallet can only unstake it.',
  );
});

it('a different stake authority is named, with the note that it cannot withdraw', () => {
  assert.match(
    warnings({ stakeAuthority: outsider }),
    /^Another wallet, Else…else, can .*cannot withdraw\.$/,
  );
});

it('the warning about a lockup contains its custodian and both its ends, even distant ones', () => {
  for (const [unixTimestamp, epoch, until] of [
    [1_900_000_000, 0, dateText('2030-03-17T17:46:40Z')],
    [0, 900, 'epoch 900'],
    [1_900_000_000, 900, `${dateText('2030-03-17T17:46:40Z')} and epoch 900`],
    // The largest times of an i64 and of a double. Both are used to lock forever.
    [Number(2n ** 63n - 1n), 0, dateText('+275760-09-13T00:00:00Z')],
    [253_402_300_800, 0, dateText('+010000-01-01T00:00:00Z')],
  ] as const)
    assert.equal(
      warnings({ lockup: { unixTimestamp, epoch, custodian } }),
      `Locked until ${until}. Until then, only its custodian Cust…cust can allow withdrawals.`,
    );
});

it('a lockup and a different authority are both reported', () => {
  const lockup = { unixTimestamp: 0, epoch: 9, custodian };
  assert.equal(warnings({ stakeAuthority: outsider, lockup }).split(' | ').length, 2);
  assert.equal(warnings({ role: 'staker', lockup }).split(' | ').length, 2);
});
