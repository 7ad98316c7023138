// Checks the verification endpoints for real transactions on a real chain, ours and those that only look like
// ours.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ComputeBudgetProgram,
  type Connection,
  Keypair,
  PublicKey,
  StakeProgram,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';
import { fund, refusalFacts, stakeNow } from '../support/service-calls.ts';
import { settingsFor, sharedService, startServiceHere } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService(
  { before, after },
  { settings: { HOLDFAST_SOURCE_URL: 'https://git.example/holdfast' } },
);
const SOL = 1_000_000_000n;
const BLOCK_MS = 20;
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

const get = (path: string) => shared().service.client.get(`/api/v1/verify/${path}`);
const post = (path: string, body: object) => shared().service.client.post(path, body);
const landed = (signature: string) => get(`transaction/${signature}`);
const beforeSigning = (body: object) => post('/api/v1/verify/stake-transaction', body);

const memo = (text: string, program = MEMO_PROGRAM) =>
  new TransactionInstruction({ programId: new PublicKey(program), keys: [], data: Buffer.from(text) });

/** Sends any instructions without the service and without preflight; returns the signature once confirmed. */
const sendElsewhere = async (
  connection: Connection,
  payer: Keypair,
  instructions: readonly TransactionInstruction[],
): Promise<string> => {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight });
  transaction.add(...instructions).sign(payer);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  // Polled for each block, because a subscription made after it landed would wait forever.
  for (let block = 0; block < 500; block += 1) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized')
      return signature;
    await delay(BLOCK_MS);
  }
  throw new Error(`${signature} did not land within 500 blocks`);
};

const elsewhere = (run: (connection: Connection, payer: Keypair) => Promise<void>) =>
  withLegacyConnection(shared().sandbox, async (connection) => {
    const payer = Keypair.generate();
    await fund(shared().sandbox, payer.publicKey.toBase58(), SOL);
    await run(connection, payer);
  });

