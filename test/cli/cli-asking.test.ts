// Checks the steps before a signature: the user is asked, an expired transaction is rebuilt for the same
// request, and transactions with unrequested effects are refused.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type Address, getBase58Encoder } from '@solana/kit';
import { ComputeBudgetProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { machineClock } from '../../client/client-clock.ts';
import { buildTransaction } from '../../src/chain/transactions/transaction.ts';
import { toBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { encodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { newWallet } from '../support/wallets.ts';
import { type CliSurroundings, holdfast, keypairFile, trustService } from './cli-runner.ts';
import { startForwardingProxy } from './forwarding-proxy.ts';

const shared = sharedSandboxService({ before, after });
const decode = (address: string) => Uint8Array.from(getBase58Encoder().encode(address));
const STAKE = '/api/v1/stake/transaction';

/** Sets up a funded wallet behind a proxy that records what was sent. */
const start = async (t: TestContext) => {
  const proxy = await startForwardingProxy(t, shared().service.url);
  const wallet = keypairFile(t);
  const { walletAddress } = wallet;
  await shared().client.sandboxAirdrop({ walletAddress, amountSol: 10 });
  await trustService(proxy.url);
  const run = (args: readonly string[], surroundings?: CliSurroundings) =>
    holdfast([...args, '--url', proxy.url, '--keypair', wallet.path], surroundings);
  const count = (path: string): number => proxy.exchanges.filter((each) => each.path === path).length;
  return {
    proxy,
    wallet,
    walletAddress,
    run,
    built: () => count(STAKE),
    submitted: () => count('/api/v1/transaction/submit'),
  };
};

test('nothing is signed or sent if the user declines, and any reply other than yes declines', async (t) => {
  const { run, submitted } = await start(t);
  for (const response of ['n', '', 'yess', 'maybe']) {
    const { code, stderr } = await run(['stake', '2'], { responses: [response] });
    assert.equal(code, 1);
    assert.match(stderr, /Not signed\. Nothing was sent/);
  }
  assert.equal(submitted(), 0);
});

test('without a terminal, a transaction is signed only if --yes is given, even with --json', async (t) => {
  const { run, submitted, built } = await start(t);
  assert.equal((await run(['stake', '2'])).code, 2);
  assert.equal((await run(['stake', '2', '--json'])).code, 2);
  assert.deepEqual([built(), submitted()], [0, 0]);
  assert.equal((await run(['stake', '2', '--json', '--yes'])).code, 0);
  assert.equal((await run(['stake', '2', '--yes'])).code, 0);
  assert.equal(submitted(), 2);
});

test('with --json, the user at the terminal is still asked, and the prompt is not part of the JSON document', async (t) => {
  const { run } = await start(t);
  const { code, stdout, stderr } = await run(['stake', '2', '--json'], { responses: ['yes'] });
  assert.equal(code, 0);
  assert.ok(JSON.parse(stdout).signature);
  assert.match(stderr, /^Stake 2 SOL$/m);
});

test('a transaction that expires while the user decides is rebuilt for the same request, then shown and approved again', async (t) => {
  const { run, proxy, built, submitted } = await start(t);
  let nowMs = 0;
  const think = (): string => {
    nowMs += 3_600_000;
    return 'y';
  };
  const { code, stdout } = await run(['stake', '2'], {
    responses: [think, 'y'],
    clock: { ...machineClock, now: () => nowMs },
  });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^! The transaction expired before you approved it, and was not signed\. Rebuilding it/m,
  );
  assert.equal(stdout.match(/^Stake 2 SOL$/gm)?.length, 2);
  assert.deepEqual([built(), submitted()], [2, 1]);
  const keys = proxy.exchanges
    .filter(({ path }) => path === STAKE)
    .map(({ sent }) => /cli-[\w-]+/.exec(sent)?.[0]);
  assert.ok(keys[0]);
  assert.equal(keys[0], keys[1]);
  const stakeAccounts = new Set(stdout.match(/\w+(?= \(a new stake account\))/g));
  assert.equal(stakeAccounts.size, 1);
});

test('a transaction is built, shown and approved again if the epoch ends while the user decides', async (t) => {
  const { run, submitted } = await start(t);
  const staked = await run(['stake', '2', '--yes', '--json']);
  await run(['epoch', '--end', '1', '--yes']);
  const endEpoch = async (): Promise<string> => {
    await run(['epoch', '--end', '1', '--yes']);
    return 'y';
  };
  const unstake = ['unstake', String(staked.json().stakeAccountAddress)];
  const { code, stdout, stderr } = await run(unstake, { responses: [endEpoch, 'y'] });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /! The epoch ended while you decided/);
  assert.equal(stdout.match(/^Unstake/gm)?.length, 2);
  assert.equal(submitted(), 2);
});

test('--yes does not stake while there is a critical notice about the validator; a person on a terminal may', async (t) => {
  const { run, proxy, submitted } = await start(t);
  proxy.change = ({ path }, body) =>
    path === STAKE
      ? { body: { ...body, notices: [{ severity: 'critical', text: 'It does not vote.' }] } }
      : undefined;
  const refused = await run(['stake', '2', '--yes']);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /It does not vote\. .*Nothing was signed.*\n {2}Run it on a terminal without --yes/,
  );
  assert.match(
    String((await run(['stake', '2', '--yes', '--json'])).error().suggestedAction),
    /signUrl|without --yes/,
  );
  assert.equal(submitted(), 0);
  assert.equal((await run(['stake', '2'], { responses: ['y'] })).code, 0);
});

