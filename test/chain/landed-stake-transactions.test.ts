import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address, getBase58Decoder, type Signature } from '@solana/kit';
import { createRpcPool, type RpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createLandedStakeTransactions } from '../../src/chain/transactions/landed-stake-transactions.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { openIndex } from '../support/index-fixture.ts';
import { wholeFilePatience } from '../support/patience.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';

const SOL = 1_000_000_000n;
const STAKE = 'Stake11111111111111111111111111111111111111';
const ACCOUNT = '8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh';
const OTHER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const PROXY = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const SIGNATURE = '5'.repeat(88) as Signature;
const DEACTIVATE = encodeBase58(new Uint8Array([5, 0, 0, 0]));
const signal = wholeFilePatience();
const shared = sharedSandbox({ before, after });

/**
 * Creates reads on a pool that always returns `response`, parsed as in the real pool. `asked` returns the
 * number of calls.
 */
const answering = (response: unknown) => {
  let asked = 0;
  const pool = {
    call: (call: { schema: { parse: (value: unknown) => unknown }; accepts?: (value: never) => boolean }) => {
      asked += 1;
      const parsed = call.schema.parse(response);
      if (call.accepts?.(parsed as never) === false) return Promise.reject(new Error('refused'));
      return Promise.resolve(parsed);
    },
  } as unknown as Pick<RpcPool, 'call'>;
  return { transactions: createLandedStakeTransactions(pool), asked: () => asked };
};

const landed = (overrides: object = {}) => ({
  slot: 7,
  blockTime: 1_700_000_000,
  meta: { err: null, postBalances: [1, 2, 3, 4], innerInstructions: [], loadedAddresses: null },
  transaction: {
    signatures: [SIGNATURE],
    message: { accountKeys: [OTHER, ACCOUNT, STAKE, PROXY], instructions: [] },
  },
  ...overrides,
});

test('the operations of a real transaction are read in order, with the resulting balances', async () => {
  const sandbox = shared.get();
  await using index = await openIndex(sandbox);
  const pool = createRpcPool({
    urls: [sandbox.rpcUrl],
    timeoutMs: 5_000,
    maxConcurrent: 4,
    clock,
    logger: createLogger('silent'),
  });
  const staker = await SandboxStaker.fund(sandbox, 20n * SOL);
  const stake = address(await staker.stake(3n * SOL));
  const [row] = await index.reads.signaturesFor(stake, { signal, commitment: 'finalized', limit: 10 });
  const found = await createLandedStakeTransactions(pool).read(row!.signature, signal);
  await pool.close();
  assert.deepEqual(
    found?.operations.map(({ type, account }) => [type, account]),
    [
      ['initialize', stake],
      ['delegate', stake],
    ],
  );
  assert.deepEqual([found?.slot, found?.succeeded, found?.balances.get(stake)], [row!.slot, true, 3n * SOL]);
  assert.ok(Math.abs(Number(found?.seconds) - Date.now() / 1_000) < 60);
});

test('an inner instruction of another program that uses accounts from a lookup table is read at its position', async () => {
  const deactivate = (index: number) => ({ programIdIndex: 2, accounts: [index], data: DEACTIVATE });
  const { transactions } = answering(
    landed({
      meta: {
        err: null,
        postBalances: [1, 2, 3, 4, 5],
        innerInstructions: [{ index: 0, instructions: [deactivate(4)] }],
        loadedAddresses: { writable: ['4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'], readonly: [] },
      },
      transaction: {
        signatures: [SIGNATURE],
        message: {
          accountKeys: [OTHER, ACCOUNT, STAKE, PROXY],
          instructions: [{ programIdIndex: 3, accounts: [1], data: DEACTIVATE }, deactivate(1)],
        },
      },
    }),
  );
  const found = await transactions.read(SIGNATURE, signal);
  assert.deepEqual(found?.operations, [
    { type: 'deactivate', account: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' },
    { type: 'deactivate', account: ACCOUNT },
  ]);
});

test('a found transaction is read only once, a missing one is read again, and one with a different signature is rejected', async () => {
  const cached = answering(landed());
  await cached.transactions.read(SIGNATURE, signal);
  assert.equal((await cached.transactions.read(SIGNATURE, signal))?.slot, 7n);
  assert.equal(cached.asked(), 1);
  const missing = answering(null);
  assert.equal(await missing.transactions.read(SIGNATURE, signal), null);
  await missing.transactions.read(SIGNATURE, signal);
  assert.equal(missing.asked(), 2);
  await assert.rejects(answering(landed()).transactions.read('4'.repeat(88) as Signature, signal), (error) =>
    isAppError(error) ? true : error instanceof Error,
  );
});

test('instructions of other programs are accepted with any data length, and only Stake instructions are decoded', async () => {
  const long = '2'.repeat(14_000);
  const padded = getBase58Decoder().decode(new Uint8Array(1_600).fill(5, 0, 1));
  const { transactions } = answering(
    landed({
      meta: {
        err: null,
        postBalances: [1, 2, 3, 4],
        innerInstructions: [
          { index: 0, instructions: [{ programIdIndex: 3, accounts: [1], data: long }] },
          {
            index: 1,
            instructions: [long, padded].map((data) => ({ programIdIndex: 2, accounts: [1], data })),
          },
        ],
        loadedAddresses: null,
      },
      transaction: {
        signatures: [SIGNATURE],
        message: {
          accountKeys: [OTHER, ACCOUNT, STAKE, PROXY],
          instructions: [
            { programIdIndex: 3, accounts: [1], data: long },
            { programIdIndex: 2, accounts: [1], data: DEACTIVATE },
          ],
        },
      },
    }),
  );
  const found = await transactions.read(SIGNATURE, signal);
  assert.deepEqual(found?.operations, [{ type: 'deactivate', account: ACCOUNT }]);
});

test('a transaction whose metadata the node no longer has counts as missing and is read again', async () => {
  const { transactions, asked } = answering(landed({ meta: null }));
  assert.equal(await transactions.read(SIGNATURE, signal), null);
  assert.equal(await transactions.read(SIGNATURE, signal), null);
  assert.equal(asked(), 2);
});
