// When the machine's clock is set back, the index neither mistakes an old list for a new one nor stops
// scanning.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { positionAt } from '../../../test/support/chain-snapshots.ts';
import { until } from '../../../test/support/index-fixture.ts';
import { startScriptedWebSocket } from '../../../test/support/index-websocket.ts';
import { atSlot, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createRunningClock } from '../../../test/support/steerable-clock.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createSolanaReads } from '../solana.ts';
import { createStakeIndex, type StakeIndexTimes } from './stake-index.ts';

const DAY_MS = 86_400_000;
const SLOT = 1_000;
const [VOTER, WALLET] = [90, 80].map((tag) => encodeBase58(new Uint8Array(32).fill(tag)) as Address) as [
  Address,
  Address,
];
const logger = createLogger('silent');

/** Opens an index without accounts and waits for its first scan. Later scans only depend on `times`. */
const open = async (t: TestContext, times: Partial<StakeIndexTimes>, wsUrls: readonly string[] = []) => {
  const clock = createRunningClock();
  const node = await startScriptedRpc(() => atSlot(SLOT, []));
  const pool = createRpcPool({ urls: [node.url], timeoutMs: 60_000, maxConcurrent: 4, clock, logger });
  const position = async () => positionAt(BigInt(SLOT), clock.now());
  const index = createStakeIndex({
    pool,
    reads: createSolanaReads(pool),
    cluster: {
      epochPosition: position,
      recentEpochPosition: position,
      readChainSnapshot: () => Promise.reject(new Error('no wallet is requested')),
    },
    voteAccount: VOTER,
    wsUrls,
    clock,
    logger,
    signal: new AbortController().signal,
    times: { pollMs: 5, keyScanMs: DAY_MS, rescanGapMs: 0, listAgeMs: DAY_MS, silenceMs: DAY_MS, ...times },
  });
  t.after(async () => {
    await index.close();
    await pool.close();
    await node[Symbol.asyncDispose]();
  });
  await until(() => index.totals() !== null, 'the first scan');
  return { index, clock, scans: () => node.count('getProgramAccounts') };
};

test('a list becomes too old, and wallets are then read individually', async (t) => {
  const { index, clock } = await open(t, { listAgeMs: 20 });
  clock.setBack(DAY_MS);
  await until(() => index.walletRows(WALLET) === null, 'a list too old to answer from');
  const { ready, error, ageSeconds } = index.health();
  assert.deepEqual([ready, error], [false, 'no updates from the chain']);
  assert.ok(ageSeconds !== null && ageSeconds < DAY_MS / 1_000);
});

test('scans for accounts that left run as often as before', async (t) => {
  const { clock, scans } = await open(t, { keyScanMs: 10 });
  clock.setBack(DAY_MS);
  const before = scans();
  await until(() => scans() > before + 1, 'two more scans');
});

test('a silent socket is replaced by another one, and the scan for missed changes runs as soon as before', async (t) => {
  await using socket = await startScriptedWebSocket({ confirms: true });
  const { index, clock, scans } = await open(t, { silenceMs: 300 }, [socket.url]);
  await until(() => index.health().live, 'the subscription');
  clock.setBack(DAY_MS);
  const [sockets, scansBefore] = [socket.opened(), scans()];
  await until(() => socket.opened() > sockets, 'another socket');
  await until(() => scans() > scansBefore, 'another scan');
  await index.close();
});
