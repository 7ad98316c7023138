// Checks the verification endpoints on a sandbox, with one example of each kind of response. VERDICT-1 and
// VERDICT-2 prove the verifier itself, and VERIFY-1 proves the published hashes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Connection,
  Keypair,
  PublicKey,
  StakeProgram,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { guardBytes, RECORDED_GUARDS } from '../support/recorded-guards.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';
import { fund, refusalFacts, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, signedBy } from '../support/wallets.ts';

const shared = sharedService(
  { before, after },
  { settings: { HOLDFAST_SOURCE_URL: 'https://git.example/holdfast' } },
);
const SOL = 1_000_000_000n;
const BLOCK_MS = 20;
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';

const get = (path: string) => shared().service.client.get(`/api/v1/verify/${path}`);
const post = (path: string, body: object) => shared().service.client.post(`/api/v1/${path}`, body);
const landed = (signature: string) => get(`transaction/${signature}`);
const beforeSigning = (body: object) => post('verify/stake-transaction', body);

const instruction = (program: string, data: string | Uint8Array) =>
  new TransactionInstruction({ programId: new PublicKey(program), keys: [], data: Buffer.from(data) });
const memo = (text: string) => instruction(MEMO_PROGRAM, text);

/**
 * Sends any instructions without the service and without preflight. Returns the signature once it is confirmed.
 */
const sendElsewhere = async (
  connection: Connection,
  payer: Keypair,
  instructions: readonly TransactionInstruction[],
): Promise<string> => {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight });
  transaction.add(...instructions).sign(payer);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  // Polls after each block, because a subscription made after the transaction landed would never fire.
  for (let block = 0; block < 500; block += 1) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized')
      return signature;
    await delay(BLOCK_MS);
  }
  throw new Error(`${signature} did not land within 500 blocks`);
};

describe('a landed transaction', () => {
  test('of this service is verified, and the response contains its checks, instructions and status', async () => {
    const { service, sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 10);
    const { walletAddress, secretKey } = wallet;
    const staked = await post('stake', { walletAddress, secretKey, amountSol: 2 });
    const built = await post('donate', { walletAddress, amountSol: 0.01 });
    const signedTransaction = signedBy(wallet, built.transaction);
    const donated = await post('transaction/submit', { signedTransaction });
    for (const [response, did, delegates, names] of [
      [staked, /^Stake of 2 SOL/, true, ['createAccount', 'initialize', 'delegateStake', 'addMemo']],
      [donated, /^Donation of 0\.01 SOL/, null, ['transfer', 'addMemo']],
    ] as const) {
      const {
        instructions,
        slot,
        blockTime,
        confirmationStatus,
        message,
        messageSentences: _,
        _meta,
        ...rest
      } = await landed(response.signature);
      assert.match(message, did);
      assert.deepEqual(rest, {
        signature: response.signature,
        verified: true,
        proves: 'memo-present',
        succeeded: true,
        memo: sandbox.memo,
        expectedMemo: sandbox.memo,
        memoProgram: MEMO_PROGRAM,
        checks: { delegatesToValidator: delegates, authoritiesAreFeePayer: true, noOtherInstructions: true },
        recordedHere: true,
        error: null,
        explorerUrl: response.explorerUrl,
        warnings: [],
        notices: [],
      });
      assert.deepEqual(
        instructions.map(({ name }: { name: string }) => name),
        names,
      );
      assert.ok(slot > 0 && Math.abs(Date.parse(blockTime)) > 0);
      assert.match(confirmationStatus, /^(confirmed|finalized)$/);
    }
    const { paths } = await service.client.get('/openapi.json');
    const { description } = paths['/api/v1/verify/transaction/{signature}'].get;
    assert.match(description, /anyone can write this memo/);
  });

  test('of an outsider is verified only with exactly the service’s memo, and its checks show any difference', () =>
    withLegacyConnection(shared().sandbox, async (connection) => {
      const { sandbox } = shared();
      const payer = Keypair.generate();
      await fund(sandbox, payer.publicKey.toBase58(), SOL);
      const ours = memo(sandbox.memo);
      const deactivate = StakeProgram.deactivate({
        stakePubkey: new PublicKey(sandbox.voteAccount),
        authorizedPubkey: payer.publicKey,
      }).instructions[0]!;
      const elsewhere = StakeProgram.delegate({
        stakePubkey: await PublicKey.createWithSeed(payer.publicKey, 'x', StakeProgram.programId),
        authorizedPubkey: payer.publicKey,
        votePubkey: new PublicKey(sandbox.otherVoteAccount),
      }).instructions[0]!;
      const stakeProgram = StakeProgram.programId.toBase58();
      for (const [name, instructions, verified, succeeded, shown, delegates] of [
        ['our memo alone', [ours], true, true, sandbox.memo, null],
        ['our memo after another', [memo('first'), ours], true, true, sandbox.memo, null],
        ['a space before it', [memo(` ${sandbox.memo}`)], false, true, ` ${sandbox.memo}`, null],
        ['a byte after it', [memo(`${sandbox.memo}\0`)], false, true, `${sandbox.memo}\0`, null],
        ['other case', [memo(sandbox.memo.toUpperCase())], false, true, sandbox.memo.toUpperCase(), null],
        ['data of another program', [instruction(stakeProgram, sandbox.memo)], false, false, null, null],
        ['a failure after it', [ours, deactivate], false, false, sandbox.memo, null],
        ['another validator', [elsewhere, ours], false, false, sandbox.memo, false],
      ] as const) {
        const response = await landed(await sendElsewhere(connection, payer, instructions));
        assert.deepEqual(
          [response.verified, response.succeeded, response.memo, response.checks.delegatesToValidator],
          [verified, succeeded, shown, delegates],
          name,
        );
        assert.equal(
          response.message,
          verified
            ? 'The transaction succeeded and contains this service’s memo.'
            : 'Not verified: the transaction failed or does not contain this service’s memo.',
          name,
        );
        // Only the delegation is one of the service's transaction kinds.
        const { noOtherInstructions } = response.checks;
        assert.deepEqual([response.recordedHere, noOtherInstructions], [false, delegates !== null], name);
        assert.equal(response.memoProgram, shown === null ? null : MEMO_PROGRAM, name);
        assert.equal(response.error !== null && 'InstructionError' in response.error, !succeeded, name);
      }
    }));

  test('that is unknown is 404, and an invalid signature is 400', async () => {
    const unknown =
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
    assert.deepEqual(await refusalFacts(landed(unknown)), [404, 'Transaction not found', 'NOT_FOUND']);
    for (const wrong of [newWallet().walletAddress, `${unknown}1`, unknown.replace('V', '0')])
      assert.deepEqual((await refusalFacts(landed(wrong)))[2], 'VALIDATION_ERROR', wrong);
  });
});

