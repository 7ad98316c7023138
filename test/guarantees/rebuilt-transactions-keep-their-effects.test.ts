// REBUILD-1: a rebuilt expired transaction differs only in its lifetime, or the response says what else
// changed. At most one transaction per idempotency key lands.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBase58Encoder } from '@solana/kit';
import { Refusal } from '../../demo/http-client.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { createTally } from '../support/count-outcomes.ts';
import { outlive, rpc } from '../support/expired-transactions.ts';
import { fund, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { createTruthRandom } from '../support/truth-random.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const WALLETS = FULL ? 20 : 10;
const REBUILT = FULL ? 1_000 : 40;

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

const shared = sharedService({ before, after });
const random = createTruthRandom(20_261_126);
const { counts, count } = createTally();
const base58 = getBase58Encoder();
const post = (path: string, body: Readonly<Record<string, unknown>>, key: string): Promise<Json> =>
  shared().service.client.post(`/api/v1/${path}`, body, { 'idempotency-key': key });
const wireOf = (transaction: string) => decodeWire(new Uint8Array(Buffer.from(transaction, 'base64')));
const codeOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => {
      assert.ok(error instanceof Refusal, String(error));
      return String(error.errorCode);
    },
  );

/** A built transaction, and what happened to it before it is rebuilt. */
interface Built {
  readonly wallet: TestWallet;
  readonly key: string;
  readonly transaction: string;
  readonly lastValidBlockHeight: number;
  /** All signed transactions of this key. */
  readonly signed: Set<string>;
  landed: boolean;
  /** True if the chain has changed since the build, so the rebuilt transaction may differ or be impossible. */
  changed: boolean;
}

/**
 * Tries random requests and returns the first transaction that can be built. A donation can always be built.
 */
const build = async (wallet: TestWallet, key: string): Promise<Built> => {
  const { walletAddress } = wallet;
  const { accounts } = await shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  const account = () => ({ stakeAccountAddress: random.pick<Json>(accounts)?.address });
  const some = () => Number((0.3 + random.int(20) / 10).toFixed(1));
  const plan = (goal: string) => async () => {
    const { transactions } = await post('plan', { walletAddress, goal }, key);
    return transactions.length === 1 ? transactions[0] : null;
  };
  const builder = (path: string, more: () => object) => () => post(path, { walletAddress, ...more() }, key);
  const requests: readonly (() => Promise<Json>)[] = [
    builder('stake/transaction', () => ({ amountSol: 1 + some() })),
    builder('unstake/transaction', account),
    builder('unstake/transaction', () => ({ amountSol: some() })),
    builder('unstake/undo/transaction', () => ({})),
    builder('unstake/undo/transaction', account),
    builder('withdraw/transaction', account),
    builder('withdraw/transaction', () => ({ ...account(), amountSol: some() })),
    builder('restake/transaction', account),
    ...['withdraw-all', 'tidy', 'restake', 'sweep'].map(plan),
    builder('donate', () => ({ amountSol: 0.01 })),
  ];
  for (;;) {
    const built = await random
      .pick(requests)()
      .catch((error: unknown) => {
        assert.ok(error instanceof Refusal, String(error));
        return null;
      });
    if (built === null) continue;
    count(`built: ${built.instructions.map(({ name }: Json) => name).join(' ')}`);
    const { transaction, lastValidBlockHeight } = built;
    return {
      wallet,
      key,
      transaction,
      lastValidBlockHeight,
      signed: new Set(),
      landed: false,
      changed: false,
    };
  }
};

const sign = (built: Built, transaction: string): string => {
  const signed = signedBy(built.wallet, transaction);
  built.signed.add(signed);
  return signed;
};

/** Makes a random change between build and rebuild. */
const disturb = async (built: Built): Promise<void> => {
  const { sandbox } = shared();
  const event = random.pick(['nothing', 'nothing', 'nothing', 'tip', 'tip', 'submitted', 'sent around']);
  count(event);
  if (event === 'submitted')
    built.landed =
      (await codeOf(
        post('transaction/submit', { signedTransaction: sign(built, built.transaction) }, built.key),
      )) === null;
  if (event === 'sent around') {
    const sent = rpc(sandbox, 'sendTransaction', [sign(built, built.transaction), { encoding: 'base64' }]);
    built.landed = await sent.then(
      () => true,
      () => false,
    );
  }
  if (event === 'tip') {
    const { instructions } = wireOf(built.transaction);
    const touched = instructions.flatMap(({ data }) => ('stakeAccount' in data ? [data.stakeAccount] : []));
    const created = wireOf(built.transaction).requiredSigners;
    const existing = touched.filter((one) => one !== null && !created.includes(one));
    if (existing.length === 0) return;
    await fund(sandbox, random.pick(existing)!, BigInt(1 + random.int(10_000_000)));
    built.changed = true;
  }
};

/** Returns the positions at which two messages differ, or null if their lengths differ. */
const differing = (a: Uint8Array, b: Uint8Array): readonly number[] | null =>
  a.length === b.length ? [...a.keys()].filter((at) => a[at] !== b[at]) : null;

