// The current state of an account shows its current period, or none if it is not delegated to us.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  delegatedStake,
  initializedStake,
  NOBODY,
  OWNER,
  SOL,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import { currentPeriod } from './stake-periods.ts';

test('a delegated account is in a period with an unknown start and no end', () => {
  const account = delegatedStake();
  assert.deepEqual(currentPeriod(account, VOTE_ACCOUNT, null), {
    withdrawer: OWNER,
    activationEpoch: 10n,
    deactivationEpoch: EPOCH_ABSENT,
    deactivations: [],
    delegated: null,
    since: null,
    until: null,
    stakeLamports: 100n * SOL,
    lamports: account.lamports,
    lockup: account.lockup,
    lockupSlot: null,
  });
  assert.equal(currentPeriod(account, VOTE_ACCOUNT, true)?.delegated, true);
});

test('the deactivation stored in the account is the only one known, with an unknown slot', () => {
  const period = currentPeriod(
    delegatedStake({ delegation: { deactivationEpoch: 15n } }),
    VOTE_ACCOUNT,
    true,
  );
  assert.equal(period?.deactivationEpoch, 15n);
  assert.deepEqual(period?.deactivations, [{ epoch: 15n, slot: null, seconds: null }]);
});

test('an account that is undelegated or delegated elsewhere has no period', () => {
  assert.equal(
    currentPeriod(delegatedStake({ delegation: { voteAccount: NOBODY } }), VOTE_ACCOUNT, true),
    null,
  );
  assert.equal(currentPeriod(initializedStake(), VOTE_ACCOUNT, true), null);
});
