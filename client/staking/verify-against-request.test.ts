// Tests that only bytes with exactly the requested effects pass the check before signing. A difference of one
// lamport is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  ComputeBudgetProgram,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { GoalName } from '../../src/domain/plan/plan-goals.ts';
import { NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import {
  changeBytes,
  OUTSIDER,
  restakeBytes,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  unstakeBytes,
  VOTE_ACCOUNT,
  withdrawBytes,
} from '../../test/support/honest-responses.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { newRecord } from './pending-transaction.ts';
import type { StakingRequest } from './staking-request.ts';
import { verifyEffects, verifyRequest } from './verify-against-request.ts';

const { walletAddress } = signer;
const stakeAccountAddress = STAKE_ACCOUNT;
const stake: StakingRequest = { kind: 'stake', walletAddress, amountLamports: 2_000_000_000n };
const unstake: StakingRequest = { kind: 'unstake', walletAddress, stakeAccountAddress };
const withdraw: StakingRequest = {
  kind: 'withdraw',
  walletAddress,
  stakeAccountAddress,
  amountLamports: 2_000_000_000n,
};
const withdrawAll: StakingRequest = { kind: 'withdraw', walletAddress, stakeAccountAddress };

const MEMO = 'stake.example';

const verified = (
  transaction: string,
  request: StakingRequest,
  stakeAccount?: string,
  memo: string | undefined = MEMO,
  stage: 'built' | 'signed' = 'built',
) => {
  const record = newRecord(request, {
    cluster: '',
    voteAccount: VOTE_ACCOUNT,
    idempotencyKey: 'k',
    begunAtMs: 0,
  });
  return verifyRequest(
    fromBase64(transaction),
    { ...record, stakeAccountAddress: stakeAccount ?? record.stakeAccountAddress },
    { voteAccount: VOTE_ACCOUNT, memo },
    stage,
  );
};
/** Returns the fields that failed the check, or `taken` if the transaction passes. */
const wrong = (...given: Parameters<typeof verified>): string => {
  const { ok, fields } = verified(...given);
  return ok ? 'taken' : fields.flatMap((field) => (field.ok ? [] : [field.field])).join(' ');
};
/** Prepends a compute unit price instruction. */
const priced = (transaction: string, microLamports: number): string => {
  const { message } = VersionedTransaction.deserialize(fromBase64(transaction));
  const draft = TransactionMessage.decompile(message);
  draft.instructions.unshift(ComputeBudgetProgram.setComputeUnitPrice({ microLamports }));
  return toBase64(new VersionedTransaction(draft.compileToV0Message()).serialize());
};

/** Verifies without an expected memo, so any memo passes. */
const anyMemo = (transaction: string): string => {
  const { ok, fields } = verifyRequest(
    fromBase64(transaction),
    newRecord(stake, { cluster: '', voteAccount: VOTE_ACCOUNT, idempotencyKey: 'k', begunAtMs: 0 }),
    { voteAccount: VOTE_ACCOUNT },
    'built',
  );
  return ok ? 'taken' : fields.flatMap((field) => (field.ok ? [] : [field.field])).join(' ');
};

test('the memo must match the known one, and without a known memo any of at most 128 bytes passes', () => {
  for (const memo of ['stake.example.org', 'другой сервис', ' ', 'I hereby sell this wallet to X']) {
    assert.equal(wrong(stakeBytes({ memo }), stake), 'memo', memo);
    assert.equal(anyMemo(stakeBytes({ memo })), 'taken', memo);
  }
  assert.equal(anyMemo(stakeBytes({ memo: 'é'.repeat(64) })), 'taken');
  assert.equal(anyMemo(stakeBytes({ memo: `${'é'.repeat(64)}.` })), 'memo');
  const long = 'x'.repeat(129);
  assert.equal(wrong(stakeBytes({ memo: long }), stake, undefined, long), 'memo');
});

test('the requested transaction passes', () => {
  assert.equal(wrong(stakeBytes(), stake), 'taken');
  assert.equal(wrong(unstakeBytes(), unstake), 'taken');
  assert.equal(wrong(withdrawBytes(), withdraw), 'taken');
  assert.equal(
    wrong(withdrawBytes({ lamports: 7n }), withdrawAll),
    'taken',
    'a request to withdraw everything has no amount to compare',
  );
  assert.equal(wrong(stakeBytes(), stake, STAKE_ACCOUNT), 'taken');
});

test('a difference of one lamport is refused, even if a double cannot represent it', () => {
  for (const lamports of [1_999_999_999n, 2_000_000_001n]) {
    assert.equal(wrong(stakeBytes({ lamports }), stake), 'amount');
    assert.equal(wrong(withdrawBytes({ lamports }), withdraw), 'amount');
  }
  const huge: StakingRequest = { kind: 'stake', walletAddress, amountLamports: 8_999_999_000_000_001n };
  assert.equal(wrong(stakeBytes({ lamports: 8_999_999_000_000_001n }), huge), 'taken');
  assert.equal(wrong(stakeBytes({ lamports: 8_999_999_000_000_002n }), huge), 'amount');
});

test('a different wallet, validator, stake account or recipient is refused, and the refusal names the field', () => {
  for (const [field, transaction, request, pinned] of [
    ['validator', stakeBytes({ voteAccount: OUTSIDER }), stake],
    ['stakeAccount', stakeBytes(), stake, OUTSIDER],
    ['stakeAccount', unstakeBytes({ stakeAccount: OUTSIDER }), unstake],
    ['stakeAccount', withdrawBytes({ stakeAccount: OUTSIDER }), withdraw],
    ['recipient', withdrawBytes({ recipient: OUTSIDER }), withdrawAll],
  ] as const)
    assert.equal(wrong(transaction, request, pinned), field);
  for (const [transaction, request] of [
    [stakeBytes({ wallet: OUTSIDER }), stake],
    [unstakeBytes({ wallet: OUTSIDER }), unstake],
    [withdrawBytes({ wallet: OUTSIDER }), withdraw],
  ] as const)
    assert.match(wrong(transaction, request), /^feePayer\b/);
});

test('a valid transaction of a different kind than requested is refused, and the problem names its kind', () => {
  const bytes = { stake: stakeBytes(), unstake: unstakeBytes(), withdraw: withdrawBytes() };
  for (const request of [stake, unstake, withdraw, withdrawAll])
    for (const [kind, transaction] of Object.entries(bytes)) {
      const { ok, fields } = verified(transaction, request);
      assert.equal(ok, kind === request.kind, `${kind} for ${request.kind}`);
      if (!ok)
        assert.ok(
          fields.some(({ problem }) =>
            problem?.includes(`different kind of transaction than requested: ${kind}`),
          ),
        );
    }
});

test('a priority fee that was not requested is refused before signing, although a wallet may add one while signing', () => {
  const transaction = priced(stakeBytes(), 1000);
  assert.equal(wrong(transaction, stake), 'priorityFee');
  assert.equal(wrong(transaction, stake, undefined, MEMO, 'signed'), 'taken');
});

test('a requested priority fee passes up to 0.001 SOL, or up to the lamports that the request specifies', () => {
  // Five instructions use the default of 200,000 units each, so 1,000 micro-lamports per unit are 1,000
  // lamports.
  const fee = (lamports: number) => priced(stakeBytes(), lamports);
  for (const priority of ['low', 'medium', 'high'] as const) {
    assert.equal(wrong(fee(1_000_000), { ...stake, priority }), 'taken');
    assert.equal(wrong(fee(1_000_001), { ...stake, priority }), 'priorityFee');
  }
  assert.equal(wrong(fee(5_000), { ...stake, priority: { maxLamports: 5_000 } }), 'taken');
  assert.equal(wrong(fee(5_001), { ...stake, priority: { maxLamports: 5_000 } }), 'priorityFee');
  assert.equal(wrong(fee(1), { ...stake, priority: 'none' }), 'priorityFee');
});

test('an invalid transaction is refused before it is verified', () => {
  const whole = fromBase64(stakeBytes());
  for (const wire of [
    new Uint8Array(),
    whole.subarray(0, 80),
    whole.subarray(0, -3),
    Uint8Array.from([...whole, 0]),
  ])
    assert.throws(() => verified(toBase64(wire), stake), isAppError);
});

/** Prepends a Lighthouse instruction that names only the wallet and unrelated accounts. */
const guarded = (transaction: string, data: number[], accounts: readonly PublicKey[] = []): string => {
  const { message } = VersionedTransaction.deserialize(fromBase64(transaction));
  const draft = TransactionMessage.decompile(message);
  draft.instructions.unshift(
    new TransactionInstruction({
      programId: new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'),
      keys: accounts.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })),
      data: Buffer.from(data),
    }),
  );
  return toBase64(new VersionedTransaction(draft.compileToV0Message()).serialize());
};

