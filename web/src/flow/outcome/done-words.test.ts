// Tests the text after a confirmed transaction, which begins with the received amount.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import { doneSentence, doneTitle, feeSentence } from './done-words.ts';

const record = (more: object): TransactionRecord => more as TransactionRecord;

it('the final text names the received amount, as requested or as read from the bytes', () => {
  assert.equal(
    doneTitle(record({ kind: 'stake', amountLamports: '5000000000' }), null),
    'Stake of 5 SOL confirmed',
  );
  const built = { built: {}, verdict: { recognized: { lamports: 8_996_667_520n } } };
  assert.equal(doneTitle(record({ kind: 'withdraw' }), built as never), '8.99666752 SOL is in your wallet');
  assert.equal(doneTitle(record({ kind: 'withdraw' }), null), 'The SOL is in your wallet');
});

it('an undo is not called a restake, and the last transaction of several names no amount', () => {
  const undo = { kind: 'rearrange', change: { goal: 'undo' } };
  assert.equal(doneTitle(record(undo), null), 'Unstake undone');
  const last = {
    kind: 'rearrange',
    change: { goal: 'unstake' },
    amountLamports: '1',
    part: { index: 2, of: 2 },
  };
  assert.equal(doneTitle(record(last), null), 'Unstaked');
});

const END = '2026-11-24T14:10:00Z';
const planned = (sol: number) => ({
  built: {
    plan: {
      accounts: [
        {
          stakeAccountAddress: 'A',
          before: { state: 'active', sol, stakedSol: sol - 0.002 },
          after: { state: 'deactivating', sol, stakedSol: sol - 0.002 },
        },
      ],
      wallet: {
        beforeSol: 1,
        afterSol: 1,
        later: [
          { stakeAccountAddress: 'A', sol, epoch: 8, estimatedAt: END, earliestAt: END, latestAt: END },
        ],
      },
      cost: { feesSol: 0, rentLockedSol: 0, forgoneSol: 0 },
      laterSteps: [],
    },
  },
  verdict: { networkFeeLamports: 5_000n, recognized: {} },
});

it('the final text of an unstake contains the deactivated amount, without rent, when it can be withdrawn, and the fee', () => {
  const unstake = record({ kind: 'rearrange', change: { goal: 'unstake' }, amountLamports: '4998000000' });
  const built = planned(5) as never;
  const at = (currentEpoch: number, present: readonly string[] | null = ['A']) =>
    doneSentence(
      unstake,
      built,
      {
        account: null,
        present,
        epoch: { currentEpoch, estimatedEpochEnd: END, earliestEpochEnd: END, latestEpochEnd: END },
      },
      Date.parse('2026-11-24T12:00:00Z'),
    );
  assert.equal(doneTitle(unstake, built), '4.998 SOL unstaked');
  assert.match(at(7)!, /^You can withdraw 5 SOL from .*\d:10/);
  assert.equal(at(8), 'You can withdraw 5 SOL right away.', 'the epoch is over');
  assert.equal(at(8, []), null, 'it has been withdrawn');
  assert.equal(at(8, null), at(8), 'unknown accounts are not withdrawn ones');
  assert.equal(feeSentence(unstake, built), 'Network fee: 0.000005 SOL.');
  assert.equal(feeSentence(unstake, null), null);
});

it('a move has begun while stake is to be delegated later, and has ended once it is delegated here', () => {
  const move = record({ kind: 'rearrange', change: { goal: 'migrate' } });
  const first = planned(5);
  const [at] = first.built.plan.wallet.later;
  Object.assign(first.built.plan, {
    laterSteps: [{ stakeAccountAddress: 'A', action: 'delegate', epoch: at!.epoch }],
  });
  const second = planned(5);
  Object.assign(second.built.plan.accounts[0]!.after, { state: 'activating' });
  second.built.plan.wallet.later = [];
  const bytes = (type: string) => ({
    message: { instructions: [{ data: { type, stakeAccount: 'A' } }] },
    networkFeeLamports: 5_000n,
    recognized: {},
  });
  const words = (built: object, currentEpoch: number, active: readonly string[] = []): unknown[] => [
    doneTitle(move, built as never),
    doneSentence(
      move,
      built as never,
      {
        account: null,
        present: ['A'],
        isActive: (address) => active.includes(address),
        epoch: { currentEpoch, estimatedEpochEnd: END, earliestEpochEnd: END, latestEpochEnd: END },
      },
      Date.parse('2026-11-24T12:00:00Z'),
    )?.replace(/from .*/, 'from …') ?? null,
  ];
  const started = { ...first, verdict: bytes('stake.deactivate') };
  assert.deepEqual(words(started, 7), ['Move started', 'You can stake 5 SOL from …']);
  assert.deepEqual(words(started, 8), ['Move started', null], 'the time is over');
  const ended = { ...second, verdict: bytes('stake.delegateStake') };
  assert.deepEqual(words(ended, 8), ['Stake moved here', '4.998 SOL staked here, active from …']);
  assert.deepEqual(words(ended, 9, ['A']), ['Stake moved here', null], 'it is active');
  assert.equal(doneTitle(move, null), 'Stake changed', 'the plan is unknown after a reload');
});
