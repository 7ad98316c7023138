// Tests the page's flow against a real HTTP server: the service's transactions are checked against the page's
// own data.
import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import type { Wallet } from '@wallet-standard/base';
import type { RequestKind, StakingRequest } from '../../../client/staking/staking-request.ts';
import { buildTransaction } from '../../../src/chain/transactions/transaction.ts';
import { encodeWire } from '../../../src/chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { pageOrigin, respondWith } from '../../../test/support/page-origin.ts';
import { addPriorityFee, signedByEditingWallet } from '../../../test/support/wallet-edits.ts';
import { newWallet, signedBy } from '../../../test/support/wallets.ts';

const signer = newWallet();
const wallet = signer.walletAddress as Address;
const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [stakeAccountAddress, voteAccount, outsider] = [key(2), key(3), key(9)];
const common = { wallet, stakeAccount: stakeAccountAddress, memo: 'example.org', blockhash: key(16) };
const base64 = (built: Parameters<typeof encodeWire>[0]) => Buffer.from(encodeWire(built)).toString('base64');
const STAKE = { ...common, voteAccount, lamports: 2_500_000_001n };
const built = {
  stake: (more: object = {}) => base64(buildTransaction.stake({ ...STAKE, ...more })),
  unstake: (more: object = {}) => base64(buildTransaction.unstake({ ...common, ...more })),
  withdraw: (more: object = {}) => base64(buildTransaction.withdraw({ ...common, lamports: 7n, ...more })),
};

