// Checks how the RPC pool handles the refusals that users of public RPC nodes have reported: it stops using the
// method but keeps the node, or stops using the node for the requested time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { u64Schema } from '../../src/chain/rpc/rpc-schemas.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { patience } from '../support/patience.ts';
import { type Script, startScriptedRpc } from '../support/scripted-rpc.ts';
import { createManualClock } from '../support/steerable-clock.ts';

const responseSchema = z.strictObject({
  name: z.string(),
  source: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  means: z.enum(['method-refused', 'rate-limited']),
  leftAloneMs: z.int().optional(),
});
const { answers: responses } = z
  .strictObject({ about: z.string(), answers: z.array(responseSchema) })
  .parse(JSON.parse(readFileSync('test/fixtures/public-rpc-refusals.json', 'utf8')));
const refusals = responses.filter(({ means }) => means === 'method-refused');
const limits = responses.filter(({ means }) => means === 'rate-limited');

const GENESIS = '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY';
const call = (method: string) => ({ method, params: [], schema: u64Schema });
const SLOT = call('getSlot');
const SUPPLY = call('getSupply');
const http = ({ status, body, headers }: z.output<typeof responseSchema>) => ({
  status,
  text: body,
  headers,
});

const openPool = async (t: TestContext, ...scripts: readonly Script[]) => {
  const nodes = await Promise.all(
    scripts.map((script) =>
      startScriptedRpc((request) => {
        const response = script(request);
        return request.method === 'getGenesisHash' && response instanceof Object && 'result' in response
          ? { result: GENESIS }
          : response;
      }),
    ),
  );
  const clock = createManualClock();
  const pool = createRpcPool({
    urls: nodes.map(({ url }) => url),
    timeoutMs: 10_000,
    maxConcurrent: 8,
    clock,
    logger: createLogger('silent'),
  });
  pool.requireGenesisHash(GENESIS, []);
  t.after(async () => {
    await pool.close();
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });
  return { pool, nodes, clock };
};

const well: Script = () => ({ result: 7 });
const unavailable = (error: unknown) => isAppError(error, 'UPSTREAM_UNAVAILABLE');

for (const refusal of refusals) {
  const refusing: Script = ({ method }) => (method === 'getSupply' ? http(refusal) : { result: 7 });

  test(`${refusal.name}: the method is requested once, is reported as missing until it responds, and the node remains in use`, async (t) => {
    const { pool, nodes } = await openPool(t, refusing);
    const signal = patience();
    await assert.rejects(pool.call(SUPPLY, { signal }), unavailable);
    assert.equal(nodes[0]!.count('getSupply'), 1);
    assert.deepEqual(pool.missingMethods(), ['getSupply']);
    assert.equal(await pool.call(SLOT, { signal }), 7n);
    assert.equal(pool.health()[0]!.ok, true);
    nodes[0]!.script = well;
    assert.equal(await pool.call(SUPPLY, { signal }), 7n);
    assert.deepEqual(pool.missingMethods(), []);
  });

  test(`${refusal.name}: if another node responds, no method is reported as missing`, async (t) => {
    const { pool } = await openPool(t, refusing, well);
    assert.equal(await pool.call(SUPPLY, { signal: patience() }), 7n);
    assert.deepEqual(pool.missingMethods(), []);
    assert.ok(pool.readNodes().length === 2);
  });

  if (refusal.status !== 200)
    test(`${refusal.name}: the method of a refused scan is also reported as missing`, async (t) => {
      const { pool } = await openPool(t, () => http(refusal));
      const read = () => assert.fail('there is no response to read');
      const scan = { method: 'getProgramAccounts', params: [], read };
      await assert.rejects(pool.askForLarge(scan, { signal: patience(), timeoutMs: 10_000 }), unavailable);
      assert.deepEqual(pool.missingMethods(), ['getProgramAccounts']);
    });

  test(`${refusal.name}: a node that refuses every method is suspended`, async (t) => {
    const { pool, nodes, clock } = await openPool(t, () => http(refusal));
    await assert.rejects(pool.call(SUPPLY, { signal: patience() }), unavailable);
    await nodes[0]!.asked('getGenesisHash');
    await clock.sleeping();
    assert.deepEqual([pool.health()[0]!.ok, pool.health()[0]!.lastError], [false, 'rpc-error']);
  });
}

for (const limit of limits) {
  test(`${limit.name}: no method is reported as missing, and the node is not used for ${limit.leftAloneMs} ms`, async (t) => {
    const { pool, clock } = await openPool(t, () => http(limit), well);
    await assert.rejects(pool.ask(0, SUPPLY, { signal: patience() }));
    assert.deepEqual(clock.due(), [limit.leftAloneMs]);
    assert.deepEqual(pool.readNodes(), [1, 0]);
    assert.deepEqual(pool.missingMethods(), []);
    assert.equal(await pool.call(SUPPLY, { signal: patience() }), 7n);
  });
}
