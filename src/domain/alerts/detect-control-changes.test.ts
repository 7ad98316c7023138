// Changes derived from a transaction: a deactivation that the wallet did not sign, the last slot in which it
// can be undone, and the destination of a closed stake account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  NOBODY,
  OWNER,
  STAKE_ADDRESS,
  STAKER,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT, NO_LOCKUP } from '../stake/stake-account.ts';
import type { StakeOperation } from '../stake/stake-operation.ts';
import type { ReplayedOperation } from '../stake/stake-replay.ts';
import { factsOfChange } from './detect-control-changes.ts';

const GRID = { epoch: 20n, slotsInEpoch: 100n, firstSlot: 2_000n };
const SLOT = 2_050n;

const state = (deactivationEpoch: bigint): ReplayedOperation['before'] => ({
  exists: true,
  staker: STAKER,
  withdrawer: OWNER,
  lockup: NO_LOCKUP,
  held: { voteAccount: VOTE_ACCOUNT, activationEpoch: 10n, deactivationEpoch },
});

const factsOf = (operation: StakeOperation, after: ReplayedOperation['after'], signers = [STAKER]) =>
  factsOfChange(
    STAKE_ADDRESS,
    {
      signature: 'signature',
      signers,
      operations: [
        {
          operation,
          step: { slot: SLOT, epoch: 20n, seconds: 1n, operations: [operation], lamportsAfter: 0n },
          before: state(EPOCH_ABSENT),
          after,
        },
      ],
    },
    { voteAccount: VOTE_ACCOUNT, grid: GRID },
  );

test('a deactivation that the wallet did not sign can be undone until the last slot of its epoch', () => {
  const deactivate: StakeOperation = { type: 'deactivate', account: STAKE_ADDRESS };
  const [fact, ...others] = factsOf(deactivate, state(20n));
  assert.equal(others.length, 0);
  assert.ok(fact?.type === 'unexpected_deactivation');
  assert.deepEqual([fact.deactivationEpoch, fact.undoUntilSlot], [20n, 2_099n]);
  assert.deepEqual(factsOf(deactivate, state(20n), [OWNER]), []);
});

test('a stake counts as moved away if it is withdrawn to another address, but not if it is withdrawn to the wallet', () => {
  const closed = (recipient: typeof OWNER) =>
    factsOf({ type: 'withdraw', account: STAKE_ADDRESS, recipient }, { ...state(20n), held: null }).map(
      (fact) => (fact.type === 'stake_moved_away' ? [fact.how, fact.to] : fact.type),
    );
  assert.deepEqual(closed(OWNER), []);
  assert.deepEqual(closed(NOBODY), [['withdrawn', NOBODY]]);
});