test('the service adds no guards, so every extra instruction is listed', () => {
  // AssertAccountInfo (5): log level 0, assertion on the lamports.
  const transaction = guarded(stakeBytes(), [5, 0, 0], [new PublicKey(walletAddress)]);
  assert.equal(wrong(transaction, stake), 'instructions');
  assert.equal(wrong(transaction, stake, undefined, MEMO, 'signed'), 'taken');
  assert.deepEqual(
    verified(transaction, stake).recognized.extraInstructions.map(({ known }) => known),
    ['wallet-guard'],
  );
});

test('a restake of the requested account passes, while a new stake is refused for a restake and a restake for a new stake', () => {
  const restake: StakingRequest = { kind: 'restake', walletAddress, stakeAccountAddress };
  assert.equal(wrong(restakeBytes(), restake), 'taken');
  assert.equal(wrong(restakeBytes({ voteAccount: OUTSIDER }), restake), 'validator');
  assert.equal(wrong(restakeBytes({ stakeAccount: OUTSIDER }), restake), 'stakeAccount');
  assert.equal(verified(restakeBytes(), stake).ok, false);
  assert.equal(verified(restakeBytes(), unstake).ok, false);
  assert.equal(verified(stakeBytes(), restake).ok, false);
});

const authority = walletAddress as Address;
const account = STAKE_ACCOUNT as Address;
const other = OUTSIDER as Address;
const voteAccount = VOTE_ACCOUNT as Address;
const deactivate: MachineOperation = { type: 'deactivate', account, authority };
const merge: MachineOperation = { type: 'merge', account, from: other, authority };
const withdrawOne: MachineOperation = { type: 'withdraw', account, to: authority, lamports: 5n, authority };
const delegate: MachineOperation = { type: 'delegate', account, voteAccount, authority };
const opened: readonly MachineOperation[] = [
  { type: 'create', account: other, payer: authority, lamports: 9n },
  {
    type: 'initialize',
    account: other,
    stakeAuthority: authority,
    withdrawAuthority: authority,
    lockup: NO_LOCKUP,
  },
  { ...delegate, account: other },
];
const change = (goal: GoalName, more: object = {}): StakingRequest => ({
  kind: 'rearrange',
  walletAddress,
  goal,
  ...more,
});