describe('a transaction before it is signed', () => {
  test('has only the claimed effects, whether unsigned or signed, and a difference from the claim is reported in its field', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const stakeAccountAddress = await stakeNow(service, wallet);
    const stake = await post('stake/transaction', { walletAddress, amountSol: 3 });
    const [none, { voteAccount }] = [null, sandbox];
    for (const [kind, built, effects] of [
      ['stake', stake, [stake.stakeAccountAddress, voteAccount, none, 3]],
      [
        'donate',
        await post('donate', { walletAddress, amountSol: 0.01 }),
        [none, none, sandbox.donationAddress, 0.01],
      ],
      [
        'unstake',
        await post('unstake/transaction', { walletAddress, stakeAccountAddress }),
        [stakeAccountAddress, none, none, none],
      ],
    ] as const) {
      const { _meta, ...unsigned } = await beforeSigning({ walletAddress, transaction: built.transaction });
      assert.deepEqual([unsigned.ok, unsigned.kind], [true, kind], unsigned.message);
      assert.match(unsigned.message, /nothing else/);
      const { stakeAccountAddress: account, voteAccount: vote, recipientAddress, amountSol } = unsigned;
      assert.deepEqual([account, vote, recipientAddress, amountSol], effects, kind);
      assert.deepEqual(
        [unsigned.walletAddress, unsigned.networkFeeSol, unsigned.hasMemo, unsigned.extraInstructions],
        [walletAddress, built.networkFeeSol, true, []],
      );
      assert.deepEqual(unsigned.instructions, built.instructions);
      const [own, ...others] = unsigned.signatures;
      assert.deepEqual(own, { address: walletAddress, state: 'missing' });
      // The new account has already signed.
      assert.deepEqual(
        others.map(({ state }: { state: string }) => state),
        kind === 'stake' ? ['valid'] : [],
      );
      const transaction = signedBy(wallet, built.transaction);
      const { _meta: _, ...signed } = await beforeSigning({ walletAddress, transaction });
      assert.deepEqual(signed, { ...unsigned, signatures: [{ ...own, state: 'valid' }, ...others] });
    }
    const outsider = newWallet().walletAddress;
    for (const [claim, wrong] of [
      [{ amountSol: 3, stakeAccountAddress: stake.stakeAccountAddress }, []],
      [{ amountSol: 3.000000001 }, ['amount']],
      [{ stakeAccountAddress: outsider }, ['stakeAccount']],
      [{ walletAddress: outsider }, ['feePayer']],
    ] as const) {
      const request = { transaction: stake.transaction, walletAddress, ...claim };
      const { ok, message, fields } = await beforeSigning(request);
      const notOk = (fields as { ok: boolean; field: string }[]).filter((field) => !field.ok);
      assert.deepEqual(
        notOk.map(({ field }) => field),
        wrong,
      );
      assert.deepEqual([ok, /Do not sign/.test(message)], [wrong.length === 0, wrong.length > 0]);
    }
  });

  test('may contain a guard of the wallet, but only once the wallet has signed', async () => {
    const { sandbox } = shared();
    const payer = Keypair.generate();
    const donation = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: new PublicKey(sandbox.donationAddress),
      lamports: 5,
    });
    const transaction = new Transaction({
      feePayer: payer.publicKey,
      blockhash: sandbox.voteAccount,
      lastValidBlockHeight: 1,
    });
    const [guard] = RECORDED_GUARDS;
    transaction.add(instruction(LIGHTHOUSE_PROGRAM, guardBytes(guard!)), donation, memo(sandbox.memo));
    for (const isSigned of [false, true]) {
      if (isSigned) transaction.sign(payer);
      const { ok, extraInstructions, message } = await beforeSigning({
        walletAddress: payer.publicKey.toBase58(),
        transaction: transaction.serialize({ requireAllSignatures: false }).toString('base64'),
      });
      assert.equal(ok, isSigned, message);
      const [{ name, known }, ...more] = extraInstructions;
      assert.deepEqual([name, known, more], [guard!.name, 'wallet-guard', []]);
    }
  });

  test('that cannot be read is INVALID_TRANSACTION, and text that is not base64 is a validation error', async () => {
    const { walletAddress } = newWallet();
    for (const [transaction, code] of [
      ['AAAA', 'INVALID_TRANSACTION'],
      [Buffer.alloc(1233, 1).toString('base64'), 'INVALID_TRANSACTION'],
      ['not base64!', 'VALIDATION_ERROR'],
      ['A'.repeat(5_501), 'VALIDATION_ERROR'],
    ] as const)
      assert.equal((await refusalFacts(beforeSigning({ walletAddress, transaction })))[2], code);
  });
});

