// A recent blockhash costs no round trip, an outdated one is never returned, and an unused provider makes no
// calls.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { atSlot, type ScriptedRpc, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock, type SteerableClock } from '../../../test/support/steerable-clock.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool, type RpcPool } from '../rpc/rpc-pool.ts';
import { type BlockhashKeeper, createBlockhashKeeper } from './recent-blockhash.ts';

const logger = createLogger('silent');
const LIFE = 150;
const BLOCK_MS = 400;
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const blockhashAt = (height: number) =>
  `${'1'.repeat(34)}${[...String(height).padStart(8, '0')].map((digit) => alphabet[Number(digit)]).join('')}`;

describe('BlockhashKeeper', () => {
  let clock: SteerableClock;
  let node: ScriptedRpc;
  let pool: RpcPool;
  let closing: AbortController;
  let keeper: BlockhashKeeper;
  const signal = new AbortController().signal;
  const startMs = 1_800_000_000_000;
  const heightNow = () => 1_000 + Math.floor((clock.now() - startMs) / BLOCK_MS);

  beforeEach(async () => {
    clock = createManualClock(startMs);
    node = await startScriptedRpc(({ method }) => {
      if (method === 'getBlockHeight') return { result: heightNow() };
      if (method !== 'getLatestBlockhash') return { result: '1'.repeat(32) };
      const value = { blockhash: blockhashAt(heightNow()), lastValidBlockHeight: heightNow() + LIFE };
      return atSlot(heightNow() + 7, value);
    });
    pool = createRpcPool({ urls: [node.url], timeoutMs: 3_000, maxConcurrent: 4, clock, logger });
    closing = new AbortController();
    keeper = createBlockhashKeeper({ pool, clock, signal: closing.signal });
  });
  afterEach(async () => {
    closing.abort(new Error('done'));
    await pool.close();
    await node[Symbol.asyncDispose]();
  });

  /** Advances the clock by `ms`, with a request every `everyMs`. */
  const live = async (ms: number, everyMs = 1_000) => {
    for (let passed = 0; passed < ms; passed += everyMs) {
      clock.advance(everyMs);
      await keeper.get(signal);
      await settled();
    }
  };
  /** Lets pending requests complete. */
  const settled = async () => {
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('reads a blockhash once and then hands it out without a request', async () => {
    const first = await keeper.get(signal);
    assert.deepEqual(
      [first.blockhash, first.lastValidBlockHeight, first.blockHeight, first.slot],
      [blockhashAt(1_000), 1_150n, 1_000n, 1_007n],
    );
    for (let i = 0; i < 100; i += 1) assert.equal((await keeper.get(signal)).blockhash, first.blockhash);
    assert.equal(node.count('getLatestBlockhash'), 1);
  });

  it('gives the next blockhash to a wallet that used the current one, and the current one to all others', async () => {
    await keeper.get(signal);
    // The block rate is known after two reads.
    await live(4_000);
    const { blockhash } = await keeper.get(signal, 'wallet');
    keeper.use(blockhash, 'wallet');
    clock.advance(BLOCK_MS);
    assert.equal((await keeper.get(signal, 'other')).blockhash, blockhash);
    const next = (await keeper.get(signal, 'wallet')).blockhash;
    assert.equal(next, blockhashAt(heightNow()));
    assert.notEqual(next, blockhash);
  });

  it('waits for the next block if only the used blockhash is available, and fails if no block is produced', async () => {
    const { blockhash } = await keeper.get(signal);
    keeper.use(blockhash, 'wallet');
    const waiting = keeper.get(signal, 'wallet');
    for (let passed = 0; passed < BLOCK_MS; passed += 100) {
      await clock.sleeping();
      clock.advance(100);
    }
    const next = (await waiting).blockhash;
    assert.equal(next, blockhashAt(1_001));
    keeper.use(next, 'wallet');
    node.script = () => atSlot(1_008, { blockhash: next, lastValidBlockHeight: 1_001 + LIFE });
    const refused = assert.rejects(keeper.get(signal, 'wallet'), (error) =>
      isAppError(error, 'UPSTREAM_UNAVAILABLE'),
    );
    for (let passed = 0; passed <= 10_000; passed += 1_000) {
      await clock.sleeping();
      clock.advance(1_000);
    }
    await refused;
  });

  it('refreshes the blockhash in the background every ten blocks while one is requested every second, so that no caller waits', async () => {
    await keeper.get(signal);
    // The block rate is known after two reads.
    await live(4_000);
    const before = node.count('getLatestBlockhash');
    for (let i = 0; i < 40; i += 1) {
      const script = node.script;
      let answered = true;
      node.script = (request) => {
        answered = false;
        return script(request);
      };
      clock.advance(1_000);
      const { lastValidBlockHeight } = await keeper.get(signal);
      assert.ok(answered, 'the call did not wait for the node');
      node.script = script;
      await settled();
      const ageBlocks = heightNow() + LIFE - Number(lastValidBlockHeight);
      assert.ok(ageBlocks <= 14, `${ageBlocks} blocks old`);
    }
    const perBlock = (node.count('getLatestBlockhash') - before) / (40_000 / BLOCK_MS);
    assert.ok(perBlock <= 0.1, `${perBlock} reads per block`);
  });

  it('reads a blockhash once a minute if one is requested once a minute, and not in between', async () => {
    await keeper.get(signal);
    for (let minute = 1; minute <= 5; minute += 1) {
      clock.advance(60_000);
      assert.equal(node.count('getLatestBlockhash'), minute);
      assert.equal((await keeper.get(signal)).blockhash, blockhashAt(heightNow()));
      await settled();
    }
    assert.deepEqual([node.count('getLatestBlockhash'), clock.due()], [6, []]);
  });

  it('reads the blockhash again after more than twenty blocks, but serves the old one for a third of its lifetime while no node responds', async () => {
    await keeper.get(signal);
    await live(4_000);
    const { blockhash } = await keeper.get(signal);
    const reads = node.count('getLatestBlockhash');
    await node.down();
    clock.advance(30 * BLOCK_MS);
    const tick = setInterval(() => clock.advance(1), 1);
    try {
      assert.equal((await keeper.get(signal)).blockhash, blockhash);
    } finally {
      clearInterval(tick);
    }
    await node.up();
    assert.notEqual((await keeper.get(signal)).blockhash, blockhash);
    assert.equal(node.count('getLatestBlockhash'), reads + 1);
  });

  it('an expired blockhash is read again before it is handed out, even if no refresh ran', async () => {
    await keeper.get(signal);
    clock.advance((LIFE / 3) * BLOCK_MS);
    assert.equal((await keeper.get(signal)).blockhash, blockhashAt(1_050));
  });

  it('an expired blockhash is read again even if the clock was set back in the meantime', async () => {
    await keeper.get(signal);
    const script = node.script;
    const fresh = { blockhash: blockhashAt(1_050), lastValidBlockHeight: 1_050 + LIFE };
    node.script = (request) =>
      request.method === 'getLatestBlockhash' ? atSlot(1_057, fresh) : script(request);
    clock.setBack(3_600_000);
    assert.equal((await keeper.get(signal)).blockhash, blockhashAt(1_000), 'it is still recent');
    clock.advance((LIFE / 3) * BLOCK_MS);
    const { blockhash, estimatedExpiresAtMs } = await keeper.get(signal);
    assert.equal(blockhash, fresh.blockhash);
    assert.ok(estimatedExpiresAtMs < startMs, 'the estimate uses the clock that was set back');
  });

  it('while the RPC is down, serves a recent blockhash but never an old one, and resumes automatically', async () => {
    await keeper.get(signal);
    await node.down();
    assert.equal((await keeper.get(signal)).blockhash, blockhashAt(1_000));
    clock.advance(60_000);
    const failing = keeper.get(signal);
    failing.catch(() => undefined);
    const tick = setInterval(() => clock.advance(100), 1);
    try {
      await assert.rejects(failing, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
      await node.up();
      const upAt = heightNow();
      assert.ok(Number((await keeper.get(signal)).lastValidBlockHeight) >= upAt + LIFE);
    } finally {
      clearInterval(tick);
    }
  });

  it('remembers the last valid block height only for blockhashes that it has handed out', async () => {
    const { blockhash } = await keeper.get(signal);
    await live(8_000);
    const later = await keeper.get(signal);
    assert.notEqual(later.blockhash, blockhash);
    assert.equal(keeper.lastValidBlockHeightOf(blockhash), 1_150n);
    assert.equal(keeper.lastValidBlockHeightOf(later.blockhash), later.lastValidBlockHeight);
    assert.equal(keeper.lastValidBlockHeightOf(blockhashAt(999)), undefined);
  });

  it('a response from a node that lags slightly does not replace a blockhash that expires later', async () => {
    await keeper.get(signal);
    const script = node.script;
    node.script = (request) =>
      request.method === 'getLatestBlockhash'
        ? atSlot(1_000, { blockhash: blockhashAt(990), lastValidBlockHeight: 990 + LIFE })
        : script(request);
    await live(3_000);
    assert.ok(node.count('getLatestBlockhash') > 1);
    assert.equal((await keeper.get(signal)).blockhash, blockhashAt(1_000));
  });

  it('the estimated expiry follows the measured block rate', async () => {
    await keeper.get(signal);
    await live(20_000);
    const { estimatedExpiresAtMs, lastValidBlockHeight } = await keeper.get(signal);
    const trueExpiryMs = startMs + (Number(lastValidBlockHeight) - 1_000) * BLOCK_MS;
    assert.ok(Math.abs(estimatedExpiresAtMs - trueExpiryMs) < LIFE * BLOCK_MS * 0.1);
  });
});
