// IDEM-4: no outsider can change the response to an owner's idempotency key, and no record without a signature
// of this service is stored forever.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createHttpClient, type HttpClient, Refusal } from '../../demo/http-client.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { patience } from '../support/patience.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';
import { newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
/** Number of steps at which two or three calls concerning one owner's keys run concurrently. */
const INTERLEAVINGS = FULL ? 10_000 : 240;
/** Number of these steps per service and sandbox. A runtime becomes slower after thousands. */
const PER_WORLD = 1_000;
/** Number of these steps per owner. */
const ROUNDS = 4;
const AT_ONCE = 24;
/** With slots of 80 ms, a blockhash is valid for 12 s, which is enough on a busy machine. */
const SLOT_MS = 80;
const SOL = 1_000_000_000n;
const FAR_AHEAD_MS = 366 * 24 * 60 * 60 * 1000;
/**
 * Errors after which an owner retries with the same key. On a busy machine, a blockhash may expire or
 * an RPC node may be slow.
 */
/** One idempotency key makes at most one stake, in one call or by a submission. */
const STAKED_ALREADY: readonly unknown[] = ['IDEMPOTENCY_KEY_REUSED', 'STAKE_ADDRESS_OCCUPIED'];
const ASK_AGAIN: readonly unknown[] = ['BLOCKHASH_EXPIRED', 'UPSTREAM_UNAVAILABLE', 'SUBMISSION_UNRESOLVED'];
/** Returns guessable keys, such as dates and counters. */
const keysOf = ({ walletAddress }: TestWallet) => ['order-1', 'order-2', `autopilot-${walletAddress}-1`];

interface World {
  readonly client: HttpClient;
  readonly sandbox: Sandbox;
  /** Another wallet with enough SOL that submits every transaction it finds on the chain. */
  readonly outsider: TestWallet;
}

const untilAnswered = async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Refusal && ASK_AGAIN.includes(error.errorCode))) throw error;
    }
  }
};

/** Returns the signature in a builder's refusal of a key whose transaction has landed. Throws any other error. */
const landedUnderKey = (error: unknown): { signature: string } & Record<string, unknown> => {
  if (!(error instanceof Refusal && error.body.reason === 'AMOUNT_DONE')) throw error;
  return { signature: error.body.signature as string };
};

/** Records the owner's responses, and checks them against the chain and the keys. */
class Owner {
  readonly wallet: TestWallet;
  /** The owner's landed transactions in base64, by signature. */
  readonly landed = new Map<string, string>();
  /** The request and the signature in its response, by call and key. */
  readonly #responses = new Map<string, { readonly asked: string; readonly signature: string }>();
  readonly #under = new Set<string>();
  readonly #signatures = new Set<string>();
  stakesSignedHere = 0;

  constructor(wallet: TestWallet) {
    this.wallet = wallet;
  }

  get effects(): number {
    return this.#signatures.size;
  }

  /**
   * Sends one of the owner's requests with a key for one kind of call. The first response must have a signature
   * of its own, a repeated request must return the same signature, also in the refusal of a builder whose key has
   * landed, and a different request with the key must get 422. Each kind and key is used by one call at a time, so only outsiders and other keys run
   * concurrently.
   */
  async ask(
    way: string,
    key: string,
    asked: string,
    send: () => Promise<{ signature: string } & Record<string, unknown>>,
  ): Promise<void> {
    const name = `${way} ${key}`;
    if (this.#under.has(name)) return;
    this.#under.add(name);
    const facts = `${name} ${asked}`;
    const before = this.#responses.get(name);
    try {
      const response = await untilAnswered(send).catch((error: unknown) => {
        if (before !== undefined && before.asked !== asked) throw error;
        return landedUnderKey(error);
      });
      if (before === undefined) {
        assert.ok(
          !this.#signatures.has(response.signature),
          `${facts}: the response contains the transaction of another key`,
        );
        this.#signatures.add(response.signature);
        this.#responses.set(name, { asked, signature: response.signature });
        if (way === 'stake' || asked === 'stake') this.stakesSignedHere += 1;
      } else {
        assert.equal(before.asked, asked, `${facts}: the response belongs to another request`);
        assert.equal(response.signature, before.signature, facts);
      }
      if (way === 'withdraw')
        assert.equal(typeof response.amountSol, 'number', `${facts}: not a withdrawal's response`);
      if (way === 'stake')
        // Null if the request was resumed, because the plan is not stored.
        assert.ok('delegatedSol' in response, `${facts}: not a stake's response`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (this.#isStakeOfOtherWay(way, key, asked)) {
        assert.ok(STAKED_ALREADY.includes(error.errorCode), `${facts}: ${error.message}`);
        return;
      }
      assert.ok(before !== undefined && before.asked !== asked, `${facts}: ${error.message}`);
      assert.equal(error.errorCode, 'IDEMPOTENCY_KEY_REUSED', `${facts}: ${error.message}`);
    } finally {
      this.#under.delete(name);
    }
  }

  /** True if a stake was, or is being, made with this key in the other way: in one call, or by a submission. */
  #isStakeOfOtherWay(way: string, key: string, asked: string): boolean {
    const other = way === 'stake' ? `submit ${key}` : asked === 'stake' ? `stake ${key}` : '';
    const made = this.#responses.get(other);
    return this.#under.has(other) || (made !== undefined && (way !== 'stake' || made.asked === 'stake'));
  }

  /**
   * Returns the message that was submitted with `key`. All submissions share one namespace of keys: a key that
   * was used for one message is refused for any other.
   */
  boundTo(key: string): string | undefined {
    return this.#responses.get(`submit ${key}`)?.asked;
  }
}

/** Reads the owner's transactions as anyone can. */
const readChain = async (world: World, owner: Owner): Promise<void> => {
  const rows = await rpc(world.sandbox, 'getSignaturesForAddress', [
    owner.wallet.walletAddress,
    { commitment: 'confirmed', limit: 1_000 },
  ]);
  for (const { signature, err } of rows as { signature: string; err: unknown }[]) {
    if (err !== null || owner.landed.has(signature)) continue;
    const found = (await rpc(world.sandbox, 'getTransaction', [
      signature,
      { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
    ])) as { transaction: [string, string] } | null;
    const wire = found?.transaction[0];
    if (wire === undefined) continue;
    const bytes = Buffer.from(wire, 'base64');
    // Keeps only transactions that the owner signed, and not airdrops, which the faucet signed.
    const firstKey = 1 + 64 * bytes[0]! + ((bytes[1 + 64 * bytes[0]!]! & 0x80) === 0 ? 4 : 5);
    if (bytes.subarray(firstKey, firstKey + 32).equals(Buffer.from(owner.wallet.publicKeyBytes)))
      owner.landed.set(signature, wire);
  }
};

const rpc = async (sandbox: Sandbox, method: string, params: unknown[]): Promise<unknown> => {
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: patience(),
  });
  const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
  assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
  return result;
};