describe('landed transactions', () => {
  test('every kind that the service sends is verified, with its checks, its instructions and its status', async () => {
    const { service, sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 10);
    const { walletAddress, secretKey } = wallet;
    const staked = await post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 });
    const { stakeAccountAddress } = staked;
    const unstaked = await post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress });
    const built = await post('/api/v1/donate', { walletAddress, amountSol: 0.01 });
    const donated = await post('/api/v1/transaction/submit', {
      signedTransaction: signedBy(wallet, built.transaction),
    });
    await sandbox.advanceEpochs(1);
    const withdrawn = await post('/api/v1/withdraw', { walletAddress, secretKey, stakeAccountAddress });
    for (const [answer, delegates, names] of [
      [staked, true, ['createAccount', 'initialize', 'delegateStake', 'addMemo']],
      [unstaked, null, ['deactivate', 'addMemo']],
      [withdrawn, null, ['withdraw', 'addMemo']],
      [donated, null, ['transfer', 'addMemo']],
    ] as const) {
      const { instructions, slot, blockTime, confirmationStatus, _meta, ...rest } = await landed(
        answer.signature,
      );
      assert.deepEqual(rest, {
        signature: answer.signature,
        verified: true,
        proves: 'memo-present',
        succeeded: true,
        memo: sandbox.memo,
        expectedMemo: sandbox.memo,
        memoProgram: MEMO_PROGRAM,
        checks: { delegatesToValidator: delegates, authoritiesAreFeePayer: true, noOtherInstructions: true },
        recordedHere: true,
        error: null,
        explorerUrl: answer.explorerUrl,
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
    assert.match(
      (await service.client.get('/openapi.json')).paths['/api/v1/verify/transaction/{signature}'].get
        .description,
      /anyone can write this memo/,
    );
  });

  test('our memo written by an outsider is verified as present but not sent from here, and its checks show the difference', () =>
    elsewhere(async (connection, payer) => {
      const { sandbox } = shared();
      const alone = await landed(await sendElsewhere(connection, payer, [memo(sandbox.memo)]));
      assert.deepEqual([alone.verified, alone.recordedHere], [true, false]);
      assert.deepEqual(alone.checks, {
        delegatesToValidator: null,
        authoritiesAreFeePayer: null,
        noOtherInstructions: false,
      });
      const transfer = SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: new PublicKey(sandbox.donationAddress),
        lamports: 2_000_000,
      });
      const robbed = await landed(
        await sendElsewhere(connection, payer, [
          transfer,
          SystemProgram.transfer({
            fromPubkey: payer.publicKey,
            toPubkey: Keypair.generate().publicKey,
            lamports: 2_000_000,
          }),
          memo(sandbox.memo),
        ]),
      );
      assert.equal(robbed.verified, true);
      assert.equal(robbed.checks.noOtherInstructions, false);
    }));

  test('a memo that only contains ours, in other case or with an extra byte, is not verified although logs show it', () =>
    elsewhere(async (connection, payer) => {
      const { sandbox } = shared();
      for (const text of [
        ` ${sandbox.memo}`,
        `${sandbox.memo}\0`,
        `"${sandbox.memo}"`,
        sandbox.memo.toUpperCase(),
        `\u{feff}${sandbox.memo}`,
      ]) {
        const signature = await sendElsewhere(connection, payer, [memo(text)]);
        const answer = await landed(signature);
        assert.deepEqual([answer.verified, answer.succeeded, answer.memo], [false, true, text]);
      }
    }));

  test('a second memo does not hide ours, and data for another program is not a memo', () =>
    elsewhere(async (connection, payer) => {
      const { sandbox } = shared();
      const both = await landed(await sendElsewhere(connection, payer, [memo('first'), memo(sandbox.memo)]));
      assert.deepEqual([both.verified, both.memo, both.memoProgram], [true, sandbox.memo, MEMO_PROGRAM]);
      const none = await landed(
        await sendElsewhere(connection, payer, [memo(sandbox.memo, StakeProgram.programId.toBase58())]),
      );
      assert.deepEqual(
        [none.verified, none.succeeded, none.memo, none.memoProgram],
        [false, false, null, null],
      );
    }));

  test('a transaction that failed on chain is never verified, and its error is reported', () =>
    elsewhere(async (connection, payer) => {
      const { sandbox } = shared();
      const deactivate = StakeProgram.deactivate({
        stakePubkey: new PublicKey(sandbox.voteAccount),
        authorizedPubkey: payer.publicKey,
      }).instructions[0]!;
      const answer = await landed(await sendElsewhere(connection, payer, [memo(sandbox.memo), deactivate]));
      assert.deepEqual([answer.verified, answer.succeeded, answer.memo], [false, false, sandbox.memo]);
      assert.ok('InstructionError' in answer.error);
    }));

  test('a delegation to another validator is reported as such', () =>
    elsewhere(async (connection, payer) => {
      const { sandbox } = shared();
      const stakePubkey = await PublicKey.createWithSeed(payer.publicKey, 'x', StakeProgram.programId);
      const { instructions } = StakeProgram.delegate({
        stakePubkey,
        authorizedPubkey: payer.publicKey,
        votePubkey: new PublicKey(sandbox.otherVoteAccount),
      });
      const answer = await landed(
        await sendElsewhere(connection, payer, [...instructions, memo(sandbox.memo)]),
      );
      assert.equal(answer.checks.delegatesToValidator, false);
    }));

  test('an unknown signature is 404, an invalid one is 400, and without any RPC it is 502', async (t) => {
    const unknown =
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
    assert.deepEqual(await refusalFacts(landed(unknown)), [404, 'Transaction not found', 'NOT_FOUND']);
    for (const wrong of [
      'x',
      unknown.slice(1, -8),
      newWallet().walletAddress,
      `${unknown}1`,
      unknown.replace('V', '0'),
    ])
      assert.deepEqual(
        await refusalFacts(landed(wrong)),
        [400, 'Validation error', 'VALIDATION_ERROR'],
        wrong,
      );
    const sandbox = await startSandbox(QUICK_SANDBOX);
    const service = await startServiceHere(t, settingsFor(sandbox));
    await sandbox.close();
    assert.deepEqual(await refusalFacts(service.client.get(`/api/v1/verify/transaction/${unknown}`)), [
      502,
      'Upstream unavailable',
      'UPSTREAM_UNAVAILABLE',
    ]);
  });
});

