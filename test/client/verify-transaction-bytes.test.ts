// Checks the verifier as a module and as a command: it needs no service, both forms reach the same result, and
// the command has documented exit codes.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { type VerifierRequest, verifyTransactionBytes } from '../../client/verify-transaction-bytes.ts';
import { buildTransaction } from '../../src/chain/transactions/transaction.ts';
import { toBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { encodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { spawnProcess } from '../support/spawned-process.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, stakeAccount, voteAccount, donationAddress, outsider] = [1, 2, 3, 4, 5].map(key) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const common = { wallet, memo: 'example.org', blockhash: key(16) };
const stakeTo = (validator: Address) =>
  toBase64(
    encodeWire(
      buildTransaction.stake({ ...common, stakeAccount, voteAccount: validator, lamports: 2_500_000_000n }),
    ),
  );
const stake = stakeTo(voteAccount);
const expected = { wallet, voteAccount, donationAddress, memo: 'example.org' };

describe('verifier as a module', () => {
  test("reports a transaction's effects, signers and cost", () => {
    const { ok, recognized, fields, instructions, signatures, networkFeeLamports } = verifyTransactionBytes(
      stake,
      expected,
    );
    assert.equal(ok, true);
    assert.deepEqual(
      [recognized.kind, recognized.lamports, recognized.stakeAccount],
      ['stake', 2_500_000_000n, stakeAccount],
    );
    assert.ok(fields.every((field) => field.ok));
    assert.equal(instructions.length, 4);
    assert.deepEqual(
      [...signatures],
      [
        [wallet, 'missing'],
        [stakeAccount, 'missing'],
      ],
    );
    assert.equal(networkFeeLamports, 10_000n);
  });

  test('reports differences and refuses invalid transactions', () => {
    const { ok, fields } = verifyTransactionBytes(stakeTo(outsider), expected);
    assert.equal(ok, false);
    assert.deepEqual(
      fields.filter((field) => !field.ok),
      [
        {
          field: 'validator',
          ok: false,
          expected: voteAccount,
          found: outsider,
          problem: 'It delegates to a different vote account.',
          problemSentences: [
            {
              code: 'OTHER_VOTE_ACCOUNT',
              text: 'It delegates to a different vote account.',
              params: {},
            },
          ],
        },
      ],
    );
    for (const text of ['', 'AAAA', `${stake}AAAA`])
      assert.throws(
        () => verifyTransactionBytes(text, expected),
        (error) =>
          isHoldfastError(error, 'INVALID_TRANSACTION') &&
          error.operation === 'verifyTransactionBytes' &&
          error.reason === 'UNREADABLE' &&
          error.suggestedAction !== undefined,
      );
  });
});

describe('the verifier compares a transaction with a request', () => {
  const SOL = 1_000_000_000n;
  const own = { authority: wallet };
  const change = (...operations: readonly MachineOperation[]): string =>
    toBase64(encodeWire(buildTransaction.rearrange({ ...common, operations })));
  const create = (account: Address, lamports: bigint): MachineOperation => ({
    type: 'create',
    account,
    payer: wallet,
    lamports,
  });
  const initialize = (account: Address): MachineOperation => ({
    type: 'initialize',
    account,
    stakeAuthority: wallet,
    withdrawAuthority: wallet,
    lockup: NO_LOCKUP,
  });
  const delegate = (account: Address): MachineOperation => ({
    type: 'delegate',
    account,
    voteAccount,
    ...own,
  });
  const split = (lamports: bigint): MachineOperation => ({
    type: 'split',
    account: stakeAccount,
    into: child,
    lamports,
    ...own,
  });
  const deactivate = (account: Address): MachineOperation => ({ type: 'deactivate', account, ...own });
  const withdraw = (account: Address): MachineOperation => ({
    type: 'withdraw',
    account,
    to: wallet,
    lamports: 5n * SOL,
    ...own,
  });
  const child = key(17);
  const rent = 2_000_000n;
  const unstake5 = { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL } as const;
  const check = (transaction: string, request: VerifierRequest, following: readonly string[] = []) =>
    verifyTransactionBytes(transaction, { ...expected, request, following });
  const wrong = (...given: Parameters<typeof check>): string =>
    check(...given)
      .fields.filter((field) => !field.ok)
      .map(({ field }) => field)
      .join(' ');

  test('a transaction that does exactly what was requested passes and reports its effects', () => {
    const fromOne = change(create(child, rent), split(5n * SOL), deactivate(child));
    const { ok, effects, unknowns } = check(fromOne, { ...unstake5, accounts: [stakeAccount] });
    assert.deepEqual(
      [ok, effects!.deactivatedLamports, effects!.rentLamports, unknowns],
      [true, 5n * SOL, rent, []],
    );
    const unnamed = check(fromOne, unstake5);
    assert.deepEqual(
      [unnamed.ok, unnamed.unknowns.map(({ fact }) => fact)],
      [false, ['deactivated-validator']],
      'the account may be staked with another validator',
    );
    assert.equal(check(stake, { kind: 'stake', lamports: 2_500_000_000n }).ok, true);
    const unstake = toBase64(encodeWire(buildTransaction.unstake({ ...common, stakeAccount })));
    assert.equal(check(unstake, { kind: 'unstake', accounts: [stakeAccount] }).ok, true);
  });

  test('an unstake of 5 is refused if it stakes 500, withdraws, or takes a different amount or account', () => {
    const cases: readonly (readonly [string, readonly MachineOperation[], VerifierRequest?])[] = [
      ['instructions', [create(child, 500n * SOL), initialize(child), delegate(child)]],
      ['instructions', [deactivate(stakeAccount), withdraw(outsider)]],
      ['amount', [create(child, rent), split(40n * SOL), deactivate(child)]],
      [
        'stakeAccount',
        [create(child, rent), split(5n * SOL), deactivate(child)],
        { ...unstake5, accounts: [outsider] },
      ],
    ];
    for (const [field, operations, request = unstake5] of cases) {
      const transaction = change(...operations);
      assert.equal(check(transaction, request).ok, false);
      assert.ok(wrong(transaction, request).includes(field), `${field}: ${wrong(transaction, request)}`);
    }
    assert.equal(check(stake, { kind: 'stake', lamports: 2n * SOL }).ok, false);
    assert.equal(check(stake, unstake5).ok, false);
    assert.equal(
      check(change(deactivate(stakeAccount)), { kind: 'rearrange', goal: 'withdraw-all' }).ok,
      false,
    );
  });

  test('a transaction that does not show the amount does not pass and is left to the user to decide', () => {
    const { ok, unknowns } = check(change(deactivate(stakeAccount)), unstake5);
    assert.deepEqual([ok, unknowns.map(({ fact }) => fact)], [false, ['deactivated-amount']]);
  });

  test('later transactions of a plan are compared with the request together with the earlier ones', () => {
    const topUp = {
      kind: 'rearrange',
      goal: 'top-up',
      lamports: 9n * SOL,
      accounts: [stakeAccount],
    } as const;
    const first = change(create(child, 9n * SOL), initialize(child), delegate(child));
    const merge = change({ type: 'merge', account: stakeAccount, from: child, ...own });
    assert.equal(check(first, topUp, [merge]).ok, true);
    assert.equal(check(first, topUp, [merge, first]).ok, false);
    assert.throws(() => verifyTransactionBytes(first, { voteAccount, request: topUp }), {
      name: 'HoldfastError',
      errorCode: 'INVALID_INPUT',
    });
  });
});

describe('verifier as a command', () => {
  const run = async (t: TestContext, ...args: readonly string[]) => {
    const process = spawnProcess(t, { file: 'scripts/verify-transaction.ts', args });
    const { code } = await process.ended;
    return { code, stdout: process.stdout, stderr: process.stderr };
  };
  const who = ['--wallet', wallet, '--vote', voteAccount];

  test('exits with 0 and prints one line per field if the transaction does only what is claimed, with or without the memo', async (t) => {
    for (const memo of [[], ['--memo', 'example.org']]) {
      const { code, stdout } = await run(
        t,
        stake,
        ...who,
        ...memo,
        '--amount',
        '2.5',
        '--stake-account',
        stakeAccount,
      );
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^✓ It does only what it claims: stake/);
      assert.ok(stdout.includes(`✓ validator          ${voteAccount}`));
    }
    const unstake = toBase64(encodeWire(buildTransaction.unstake({ ...common, stakeAccount })));
    assert.equal((await run(t, unstake, ...who)).code, 0);
  });

  test('exits with 1 and a reason if the validator, wallet, amount, account or memo is not the expected one', async (t) => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[stakeTo(outsider), ...who], /✗ validator/],
      [[stake, '--wallet', outsider, '--vote', voteAccount], /✗ feePayer/],
      [[stake, ...who, '--amount', '2.500000001'], /✗ amount/],
      [[stake, ...who, '--stake-account', outsider], /✗ stakeAccount/],
      [[stake, ...who, '--memo', 'example.com'], /✗ memo/],
    ];
    for (const [args, problem] of cases) {
      const { code, stdout } = await run(t, ...args);
      assert.equal(code, 1, stdout);
      assert.match(stdout, /^✗ DO NOT SIGN/);
      assert.match(stdout, problem);
    }
  });

  test('a goal limits all effects: an unstake of 5 that stakes 500 is refused, as is an effect that the transaction does not show', async (t) => {
    const SOL = 1_000_000_000n;
    const child = key(17);
    const own = { authority: wallet };
    const change = (...operations: readonly MachineOperation[]): string =>
      toBase64(encodeWire(buildTransaction.rearrange({ ...common, operations })));
    const create = (lamports: bigint): MachineOperation => ({
      type: 'create',
      account: child,
      payer: wallet,
      lamports,
    });
    const cut: readonly MachineOperation[] = [
      create(2_000_000n),
      { type: 'split', account: stakeAccount, into: child, lamports: 5n * SOL, ...own },
      { type: 'deactivate', account: child, ...own },
    ];
    const stakes500 = change(
      create(500n * SOL),
      {
        type: 'initialize',
        account: child,
        stakeAuthority: wallet,
        withdrawAuthority: wallet,
        lockup: NO_LOCKUP,
      },
      { type: 'delegate', account: child, voteAccount, ...own },
      { type: 'merge', account: stakeAccount, from: child, ...own },
    );
    const unstake5 = ['--goal', 'unstake', '--amount', '5'];
    const named = ['--stake-account', stakeAccount];
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [[change(...cut), ...unstake5, ...named], 0, /^✓ It does only what it claims/],
      [
        [change(...cut), ...unstake5],
        1,
        /^\? It does what you requested, but[\s\S]*which validator it is staked with/,
      ],
      [[stakes500, ...unstake5, ...named], 1, /^✗ DO NOT SIGN[\s\S]*It stakes 500 SOL from the wallet/],
      [[stakes500], 1, /^✗ DO NOT SIGN[\s\S]*Specify the goal/],
      [
        [change(...cut), ...unstake5.slice(0, 3), '4', ...named],
        1,
        /^✗ DO NOT SIGN[\s\S]*deactivates 5 SOL, not 4 SOL/,
      ],
      [[stakeTo(voteAccount), ...unstake5], 1, /^✗ DO NOT SIGN[\s\S]*It stakes 2.5 SOL from the wallet/],
      [[stakeTo(voteAccount), '--goal', 'stake', '--amount', '2.5'], 0, /^✓/],
      [[stakeTo(voteAccount), '--goal', 'rescue'], 1, /^✗ DO NOT SIGN/],
      [[change(...cut), stakes500, ...unstake5, ...named], 1, /^✗ DO NOT SIGN[\s\S]*Transaction 2/],
    ];
    for (const [args, code, text] of cases) {
      const ended = await run(t, ...args, ...who);
      assert.equal(ended.code, code, ended.stdout + ended.stderr);
      assert.match(ended.stdout, text);
    }
    for (const words of [
      ['unstake'],
      ['stake'],
      ['tidy', '--amount', '1'],
      ['fly'],
      ['undo', '--to', 'stake'],
    ])
      assert.equal((await run(t, change(...cut), '--goal', ...words, ...who)).code, 2, words.join(' '));
  });

  test('prints JSON with amounts as strings, so no parser rounds them', async (t) => {
    const { code, stdout } = await run(t, stake, ...who, '--json');
    const verdict = JSON.parse(stdout);
    assert.deepEqual([code, verdict.ok, verdict.recognized.lamports], [0, true, '2500000000']);
    assert.deepEqual(verdict.signatures, { [wallet]: 'missing', [stakeAccount]: 'missing' });
  });

  test('exits with 2 and prints usage if the input is unreadable', async (t) => {
    for (const args of [
      [],
      [stake],
      [stake, '--wallet', wallet],
      [stake, ...who, '--amount', 'x'],
      [stake, '--wallet', 'x', '--vote', voteAccount],
      [stake, stake, ...who],
      [stake, ...who, '--what'],
    ]) {
      const { code, stdout, stderr } = await run(t, ...args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /Usage/);
    }
    const { code, stdout } = await run(t, 'AAAA', ...who);
    assert.deepEqual([code, stdout], [2, '']);
  });
});
