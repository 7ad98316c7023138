// Reads survive broken nodes, a broken node returns automatically, and no secret is revealed.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { z } from 'zod';
import { patience } from '../../../test/support/patience.ts';
import {
  atSlot,
  type Script,
  type ScriptedResponse,
  type ScriptedRpc,
  startScriptedRpc,
} from '../../../test/support/scripted-rpc.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { type AppError, isAppError } from '../../kernel/app-error.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { NodeFailure, RpcError } from './rpc-error.ts';
import { createRpcPool, type RpcPool, type RpcPoolOptions } from './rpc-pool.ts';

const logger = createLogger('silent');
const GENESIS = '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY';
const slot = { method: 'getSlot', params: [], schema: z.int() };
const balance = {
  method: 'getBalance',
  params: ['who'],
  schema: z.object({ context: z.object({ slot: z.int() }), value: z.int() }),
  slotOf: (response: { context: { slot: number } }) => BigInt(response.context.slot),
};

describe('RpcPool', () => {
  let signal: AbortSignal;
  let nodes: ScriptedRpc[];
  let pools: RpcPool[];

  beforeEach(() => {
    signal = patience();
    nodes = [];
    pools = [];
  });
  afterEach(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  });

  const answering =
    (script: Script): Script =>
    (request) =>
      request.method === 'getGenesisHash' ? { result: GENESIS } : script(request);

  const start = async (...scripts: Script[]): Promise<readonly ScriptedRpc[]> => {
    nodes = await Promise.all(scripts.map((script) => startScriptedRpc(answering(script))));
    return nodes;
  };

  const open = (options: Partial<RpcPoolOptions> & { clock?: Clock } = {}): RpcPool => {
    const pool = createRpcPool({
      urls: nodes.map(({ url }) => url),
      timeoutMs: 20_000,
      maxConcurrent: 8,
      clock: systemClock,
      logger,
      ...options,
    });
    pools.push(pool);
    return pool;
  };

  const broken: Readonly<Record<string, ScriptedResponse>> = {
    'cuts the connection': 'reset',
    'never responds': 'silence',
    'answers 429': { status: 429, text: 'slow down' },
    'answers 500': { status: 500, text: 'oops' },
    'answers 403': { status: 403, text: 'key expired' },
    'answers HTML': { status: 200, text: '<html></html>' },
    'answers null': { status: 200, text: 'null' },
    'answers for another request': { status: 200, text: '{"jsonrpc":"2.0","id":999999,"result":1}' },
    'answers another shape': { result: 'text' },
    'answers neither result nor error': { status: 200, text: '{"jsonrpc":"2.0","id":1}' },
    'reports that it is behind': { error: { code: -32005, message: 'Node is behind by 200 slots' } },
    'has an internal error': { error: { code: -32603, message: 'Internal error' } },
  };
  for (const [name, response] of Object.entries(broken)) {
    it(`another node is used if one ${name}`, async () => {
      const [bad, good] = await start(
        () => response,
        () => ({ result: 42 }),
      );
      const pool = open({ timeoutMs: 800 });
      assert.equal(await pool.call(slot, { signal }), 42);
      assert.equal(bad!.count('getSlot') + good!.count('getSlot') <= 2, true);
    });

    it(`a lone node that ${name} causes UPSTREAM_UNAVAILABLE, reported without its URL`, async () => {
      await start(() => response);
      const pool = open({ timeoutMs: 300 });
      await assert.rejects(pool.call(slot, { signal }), (error: unknown) => {
        assert.ok(isAppError(error, 'UPSTREAM_UNAVAILABLE'));
        assert.ok(error.retryable);
        assert.doesNotMatch(
          `${error.message}${error.suggestedAction}${JSON.stringify(error.body)}`,
          /127\.0\.0\.1|http/,
        );
        return true;
      });
    });
  }

  it('a read that a node leaves unanswered is answered by another node before the first one times out, and further reads go to that other node', async () => {
    const [hanging, other] = await start(
      () => ({ result: 1 }),
      () => ({ result: 2 }),
    );
    const pool = open({ timeoutMs: 600_000 });
    await pool.ask(0, slot, { signal });
    const slowerMs = 10 * pool.health()[0]!.latencyMs!;
    other!.script = answering(() => systemClock.sleep(slowerMs, signal).then(() => ({ result: 2 })));
    await pool.ask(1, slot, { signal });
    assert.deepEqual(pool.readNodes(), [0, 1]);
    hanging!.script = () => 'silence';
    other!.script = answering(() => ({ result: 3 }));
    assert.equal(await pool.call(slot, { signal }), 3);
    assert.equal(hanging!.count('getSlot'), 2);
    while (pool.readNodes()[0] === 0) await systemClock.sleep(1, signal);
    assert.equal(pool.health()[0]!.lastError, null, 'it has not timed out');
    assert.equal(await pool.call({ ...slot, params: ['later'] }, { signal }), 3);
    assert.equal(hanging!.count('getSlot'), 2);
  });

  it('a read that a node does not respond to goes to another node before it times out, and so do further reads', async () => {
    let failures = 1;
    const [node] = await start(() => (failures-- > 0 ? 'reset' : { result: 7 }));
    assert.equal(await open().call(slot, { signal }), 7);
    assert.equal(node!.count('getSlot'), 2);
  });

  it('a response over the size limit counts as a broken node and is not kept in memory', async () => {
    await start(() => ({ result: 'x'.repeat(100_000) }));
    const pool = open({ maxResponseBytes: 10_000 });
    await assert.rejects(pool.ask(0, { ...slot, schema: z.any() }, { signal }), (error: unknown) => {
      return error instanceof NodeFailure && error.word === 'garbage';
    });
  });

  it("an invalid request is refused immediately, with the node's code, message and data", async () => {
    const error = { code: -32602, message: 'Invalid param', data: { hint: 1 } };
    const [first, second] = await start(
      () => ({ error }),
      () => ({ error }),
    );
    await assert.rejects(open().call(slot, { signal }), (thrown: unknown) => {
      assert.ok(thrown instanceof RpcError);
      assert.deepEqual([thrown.code, thrown.message, thrown.data], [-32602, 'Invalid param', { hint: 1 }]);
      return true;
    });
    assert.equal(first!.count('getSlot') + second!.count('getSlot'), 1);
  });

  it('a method that a node does not support is tried on every other node, and on none twice', async () => {
    const missing = { error: { code: -32601, message: 'Method not found' } };
    const [first, second] = await start(
      () => missing,
      () => ({ result: 9 }),
    );
    const pool = open();
    assert.equal(await pool.call(slot, { signal }), 9);
    second!.script = () => missing;
    await assert.rejects(pool.call(slot, { signal }), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
    assert.ok(first!.count('getSlot') <= 2 && second!.count('getSlot') === 2);
  });

  it('a failing node is suspended, its health shows the reason, and it is used again once it recovers', async () => {
    let ill = true;
    const [node] = await start(() => (ill ? { status: 500, text: '' } : { result: 1 }));
    const pool = open({ timeoutMs: 400 });
    await assert.rejects(pool.call(slot, { signal }));
    assert.deepEqual(
      pool.health().map(({ ok, lastError }) => ({ ok, lastError })),
      [{ ok: false, lastError: 'http-error' }],
    );
    ill = false;
    await node!.asked('getGenesisHash');
    while (!pool.health()[0]!.ok) await systemClock.sleep(1, signal);
    assert.equal(await pool.call(slot, { signal }), 1);
  });

  it('a recovered RPC is used again immediately, without waiting for a probe', async () => {
    const [node] = await start(() => ({ result: 1 }));
    const clock = createManualClock();
    const pool = open({ clock });
    await pool.call(slot, { signal });
    await node!.down();
    const failing = pool.call(slot, { signal });
    failing.catch(() => undefined);
    const tick = setInterval(() => clock.advance(100), 1);
    await assert.rejects(failing, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
    clearInterval(tick);
    await node!.up();
    assert.equal(await pool.call(slot, { signal }), 1);
    assert.equal(pool.health()[0]!.ok, true);
  });

  it('while the only node hangs, a read after the first one fails at once without a request, until a probe is answered', async () => {
    const [node] = await start(() => ({ result: 7 }));
    node!.script = () => 'silence';
    const pool = open({ timeoutMs: 1_000 });
    const isUnavailable = (error: unknown) => isAppError(error, 'UPSTREAM_UNAVAILABLE');
    await assert.rejects(pool.call(slot, { signal }), isUnavailable);
    const asked = node!.count('getSlot');
    await assert.rejects(pool.call(slot, { signal }), isUnavailable);
    assert.equal(node!.count('getSlot'), asked);
    node!.script = answering(() => ({ result: 8 }));
    while (!pool.health()[0]!.ok) await systemClock.sleep(20, signal);
    assert.equal(await pool.call(slot, { signal }), 8);
  });

  it('the Retry-After header of a 429 sets how long the node is skipped', async () => {
    await start(
      () => ({ status: 429, text: '', headers: { 'retry-after': '7' } }),
      () => ({ result: 1 }),
    );
    const clock = createManualClock();
    const pool = open({ clock });
    await assert.rejects(pool.ask(0, slot, { signal }), NodeFailure);
    assert.deepEqual(clock.due(), [7_000]);
    assert.deepEqual(pool.readNodes(), [1, 0]);
  });

  it('the pause of a node that keeps failing doubles up to half a minute', async () => {
    const clock = createManualClock();
    nodes = [await startScriptedRpc(() => ({ status: 500, text: '' }))];
    const pool = open({ clock });
    await assert.rejects(pool.ask(0, slot, { signal }));
    const pauses: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      await clock.sleeping();
      pauses.push(clock.due()[0]!);
      clock.advance(clock.due()[0]!);
    }
    assert.deepEqual(pauses, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('a thousand identical reads share one request, but different ones do not', async () => {
    const { promise, resolve } = Promise.withResolvers<ScriptedResponse>();
    const [node] = await start(() => promise);
    const pool = open();
    const reads = Array.from({ length: 1_000 }, () => pool.call(slot, { signal }));
    const other = pool.call({ ...slot, params: [{ commitment: 'finalized' }] }, { signal });
    await node!.asked('getSlot', 2);
    resolve({ result: 3 });
    assert.deepEqual(new Set(await Promise.all([...reads, other])), new Set([3]));
    assert.equal(node!.count('getSlot'), 2);
  });

  it('a caller that joined a read started before the RPC recovered repeats the read instead of inheriting its failure', async () => {
    let back = false;
    const first = Promise.withResolvers<ScriptedResponse>();
    const [node] = await start(() => (back ? { result: 3 } : first.promise));
    const pool = open({ timeoutMs: 1_000 });
    const early = pool.call(slot, { signal });
    early.catch(() => undefined);
    await node!.asked('getSlot');
    const late = pool.call(slot, { signal });
    first.resolve({ error: { code: -32601, message: 'not yet' } });
    back = true;
    await assert.rejects(early);
    assert.equal(await late, 3);
  });

  it('a node never has more concurrent requests than allowed, with sends counted separately', async () => {
    let [open_, most] = [0, 0];
    const gate = Promise.withResolvers<ScriptedResponse>();
    const [node] = await start(() => {
      open_ += 1;
      most = Math.max(most, open_);
      return gate.promise.finally(() => {
        open_ -= 1;
      });
    });
    const pool = open({ maxConcurrent: 3 });
    const reads = Array.from({ length: 10 }, (_, i) => pool.call({ ...slot, params: [i] }, { signal }));
    await node!.asked('getSlot', 3);
    const send = pool.ask(0, { ...slot, method: 'sendTransaction' }, { signal, lane: 'send' });
    await node!.asked('sendTransaction');
    assert.equal(most, 4);
    gate.resolve({ result: 0 });
    await Promise.all([...reads, send]);
    assert.equal(most, 4);
  });

  it('minContextSlot applies even if a node ignores it: the node is queried again until it reaches the slot', async () => {
    let at = 99;
    const [node] = await start(() => atSlot(at++, 5));
    const { context } = await open().call({ ...balance, minContextSlot: 101n }, { signal });
    assert.equal(context.slot, 101);
    assert.equal(node!.count('getBalance'), 3);
  });

  it("a response from a slot far behind another node's latest slot is not used", async () => {
    await start(
      () => atSlot(1_000, 1),
      () => atSlot(900, 2),
    );
    const pool = open();
    await pool.ask(0, balance, { signal });
    await assert.rejects(
      pool.ask(1, balance, { signal }),
      (error) => error instanceof NodeFailure && error.word === 'behind',
    );
    assert.equal((await pool.call(balance, { signal })).value, 1);
  });

  it('a cluster that restarts from a lower slot is not mistaken for a node lagging behind itself', async () => {
    let at = 1_000_000;
    await start(() => atSlot(at, 1));
    const pool = open();
    await pool.call(balance, { signal });
    at = 5;
    assert.equal((await pool.call(balance, { signal })).context.slot, 5);
  });

  it('does not read from a node that returns as part of another cluster', async () => {
    nodes = [
      await startScriptedRpc(() => ({ result: 1 })),
      await startScriptedRpc(({ method }) =>
        method === 'getGenesisHash' ? { result: 'another' } : { result: 666 },
      ),
    ];
    const pool = open();
    pool.requireGenesisHash(GENESIS, [1]);
    await nodes[1]!.asked('getGenesisHash');
    while (pool.health()[1]!.lastError !== 'other-cluster') await systemClock.sleep(1, signal);
    for (let i = 0; i < 5; i += 1) assert.equal(await pool.call(slot, { signal }), 1);
    assert.deepEqual(pool.readNodes(), [0]);
    assert.equal(nodes[1]!.count('getSlot'), 0);
  });

  it('a node that was disconnected has its genesis hash checked before it is read from again, even if it is the only one', async () => {
    const [node] = await start(() => ({ result: 1 }));
    const clock = createManualClock();
    const pool = open({ clock });
    pool.requireGenesisHash(GENESIS, []);
    await pool.call(slot, { signal });
    await node!.down();
    await assert.rejects(pool.ask(0, slot, { signal }));
    await node!.up();
    node!.script = ({ method }) => ({ result: method === 'getGenesisHash' ? 'another' : 666 });
    await assert.rejects(pool.call(slot, { signal }), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
    assert.equal(node!.count('getSlot'), 1);
    assert.deepEqual([pool.readNodes(), pool.health()[0]!.lastError], [[], 'other-cluster']);
  });

  const whileAway: Readonly<Record<string, ScriptedResponse>> = {
    'that closed its connections': 'reset',
    'behind a gateway that answered 502': { status: 502, text: '<html>Bad Gateway</html>' },
  };
  for (const [how, response] of Object.entries(whileAway)) {
    it(`a validator ${how} and then restarted on a new chain is refused with one message until it serves the old chain again`, async () => {
      const [node] = await start(() => ({ result: 1 }));
      const clock = createManualClock();
      const pool = open({ clock });
      pool.requireGenesisHash(GENESIS, []);
      node!.script = () => response;
      await assert.rejects(pool.ask(0, slot, { signal }), NodeFailure);
      node!.script = ({ method }) => ({ result: method === 'getGenesisHash' ? 'another' : 666 });
      await assert.rejects(pool.call(slot, { signal }), (error) => {
        assert.ok(isAppError(error, 'UPSTREAM_UNAVAILABLE'));
        assert.match(
          error.message,
          /^The Solana RPC is on a different cluster than .* its genesis hash changed\.$/,
        );
        return true;
      });
      assert.equal(node!.count('getSlot'), 1);
      node!.script = ({ method }) => ({ result: method === 'getGenesisHash' ? GENESIS : 5 });
      while (!pool.readNodes().includes(0)) {
        clock.advance(500);
        await systemClock.sleep(1, signal);
      }
      assert.equal(await pool.call(slot, { signal }), 5);
    });
  }

  it('a lagging node is not used for at least two seconds, and is used again after a probe', async () => {
    let at = 900;
    await start(
      () => atSlot(1_000, 1),
      () => atSlot(at, 2),
    );
    const clock = createManualClock();
    const pool = open({ clock });
    await pool.ask(0, balance, { signal });
    await assert.rejects(pool.ask(1, balance, { signal }));
    assert.deepEqual(clock.due(), [2_000]);
    at = 1_000;
    clock.advance(2_000);
    while (!pool.health()[1]!.ok) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await pool.ask(1, balance, { signal })).value, 2);
  });

  it('a node unverified at startup is used once it has returned the right genesis hash', async () => {
    await start(
      () => ({ result: 1 }),
      () => ({ result: 2 }),
    );
    const pool = open();
    pool.requireGenesisHash(GENESIS, [1]);
    assert.deepEqual(pool.readNodes(), [0]);
    while (pool.readNodes().length < 2) await systemClock.sleep(1, signal);
    assert.equal(await pool.ask(1, slot, { signal }), 2);
  });

  it('a caller that aborts gets its own reason immediately, and the request is canceled', async () => {
    const [node] = await start(() => 'silence');
    const leaving = new AbortController();
    const read = open({ timeoutMs: 60_000 }).call(slot, { signal: leaving.signal });
    await node!.asked('getSlot');
    leaving.abort(new Error('client went away'));
    await assert.rejects(read, /client went away/);
  });

  it('close ends pending requests', async () => {
    const [node] = await start(() => 'silence');
    const pool = open({ timeoutMs: 60_000 });
    const read = pool.call(slot, { signal });
    read.catch(() => undefined);
    await node!.asked('getSlot');
    await pool.close();
    await assert.rejects(read);
  });

  it('keys in the path, query and user info reach the node but never appear in a health report, an error or the log', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
    const [node] = await start(() => ({ status: 500, text: '' }));
    const url = node!.url
      .replace('http://', 'http://us%40er:PASSW0RD@')
      .concat('/v2/PATHKEY?api-key=QUERYKEY');
    const pool = open({ urls: [url], timeoutMs: 300, logger: createLogger('trace', destination) });
    const error = await pool.call(slot, { signal }).catch((e: unknown) => e);
    const { path, headers } = node!.requests[0]!;
    assert.equal(path, '/v2/PATHKEY?api-key=QUERYKEY');
    assert.equal(headers.authorization, `Basic ${Buffer.from('us@er:PASSW0RD').toString('base64')}`);
    const shown = [
      ...lines,
      JSON.stringify(pool.health()),
      String(error),
      (error as AppError).stack,
      String((error as AppError).cause),
    ];
    assert.match(pool.health()[0]!.origin, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.doesNotMatch(shown.join('\n'), /PATHKEY|QUERYKEY|PASSW0RD/);
  });

  it("requests no compression, so that no decoder runs on an untrusted node's bytes", async () => {
    const [node] = await start(() => ({ result: 1 }));
    await open().call(slot, { signal });
    assert.equal(node!.requests[0]!.headers['accept-encoding'], undefined);
  });

  it('a sending URL is used for sends and never for reads', async () => {
    await start(
      () => ({ result: 1 }),
      () => ({ result: 2 }),
    );
    const pool = open({ urls: [nodes[0]!.url], sendUrl: nodes[1]!.url });
    assert.deepEqual([pool.readNodes(), pool.sendNodes(), pool.sendsApart], [[0], [1], true]);
    await assert.rejects(pool.ask(1, { ...slot, schema: z.never() as never }, { signal }));
    assert.deepEqual(pool.readNodes(), [0]);
    assert.deepEqual(
      pool.health().map(({ role }) => role),
      ['read', 'send'],
    );
  });

  it('a node that has not reached the slot is retried for the usual time, even if the clock is set back', async () => {
    const timeoutMs = 10_000;
    await start(() => ({ error: { code: -32_016, message: 'Minimum context slot has not been reached' } }));
    const clock = createManualClock();
    const ended = open({ clock, timeoutMs })
      .call(slot, { signal })
      .catch((error: unknown) => error);
    // Time only advances while no request is pending.
    await clock.sleeping();
    clock.setBack(3_600_000);
    for (let passedMs = 0; (await Promise.race([clock.sleeping(), ended])) === undefined; ) {
      assert.ok(passedMs <= 2 * timeoutMs, 'it retries for the whole hour');
      const [pauseMs] = clock.due();
      clock.advance(pauseMs!);
      passedMs += pauseMs!;
    }
    assert.ok(isAppError(await ended, 'UPSTREAM_UNAVAILABLE'));
  });
});
