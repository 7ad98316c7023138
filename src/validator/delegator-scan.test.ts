import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { patience } from '../../test/support/patience.ts';
import { exampleKey } from '../../test/support/plan-context.ts';
import { type Script, startScriptedRpc } from '../../test/support/scripted-rpc.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../../test/support/stake-account-bytes.ts';
import { createRpcPool } from '../chain/rpc/rpc-pool.ts';
import { STAKE_PROGRAM } from '../domain/instruction-programs.ts';
import { isAppError } from '../kernel/app-error.ts';
import { systemClock as clock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log/logger.ts';
import { scanDelegators } from './delegator-scan.ts';

const voteAccount = exampleKey(200);
const SOL = 1_000_000_000n;

type Stake = Omit<NonNullable<StakeAccountFields['delegation']>, 'voteAccount'> & {
  readonly wallet?: number;
  readonly to?: string;
};

/** Builds a delegated account as a node lists it, named by `tag`. */
const listed = (tag: number, { wallet = 1, to = voteAccount, ...delegation }: Stake) => {
  const data = stakeAccountBytes({
    wallet: exampleKey(250),
    withdrawAuthority: exampleKey(wallet),
    delegation: { voteAccount: to, ...delegation },
  });
  const base64 = Buffer.from(data).toString('base64');
  return {
    pubkey: exampleKey(tag),
    account: { data: [base64, 'base64'], lamports: 1, owner: STAKE_PROGRAM },
  };
};

const listing =
  (rows: readonly object[]): Script =>
  () => ({
    result: { context: { slot: 50 }, value: rows },
  });

/** Runs a scan over these nodes. The current epoch is 45 by default. */
const scan = async (
  t: TestContext,
  scripts: readonly Script[],
  { epoch = 45n, signal = patience() } = {},
) => {
  const nodes = await Promise.all(scripts.map(startScriptedRpc));
  const logger = createLogger('silent');
  const pool = createRpcPool({
    urls: nodes.map(({ url }) => url),
    timeoutMs: 20_000,
    maxConcurrent: 4,
    clock,
    logger,
  });
  t.after(async () => {
    await pool.close();
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });
  return scanDelegators(pool, voteAccount, epoch, signal);
};

test('a vote account without delegations has neither delegators nor sample accounts', async (t) => {
  assert.deepEqual(await scan(t, [listing([])]), { delegators: 0, references: [] });
});

test('each wallet counts once, as the withdraw authority of any stake, until it leaves', async (t) => {
  const { delegators, references } = await scan(t, [
    listing([
      listed(10, { wallet: 1, stakeLamports: SOL }),
      listed(11, { wallet: 1, stakeLamports: SOL }),
      listed(12, { wallet: 2, stakeLamports: 1n }),
      listed(13, { wallet: 3, stakeLamports: 5n * SOL, deactivationEpoch: 20n }),
      listed(14, { wallet: 4, stakeLamports: 0n }),
    ]),
  ]);
  assert.equal(delegators, 3);
  assert.deepEqual(references, [exampleKey(10), exampleKey(11)], 'a stake that is too small yields no rate');
});

test('sample accounts are sorted by age and then by stake, and all accounts above the required age count as equally old', async (t) => {
  const { references } = await scan(t, [
    listing([
      listed(10, { activationEpoch: 18n, stakeLamports: 900n * SOL }),
      listed(11, { activationEpoch: 14n, stakeLamports: 2n * SOL }),
      listed(12, { activationEpoch: 15n, stakeLamports: 800n * SOL }),
      listed(13, { activationEpoch: 3n, stakeLamports: SOL }),
      // Active since genesis, which the chain stores as the largest possible epoch.
      listed(14, { activationEpoch: 2n ** 64n - 1n, stakeLamports: 3n * SOL }),
    ]),
  ]);
  assert.deepEqual(references, [14, 11, 13, 12, 10].map(exampleKey));
});

test('in the first epochs of a cluster, no delegation reaches the required age, and the sort order stays the same', async (t) => {
  const rows = [
    listed(10, { activationEpoch: 2n, stakeLamports: SOL }),
    listed(11, { activationEpoch: 0n, stakeLamports: SOL }),
  ];
  const { references } = await scan(t, [listing(rows)], { epoch: 3n });
  assert.deepEqual(references, [exampleKey(11), exampleKey(10)]);
});

test('the twenty best accounts are kept, in whatever order they arrive, and stakes of u64 size are compared exactly', async (t) => {
  const stakes = Array.from({ length: 60 }, (_, i) => ({
    tag: i + 10,
    stakeLamports: 2n ** 64n - 60n + BigInt(i),
  }));
  const best = stakes
    .slice(-20)
    .reverse()
    .map(({ tag }) => exampleKey(tag));
  const shuffled = stakes.toSorted((a, b) => ((a.tag * 37) % 61) - ((b.tag * 37) % 61));
  for (const order of [stakes, stakes.toReversed(), shuffled]) {
    const rows = order.map(({ tag, stakeLamports }) => listed(tag, { stakeLamports }));
    assert.deepEqual((await scan(t, [listing(rows)])).references, best);
  }
});

test("the rows of an interrupted response are not added to the next node's response", async (t) => {
  const rows = [
    listed(10, { wallet: 1, stakeLamports: 9n * SOL }),
    listed(11, { wallet: 2, stakeLamports: SOL }),
  ];
  const text = JSON.stringify({ jsonrpc: '2.0', result: { context: { slot: 50 }, value: rows }, id: 1 });
  const cutOff: Script = () => ({ status: 200, text: text.slice(0, -40) });
  const whole = listing([listed(11, { wallet: 2, stakeLamports: SOL })]);
  assert.deepEqual(await scan(t, [cutOff, whole]), { delegators: 1, references: [exampleKey(11)] });
});

test('a node that lists the stake of another validator is not trusted', async (t) => {
  const outsider = listing([listed(10, { stakeLamports: SOL, to: exampleKey(201) })]);
  await assert.rejects(scan(t, [outsider]), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
});

test('if the caller disconnects, the scan rejects with the reason of its signal', async (t) => {
  const gone = new Error('gone');
  const signal = AbortSignal.abort(gone);
  await assert.rejects(scan(t, [listing([])], { signal }), (error) => error === gone);
});