test('a stake change contains only the instructions that its goal allows, in one step or several', () => {
  const ok = (request: StakingRequest, ...operations: readonly MachineOperation[]) =>
    verified(changeBytes(...operations), request).ok;
  assert.ok(ok(change('tidy'), merge, withdrawOne));
  assert.ok(!ok(change('tidy'), merge, deactivate));
  assert.ok(
    ok(change('unstake', { amountLamports: 5n }), deactivate),
    'the bytes of a single step are those of an unstake',
  );
  assert.ok(!ok(change('withdraw-all'), deactivate));
  assert.ok(ok(change('undo'), delegate));
  assert.ok(!ok(change('undo'), { ...delegate, voteAccount: other } as MachineOperation));
  assert.ok(!ok(unstake, deactivate, { ...deactivate, account: other } as MachineOperation));
});

/** True if every transaction passes on its own and all of them together have exactly the requested effects. */
const isPassed = (
  request: StakingRequest,
  ...transactions: readonly (readonly MachineOperation[])[]
): boolean => {
  const verdicts = transactions.map((operations) => verified(changeBytes(...operations), request));
  const record = newRecord(request, {
    cluster: '',
    voteAccount: VOTE_ACCOUNT,
    idempotencyKey: 'k',
    begunAtMs: 0,
  });
  const { problems } = verifyEffects(record, { voteAccount: VOTE_ACCOUNT }, verdicts, null);
  return verdicts.every(({ ok }) => ok) && problems.length === 0;
};

