// The period that an account shows by itself is the one it is in, and none where it is not ours.
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
import { presentPeriod } from './stake-periods.ts';

test('a delegated account is in a period since before anybody looked, and nothing has ended it', () => {
  const account = delegatedStake();
  assert.deepEqual(presentPeriod(account, VOTE_ACCOUNT, null), {
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
  assert.equal(presentPeriod(account, VOTE_ACCOUNT, true)?.delegated, true);
});

test('a deactivation that is set is the one known, since a slot that nobody knows', () => {
  const period = presentPeriod(
    delegatedStake({ delegation: { deactivationEpoch: 15n } }),
    VOTE_ACCOUNT,
    true,
  );
  assert.equal(period?.deactivationEpoch, 15n);
  assert.deepEqual(period?.deactivations, [{ epoch: 15n, slot: null, seconds: null }]);
});

test('delegated elsewhere, or not at all, there is no period', () => {
  assert.equal(
    presentPeriod(delegatedStake({ delegation: { voteAccount: NOBODY } }), VOTE_ACCOUNT, true),
    null,
  );
  assert.equal(presentPeriod(initializedStake(), VOTE_ACCOUNT, true), null);
});