test('the code response lists the published sources, and each of them is served as text with the listed hash', async () => {
  const code = await get('code');
  assert.match(String(code.gitCommit), /^(?:[0-9a-f]{40}|null)$/);
  assert.equal(code.openSource, 'https://git.example/holdfast');
  assert.deepEqual(
    [code.memoProgram.expectedMemo, code.memoProgram.programId],
    [shared().sandbox.memo, MEMO_PROGRAM],
  );
  assert.match(code.sourceHashes.description, /Self-reported/);
  assert.ok(code.verificationSteps.some((step: string) => /stand-alone verifier/.test(step)));
  const { files } = code.sourceCode;
  assert.deepEqual([...Object.keys(files), ...code.notInThisVersion].sort(), [
    ...['autopilot.ts', 'discovery-routes.ts', 'mcp-server.ts', 'solana.ts'],
    ...['stake-routes.ts', 'stake-verifier.ts', 'transaction.ts'],
  ]);
  for (const [name, url] of Object.entries<string>(files)) {
    const { headers } = await fetch(url);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(headers.get('access-control-expose-headers') ?? '', /X-SHA256/);
    assert.equal(headers.get('x-sha256'), code.sourceHashes.files[name], name);
  }
  const unknown = refusalFacts(get('source/unknown.ts'));
  assert.deepEqual((await unknown)[0], 404);
});

test('links contain the service’s vote account, and the curl commands run on this chain', async () => {
  const { sandbox } = shared();
  const { _meta, onChainVerification, additionalDashboards, warnings, notices, ...dashboards } =
    await get('links');
  assert.deepEqual(
    notices.map(({ text }: { text: string }) => text),
    warnings,
  );
  const urls = [...Object.values<string>(dashboards), ...Object.values<string>(additionalDashboards)];
  assert.equal(urls.length, 8);
  for (const url of urls) assert.ok(url.startsWith('https://') && url.includes(sandbox.voteAccount), url);
  const signature = await fund(sandbox, newWallet().walletAddress, SOL);
  const curls = onChainVerification.commands.filter((command: string) => command.startsWith('curl'));
  assert.equal(curls.length, 2);
  for (const command of curls) {
    const [, url, body] = /^curl -sS (\S+) -H 'Content-Type: application\/json' -d '(.+)'$/.exec(command)!;
    assert.equal(url, '<YOUR_RPC_URL>', 'an RPC URL may contain a key');
    const response = await fetch(sandbox.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body!.replace('<SIGNATURE>', signature),
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
    assert.ok(error === undefined && result !== null, command);
  }
});