describe('transactions before they are signed', () => {
  const buildAll = async (wallet: TestWallet) => {
    const { walletAddress } = wallet;
    const stakeAccountAddress = await stakeNow(shared().service, wallet);
    const stake = await post('/api/v1/stake/transaction', { walletAddress, amountSol: 3 });
    const donate = await post('/api/v1/donate', { walletAddress, amountSol: 0.01 });
    const unstake = await post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress });
    await post('/api/v1/unstake', { walletAddress, secretKey: wallet.secretKey, stakeAccountAddress });
    await shared().sandbox.advanceEpochs(1);
    const withdraw = await post('/api/v1/withdraw/transaction', { walletAddress, stakeAccountAddress });
    return { stake, donate, unstake, withdraw, stakeAccountAddress };
  };

  test('each transaction built by the service has only the claimed effects, unsigned and signed', async () => {
    const { sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const { stakeAccountAddress, ...built } = await buildAll(wallet);
    const facts = {
      stake: {
        stakeAccountAddress: built.stake.stakeAccountAddress,
        voteAccount: sandbox.voteAccount,
        recipientAddress: null,
        amountSol: 3,
      },
      donate: {
        stakeAccountAddress: null,
        voteAccount: null,
        recipientAddress: sandbox.donationAddress,
        amountSol: 0.01,
      },
      unstake: { stakeAccountAddress, voteAccount: null, recipientAddress: null, amountSol: null },
      withdraw: { stakeAccountAddress, voteAccount: null, recipientAddress: walletAddress },
    } as const;
    for (const kind of ['stake', 'donate', 'unstake', 'withdraw'] as const) {
      const { transaction, networkFeeSol, instructions } = built[kind];
      const unsigned = await beforeSigning({ walletAddress, transaction });
      assert.equal(unsigned.ok, true, unsigned.message);
      assert.match(unsigned.message, /nothing else/);
      for (const [name, value] of Object.entries({
        kind,
        walletAddress,
        networkFeeSol,
        hasMemo: true,
        extraInstructions: [],
        ...facts[kind],
      }))
        assert.deepEqual(unsigned[name], value, `${kind} ${name}`);
      assert.deepEqual(unsigned.instructions, instructions);
      assert.deepEqual(
        unsigned.fields.filter(({ ok }: { ok: boolean }) => !ok),
        [],
      );
      assert.deepEqual(unsigned.signatures[0], { address: walletAddress, state: 'missing' });
      if (kind === 'stake')
        assert.equal(unsigned.signatures[1].state, 'valid', 'the new account has already signed');

      const signed = await beforeSigning({ walletAddress, transaction: signedBy(wallet, transaction) });
      const { _meta: _unsignedMeta, ...rest } = unsigned;
      const { _meta: _signedMeta, ...same } = signed;
      assert.deepEqual(same, {
        ...rest,
        signatures: [{ address: walletAddress, state: 'valid' }, ...rest.signatures.slice(1)],
      });
    }
  });

  test('an amount, account or wallet other than the claimed one is reported in its field, and the result says not to sign', async () => {
    const wallet = await fundedWallet(shared().sandbox, 5);
    const { walletAddress } = wallet;
    const { transaction, stakeAccountAddress } = await post('/api/v1/stake/transaction', {
      walletAddress,
      amountSol: 3,
    });
    const outsider = newWallet().walletAddress;
    const claim = async (members: object) => {
      const { ok, message, fields } = await beforeSigning({ transaction, walletAddress, ...members });
      assert.equal(/Do not sign/.test(message), !ok);
      return fields
        .filter((field: { ok: boolean }) => !field.ok)
        .map(({ field }: { field: string }) => field);
    };
    assert.deepEqual(await claim({ amountSol: 3, stakeAccountAddress }), []);
    assert.deepEqual(await claim({ amountSol: 3.000000001 }), ['amount']);
    assert.deepEqual(await claim({ stakeAccountAddress: outsider }), ['stakeAccount']);
    assert.deepEqual(await claim({ walletAddress: outsider }), ['feePayer']);
  });

  test('additions by a wallet are reported and pass, other additions are reported and do not', () =>
    elsewhere(async (connection, payer) => {
      const { sandbox } = shared();
      const { blockhash } = await connection.getLatestBlockhash();
      const guard = new TransactionInstruction({
        programId: new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'),
        keys: [{ pubkey: payer.publicKey, isSigner: false, isWritable: false }],
        data: Buffer.of(6, 0),
      });
      const check = async (extra: readonly TransactionInstruction[], isSigned: boolean) => {
        const donation = SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: new PublicKey(sandbox.donationAddress),
          lamports: 5,
        });
        const transaction = new Transaction({
          feePayer: payer.publicKey,
          blockhash,
          lastValidBlockHeight: 1,
        });
        transaction.add(...extra, donation, memo(sandbox.memo));
        if (isSigned) transaction.sign(payer);
        return beforeSigning({
          walletAddress: payer.publicKey.toBase58(),
          transaction: transaction.serialize({ requireAllSignatures: false }).toString('base64'),
        });
      };
      const additions = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
        guard,
      ];
      const added = await check(additions, true);
      assert.equal(added.ok, true, added.message);
      assert.deepEqual(
        added.extraInstructions.map(({ name, known }: Record<string, string>) => [name, known]),
        [
          ['setComputeUnitLimit', 'compute-budget'],
          ['setComputeUnitPrice', 'compute-budget'],
          ['assertAccountInfoMulti', 'wallet-guard'],
        ],
      );
      const unsigned = await check(additions, false);
      assert.equal(unsigned.ok, false, 'guards that no wallet has signed');
      assert.deepEqual(unsigned.extraInstructions, added.extraInstructions);
      assert.equal(added.networkFeeSol, 0.000015);
      const hostile = await check(
        [
          SystemProgram.transfer({
            fromPubkey: payer.publicKey,
            toPubkey: Keypair.generate().publicKey,
            lamports: 5,
          }),
        ],
        true,
      );
      assert.equal(hostile.ok, false);
      assert.equal(hostile.extraInstructions[0].known, 'unknown');
      assert.deepEqual(
        hostile.fields.filter(({ ok }: { ok: boolean }) => !ok).map(({ field }: { field: string }) => field),
        ['instructions'],
      );
    }));

  test('an invalid transaction is INVALID_TRANSACTION, invalid base64 a validation error', async () => {
    const { walletAddress } = newWallet();
    for (const transaction of ['AAAA', 'AR==', Buffer.alloc(1233, 1).toString('base64')])
      assert.deepEqual(
        await refusalFacts(beforeSigning({ walletAddress, transaction })),
        [400, 'Invalid transaction', 'INVALID_TRANSACTION'],
        transaction,
      );
    for (const transaction of ['', 'not base64!', 'A'.repeat(5_501), 7])
      assert.deepEqual(
        (await refusalFacts(beforeSigning({ walletAddress, transaction })))[2],
        'VALIDATION_ERROR',
      );
  });
});

