// LAND-1: on a busy network, a higher priority lands a larger share of one-shot stakes within one blockhash, no
// wallet stakes twice, and no idempotency key has two transactions that can still land. The full run writes
// docs/landing.md.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Refusal } from '../../demo/http-client.ts';
import { DEFAULT_BUSY_NETWORK } from '../../sandbox/blocks/background-load.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { patience } from '../support/patience.ts';
import { startRpcTap } from '../support/rpc-tap.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { newWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const LEVELS = ['none', 'low', 'medium', 'high'] as const;
/** Number of stakes per priority level. */
const ROUNDS = FULL ? 125 : 15;
/** Number of blocks between rounds. All rounds together take about five waves of load. */
const BLOCKS_BETWEEN = FULL ? 12 : 100;
const WARM_UP_BLOCKS = 150;
const AIRDROPS_AT_ONCE = 25;
const SOL = 1_000_000_000n;

/** One stake: the slots in which each of its transactions was first sent, and the landed transaction. */
interface Attempt {
  readonly level: (typeof LEVELS)[number];
  readonly wallet: ReturnType<typeof newWallet>;
  readonly sentAt: Map<string, number>;
  /** Blockhash of the newest transaction. */
  blockhash?: string;
  landed?: { readonly signature: string; readonly slot: number; readonly feeLamports: number };
}

const quantile = (values: readonly number[], share: number): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