test('a transaction reported as expired is rebuilt, and only one of the two lands', async (t) => {
  const { run, proxy, walletAddress, submitted } = await start(t);
  let refusals = 0;
  proxy.change = ({ path }) => {
    if (!path.endsWith('/submit') || refusals > 0) return undefined;
    refusals += 1;
    // The transaction did land, so this report is false. No other false report could cause more harm.
    return { status: 400, body: { errorCode: 'BLOCKHASH_EXPIRED', error: 'x', message: 'It expired.' } };
  };
  const { code, stderr } = await run(['stake', '2', '--yes', '--json', '--yes']);
  assert.equal(submitted(), 1);
  assert.equal(code, 1);
  assert.equal(JSON.parse(stderr).errorCode, 'STAKE_ADDRESS_OCCUPIED');
  const { accounts } = await shared().client.listStakeAccounts({ walletAddress });
  assert.equal(accounts.length, 1, 'one intent creates one stake account');
});

test('after an unknown outcome, the signature and the idempotency key needed to check it are shown', async (t) => {
  const { run, proxy } = await start(t);
  proxy.change = ({ path }) =>
    path.endsWith('/submit') ? { status: 502, body: { gateway: 'gave up' } } : undefined;
  const { code, stderr } = await run(['stake', '2', '--json', '--yes', '--idempotency-key', 'order-5']);
  assert.equal(code, 3);
  const body = JSON.parse(stderr) as Record<string, string>;
  assert.deepEqual([body.errorCode, body.idempotencyKey], ['BAD_ANSWER', 'order-5']);
  proxy.change = undefined;
  assert.equal((await run(['verify', body.signature!])).code, 0, 'it had landed');
  const again = await run(['stake', '2', '--json', '--yes', '--idempotency-key', 'order-5']);
  assert.deepEqual([again.code, JSON.parse(again.stdout).signature], [0, body.signature]);
});

test('if interrupted while waiting for the cluster, the command says that the transaction may still land', async (t) => {
  const { run, proxy } = await start(t);
  const stop = new AbortController();
  proxy.change = ({ path }) => {
    if (path.endsWith('/submit')) stop.abort();
    return undefined;
  };
  const { code, stderr } = await run(['stake', '2', '--yes'], { signal: stop.signal });
  assert.equal(code, 130);
  assert.match(
    stderr,
    /The transaction was signed and may still land\. Check it with holdfast verify \w{80,}/,
  );
  const [, next] = /To continue: holdfast (stake 2 --yes .*--idempotency-key cli-\S+)$/m.exec(stderr)!;
  proxy.change = undefined;
  const again = await run(next!.split(' '));
  assert.deepEqual([again.code, again.stderr], [0, '']);
});

