// Checks the autopilot's endpoints against a real service: who may set and end a policy, which of several
// concurrent requests wins, and which fields are returned.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { policyDeletionText, policyText } from '../../src/domain/autopilot/policy-text.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const PATH = '/api/v1/autopilot/policy';
const CALLBACK = 'https://hook.example/sweeps?token=hidden';
const SOL = 1_000_000_000n;

// biome-ignore lint/suspicious/noExplicitAny: tests assert fields of any response.
type Body = Record<string, any>;

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(shared().service.url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: (await response.json()) as Body };
};

/** Returns the values that a signature covers, with the genesis hash read from the chain itself. */
const scope = async () => {
  const { sandbox, service } = shared();
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash"}',
  });
  const { result } = (await response.json()) as { result: string };
  return {
    prefix: 'holdfast-autopilot',
    genesisHash: result,
    serviceOrigin: service.url,
    voteAccount: sandbox.voteAccount,
  } as Parameters<typeof policyText>[0];
};

const signed = (wallet: TestWallet, text: string): string => encodeBase58(wallet.sign(Buffer.from(text)));

const policyBody = async (wallet: TestWallet, nonce: number, more: Record<string, unknown> = {}) => {
  const body = {
    walletAddress: wallet.walletAddress,
    keepLiquidSol: 1.5,
    minSweepSol: 0.000000001,
    callbackUrl: CALLBACK,
    paused: false,
    nonce,
    ...more,
  };
  const lamports = (sol: unknown) => BigInt(Math.round(Number(sol) * 1e9));
  const text = policyText(await scope(), {
    walletAddress: wallet.walletAddress as never,
    keepLiquidLamports: lamports(body.keepLiquidSol),
    minSweepLamports: lamports(body.minSweepSol),
    callbackUrl: body.callbackUrl,
    paused: body.paused,
    nonce,
  });
  return { ...body, signature: signed(wallet, text) };
};

const deletion = async (wallet: TestWallet, nonce: number) => ({
  nonce,
  signature: signed(wallet, policyDeletionText(await scope(), wallet.walletAddress as never, nonce)),
});