type Step = () => Promise<void>;

const SUBMIT = '/api/v1/transaction/submit';

const ownersStep = ({ client }: World, owner: Owner, stakeAccount: string, random: TruthRandom): Step => {
  const { walletAddress, secretKey } = owner.wallet;
  const key = random.pick(keysOf(owner.wallet));
  const more = random.int(4) === 0;
  const oneShot = (path: string, body: object) => () =>
    client.post(path, { walletAddress, secretKey, ...body }, { 'idempotency-key': key });
  const built = (path: string, body: object) => async () => {
    const { transaction } = await client.post(path, { walletAddress, ...body, idempotencyKey: key });
    return client.post(SUBMIT, {
      signedTransaction: signedBy(owner.wallet, transaction),
      idempotencyKey: key,
    });
  };
  return random.pick<Step>([
    () => {
      const amountSol = more ? 2 : 1.5;
      return owner.ask('stake', key, `${amountSol}`, oneShot('/api/v1/stake', { amountSol }));
    },
    () => {
      const amountSol = more ? 0.02 : 0.01;
      return owner.ask(
        'withdraw',
        key,
        `${amountSol}`,
        oneShot('/api/v1/withdraw', { stakeAccountAddress: stakeAccount, amountSol }),
      );
    },
    // Each key gets a different amount, because the same message sent twice with one blockhash is one
    // transaction, whichever client sends it.
    () => {
      const amountSol = 0.001 * (1 + keysOf(owner.wallet).indexOf(key)) + (more ? 0.0005 : 0);
      return owner.ask('submit', key, `donate ${amountSol}`, built('/api/v1/donate', { amountSol }));
    },
    () => {
      const amountSol = 0.03 + 0.001 * keysOf(owner.wallet).indexOf(key);
      return owner.ask(
        'submit',
        key,
        `withdraw ${amountSol}`,
        built('/api/v1/withdraw/transaction', { stakeAccountAddress: stakeAccount, amountSol }),
      );
    },
    async () => {
      // The builder refuses a key whose stake exists, so there is nothing to submit.
      if (owner.boundTo(key) !== undefined) return;
      await owner.ask('submit', key, 'stake', built('/api/v1/stake/transaction', { amountSol: 1.5 }));
    },
  ]);
};