test('if interrupted while waiting for the epoch, the command says that the stake is confirmed, and a repetition waits again', async (t) => {
  const { run, proxy, submitted } = await start(t);
  const stopAfter = async (last: string, ...more: string[]) => {
    const stop = new AbortController();
    let hasLanded = false;
    proxy.change = ({ path }) => {
      if (hasLanded) stop.abort();
      hasLanded = path === last;
      return undefined;
    };
    const given = ['stake', '2', '--wait', '--yes', '--idempotency-key', 'waiting', ...more];
    return run(given, { signal: stop.signal });
  };
  const first = await stopAfter('/api/v1/transaction/submit', '--json');
  const { errorCode, message, signature, idempotencyKey } = first.error();
  assert.deepEqual([first.code, errorCode, idempotencyKey], [130, 'ABORTED', 'waiting']);
  assert.equal(message, 'Interrupted. The transaction is confirmed; only the wait for the epoch has ended.');
  const again = await stopAfter(STAKE);
  assert.deepEqual([again.code, submitted()], [130, 1]);
  assert.ok(again.stdout.includes(String(signature)));
  assert.match(again.stderr, /only the wait .*\n {2}To continue: holdfast stake 2 --wait/);
});

test('a change of another nonce account is refused before it is signed, with the error body on standard error', async (t) => {
  const { run, proxy, submitted } = await start(t);
  proxy.change = ({ path }, body) =>
    path.includes('nonce')
      ? { body: { ...body, nonceAccountAddress: newWallet().walletAddress } }
      : undefined;
  const refused = await run(['nonce', 'create', '--yes', '--json']);
  assert.deepEqual([refused.code, refused.stdout, submitted()], [1, '', 0]);
  assert.equal(refused.error().errorCode, 'NOT_AS_ASKED');
  proxy.change = undefined;
  assert.equal((await run(['nonce', 'create', '--yes', '--json'])).code, 0);
});

test('a transaction with unrequested effects is refused before it is signed', async (t) => {
  const { proxy, run, walletAddress, submitted } = await start(t);
  const { validatorVoteAccount } = await shared().client.listStakeAccounts({ walletAddress });
  const outsider = newWallet().walletAddress as Address;
  const stakeAccount = newWallet().walletAddress as Address;
  const honest = {
    wallet: walletAddress as Address,
    stakeAccount,
    voteAccount: validatorVoteAccount as Address,
    lamports: 2_000_000_000n,
    memo: 'holdfast sandbox',
    blockhash: encodeBase58(new Uint8Array(32).fill(7)),
  };
  const transaction = (built: Parameters<typeof encodeWire>[0]): string => toBase64(encodeWire(built));
  /**
   * Replaces the withdraw authority, which is the last occurrence of the wallet's address in the transaction.
   */
  const withdrawer = (): string => {
    const bytes = Buffer.from(encodeWire(buildTransaction.stake(honest)));
    const [own, other] = [walletAddress, outsider].map((address) => Buffer.from(decode(address))) as [
      Buffer,
      Buffer,
    ];
    other.copy(bytes, bytes.lastIndexOf(own));
    return bytes.toString('base64');
  };
  /** Prepends an unrequested compute unit price, lower than the prices that wallets add. */
  const priced = (behind: readonly number[]): string => {
    const { message } = VersionedTransaction.deserialize(encodeWire(buildTransaction.stake(honest)));
    const draft = TransactionMessage.decompile(message);
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000 });
    price.data = Buffer.concat([price.data, Buffer.from(behind)]);
    draft.instructions.unshift(price);
    return toBase64(new VersionedTransaction(draft.compileToV0Message()).serialize());
  };
  const cases: Readonly<Record<string, string>> = {
    validator: transaction(buildTransaction.stake({ ...honest, voteAccount: outsider })),
    amount: transaction(buildTransaction.stake({ ...honest, lamports: 9_000_000_000n })),
    feePayer: transaction(buildTransaction.stake({ ...honest, wallet: outsider })),
    withdrawAuthority: withdrawer(),
    priorityFee: priced([]),
    'priorityFee behind an ignored byte': priced([0]),
  };
  for (const [name, changed] of Object.entries(cases)) {
    const field = name.split(' ')[0]!;
    proxy.change = ({ path }, body) =>
      path === STAKE ? { body: { ...body, transaction: changed } } : undefined;
    const refused = await run(['stake', '2', '--json', '--yes']);
    assert.equal(refused.code, 1, field);
    assert.equal(refused.error().errorCode, 'NOT_AS_ASKED');
    const wrong = (refused.error().fields as { field: string; ok: boolean }[]).filter(({ ok }) => !ok);
    assert.ok(
      wrong.some((each) => each.field === field),
      `${field}: ${JSON.stringify(wrong)}`,
    );
    const shown = await run(['stake', '2', '--yes']);
    assert.match(shown.stderr, new RegExp(`Do not sign it elsewhere[\\s\\S]*${field}: `));
  }
  for (const changed of [transaction(buildTransaction.unstake(honest)), 'AAAA', '']) {
    proxy.change = ({ path }, body) =>
      path === STAKE ? { body: { ...body, transaction: changed } } : undefined;
    assert.equal((await run(['stake', '2', '--json', '--yes'])).error().errorCode, 'NOT_AS_ASKED');
  }
  // Each field of this withdrawal to the wallet itself is valid, but the user requested an unstake.
  const withdrawal = transaction(buildTransaction.withdraw(honest));
  proxy.change = ({ path }, body) =>
    path.endsWith('/transaction') ? { status: 200, body: { ...body, transaction: withdrawal } } : undefined;
  assert.equal((await run(['unstake', stakeAccount, '--json', '--yes'])).error().errorCode, 'NOT_AS_ASKED');
  assert.equal(submitted(), 0);
});

