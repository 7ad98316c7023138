// The verifier alone, as a module and as a command: the same verdict without any service, and an exit code that scripts can trust.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { buildTransaction } from '../src/chain/transactions/transaction.ts';
import { toBase64 } from '../src/chain/transactions/wire-base64.ts';
import { encodeWire } from '../src/chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../src/kernel/base58.ts';
import { spawnProcess } from '../test/support/spawned-process.ts';
import { verifyTransactionBytes } from './verify-transaction-bytes.ts';

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

describe('as a module', () => {
  test('it finds what a transaction does, who must sign, and what it costs', () => {
    const { ok, recognised, fields, instructions, signatures, networkFeeLamports } = verifyTransactionBytes(
      stake,
      expected,
    );
    assert.equal(ok, true);
    assert.deepEqual(
      [recognised.kind, recognised.lamports, recognised.stakeAccount],
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

  test('it finds what is wrong, and refuses what is no transaction', () => {
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
        },
      ],
    );
    for (const text of ['', 'AAAA', `${stake}AAAA`])
      assert.throws(() => verifyTransactionBytes(text, expected), { code: 'INVALID_TRANSACTION' });
  });
});

describe('as a command', () => {
  const run = async (t: TestContext, ...args: readonly string[]) => {
    const process = spawnProcess(t, { file: 'scripts/verify-transaction.ts', args });
    const { code } = await process.ended;
    return { code, stdout: process.stdout, stderr: process.stderr };
  };
  const who = ['--wallet', wallet, '--vote', voteAccount];

  test('0 and a field a line for what does only what it claims, with or without the memo given', async (t) => {
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

  test('1 and what is wrong for another validator, wallet, amount, account or memo', async (t) => {
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

  test('JSON for programs, with amounts as text that no parser rounds', async (t) => {
    const { code, stdout } = await run(t, stake, ...who, '--json');
    const verdict = JSON.parse(stdout);
    assert.deepEqual([code, verdict.ok, verdict.recognised.lamports], [0, true, '2500000000']);
    assert.deepEqual(verdict.signatures, { [wallet]: 'missing', [stakeAccount]: 'missing' });
  });

  test('2 and how to use it for anything that cannot be read: no verdict may look like one', async (t) => {
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