test('a change takes at most the requested amount from the wallet, and only affects the named account', () => {
  const swept = [withdrawOne, ...opened];
  const sweep = (amountLamports?: bigint) => change('sweep', { to: 'stake', amountLamports });
  assert.ok(isPassed(sweep(4n), swept));
  assert.ok(isPassed(sweep(4n), [withdrawOne], opened));
  assert.ok(!isPassed(sweep(3n), swept));
  assert.ok(!isPassed(sweep(3n), [withdrawOne], opened));
  assert.ok(!isPassed(sweep(), swept));
  assert.ok(!isPassed(sweep(9n), opened, swept), 'the amount is staked once, not by each transaction');
  assert.ok(!isPassed(change('tidy', { stakeAccountAddress }), [merge]));
});

test('a change to chosen accounts affects only those accounts and the ones that it creates', () => {
  const ok = (accounts: readonly string[], goal: GoalName, ...operations: readonly MachineOperation[]) =>
    isPassed(change(goal, { accounts }), operations);
  const withdrawOther: MachineOperation = { ...withdrawOne, account: other };
  const split: MachineOperation = { type: 'split', account, into: other, lamports: 5n, authority };
  const create: MachineOperation = { type: 'create', account: other, payer: authority, lamports: 9n };
  const both = [STAKE_ACCOUNT, OUTSIDER];
  assert.ok(ok(both, 'withdraw-all', withdrawOne, withdrawOther));
  assert.ok(!ok([STAKE_ACCOUNT], 'withdraw-all', withdrawOne, withdrawOther));
  assert.ok(ok([STAKE_ACCOUNT], 'withdraw-all', withdrawOne));
  assert.ok(!ok([OUTSIDER], 'withdraw-all', withdrawOne), 'the same applies to a change with a single step');
  assert.ok(!ok([STAKE_ACCOUNT], 'tidy', merge));
  assert.ok(
    isPassed(change('unstake', { accounts: [STAKE_ACCOUNT], amountLamports: 5n }), [
      create,
      split,
      { ...deactivate, account: other },
    ]),
  );
});

test('a stake change is not signed if it cancels an activation according to the service’s own data', () => {
  const record = newRecord(change('tidy'), {
    cluster: '',
    voteAccount: VOTE_ACCOUNT,
    idempotencyKey: 'k',
    begunAtMs: 0,
  });
  const verdict = (state: string) =>
    verifyRequest(fromBase64(changeBytes(merge)), record, { voteAccount: VOTE_ACCOUNT }, 'built', {
      accounts: [
        { stakeAccountAddress: OUTSIDER, before: { state: 'activating' } },
        { stakeAccountAddress: STAKE_ACCOUNT, before: { state } },
      ],
    } as never);
  assert.ok(verdict('activating').ok);
  assert.ok(!verdict('inactive').ok);
});

test('a stake authority passes only if the request names it, and signs nothing that withdraws SOL', () => {
  const given = stakeBytes({ stakeAuthority: OUTSIDER });
  assert.equal(wrong(given, stake), 'stakeAuthority');
  assert.equal(wrong(given, { ...stake, stakeAuthority: VOTE_ACCOUNT }), 'stakeAuthority');
  assert.equal(wrong(given, { ...stake, stakeAuthority: OUTSIDER }), 'taken');
  assert.equal(wrong(stakeBytes(), { ...stake, stakeAuthority: OUTSIDER }), 'stakeAuthority');
  const owner = OUTSIDER;
  assert.equal(verified(unstakeBytes(), { ...unstake, owner }).recognized.owner, owner);
  assert.equal(wrong(unstakeBytes(), { ...unstake, owner }), 'taken');
  assert.equal(wrong(withdrawBytes(), { ...withdraw, owner }), 'withdrawAuthority');
  assert.equal(wrong(stakeBytes(), { ...stake, owner }), 'withdrawAuthority');
});