describe('code and links', () => {
  test('the code response lists the running and the missing sources of this version, and every listed source has the listed hash', async () => {
    const code = await get('code');
    assert.match(String(code.gitCommit), /^(?:[0-9a-f]{40}|null)$/);
    assert.equal(code.openSource, 'https://git.example/holdfast');
    assert.equal(code.memoProgram.expectedMemo, shared().sandbox.memo);
    assert.equal(code.memoProgram.programId, MEMO_PROGRAM);
    assert.match(code.sourceHashes.description, /Self-reported/);
    assert.ok(code.verificationSteps.some((step: string) => /stand-alone verifier/.test(step)));
    const names = Object.keys(code.sourceHashes.files);
    assert.deepEqual(Object.keys(code.sourceCode.files), names);
    assert.deepEqual([...names, ...code.notInThisVersion].toSorted(), [
      'autopilot.ts',
      'discovery-routes.ts',
      'mcp-server.ts',
      'solana.ts',
      'stake-routes.ts',
      'stake-verifier.ts',
      'transaction.ts',
    ]);
    for (const [name, url] of Object.entries<string>(code.sourceCode.files)) {
      const answer = await fetch(url);
      assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-SHA256/);
      const hash = createHash('sha256')
        .update(await answer.bytes())
        .digest('hex');
      assert.equal(hash, code.sourceHashes.files[name], name);
      assert.equal(answer.headers.get('x-sha256'), hash, name);
    }
    for (const name of code.notInThisVersion)
      assert.deepEqual(await refusalFacts(get(`source/${name}`)), [
        404,
        'Source file not found',
        'NOT_FOUND',
      ]);
  });

  test('links contain our vote account, a warning names the cluster that they do not know, and the curl commands run', async () => {
    const { sandbox } = shared();
    const { _meta, onChainVerification, additionalDashboards, warnings, notices, ...dashboards } =
      await get('links');
    assert.deepEqual(
      notices.map(({ text }: { text: string }) => text),
      warnings,
    );
    assert.deepEqual(Object.keys(dashboards), [
      'stakewiz',
      'validatorsApp',
      'solanaBeach',
      'solscan',
      'jpool',
      'solanaCompass',
    ]);
    for (const url of [
      ...Object.values<string>(dashboards),
      ...Object.values<string>(additionalDashboards),
    ]) {
      assert.equal(new URL(url).protocol, 'https:');
      assert.ok(url.includes(sandbox.voteAccount), url);
    }
    assert.match(warnings.join(), /cluster custom/);
    const signature = await fund(sandbox, newWallet().walletAddress, SOL);
    const curls = onChainVerification.commands.filter((command: string) => command.startsWith('curl'));
    assert.equal(curls.length, 2);
    for (const command of curls) {
      const [, url, body] = /^curl -sS (\S+) -H 'Content-Type: application\/json' -d '(.+)'$/.exec(command)!;
      assert.equal(url, '<YOUR_RPC_URL>', 'an RPC URL may contain a key');
      const answer = await fetch(sandbox.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: body!.replace('<SIGNATURE>', signature),
      });
      const { result, error } = (await answer.json()) as { result: unknown; error?: unknown };
      assert.equal(error, undefined);
      assert.ok(result !== null, command);
    }
  });
});