test(`LAND-1: of ${4 * ROUNDS} one-shot stakes on a busy network, a higher priority lands a larger share within one blockhash`, async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const attempts: Attempt[] = [];
  const byWallet = new Map<string, Attempt>();
  const ask = async <Result>(method: string, params: readonly unknown[]): Promise<Result> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(sandbox.rpcUrl, { method: 'POST', body });
    return ((await response.json()) as { result: { value: Result } }).result.value;
  };
  /** For each replacement: true if the replaced transaction's blockhash was still valid. */
  const wereAlive: Promise<boolean>[] = [];
  const tap = await startRpcTap(sandbox.rpcUrl, (method, params) => {
    if (method !== 'sendTransaction') return undefined;
    const { signature, feePayer, blockhash } = decodeWire(
      new Uint8Array(Buffer.from(String(params[0]), 'base64')),
    );
    const attempt = byWallet.get(feePayer);
    if (signature === null || attempt === undefined || attempt.sentAt.has(signature)) return undefined;
    if (attempt.blockhash !== undefined)
      wereAlive.push(ask('isBlockhashValid', [attempt.blockhash, { commitment: 'confirmed' }]));
    attempt.sentAt.set(signature, sandbox.slot());
    attempt.blockhash = blockhash;
    return undefined;
  });
  t.after(() => tap.close());
  const { client } = await startServiceHere(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: tap.url });

  for (let index = 0; index < 4 * ROUNDS; index += 1) {
    const wallet = newWallet();
    const attempt: Attempt = { level: LEVELS[index % 4]!, wallet, sentAt: new Map() };
    attempts.push(attempt);
    byWallet.set(wallet.walletAddress, attempt);
  }
  // Sends airdrops in batches, because the runtime responds late if hundreds of transactions arrive at once.
  for (let from = 0; from < attempts.length; from += AIRDROPS_AT_ONCE)
    await Promise.all(
      attempts
        .slice(from, from + AIRDROPS_AT_ONCE)
        .map(({ wallet }) => sandbox.airdrop(wallet.walletAddress, 5n * SOL, patience())),
    );
  const blocks = async (count: number): Promise<void> => {
    for (let block = 0; block < count; block += 1) await sandbox.nextBlock(patience());
  };
  await sandbox.setBusyNetwork(DEFAULT_BUSY_NETWORK);
  await blocks(WARM_UP_BLOCKS);

  const statusOf = async (signature: string) =>
    (await ask<[{ slot: number; err: unknown } | null]>('getSignatureStatuses', [[signature]]))[0];
  const stake = async (attempt: Attempt): Promise<void> => {
    const { walletAddress, secretKey } = attempt.wallet;
    const request = { walletAddress, secretKey, amountSol: 2, priority: attempt.level };
    try {
      const { signature, priorityFee } = await client.post('/api/v1/stake', request, {
        'idempotency-key': walletAddress,
      });
      const status = await statusOf(signature);
      assert.equal(status?.err, null);
      attempt.landed = { signature, slot: status!.slot, feeLamports: priorityFee.lamports };
    } catch (error) {
      assert.ok(error instanceof Refusal, String(error));
      assert.equal(error.body.errorCode, 'BLOCKHASH_EXPIRED');
    }
  };
  const calls: Promise<void>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    calls.push(...attempts.slice(4 * round, 4 * round + 4).map(stake));
    await blocks(BLOCKS_BETWEEN);
  }
  await Promise.all(calls);
  await sandbox.setBusyNetwork(null);
  await blocks(2);

  for (const { wallet, sentAt, landed } of attempts) {
    const { accounts } = await client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
    assert.equal(
      accounts.length,
      landed ? 1 : 0,
      'no wallet staked twice, and no stake reported as expired exists',
    );
    const onChain = await Promise.all([...sentAt.keys()].map(statusOf));
    assert.equal(onChain.filter((status) => status !== null).length, landed ? 1 : 0);
  }
  assert.ok(!(await Promise.all(wereAlive)).includes(true), 'a replaced transaction could no longer land');
  t.diagnostic(`transactions signed again after they expired: ${wereAlive.length}`);

  const rows = LEVELS.map((level) => {
    const mine = attempts.filter((attempt) => attempt.level === level);
    const atOnce = mine.filter(({ landed, sentAt }) => landed && [...sentAt.keys()][0] === landed.signature);
    const later = mine.filter(({ landed }) => landed).length;
    const waits = atOnce.map(({ landed, sentAt }) => landed!.slot - sentAt.get(landed!.signature)!);
    const fees = atOnce.map(({ landed }) => landed!.feeLamports);
    return { level, stakes: mine.length, atOnce: atOnce.length, later, waits, fees };
  });
  const table = [
    '| priority | stakes | landed within one blockhash | landed in the end | blocks to land: median, 90 % | fee: median, highest (lamports) |',
    '|---|---|---|---|---|---|',
    ...rows.map(({ level, stakes, atOnce, later, waits, fees }) =>
      [
        '',
        level,
        stakes,
        `${atOnce} (${percent(atOnce, stakes)})`,
        `${later} (${percent(later, stakes)})`,
        `${quantile(waits, 0.5) ?? '–'}, ${quantile(waits, 0.9) ?? '–'}`,
        `${quantile(fees, 0.5) ?? '–'}, ${quantile(fees, 1) ?? '–'}`,
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ];
  for (const line of table) t.diagnostic(line);
  if (FULL) writeFileSync(join(import.meta.dirname, '../../docs/landing.md'), document(table));

  const [none, low, , high] = rows.map(({ atOnce }) => atOnce / ROUNDS) as [number, number, number, number];
  assert.ok(
    none < 0.5 && low > none && high > 0.9,
    'a price of 0 rarely lands, and a high price nearly always does',
  );
});

const document = (table: readonly string[]): string => `# Priority fees in a busy network (LAND-1)

${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${4 * ROUNDS} one-shot stakes in the sandbox's busy network (\`npm run test:full -- LAND-1\`). Written by the test.

Each block has room for ${DEFAULT_BUSY_NETWORK.transactionsPerBlock} transactions, and ${DEFAULT_BUSY_NETWORK.backgroundPerBlock} compete for it on average. The load moves between 0 and twice as
many, toward another value every ${DEFAULT_BUSY_NETWORK.waveBlocks} blocks ([the sandbox](../sandbox/README.md#a-busy-network)). The background is synthetic: compare the priorities with each other; the numbers do not
predict a real cluster.

${table.join('\n')}

"In the end" counts stakes that were signed again with a higher fee after the blockhash had expired, at most twice, under the same key and at the same
address. Every wallet had one stake account if its stake was reported as landed, and none if it was reported as expired. A second transaction was never sent
before the blockhash of the first was too old.
`;
