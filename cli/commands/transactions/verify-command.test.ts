// Tests that bytes are checked locally, and that the service's texts are shown separately and never mistaken
// for a confirmation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { fromBase64, toBase64 } from '../../../client/staking/base64.ts';
import { signatureOf, takeApart, withSignature } from '../../../client/staking/wire-signatures.ts';
import { holdfast } from '../../../test/cli/cli-runner.ts';
import { json, startScriptedService } from '../../../test/client/scripted-service.ts';
import {
  changeBytes,
  OUTSIDER,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  VOTE_ACCOUNT,
} from '../../../test/support/honest-responses.ts';

test('the check also reports the service’s result, and exits with 0 only if the bytes are right and the service agrees', async (t) => {
  const right = stakeBytes();
  const wrong = stakeBytes({ voteAccount: OUTSIDER });
  for (const [bytes, serviceSaysOk, words, code] of [
    [right, true, /^ {2}the service agrees$/m, 0],
    [right, false, /THE SERVICE DISAGREES/, 1],
    [wrong, true, /DO NOT SIGN.*THE SERVICE DISAGREES/s, 1],
    [wrong, false, /DO NOT SIGN.*the service agrees/s, 1],
  ] as const) {
    const { url } = await startScriptedService(t, [json(200, { ok: serviceSaysOk })]);
    const evaluate = [
      'verify',
      bytes,
      '--wallet',
      signer.walletAddress,
      '--vote',
      VOTE_ACCOUNT,
      '--url',
      url,
    ];
    const run = await holdfast(evaluate);
    assert.equal(run.code, code, run.stdout + run.stderr);
    assert.match(run.stdout, words);
    assert.equal(JSON.parse((await holdfast([...evaluate, '--json'])).stdout).serviceSaysOk, serviceSaysOk);
  }
});

test('a landed transaction without the memo is not called failed, and has no link that leads nowhere', async (t) => {
  const checks = { delegatesToValidator: null, authoritiesAreFeePayer: null, noOtherInstructions: false };
  const link = 'https://explorer.solana.com/tx/5';
  for (const [succeeded, verified, words, code, cluster] of [
    [true, true, /^✓ The transaction succeeded and has/, 0, '?cluster=devnet'],
    [true, false, /^- The transaction succeeded\. This service's memo was not found/, 1, ''],
    [false, false, /^✗ The transaction failed: \{"InstructionError":\[0,"X"\]\}\n/, 1, '?cluster=custom'],
  ] as const) {
    const error = succeeded ? null : { InstructionError: [0, 'X'] };
    const landed = {
      succeeded,
      verified,
      error,
      checks,
      instructions: [],
      warnings: [],
      explorerUrl: `${link}${cluster}`,
    };
    const { url } = await startScriptedService(t, [json(200, landed)]);
    const run = await holdfast(['verify', '5'.repeat(88), '--url', url]);
    assert.equal(run.code, code, run.stderr);
    assert.match(run.stdout, words);
    // The explorer does not know the RPC URL of a custom cluster.
    assert.equal(run.stdout.includes(`${link}${cluster}\n`), cluster !== '?cluster=custom', run.stdout);
  }
});

test('with --offline no request is made, so a signature alone cannot be checked', async (t) => {
  const service = await startScriptedService(t, [json(200, { ok: true })]);
  const offline = [
    '--offline',
    '--wallet',
    signer.walletAddress,
    '--vote',
    VOTE_ACCOUNT,
    '--url',
    service.url,
  ];
  const landed = await holdfast(['verify', '5'.repeat(88), ...offline]);
  assert.equal(landed.code, 2);
  assert.match(landed.stderr, /--offline requires the transaction itself/);
  const { code, stdout } = await holdfast(['verify', stakeBytes(), ...offline]);
  assert.equal(code, 0);
  assert.match(stdout, /not checked by the service/);
  assert.equal(service.seen.length, 0);
});

test('a wrong amount is reported in one sentence with the requested amount, and the table fits 100 columns', async () => {
  const { stdout } = await holdfast([
    ...['verify', stakeBytes(), '--offline', '--wallet', signer.walletAddress, '--vote', VOTE_ACCOUNT],
    ...['--goal', 'stake', '--amount', '3'],
  ]);
  assert.match(stdout, /^✗ {2}amount +2 SOL +you asked for 3 SOL$/m);
  const lines = stdout.split('\n');
  assert.deepEqual(
    lines.filter((line) => line.length > 100),
    [],
  );
  assert.match(stdout, /^ {2}stakes +2 SOL$/m);
  assert.doesNotMatch(stdout, / 0 SOL$/m);
});

test('for a landed change of several accounts that names no goal, the check says what it did instead of advising against a signature', async (t) => {
  const [account, wallet] = [STAKE_ACCOUNT, signer.walletAddress] as Address[];
  const withdrawal = { type: 'withdraw' as const, account: account!, to: wallet!, authority: wallet! };
  const unsigned = fromBase64(
    changeBytes({ ...withdrawal, lamports: 1n }, { ...withdrawal, lamports: 2_000_000_000n }),
  );
  const { walletAddress } = signer;
  const signed = withSignature(unsigned, walletAddress, signer.sign(takeApart(unsigned).message));
  const { url } = await startScriptedService(t, [
    json(200, {
      result: {
        slot: 7,
        blockTime: 1_795_858_010,
        meta: { err: null, fee: 5_000 },
        transaction: [toBase64(signed), 'base64'],
      },
    }),
  ]);
  const run = await holdfast([
    ...['verify', signatureOf(signed)!, '--rpc', url],
    ...['--wallet', walletAddress, '--vote', VOTE_ACCOUNT],
  ]);
  assert.equal(run.code, 1, 'the effects were not checked');
  assert.match(run.stdout, /^✓ It landed and succeeded, according to your RPC node\.$/m);
  assert.match(run.stdout, /^ {2}Stake\.withdraw: Withdraws 2 SOL /m);
  assert.match(run.stdout, /^\? Not checked against a goal \(add --goal, and --amount if any\): rearrange$/m);
  assert.doesNotMatch(run.stdout, /DO NOT SIGN/);
});