const checkDifference = (before: string, after: string, { onlyLifetime, changes }: Json): void => {
  const [old, fresh] = [wireOf(before), wireOf(after)];
  const start = Buffer.from(old.messageBytes).indexOf(Buffer.from(base58.encode(old.blockhash)));
  const others = differing(old.messageBytes, fresh.messageBytes)?.filter(
    (at) => at < start || at >= start + 32,
  );
  assert.equal(onlyLifetime, others?.length === 0);
  assert.equal(onlyLifetime, changes.length === 0);
  assert.deepEqual(fresh.requiredSigners, old.requiredSigners, 'the same addresses');
  // A change that names a step must match the new transaction: it contains an added or changed step and lacks a
  // removed one.
  const steps = fresh.instructions.map(({ summary }) => summary);
  for (const { code, params } of changes) {
    count(code);
    if (code === 'AMOUNT_CHANGED' || code === 'STEP_ADDED') assert.ok(steps.includes(params.step));
    if (code === 'STEP_REMOVED') assert.ok(!steps.includes(params.step));
  }
  if (!onlyLifetime)
    for (const step of steps.filter((one) => !old.instructions.some(({ summary }) => summary === one)))
      assert.ok(
        changes.some(({ params }: Json) => params.step === step),
        `it says: ${step}`,
      );
};

/** Returns the number of signed transactions of a key that landed and succeeded. */
const landedOf = async ({ signed }: Built): Promise<number> => {
  if (signed.size === 0) return 0;
  const signatures = [...signed].map((one) => wireOf(one).signature);
  const { value } = (await rpc(shared().sandbox, 'getSignatureStatuses', [
    signatures,
    { searchTransactionHistory: true },
  ])) as Json;
  return value.filter((status: Json) => status !== null && status.err === null).length;
};

const rebuild = ({ key }: Built, transaction: string): Promise<Json> =>
  post('transaction/rebuild', { transaction }, key);

/**
 * Checks that a transaction that can still land is not rebuilt. On a slow machine, it may expire during the
 * request.
 */
const checkAlive = async (
  built: Built,
  { transaction, lastValidBlockHeight }: Pick<Built, 'transaction' | 'lastValidBlockHeight'>,
): Promise<void> => {
  const code = await codeOf(rebuild(built, transaction));
  const height = await rpc(shared().sandbox, 'getBlockHeight', [{ commitment: 'finalized' }]);
  if (Number(height) <= lastValidBlockHeight) assert.equal(code, 'STILL_ALIVE');
  count(`alive: ${code}`);
};

/** Rebuilds an expired transaction and submits everything built with its idempotency key. */
const rebuildAndCheck = async (built: Built): Promise<void> => {
  const transaction = random.chance(0.5) ? built.transaction : sign(built, built.transaction);
  if (built.landed) {
    assert.equal(await codeOf(rebuild(built, transaction)), 'TRANSACTION_ALREADY_SUBMITTED');
    return;
  }
  const rebuilt = await rebuild(built, transaction).catch((error: unknown) => {
    assert.ok(error instanceof Refusal, `${built.key}: ${error}`);
    assert.ok(built.changed, `${built.key}: ${error}`);
    count(`refused: ${error.errorCode}`);
    return null;
  });
  if (rebuilt === null) return;
  count(rebuilt.difference.onlyLifetime ? 'only the lifetime' : 'changed');
  checkDifference(built.transaction, rebuilt.transaction, rebuilt.difference);
  await checkAlive(built, rebuilt);
  if (random.chance(0.3)) return;
  // Signs and submits everything ever built with the key, all at once.
  const twice = await rebuild(built, transaction);
  await Promise.allSettled(
    [rebuilt.transaction, twice.transaction, built.transaction].map((one) =>
      post('transaction/submit', { signedTransaction: sign(built, one) }, built.key),
    ),
  );
  const landed = await landedOf(built);
  count(`landed of three: ${landed}`);
  if (landed === 1) assert.equal(await codeOf(rebuild(built, transaction)), 'TRANSACTION_ALREADY_SUBMITTED');
};

test(`REBUILD-1 each of ${REBUILT} expired transactions is rebuilt with only a new lifetime or with its changes reported, and no key lands twice`, async (t) => {
  const { sandbox, service } = shared();
  const wallets = await Promise.all(Array.from({ length: WALLETS }, () => fundedWallet(sandbox, 200)));
  for (const amountSol of [5, 4, 3, 2])
    await Promise.all(wallets.map((wallet) => stakeNow(service, wallet, amountSol)));
  await sandbox.advanceEpochs(1);
  const all: Built[] = [];
  for (let round = 0; all.length < REBUILT; round += 1) {
    const built = await Promise.all(
      wallets.map((wallet, index) => build(wallet, `rebuild-${round}-${index}`)),
    );
    await Promise.all(built.map(disturb));
    await Promise.all(built.filter(({ landed }) => !landed).map((one) => checkAlive(one, one)));
    const lastValidBlockHeight = Math.max(...built.map((one) => one.lastValidBlockHeight));
    await outlive(shared(), { lastValidBlockHeight });
    await Promise.all(built.map(rebuildAndCheck));
    all.push(...built);
    if (round % 2 === 1) await sandbox.advanceEpochs(1);
  }
  for (const built of all) assert.ok((await landedOf(built)) <= 1, built.key);
  assert.ok(counts['only the lifetime']! >= REBUILT / 4, JSON.stringify(counts));
  t.diagnostic(JSON.stringify(counts));
});
