// NONCE-1: submissions with nonces through faulty proxies have the outcome that the chain shows. At most one of
// several transactions with the same nonce value lands, and none is reported as expired if it landed or can
// still land.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSolanaRpc, signature } from '@solana/kit';
import { Refusal } from '../../demo/http-client.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const SUBMISSIONS = FULL ? 500 : 40;
const WALLETS_AT_ONCE = 20;
const SWALLOWED = 3;
/** The service follows a submission with a nonce for about 300 blocks, which take 9 s. */
const SLOT_MS = 30;
/** Minimum share of submissions per outcome. */
const MIN_SHARE = { confirmed: 0.2, expired: 0.2 };
/** Drops few requests, because the service waits 10 s for each dropped one. */
const chances = {
  'drop-after': 0.02,
  'reset-before': 0.05,
  'reset-after': 0.06,
  delay: 0.06,
  stale: 0.06,
  duplicate: 0.04,
  swallow: 0.3,
};

interface Submitted {
  readonly nonce: string;
  readonly signature: string;
  readonly signed: string;
  readonly value: string;
  ending: string;
}

const shared = sharedSandbox({ before, after }, { slotMs: SLOT_MS });

const signatureOf = (signed: string): string =>
  decodeWire(new Uint8Array(Buffer.from(signed, 'base64'))).signature!;

/** Submits a transaction. Returns the outcome that the service reports. */
const submit = async (service: TestService, signedTransaction: string): Promise<string> => {
  try {
    await service.client.post('/api/v1/transaction/submit', { signedTransaction });
    return 'confirmed';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return String(error.errorCode);
  }
};

test(`NONCE-1: ${SUBMISSIONS} submissions with nonces through faulty nodes have the outcome that the chain shows`, async (t) => {
  const sandbox = shared.get();
  const options = { target: sandbox.rpcUrl, longestDelayMs: 2_000 };
  await using first = await startFaultyProxy({ ...options, seed: 700 });
  await using second = await startFaultyProxy({ ...options, seed: 701 });
  const proxies: readonly FaultyProxy[] = [first, second];
  const builder = await startService(t, settingsFor(sandbox));
  const faulty = await startService(t, {
    ...settingsFor(sandbox),
    HOLDFAST_RPC_URL: proxies.map(({ url }) => url).join(','),
    HOLDFAST_WS_URL: [sandbox.wsUrl, sandbox.wsUrl].join(','),
    HOLDFAST_RATE_LIMIT: '1000000',
  });
  const build = (path: string, body: Readonly<Record<string, unknown>>) =>
    builder.client.post(`/api/v1/${path}`, body);
  const all: Submitted[] = [];

  /** Sends two or three transactions with the same nonce value, concurrently or one after the other. */
  const race = async (wallet: TestWallet, nonce: string, round: number): Promise<void> => {
    const { walletAddress } = wallet;
    const amounts = [0.001, 0.002, 0.003].slice(0, 2 + (round % 2));
    const rivals = await Promise.all(
      amounts.map(async (amountSol): Promise<Submitted> => {
        const { transaction, blockhash } = await build('donate', { walletAddress, amountSol, nonce });
        const signed = signedBy(wallet, transaction);
        return { nonce, signature: signatureOf(signed), signed, value: blockhash, ending: '' };
      }),
    );
    all.push(...rivals);
    const sendOne = async (one: Submitted) => {
      one.ending = await submit(faulty, one.signed);
    };
    if (round % 3 === 0) for (const one of rivals) await sendOne(one);
    else await Promise.all(rivals.map(sendOne));
    // Without this, the next round would use the same nonce value.
    const advance = await build('nonce/advance/transaction', { walletAddress, nonceAccountAddress: nonce });
    assert.equal(await submit(builder, signedBy(wallet, advance.transaction)), 'confirmed');
  };

  const work = async (rounds = Number.POSITIVE_INFINITY): Promise<void> => {
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const created = await build('nonce/create/transaction', { walletAddress });
    assert.equal(await submit(builder, signedBy(wallet, created.transaction)), 'confirmed');
    for (let round = 0; round < rounds && (rounds === 1 || all.length < SUBMISSIONS); round += 1)
      await race(wallet, created.nonceAccountAddress, round);
  };
  for (const proxy of proxies) proxy.setChances(chances);
  await Promise.all(Array.from({ length: WALLETS_AT_ONCE }, () => work()));
  // These nodes accept everything and forward nothing, so the chain decides only after the service has given up
  // on the submission.
  for (const proxy of proxies) proxy.setChances({ swallow: 1 });
  await Promise.all(Array.from({ length: SWALLOWED }, () => work(1)));
  for (const proxy of proxies) proxy.setChances({});

  const counts = Object.fromEntries(
    Object.entries(Object.groupBy(all, ({ ending }) => ending)).map(([ending, list]) => [
      ending,
      list!.length,
    ]),
  );
  t.diagnostic(JSON.stringify({ submissions: all.length, ...counts }));
  const rpc = createSolanaRpc(sandbox.rpcUrl);
  const landed = async (one: Submitted): Promise<boolean> => {
    const { value } = await rpc
      .getSignatureStatuses([signature(one.signature)], { searchTransactionHistory: true })
      .send();
    return value[0] !== null && value[0]?.err === null;
  };
  const lies: string[] = [];
  const note = async (one: Submitted, ending: string): Promise<void> => {
    const has = await landed(one);
    if (has !== (ending === 'confirmed')) lies.push(`${one.signature}: ${ending}, landed ${has}`);
  };
  for (const one of all) if (one.ending !== 'SUBMISSION_UNRESOLVED') await note(one, one.ending);
  // Every nonce has advanced, so each unresolved submission now has an outcome.
  for (const one of all)
    if (one.ending === 'SUBMISSION_UNRESOLVED') {
      let ending = one.ending;
      while (ending === 'SUBMISSION_UNRESOLVED') ending = await submit(faulty, one.signed);
      await note(one, ending);
    }
  assert.deepEqual(lies, []);
  for (const rivals of Object.values(Object.groupBy(all, ({ nonce, value }) => `${nonce} ${value}`))) {
    const winners = await Promise.all(rivals!.map(landed));
    assert.ok(winners.filter(Boolean).length <= 1, 'a nonce value was used twice');
  }
  const { confirmed = 0, BLOCKHASH_EXPIRED: expired = 0, SUBMISSION_UNRESOLVED: unresolved = 0 } = counts;
  assert.ok(all.length >= SUBMISSIONS);
  assert.ok(confirmed >= MIN_SHARE.confirmed * SUBMISSIONS, `${confirmed} confirmed`);
  assert.ok(expired >= MIN_SHARE.expired * SUBMISSIONS, `${expired} expired`);
  assert.ok(unresolved >= SWALLOWED, `${unresolved} unresolved at first`);
  for (const proxy of proxies) assert.ok(proxy.counts.swallow > 0);
  assert.ok(proxies.some(({ counts }) => counts['drop-after'] > 0));
});
