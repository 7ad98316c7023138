import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guidanceText } from '../../../test/support/guidance-text.ts';
import { programsOf } from '../../domain/transaction/kind-properties.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { translateChainError } from './translate-chain-error.ts';

const refusal = (error: unknown, operation: TransactionKind = 'stake') =>
  translateChainError(error, { programs: programsOf(operation) });

const instructionError = (index: number, reason: unknown) => ({ InstructionError: [index, reason] });

// Errors of the Stake program v5 and of the runtime, each with the expected error code of the service.
const cases: readonly [name: string, operation: TransactionKind, error: unknown, code: ErrorCode][] = [
  ['delegate below the minimum', 'stake', instructionError(2, { Custom: 12 }), 'BELOW_MINIMUM_STAKE'],
  ['second create of one address', 'stake', instructionError(0, { Custom: 0 }), 'STAKE_ADDRESS_OCCUPIED'],
  [
    'create with more than the wallet holds',
    'stake',
    instructionError(0, { Custom: 1 }),
    'INSUFFICIENT_BALANCE',
  ],
  ['initialize of a locked account', 'stake', instructionError(1, { Custom: 1 }), 'STAKE_LOCKED'],
  ['delegate while deactivating', 'stake', instructionError(2, { Custom: 3 }), 'SUBMISSION_FAILED'],
  ['merge of a transient account', 'unstake', instructionError(0, { Custom: 5 }), 'SUBMISSION_FAILED'],
  ['merge of mismatched accounts', 'unstake', instructionError(0, { Custom: 6 }), 'SUBMISSION_FAILED'],
  ['deactivate twice', 'unstake', instructionError(0, { Custom: 2 }), 'STAKE_ALREADY_DEACTIVATED'],
  [
    'split of more than the stake',
    'unstake',
    instructionError(0, { Custom: 4 }),
    'INSUFFICIENT_STAKE_BALANCE',
  ],
  [
    'any operation while rewards are being distributed',
    'unstake',
    instructionError(0, { Custom: 16 }),
    'EPOCH_REWARDS_ACTIVE',
  ],
  [
    'any operation while rewards are being distributed',
    'withdraw',
    instructionError(0, { Custom: 16 }),
    'EPOCH_REWARDS_ACTIVE',
  ],
  ['withdraw under a lockup', 'withdraw', instructionError(0, { Custom: 1 }), 'STAKE_LOCKED'],
  [
    'withdraw too early or too much',
    'withdraw',
    instructionError(0, 'InsufficientFunds'),
    'STAKE_BALANCE_CHANGED',
  ],
  ['the wrong authority', 'withdraw', instructionError(0, 'MissingRequiredSignature'), 'AUTHORITY_MISMATCH'],
  ['the wrong authority', 'unstake', instructionError(0, 'MissingRequiredSignature'), 'AUTHORITY_MISMATCH'],
  [
    'transfer of more than the wallet holds',
    'donate',
    instructionError(0, { Custom: 1 }),
    'INSUFFICIENT_BALANCE',
  ],
  ['memo that is not text', 'donate', instructionError(1, 'InvalidInstructionData'), 'SUBMISSION_FAILED'],
  ['unknown or expired blockhash', 'stake', 'BlockhashNotFound', 'BLOCKHASH_EXPIRED'],
  ['payer that never existed', 'stake', 'AccountNotFound', 'INSUFFICIENT_BALANCE'],
  ['payer without the fee', 'stake', 'InsufficientFundsForFee', 'INSUFFICIENT_BALANCE'],
  [
    'payer left with less than its rent',
    'donate',
    { InsufficientFundsForRent: { account_index: 0 } },
    'INSUFFICIENT_BALANCE',
  ],
  ['payer owned by a program', 'stake', 'InvalidAccountForFee', 'WALLET_CANNOT_PAY'],
  ['bad signature', 'stake', 'SignatureFailure', 'INVALID_TRANSACTION'],
  ['malformed transaction', 'stake', 'SanitizeFailure', 'INVALID_TRANSACTION'],
  ['a version that the cluster does not accept', 'stake', 'UnsupportedVersion', 'SUBMISSION_FAILED'],
  ['any error that the runtime adds later', 'stake', 'WouldExceedMaxBlockCostLimit', 'SUBMISSION_FAILED'],
];

for (const [name, operation, error, code] of cases) {
  test(`${name} (${operation}) is reported as ${code} with the chain’s own message`, () => {
    const refused = refusal(error, operation);
    assert.equal(refused.code, code);
    assert.deepEqual(refused.body.chainError, error);
    assert.doesNotMatch(refused.message, /Custom: |InstructionError/);
  });
}

test('error numbers of one program are not mistaken for those of another', () => {
  const index = (program: string) => programsOf('stake').indexOf(program as never);
  const [system, memo] = [0, programsOf('stake').length - 1];
  assert.equal(index('Stake11111111111111111111111111111111111111'), 1);
  assert.equal(refusal(instructionError(memo, { Custom: 12 })).code, 'SUBMISSION_FAILED');
  assert.equal(refusal(instructionError(system, { Custom: 12 })).code, 'SUBMISSION_FAILED');
  assert.equal(refusal(instructionError(system, { Custom: 2 })).code, 'SUBMISSION_FAILED');
  assert.equal(refusal(instructionError(1, { Custom: 0 })).code, 'SUBMISSION_FAILED');
});

test('an instruction index out of range and errors of unknown shape still get an explanation', () => {
  for (const error of [
    instructionError(200, { Custom: 12 }),
    instructionError(-1, null),
    { InstructionError: 'unreadable' },
    { InstructionError: [] },
    {},
    null,
    undefined,
    17,
    [],
  ]) {
    const refused = refusal(error);
    assert.equal(refused.code, 'SUBMISSION_FAILED', JSON.stringify(error));
    assert.ok(refused.message.length > 10);
  }
});

test('a temporary refusal has a retry time, and other refusals ask for a new transaction', () => {
  assert.ok(refusal(instructionError(1, { Custom: 16 })).retryAfterSeconds);
  assert.match(guidanceText(refusal('BlockhashNotFound').suggestedAction), /fresh blockhash/);
  const oneShot = translateChainError('BlockhashNotFound', {
    programs: programsOf('stake'),
    isOneShot: true,
  });
  assert.match(guidanceText(oneShot.suggestedAction), /^Send the request again/);
  assert.equal(refusal('SanitizeFailure').retryAfterSeconds, undefined);
});

test("the error names the version to use if the node does not support the transaction's version", () => {
  for (const error of [
    'UnsupportedVersion',
    'failed to deserialize solana_transaction::VersionedTransaction',
  ]) {
    const refused = refusal(error);
    assert.equal(refused.reason, 'VERSION_NOT_SUPPORTED');
    assert.match(guidanceText(refused.suggestedAction), /transactionVersion legacy/);
  }
});