it('a wallet sets, reads, changes and ends its policy; the secret is returned once', async () => {
  const wallet = newWallet();
  const own = `${PATH}/${wallet.walletAddress}`;
  assert.equal((await call('GET', own)).status, 404);
  const set = await call('POST', PATH, await policyBody(wallet, 10));
  assert.equal(set.status, 200, JSON.stringify(set.body));
  assert.match(set.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(set.body.keepLiquidSol, 1.5);
  assert.equal(set.body.minSweepSol, 0.000000001);
  const shown = await call('GET', own);
  assert.equal(shown.body.callbackOrigin, 'https://hook.example');
  assert.equal(shown.body.nonce, 10);
  for (const hidden of ['hidden', 'whsec_', (await policyBody(wallet, 10)).signature])
    assert.ok(!JSON.stringify(shown.body).includes(hidden), hidden);
  const changed = await call('POST', PATH, await policyBody(wallet, 11, { paused: true }));
  assert.equal(changed.body.secret, undefined);
  assert.equal(changed.body.paused, true);
  const ended = await call('DELETE', own, await deletion(wallet, 12));
  assert.deepEqual([ended.status, ended.body.deleted], [200, true]);
  const gone = await call('GET', own);
  assert.deepEqual([gone.status, gone.body.error, gone.body.lastNonce], [404, 'Policy not found', 12]);
});

it('setting or deleting a policy with a used nonce is refused with the last nonce', async () => {
  const wallet = newWallet();
  await call('POST', PATH, await policyBody(wallet, 20));
  for (const nonce of [19, 20]) {
    const set = await call('POST', PATH, await policyBody(wallet, nonce));
    assert.deepEqual([set.status, set.body.errorCode, set.body.lastNonce], [409, 'STALE_NONCE', 20]);
    const end = await call('DELETE', `${PATH}/${wallet.walletAddress}`, await deletion(wallet, nonce));
    assert.deepEqual([end.status, end.body.errorCode], [409, 'STALE_NONCE']);
  }
});

it('the highest nonce wins among fifty concurrent requests', async () => {
  const wallet = newWallet();
  const bodies = await Promise.all(
    Array.from({ length: 50 }, (_, at) => policyBody(wallet, at + 1, { keepLiquidSol: at + 1 })),
  );
  const responses = await Promise.all(bodies.map((body) => call('POST', PATH, body)));
  const others = responses.filter(({ status }) => status !== 200 && status !== 409);
  assert.deepEqual(others, [], 'set, or refused as too old');
  assert.equal(responses.filter(({ body }) => body.secret).length, 1, 'one secret');
  const { body } = await call('GET', `${PATH}/${wallet.walletAddress}`);
  assert.deepEqual([body.nonce, body.keepLiquidSol], [50, 50]);
});

it('a signature for another wallet, field, service, cluster or purpose is invalid, and the refusal contains the text to sign', async () => {
  const wallet = newWallet();
  const good = await policyBody(wallet, 30);
  const changes: Record<string, unknown>[] = [
    { walletAddress: newWallet().walletAddress },
    { keepLiquidSol: 1.500000001 },
    { minSweepSol: 0.000000002 },
    { callbackUrl: 'https://hook.example/other' },
    { paused: true },
    { nonce: 31 },
    { signature: (await deletion(wallet, 30)).signature },
    { signature: '1'.repeat(64) },
  ];
  for (const change of changes) {
    const { status, body } = await call('POST', PATH, { ...good, ...change });
    assert.deepEqual([status, body.errorCode], [400, 'INVALID_SIGNATURE'], JSON.stringify(change));
  }
  const refused = await call('POST', PATH, { ...good, signature: '1'.repeat(64) });
  const again = { ...good, signature: signed(wallet, refused.body.textToSign) };
  assert.equal((await call('POST', PATH, again)).status, 200, 'a signature of the returned text is accepted');
  const asPolicy = { nonce: 40, signature: (await policyBody(wallet, 40)).signature };
  const misused = await call('DELETE', `${PATH}/${wallet.walletAddress}`, asPolicy);
  assert.equal(
    misused.body.errorCode,
    'INVALID_SIGNATURE',
    'a signature for setting a policy does not delete one',
  );
});

it('a callback URL that is not canonical or leads to a private address is refused', async () => {
  const wallet = newWallet();
  for (const callbackUrl of [
    'https://hook.example',
    'https://HOOK.example/',
    'https://hook.example/a\nb',
    'not a url',
    'http://hook.example/',
    'https://127.0.0.1/',
    'https://user:pass@hook.example/',
  ]) {
    const { status, body } = await call('POST', PATH, await policyBody(wallet, 50, { callbackUrl }));
    assert.equal(status, 400, callbackUrl);
    assert.equal(body.errorCode, 'VALIDATION_ERROR', `${callbackUrl}: ${JSON.stringify(body)}`);
  }
  assert.equal((await call('GET', `${PATH}/${wallet.walletAddress}`)).status, 404);
});

it('a funded wallet gets one offer for its balance above the liquid reserve, which GET shows, and before that GET shows why there is none', async () => {
  const { sandbox } = shared();
  const wallet = newWallet();
  const own = `${PATH}/${wallet.walletAddress}`;
  await call('POST', PATH, await policyBody(wallet, 60));
  const until = async (have: (body: Body) => boolean) => {
    for (let nonce = 61; ; nonce += 1) {
      const { body } = await call('GET', own);
      if (have(body)) return body;
      // Setting the policy again triggers the autopilot immediately.
      await call('POST', PATH, await policyBody(wallet, nonce));
    }
  };
  assert.equal((await until(({ lastSkip }) => lastSkip !== null)).lastSkip.reason, 'WALLET_SHORT');
  await sandbox.airdrop(wallet.walletAddress, 6n * SOL, patience());
  const { lastSweep } = await until((body) => body.lastSweep !== null);
  assert.equal(lastSweep.amountSol, 4.49999);
  const built = await call('POST', '/api/v1/stake/transaction', {
    walletAddress: wallet.walletAddress,
    amountSol: lastSweep.amountSol,
    idempotencyKey: `autopilot-${wallet.walletAddress}-${lastSweep.epoch}`,
  });
  assert.equal(
    built.status,
    200,
    'a key composed of the wallet and the epoch is an ordinary key, not the key of the offer',
  );
  const paused = await fundedWallet(sandbox, 9);
  await call('POST', PATH, await policyBody(paused, 1, { paused: true }));
  await call('POST', PATH, await policyBody(wallet, 999));
  assert.equal((await call('GET', `${PATH}/${paused.walletAddress}`)).body.lastSweep, null);
  assert.deepEqual((await call('GET', own)).body.lastSweep, lastSweep, 'still the sweep of this epoch');
});
