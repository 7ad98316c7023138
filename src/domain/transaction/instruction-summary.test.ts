// Each sentence contains everything that a person would compare: amount, parties, authorities and lockup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CUSTODIAN,
  OWNER,
  STAKE_ADDRESS,
  STAKER,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { STAKE_PROGRAM } from '../instruction-programs.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { instructionSentence } from './instruction-summary.ts';

const says = (data: InstructionFields, ...name: readonly string[]) =>
  instructionSentence(data, 'Example', name[0] ?? 'example').text;
const stakeAccount = STAKE_ADDRESS;
const initialize = (unixTimestamp: bigint, epoch: bigint) =>
  says({
    type: 'stake.initialize',
    stakeAccount,
    staker: STAKER,
    withdrawer: OWNER,
    lockup: { unixTimestamp, epoch, custodian: CUSTODIAN },
  });

test('sentences about moved SOL name the payer, recipient and amount', () => {
  assert.equal(
    says({
      type: 'system.createAccount',
      from: OWNER,
      newAccount: stakeAccount,
      lamports: 1_500_000_000n,
      space: 200n,
      owner: STAKE_PROGRAM,
    }),
    `Creates account ${stakeAccount} of 200 bytes owned by ${STAKE_PROGRAM}, with 1.5 SOL from ${OWNER}.`,
  );
  assert.equal(
    says({ type: 'system.transfer', from: OWNER, to: STAKER, lamports: 1n }),
    `Transfers 0.000000001 SOL from ${OWNER} to ${STAKER}.`,
  );
  assert.equal(
    says({
      type: 'stake.withdraw',
      stakeAccount,
      recipient: STAKER,
      withdrawAuthority: OWNER,
      custodian: null,
      lamports: 7_000_000_000n,
    }),
    `Withdraws 7 SOL from stake account ${stakeAccount} to ${STAKER}.`,
  );
});

test('the sentence about a new stake names its authorities and its lockup, by date, by epoch or both', () => {
  const who = `Makes ${STAKER} the stake authority and ${OWNER} the withdraw authority of ${stakeAccount}`;
  assert.equal(initialize(0n, 0n), `${who}, with no lockup.`);
  assert.equal(initialize(9n, 0n), `${who}, locked until Unix time 9 and epoch 0.`);
  assert.equal(initialize(0n, 9n), `${who}, locked until Unix time 0 and epoch 9.`);
});

test('the sentence about a delegation names the validator, and the one about a deactivation names the stake', () => {
  assert.equal(
    says({ type: 'stake.delegateStake', stakeAccount, voteAccount: VOTE_ACCOUNT, stakeAuthority: OWNER }),
    `Delegates stake account ${stakeAccount} to vote account ${VOTE_ACCOUNT}.`,
  );
  assert.equal(
    says({ type: 'stake.deactivate', stakeAccount: null, stakeAuthority: OWNER }),
    'Deactivates stake account an account from a lookup table.',
  );
});

test('the sentence about a memo quotes its exact text, so that the text cannot be mistaken for part of the sentence', () => {
  assert.equal(says({ type: 'memo', text: 'a". Done.\n' }), 'Contains the memo "a\\". Done.\\n".');
  assert.equal(says({ type: 'memo', text: null }), 'Contains a memo that is not text.');
});

test('sentences about fees and limits use the runtime’s units', () => {
  assert.match(says({ type: 'computeBudget.setComputeUnitLimit', units: 30_000 }), /30000 compute units/);
  assert.match(says({ type: 'computeBudget.setComputeUnitPrice', microLamports: 12n }), /12 micro-lamports/);
});

test('the sentence about an unknown instruction says that it is unknown', () => {
  assert.equal(says({ type: 'other' }, 'merge'), 'Runs merge of program Example.');
  assert.equal(says({ type: 'other' }, 'unknown'), 'Runs an instruction of program Example.');
});
