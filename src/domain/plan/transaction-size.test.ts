// The calculated size of a transaction equals the number of bytes of the built transaction.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { CUSTODIAN, OWNER, VOTE_ACCOUNT } from '../../../test/support/stake-account-examples.ts';
import { compileUnsigned } from '../../../test/support/truth-message.ts';
import { createTruthRandom } from '../../../test/support/truth-random.ts';
import { instructionOf } from '../../chain/transactions/transaction.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { readAddressAt } from '../read-address-at.ts';
import { MAX_PLANNED_BYTES, transactionBytes } from './transaction-size.ts';

const random = createTruthRandom(1);
const address = (): Address => readAddressAt(random.bytes(32), 0);
const [account, into] = [address(), address()];
const lockup = { unixTimestamp: 0n, epoch: 5n, custodian: CUSTODIAN };
const authority = OWNER;
const operations: readonly MachineOperation[] = [
  { type: 'create', account, payer: OWNER, lamports: 1n },
  { type: 'create', account: into, payer: OWNER, lamports: 1n, seed: 'a'.repeat(32) },
  { type: 'transfer', from: OWNER, to: account, lamports: 1n },
  { type: 'initialize', account, stakeAuthority: OWNER, withdrawAuthority: OWNER, lockup },
  { type: 'delegate', account, voteAccount: VOTE_ACCOUNT, authority },
  { type: 'deactivate', account, authority },
  { type: 'split', account, into, lamports: 1n, authority },
  { type: 'merge', account, from: into, authority },
  { type: 'moveStake', account, into, lamports: 1n, authority },
  { type: 'moveLamports', account, into, lamports: 1n, authority },
  { type: 'withdraw', account, to: OWNER, lamports: 1n, authority },
  { type: 'withdraw', account, to: OWNER, lamports: 1n, authority, custodian: CUSTODIAN },
  { type: 'authorize', account, role: 'staker', authority, newAuthority: into },
  { type: 'setLockup', account, authority, lockup },
  { type: 'setLockup', account, authority, lockup: { epoch: 1n } },
];

const MEMO = 'holdfast:0123456789abcdef';

const builtBytes = (some: readonly MachineOperation[], memo: string): number => {
  const memos = memo === '' ? [] : [getAddMemoInstruction({ memo })];
  const { messageBytes, signatures } = compileUnsigned(OWNER, [...some.map(instructionOf), ...memos]);
  return 1 + 64 * Object.keys(signatures).length + messageBytes.length;
};

describe('transactionBytes', () => {
  for (const operation of operations)
    it(`equals the built size of ${operation.type}${'custodian' in operation ? ' with a custodian' : ''}`, () => {
      assert.equal(
        transactionBytes({ wallet: OWNER, memoBytes: 0 }, [operation]),
        builtBytes([operation], ''),
      );
    });

  it('equals the built size of any combination of instructions, with and without a memo', () => {
    for (let drawn = 0; drawn < 200; drawn += 1) {
      const some = Array.from({ length: 1 + random.int(8) }, () => random.pick(operations));
      for (const memo of ['', MEMO]) {
        assert.equal(
          transactionBytes({ wallet: OWNER, memoBytes: memo.length }, some),
          builtBytes(some, memo),
        );
      }
    }
  });

  it('allows these numbers of accounts in one transaction with a memo', () => {
    const most = (operation: (one: Address) => MachineOperation): number => {
      const some: MachineOperation[] = [];
      while (transactionBytes({ wallet: OWNER, memoBytes: MEMO.length }, some) <= MAX_PLANNED_BYTES)
        some.push(operation(address()));
      return some.length - 1;
    };
    assert.deepEqual(
      {
        deactivate: most((one) => ({ type: 'deactivate', account: one, authority })),
        merge: most((from) => ({ type: 'merge', account, from, authority })),
        withdraw: most((one) => ({ type: 'withdraw', account: one, to: OWNER, lamports: 1n, authority })),
        moveLamports: most((one) => ({ type: 'moveLamports', account: one, into, lamports: 1n, authority })),
      },
      { deactivate: 23, merge: 20, withdraw: 18, moveLamports: 19 },
    );
  });
});
