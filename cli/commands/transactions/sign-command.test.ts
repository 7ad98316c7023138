// Tests that `sign` asks about effects that the transaction does not show, and explains why it does not sign.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { addressWithSeed } from '../../../src/domain/address-with-seed.ts';
import { STAKE_PROGRAM } from '../../../src/domain/instruction-programs.ts';
import { holdfast } from '../../../test/cli/cli-runner.ts';
import {
  changeBytes,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  VOTE_ACCOUNT,
} from '../../../test/support/honest-responses.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

/** Saves the transaction and the wallet's key, and returns the arguments that sign it. */
const signing = (t: TestContext, transaction: string): readonly string[] => {
  const folder = temporaryFolder(t);
  const [keypair, file] = [join(folder, 'wallet.json'), join(folder, 'transaction.txt')];
  const bytes = [...new Uint8Array(32).fill(1), ...signer.publicKeyBytes];
  writeFileSync(keypair, JSON.stringify(bytes), { mode: 0o600 });
  writeFileSync(file, transaction);
  return ['sign', file, '--vote', VOTE_ACCOUNT, '--keypair', keypair];
};

test('with --yes and without a goal, nothing is signed and the error states the goal to add', async (t) => {
  const given = [...signing(t, stakeBytes()), '--amount', '2', '--yes'];
  const refused = await holdfast(given);
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, /^✗ with --yes, a goal is required: add --goal stake$/m);
  assert.equal((await holdfast([...given, '--goal', 'stake'])).code, 0);
});

test('`holdfast sign` works offline: it requires --vote if the validator is unknown, and has no --rpc option', async (t) => {
  const [command, file, , , ...keypair] = signing(t, stakeBytes()) as [string, string, ...string[]];
  const nowhere = {
    environment: { HOLDFAST_URL: 'http://127.0.0.1:9', XDG_CONFIG_HOME: temporaryFolder(t) },
  };
  const refused = await holdfast([command, file, ...keypair], nowhere);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /offline, .* add --vote ADDRESS\n {2}Help: holdfast sign --help\n$/);
  const withNode = await holdfast([command, file, ...keypair, '--rpc', 'http://127.0.0.1:9'], nowhere);
  assert.match(withNode.stderr, /sign works offline and contacts no RPC node: leave out --rpc\n/);
});

/** Builds a transaction that unstakes 1 SOL of an account and does not show the account's validator. */
const part = (): string => {
  const authority = signer.walletAddress as Address;
  const account = STAKE_ACCOUNT as Address;
  const seed = 'part';
  const into = addressWithSeed(authority, seed, STAKE_PROGRAM)!;
  return changeBytes(
    { type: 'create', account: into, payer: authority, lamports: 2_282_880n, seed },
    { type: 'split', account, into, lamports: 1_000_000_000n, authority },
    { type: 'deactivate', account: into, authority },
  );
};

test('if the transaction does not show every effect, the user is asked on a terminal; otherwise nothing is signed', async (t) => {
  const given = [...signing(t, part()), '--goal', 'unstake', '--amount', '1'];
  const missing = `the transaction does not show the validator of ${STAKE_ACCOUNT}`;
  for (const [more, surroundings] of [
    [[], {}],
    [['--yes'], {}],
    [['--yes'], { responses: [] }],
  ] as const) {
    const { code, stdout, stderr } = await holdfast([...given, ...more], surroundings);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, new RegExp(`^✗ Nothing was signed: ${missing}\\.\n  Run it on a terminal`, 'm'));
  }
  const declined = await holdfast(given, { responses: ['n'] });
  assert.deepEqual([declined.code, declined.stdout], [1, '']);
  const signed = await holdfast(given, { responses: ['y'] });
  assert.equal(signed.code, 0, signed.stderr);
  assert.match(signed.stdout, /^[\w+/]+=*$/m);
  assert.ok(signed.stderr.endsWith(`Sign it, although ${missing}? [y/N] `), signed.stderr);
  assert.match(
    signed.stderr,
    new RegExp(`\\? ${STAKE_ACCOUNT} +Part of its stake is moved out to be unstaked`),
  );
});

test('a transaction with a problem is refused on a terminal without a question, even if some effects are unknown', async (t) => {
  for (const wrong of [
    ['--amount', '2'],
    ['--amount', '1', '--stake-account', VOTE_ACCOUNT],
  ]) {
    const given = [...signing(t, part()), '--goal', 'unstake', ...wrong];
    const { code, stdout, stderr } = await holdfast(given, { responses: [] });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /DO NOT SIGN[\s\S]*Nothing was signed\.\n {2}NOT_AS_ASKED\n$/);
  }
});

test('with --json, a refusal is the error body, alone on standard error unless a person reads the check result', async (t) => {
  const given = [...signing(t, part()), '--goal', 'unstake', '--json', '--amount'];
  const other = (await holdfast([...given, '2', '--yes'])).error();
  assert.equal(other.errorCode, 'NOT_AS_ASKED');
  assert.ok((other.fields as { field: string; ok: boolean }[]).some(({ ok }) => !ok));
  assert.equal((await holdfast([...given, '1', '--yes'])).error().errorCode, 'NEEDS_PERSON');
  const declined = await holdfast([...given, '1'], { responses: ['n'] });
  assert.deepEqual([declined.code, declined.stdout], [1, '']);
  assert.match(declined.stderr, /FIELD[\s\S]*\{.*"errorCode":"DECLINED".*\}\n$/);
});