const asked: { path: string; key: string | undefined; body: Record<string, unknown> }[] = [];
let transaction = '';
let isHomeDown = false;
const responses: Readonly<Record<string, () => object>> = {
  '/api/v1/validator': () => ({ voteAccount, _meta: { cluster: 'devnet' } }),
  '/api/v1/verify/code': () => ({
    memoProgram: { expectedMemo: common.memo },
    identity: { genesisHash: 'genesis' },
  }),
  '/api/v1/transaction/submit': () => ({ signature: 'landed', explorerUrl: 'https://explorer.example' }),
};
/** Intercepts the next request at `path`: resolves when it arrives, and lets it continue when released. */
const hold = (path: string, status = 200) => {
  const [arrival, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gates.push(gate.resolve);
  held.set(path, { status, arrive: arrival.resolve, released: gate.promise });
  return { asked: arrival.promise, release: gate.resolve };
};
const gates: (() => void)[] = [];
const held = new Map<string, { status: number; arrive: () => void; released: Promise<void> }>();
respondWith(async (request, response) => {
  const path = request.url ?? '';
  const body = request.method === 'POST' ? ((await json(request)) as Record<string, unknown>) : {};
  asked.push({ path, key: request.headers['idempotency-key'] as string | undefined, body });
  const holding = held.get(path);
  held.delete(path);
  holding?.arrive();
  await holding?.released;
  const isUnknown = holding?.status === 404;
  const isDown = isHomeDown && path === '/api/v1/validator';
  const answer = isDown
    ? { error: 'Down', errorCode: 'UPSTREAM_UNAVAILABLE', message: 'Later.' }
    : isUnknown
      ? { error: 'Not found', errorCode: 'NOT_FOUND', message: 'Not known.' }
      : (responses[path]?.() ?? {
          transaction,
          lastValidBlockHeight: 150,
          estimatedExpiresAt: '2999-01-01T00:01:00.000Z',
          _meta: { timestamp: '2999-01-01T00:00:00.000Z' },
          stakeAccountAddress,
          warnings: [],
        });
  response.writeHead(isDown ? 502 : (holding?.status ?? 200), { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer));
});
after(() => queries.clear());

const stored = new Map<string, string>();
let isBlocked = false;
Object.defineProperty(globalThis, 'localStorage', {
  get: () => {
    if (isBlocked) throw new Error('Access is denied for this document.');
    return {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    };
  },
});
Object.assign(globalThis, {
  window: new EventTarget(),
  document: Object.assign(new EventTarget(), { visibilityState: 'visible', querySelectorAll: () => [] }),
  location: { origin: pageOrigin },
});
const { walletState } = await import('../wallet/wallet-connection.ts');
const { QueryObserver } = await import('@tanstack/react-query');
const { queries, queryOf } = await import('../api/use-resource.ts');

type Sign = (transaction: string) => string;
const honest: Sign = (text) => signedBy(signer, text);
const chains: unknown[] = [];

const connect = (sign: Sign): void => {
  const account = { address: wallet, publicKey: signer.publicKeyBytes, chains: [], features: [] };
  const signTransaction = async (input: { transaction: Uint8Array; chain: string }) => {
    chains.push(input.chain);
    const signed = sign(Buffer.from(input.transaction).toString('base64'));
    return [{ signedTransaction: Uint8Array.from(Buffer.from(signed, 'base64')) }];
  };
  const features = { 'solana:signTransaction': { version: '1.0.0', signTransaction } };
  const connected = { name: 'Signer', features } as unknown as Wallet;
  walletState.set({ status: 'connected', wallet: connected, account, error: null });
};

let pages = 0;
/** Imports the flow as a newly opened page would, so it reads its cached values again. */
const openPage = async () => {
  pages += 1;
  const path = `./use-page-flow.ts?page=${pages}`;
  return ((await import(path)) as typeof import('./use-page-flow.ts')).flow;
};
const play = async (request: StakingRequest, sign = honest) => {
  connect(sign);
  const flow = await openPage();
  await flow.begin(request);
  const reviewed = flow.state.get();
  await flow.approve();
  return { flow, reviewed, ended: flow.state.get() };
};
const followed = (name: string, load: () => Promise<unknown>) =>
  new QueryObserver(queries, queryOf(name, load, 1e9)).subscribe(() => undefined);
const timesAsked = (path: string): number => asked.filter((one) => one.path === path).length;
/** Resolves once all earlier requests have arrived. */
const roundTrip = async (): Promise<void> => {
  await (await fetch(`${pageOrigin}/`)).text();
};
const requestOf = (kind: RequestKind, amountLamports?: bigint): StakingRequest =>
  ({
    kind,
    walletAddress: wallet,
    ...(kind === 'stake'
      ? { amountLamports: amountLamports ?? 2_500_000_001n }
      : { stakeAccountAddress, ...(amountLamports === undefined ? {} : { amountLamports }) }),
  }) as StakingRequest;

afterEach(() => {
  for (const release of gates.splice(0)) release();
  held.clear();
});
beforeEach(() => {
  asked.length = 0;
  chains.length = 0;
  stored.clear();
  isHomeDown = false;
  isBlocked = false;
  transaction = built.stake();
});

describe('a request', () => {
  it('is built to the lamport, signed for the cluster, and submitted with one stored key', async () => {
    let reads = 0;
    const stops = [
      followed('cluster/epoch', async () => ({ _meta: { cluster: 'devnet' } })),
      followed('wallet/any', async () => ++reads),
    ];
    const { ended } = await play(requestOf('stake'));
    for (const stop of stops) stop();
    assert.deepEqual([ended.step, ended.record?.signature, ended.error], ['confirmed', 'landed', undefined]);
    const { idempotencyKey } = ended.record!;
    assert.match(idempotencyKey, /^[0-9a-f]{32}$/);
    const bodies = asked.flatMap(({ key: used, body }) => (used === idempotencyKey ? [body] : []));
    assert.deepEqual(bodies, [
      { walletAddress: wallet, amountSol: 2.500000001 },
      { signedTransaction: honest(transaction) },
    ]);
    assert.deepEqual(chains, ['solana:devnet']);
    assert.equal(JSON.parse(stored.get('holdfast-transaction')!).signature, 'landed');
    assert.equal(reads, 2, 'wallet data is read again');
  });

  it('contains the amount of a withdrawal only if it is partial, and the account if one is affected', async () => {
    for (const [kind, amountLamports, body] of [
      ['unstake', undefined, { walletAddress: wallet, stakeAccountAddress }],
      ['withdraw', undefined, { walletAddress: wallet, stakeAccountAddress }],
      ['withdraw', 7n, { walletAddress: wallet, stakeAccountAddress, amountSol: 7e-9 }],
    ] as const) {
      transaction = built[kind]();
      const { ended } = await play(requestOf(kind, amountLamports));
      assert.equal(ended.step, 'confirmed', kind);
      const build = asked.findLast(({ path }) => path === `/api/v1/${kind}/transaction`);
      assert.deepEqual(build?.body, body);
    }
  });
});

it('a transaction lives as long as the service states, independent of this machine’s clock', async () => {
  connect(honest);
  const flow = await openPage();
  const beforeMs = Date.now();
  await flow.begin(requestOf('stake'));
  const { expiresAtMs } = flow.state.get().built!;
  assert.ok(expiresAtMs >= beforeMs + 60_000 && expiresAtMs <= Date.now() + 60_000, String(expiresAtMs));
});

describe('a transaction with a different effect', () => {
  it('built by the service never reaches the wallet', async () => {
    const withFee = signedByEditingWallet(signer, built.unstake(), (draft) => addPriorityFee(draft));
    for (const [what, request, text] of [
      ['another validator', requestOf('stake'), built.stake({ voteAccount: outsider })],
      ['another memo', requestOf('stake'), built.stake({ memo: 'example.com' })],
      ['a lamport more', requestOf('stake'), built.stake({ lamports: 2_500_000_002n })],
      ['another kind', requestOf('unstake'), built.withdraw()],
      ['another account', requestOf('unstake'), built.unstake({ stakeAccount: outsider })],
      ['another recipient', requestOf('withdraw'), built.withdraw({ recipient: outsider })],
      ['another wallet', requestOf('unstake'), built.unstake({ wallet: outsider })],
      ['a priority fee', requestOf('unstake'), withFee],
    ] as const) {
      transaction = text;
      const { reviewed, ended } = await play(request);
      assert.deepEqual(
        [reviewed.step, reviewed.built?.verdict.ok, ended.step],
        ['review', false, 'review'],
        what,
      );
    }
    assert.deepEqual(chains, []);
  });

  it('returned by the wallet is not submitted, except with a priority fee that the wallet added', async () => {
    transaction = built.withdraw();
    const other = await play(requestOf('withdraw'), () => honest(built.withdraw({ recipient: outsider })));
    assert.match(String(other.ended.error), /other than what you reviewed/);
    assert.equal(timesAsked('/api/v1/transaction/submit'), 0);
    transaction = built.stake();
    const elsewhere = await play(requestOf('stake'), () => honest(built.stake({ stakeAccount: outsider })));
    assert.match(
      String(elsewhere.ended.error),
      /other than what you reviewed/,
      'it must concern the reviewed account',
    );
    assert.equal(timesAsked('/api/v1/transaction/submit'), 0);
    transaction = built.withdraw();
    const paying = await play(requestOf('withdraw'), (text) =>
      signedByEditingWallet(signer, text, (draft) => addPriorityFee(draft)),
    );
    assert.equal(paying.ended.step, 'confirmed');
  });
});

it('a submission counts as delivered once the service knows it, which is polled every 1.5 seconds until the submission ends', async (t) => {
  connect(honest);
  const flow = await openPage();
  await flow.begin(requestOf('stake'));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const submission = hold('/api/v1/transaction/submit');
  const approving = flow.approve();
  await submission.asked;
  const path = `/api/v1/transaction/${flow.state.get().record?.signature}`;
  const unknown = hold(path, 404);
  t.mock.timers.tick(1_499);
  await roundTrip();
  assert.equal(timesAsked(path), 0);
  t.mock.timers.tick(1);
  await unknown.asked;
  const known = hold(path);
  unknown.release();
  for (let trip = 0; trip < 20 && timesAsked(path) < 2; trip += 1) {
    await roundTrip();
    t.mock.timers.tick(1_500);
  }
  await roundTrip();
  assert.equal(timesAsked(path), 2, 'polled again because the service did not know it');
  assert.equal(flow.state.get().acknowledged, false, 'the service did not know it');
  const acknowledged = new Promise<void>((resolve) => {
    flow.state.subscribe(() => flow.state.get().acknowledged && resolve());
  });
  known.release();
  await acknowledged;
  assert.equal(flow.state.get().step, 'submitting');
  submission.release();
  await approving;
  assert.equal(flow.state.get().step, 'confirmed');

  asked.length = 0;
  const { ended } = await play(requestOf('stake'));
  assert.equal(ended.step, 'confirmed');
  t.mock.timers.tick(1_500);
  await roundTrip();
  assert.deepEqual(
    asked.filter(({ path: one }) => /^\/api\/v1\/transaction\/(?!submit)/.test(one)),
    [],
  );
});

describe('obstacles', () => {
  it('a validator that could not be read is read again until it succeeds', async () => {
    connect(honest);
    const flow = await openPage();
    const begin = () => flow.begin(requestOf('stake'));
    isHomeDown = true;
    await begin();
    assert.equal(flow.state.get().step, 'failed');
    isHomeDown = false;
    await begin();
    assert.equal(flow.state.get().step, 'review');
    flow.dismiss();
    await begin();
    assert.deepEqual([timesAsked('/api/v1/validator'), timesAsked('/api/v1/verify/code')], [2, 1]);
  });

  it('if the browser cannot store data the page opens, but signs nothing that it could forget', async () => {
    isBlocked = true;
    const { flow, ended } = await play(requestOf('stake'));
    assert.deepEqual([ended.step, chains], ['failed', []]);
    assert.match(String(ended.error), /Access is denied/);
    flow.dismiss();
    assert.equal(flow.state.get().step, 'idle');
  });
});
