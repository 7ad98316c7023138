// Checks that two processes with one store and the same blockhash execute every requested change, and never
// return the outcome of a different one.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Address, Signature } from '@solana/kit';
import type { Submitter } from '../../src/chain/ports.ts';
import { SubmissionCaps } from '../../src/chain/submission/submission-caps.ts';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { AppError, isAppError } from '../../src/kernel/app-error.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { unusedBlockhash } from '../../src/operations/act/unused-blockhash.ts';
import { submitTransaction } from '../../src/operations/transaction/submit-transaction.ts';
import type { IntentLog } from '../../src/store/intent-log.ts';
import type { Store } from '../../src/store/store.ts';
import { actContext } from '../support/act-context.ts';
import type { ContextParts } from '../support/context-parts.ts';
import { exampleKey } from '../support/plan-context.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { openRivals } from '../support/store-fixture.ts';
import { createTestDatabase } from '../support/store-postgres.ts';
import { newWallet, signedBy } from '../support/wallets.ts';

const ROUNDS = 200;
const voteAccount = exampleKey(3);
const stakeAccount = exampleKey(2);
const memo = 'holdfast.example';
const signal = new AbortController().signal;

/** Returns a blockhash that is unique per block height. */
const blockhashAt = (height: bigint): string => {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setBigUint64(0, height);
  return encodeBase58(bytes);
};

/** Opens a chain that produces a block when a process waits for one, and executes each signature once. */
const openChain = () => ({ height: 1_000n, carriedOut: new Set<string>() });

/**
 * Starts a service process with its own cached blockhash, which it refreshes only if the wallet has used it.
 */
const startProcess = ({ intents, transactions }: Store, chain: ReturnType<typeof openChain>) => {
  let held = chain.height;
  const used = new Set<string>();
  const cluster = {
    blockhash: async (_: AbortSignal, wallet: string) => {
      if (used.has(`${blockhashAt(held)} ${wallet}`)) held = chain.height;
      if (used.has(`${blockhashAt(held)} ${wallet}`)) held = chain.height += 1n;
      return { blockhash: blockhashAt(held), lastValidBlockHeight: held + 150n };
    },
    noteBlockhash: (blockhash: string, wallet: string) => used.add(`${blockhash} ${wallet}`),
    lastValidBlockHeightOf: () => undefined,
    blockHeight: async () => chain.height,
    recentEpochPosition: async () => ({ epoch: 1n, absoluteSlot: 50n, slotIndex: 10n, slotsInEpoch: 40n }),
    // Not needed, because the amount that an unstake frees is not part of its message.
    readChainSnapshot: () => Promise.reject(new AppError('UPSTREAM_UNAVAILABLE', 'no RPC node')),
  };
  const reads = {
    signatureStatuses: async (signatures: readonly Signature[]) => ({
      statuses: signatures.map((one) => (chain.carriedOut.has(one) ? { slot: 45n } : null)),
    }),
    accounts: async (addresses: readonly Address[]) => ({ accounts: addresses.map(() => null) }),
  };
  const submitter = {
    submit: async ({ signature }: { signature: string }) => {
      chain.carriedOut.add(signature);
      return { kind: 'confirmed', slot: 45n };
    },
  };
  const settings = {
    voteAccount,
    memo,
    submitPolicy: 'own',
    explorerUrl: '',
    explorerQuery: '',
    transactionVersion: 'legacy',
  };
  return {
    readAgain: () => {
      held = chain.height;
    },
    ctx: actContext(
      intents as IntentLog,
      submitter as unknown as Submitter,
      {
        chain: { cluster, reads, index: null, submissionCaps: new SubmissionCaps() },
        service: { settings },
        store: { transactions },
      } as unknown as ContextParts,
    ),
  };
};

const CHANGES = {
  unstake: buildTransaction.unstake,
  restake: (common: Parameters<typeof buildTransaction.unstake>[0]) =>
    buildTransaction.restake({ ...common, voteAccount }),
  withdraw: (common: Parameters<typeof buildTransaction.unstake>[0]) =>
    buildTransaction.withdraw({ ...common, lamports: 500_000_000n }),
};

const everyChangeHappens = async (t: TestContext, location: string | undefined) => {
  const stores = await openRivals(t, location ?? ':memory:', 2);
  const random = seededRandom(24_008);
  const wallet = newWallet();
  const chain = openChain();
  const processes = stores.map((store) => startProcess(store, chain));
  const oneOf = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)]!;

  const build = async ({ ctx }: (typeof processes)[number], change: keyof typeof CHANGES) => {
    const { blockhash } = await unusedBlockhash(ctx, wallet.walletAddress as Address, signal);
    const built = CHANGES[change]({
      wallet: wallet.walletAddress as Address,
      stakeAccount,
      memo,
      blockhash,
    });
    return signedBy(wallet, Buffer.from(encodeWire(built, new Map())).toString('base64'));
  };
  const submit = async (
    { ctx }: (typeof processes)[number],
    signedTransaction: string,
    idempotencyKey: string | undefined,
  ): Promise<string> =>
    (
      await submitTransaction.run({
        ctx,
        source: 'rest',
        client: 'client',
        signal,
        input: { signedTransaction, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
      } as never)
    ).body.signature;

  let [asked, refused] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    chain.height += 1n;
    for (const one of processes) one.readAgain();
    const change = oneOf(Object.keys(CHANGES) as (keyof typeof CHANGES)[]);
    const [first, second] = random() < 0.5 ? processes : processes.toReversed();
    // Sequential requests never collide. Concurrent requests are distinguished only by their keys.
    const isAtOnce = random() < 0.4;
    const keys = isAtOnce || random() < 0.5 ? [randomUUID(), randomUUID()] : [undefined, undefined];
    const bytes = await build(first!, change);
    const early = isAtOnce ? await build(second!, change) : null;
    const signature = await submit(first!, bytes, keys[0]);
    let other: string;
    try {
      other = await submit(second!, early ?? (await build(second!, change)), keys[1]);
    } catch (error) {
      assert.ok(isAppError(error, 'TRANSACTION_ALREADY_SUBMITTED'), String(error));
      assert.equal(error.body?.signature, signature);
      refused += 1;
      other = await submit(second!, await build(second!, change), keys[1]);
    }
    asked += 2;
    assert.notEqual(other, signature, `round ${round}: ${change} returned the outcome of the first one`);
    assert.equal(chain.carriedOut.size, asked);
    // A repeated request gets its own outcome from either process.
    assert.equal(await submit(oneOf(processes), bytes, keys[0]), signature);
  }
  assert.equal(chain.carriedOut.size, 2 * ROUNDS);
  assert.ok(refused > 0, 'no round produced the same bytes under two keys');
  t.diagnostic(
    `${asked} changes carried out; ${refused} collided with another key's bytes and were built again`,
  );
};

test('200 rounds of two processes with one blockhash: every requested change is executed', (t) =>
  everyChangeHappens(t, undefined));

test('two processes on PostgreSQL also execute every requested change', async (t) => {
  const database = await createTestDatabase();
  if (typeof database === 'string') return t.skip(database);
  t.after(() => database.drop());
  await everyChangeHappens(t, database.url);
});