const outsidersStep = (world: World, owner: Owner, random: TruthRandom): Step => {
  const { client, outsider } = world;
  const key = random.pick(keysOf(owner.wallet));
  const plant = async (): Promise<void> => {
    await readChain(world, owner);
    const signedTransaction = random.pick([...owner.landed.values()]);
    const body = { signedTransaction, ...(random.int(5) === 0 ? {} : { idempotencyKey: key }) };
    const response = await untilAnswered(() => client.post(SUBMIT, body)).catch((error: unknown) => {
      // A submission with a different key is not mistaken for the owner's change.
      assert.ok(
        error instanceof Refusal && error.errorCode === 'TRANSACTION_ALREADY_SUBMITTED',
        String(error),
      );
      return error.body as { signature: string };
    });
    assert.ok(owner.landed.has(response.signature), 'a landed transaction is reported as what it is');
  };
  return random.pick<Step>([
    plant,
    plant,
    plant,
    // Reads the owner's addresses, as anyone can.
    async () => {
      await client
        .post('/api/v1/stake/transaction', {
          walletAddress: owner.wallet.walletAddress,
          amountSol: 1.5,
          idempotencyKey: key,
        })
        .catch((error: unknown) => assert.ok(error instanceof Refusal, String(error)));
    },
    async () => {
      const { walletAddress } = outsider;
      const { transaction } = await untilAnswered(() =>
        client.post('/api/v1/donate', { walletAddress, amountSol: 0.001 }),
      );
      await client
        .post(SUBMIT, { signedTransaction: signedBy(outsider, transaction), idempotencyKey: key })
        .catch((error: unknown) => assert.ok(error instanceof Refusal, String(error)));
    },
  ]);
};

const play = async (world: World, seed: number): Promise<Owner> => {
  const random = createTruthRandom(seed);
  const owner = new Owner(newWallet());
  const { walletAddress, secretKey } = owner.wallet;
  await world.sandbox.airdrop(walletAddress, 40n * SOL, patience());
  // The stake was deactivated in the epoch of its activation, so all of it can be withdrawn immediately.
  let stakeAccountAddress = '';
  await owner.ask('stake', 'first', '3', async () => {
    const response = await world.client.post(
      '/api/v1/stake',
      { walletAddress, secretKey, amountSol: 3 },
      { 'idempotency-key': 'first' },
    );
    stakeAccountAddress = response.stakeAccountAddress;
    return response;
  });
  await owner.ask('unstake', 'first', '', () =>
    world.client.post(
      '/api/v1/unstake',
      { walletAddress, secretKey, stakeAccountAddress },
      { 'idempotency-key': 'first' },
    ),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      Array.from({ length: 2 + random.int(2) }, (_, index) =>
        (index < 2 && random.int(3) > 0
          ? ownersStep(world, owner, stakeAccountAddress, random)
          : outsidersStep(world, owner, random))(),
      ),
    );
  }
  await readChain(world, owner);
  assert.equal(
    owner.landed.size,
    owner.effects,
    `seed ${seed}: every response matches one transaction on the chain, and every transaction has a response`,
  );
  return owner;
};

/** Runs `interleavings` steps in a new sandbox and service, and counts the records that are stored forever. */
const playWorld = async (t: TestContext, firstSeed: number, interleavings: number): Promise<void> => {
  const dataDir = temporaryFolder(t);
  const closing: (() => void | Promise<void>)[] = [];
  const { app, sandbox } = await startTestApp(
    { after: (close) => void closing.push(close) },
    {
      options: { slotMs: SLOT_MS },
      settings: { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_ONE_SHOT_LOOPBACK: 'on' },
    },
  );
  try {
    const client = createHttpClient(app.url, (url, init) => fetch(url, { ...init, signal: patience() }));
    const outsider = newWallet();
    await sandbox.airdrop(outsider.walletAddress, 1_000n * SOL, patience());
    const world: World = { client, sandbox, outsider };

    const owners: Owner[] = [];
    let next = 0;
    const work = async () => {
      while (next * ROUNDS < interleavings) owners.push(await play(world, firstSeed + next++));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const acts = owners.reduce((sum, { effects }) => sum + effects, 0);
    assert.ok(acts > 3 * owners.length, 'the owners made requests');

    await app.ctx.store.intents.pruneBefore(app.ctx.clock.now() + FAR_AHEAD_MS);
    const database = new DatabaseSync(join(dataDir, 'holdfast.db'), { readOnly: true });
    const remaining = database.prepare('select operation, wallet, key from intents').all() as {
      operation: string;
      wallet: string;
      key: string;
    }[];
    database.close();
    const signedHere = owners.reduce((sum, { stakesSignedHere }) => sum + stakesSignedHere, 0);
    t.diagnostic(
      `${acts} transactions of ${owners.length} owners; ${remaining.length} records are stored forever`,
    );
    assert.equal(remaining.length, signedHere, 'every stake with a signature of ours, and nothing else');
    assert.ok(!remaining.some(({ wallet }) => wallet === outsider.walletAddress));
  } finally {
    for (const close of closing.reverse()) await close();
  }
};

test(`IDEM-4 in ${INTERLEAVINGS} concurrent calls of owners and outsiders, no outsider changes the response to an owner's key, and no record without a signature of this service is stored forever`, {
  timeout: FULL ? 3 * 3_600_000 : 600_000,
}, async (t) => {
  for (let played = 0; played < INTERLEAVINGS; played += PER_WORLD)
    await playWorld(t, played / ROUNDS, Math.min(PER_WORLD, INTERLEAVINGS - played));
});