test('--vote pins the validator, regardless of the vote account that the service reports', async (t) => {
  const { run, submitted } = await start(t);
  const vote = newWallet().walletAddress;
  for (const [args, environment] of [
    [['--vote', vote], {}],
    [[], { HOLDFAST_VOTE_ACCOUNT: vote }],
  ] as const) {
    const refused = await run(['stake', '2', '--json', '--yes', ...args], { environment });
    assert.equal(refused.code, 1);
    assert.equal(refused.error().errorCode, 'NOT_AS_ASKED');
  }
  assert.equal(submitted(), 0);
});

test('verify checks the transaction locally, also asks the service, and refuses if the two results differ', async (t) => {
  const { run, proxy, walletAddress } = await start(t);
  const { transaction } = await shared().client.createStakeTransaction({ walletAddress, amountSol: 2 });
  const fine = await run(['verify', transaction, '--amount', '2', '--json']);
  assert.equal(fine.code, 0);
  assert.deepEqual([fine.json().ok, fine.json().serviceSaysOk], [true, true]);
  assert.equal((fine.json().recognized as { lamports: string }).lamports, '2000000000');
  const wrong = await run(['verify', transaction, '--amount', '3']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /DO NOT SIGN/);
  assert.equal((await run(['verify', transaction, '--wallet', newWallet().walletAddress])).code, 1);

  proxy.change = ({ path }, body) =>
    path.startsWith('/api/v1/verify/') ? { body: { ...body, ok: false } } : undefined;
  assert.equal((await run(['verify', transaction])).code, 1);
  proxy.change = undefined;
  const asked = proxy.exchanges.length;
  const { validatorVoteAccount } = await shared().client.listStakeAccounts({ walletAddress });
  const offline = await run(['verify', transaction, '--offline', '--vote', validatorVoteAccount, '--json']);
  assert.deepEqual([offline.code, offline.json().serviceSaysOk], [0, null]);
  assert.equal(proxy.exchanges.length, asked, 'offline sends nothing');
  assert.equal((await run(['verify', 'nonsense', '--offline', '--vote', validatorVoteAccount])).code, 2);
});

test('text from the service cannot control the terminal', async (t) => {
  const { run, proxy } = await start(t);
  proxy.change = ({ path }, body) =>
    path === '/api/v1/validator'
      ? { body: { ...body, name: 'Nice\u001b[2J\u202eevil\nvote account  fake' } }
      : undefined;
  const { stdout } = await run(['validator']);
  assert.match(stdout, /^validator +Nice.\[2J.evil.vote account {2}fake$/m);
  assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u202e'));
});
