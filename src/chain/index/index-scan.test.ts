// A scan finds a node that supports it, ends when aborted, and never returns an incomplete response.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import { type Script, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { type IndexScan, runIndexScan } from './index-scan.ts';

const VOTER = encodeBase58(new Uint8Array(32).fill(90)) as Address;
const ADDRESS = encodeBase58(new Uint8Array(32).fill(1));
const OWNER = 'Stake11111111111111111111111111111111111111';
const head = '{"jsonrpc":"2.0","result":{"context":{"slot":50},"value":[';
const row = `{"pubkey":"${ADDRESS}","account":{"data":["","base64"],"lamports":7,"owner":"${OWNER}"}}`;
const whole: Script = () => ({
  result: {
    context: { slot: 50 },
    value: [{ pubkey: ADDRESS, account: { data: ['', 'base64'], lamports: 7, owner: OWNER } }],
  },
});

const scanOf = (urls: readonly string[], more: Partial<IndexScan> = {}) => {
  const pool = createRpcPool({
    urls,
    timeoutMs: 10_000,
    maxConcurrent: 4,
    clock,
    logger: createLogger('silent'),
  });
  let [rows, starts] = [0, 0];
  const result = runIndexScan({
    pool,
    voteAccount: VOTER,
    keysOnly: true,
    minSlot: 0,
    plausible: () => true,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    onStart: () => {
      starts += 1;
      rows = 0;
    },
    onRow: () => {
      rows += 1;
    },
    ...more,
  }).finally(() => pool.close());
  return { result, seen: () => ({ rows, starts }) };
};

/** A server that responds with chunks written by the test. */
const dripping = async (drip: (response: ServerResponse) => void) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    drip(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const broken: Readonly<Record<string, Script>> = {
  'resets the connection': () => 'reset',
  'is rate-limited': () => ({ status: 429, text: 'slow down' }),
  'does not support the scan': () => ({
    error: { code: -32010, message: 'excluded from account secondary indexes' },
  }),
  'is behind': () => ({ result: { context: { slot: 9 }, value: [] } }),
  'stops in mid-response': () => ({ status: 200, text: `${head}${row},` }),
};

for (const [what, script] of Object.entries(broken)) {
  it(`a node that ${what} contributes no rows, and a node that supports the scan is used instead`, async () => {
    await using first = await startScriptedRpc(script);
    await using second = await startScriptedRpc(whole);
    const { result, seen } = scanOf([first.url, second.url], { minSlot: 10 });
    assert.deepEqual(await result, { slot: 50, rows: 1 });
    assert.equal(seen().rows, 1);
    assert.deepEqual([first.count('getProgramAccounts'), second.count('getProgramAccounts')], [1, 1]);
    assert.equal(second.requests[0]?.params[1].minContextSlot, 10);
  });
}

it('a scan that no node supports fails with UPSTREAM_UNAVAILABLE', async () => {
  await using only = await startScriptedRpc(() => ({ status: 200, text: '<html>' }));
  await assert.rejects(scanOf([only.url]).result, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
});

it('an invalid request is sent to one node only', async () => {
  const wrong: Script = () => ({ error: { code: -32602, message: 'invalid params' } });
  await using first = await startScriptedRpc(wrong);
  await using second = await startScriptedRpc(wrong);
  await assert.rejects(scanOf([first.url, second.url]).result, (error) =>
    isAppError(error, 'UPSTREAM_UNAVAILABLE'),
  );
  assert.equal(first.requests.length + second.requests.length, 1);
});

it('an abort ends a scan whose response is not complete', async () => {
  const stop = new AbortController();
  await using node = await dripping((response) => response.write(`${head}${row},`));
  const { result, seen } = scanOf([node.url], {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  });
  await assert.rejects(result, /enough/);
  assert.equal(seen().starts, 0);
});

it('a response that does not end in time is abandoned', async () => {
  await using node = await dripping((response) => response.write(head));
  await assert.rejects(scanOf([node.url], { timeoutMs: 100 }).result, (error) =>
    isAppError(error, 'UPSTREAM_UNAVAILABLE'),
  );
});

const MEBIBYTE = 1_048_576;

/** Responds with two rows and `count` copies of `filling` between them. */
const filled = (filling: string, count: number) =>
  dripping((response) => {
    let written = 0;
    const more = () => {
      for (; written < count; written += 1) {
        if (response.write(filling)) continue;
        written += 1;
        response.once('drain', more);
        return;
      }
      // A new pool numbers its requests from 1.
      response.end(`,${row}]},"id":1}`);
    };
    response.write(`${head}${row}`);
    more();
  });

it('the response of a scan may be larger than the responses of other reads', async () => {
  let bytes = 0;
  const rowsEach = Math.ceil(MEBIBYTE / row.length);
  await using node = await filled(`,${row}`.repeat(rowsEach), 70);
  const { result } = scanOf([node.url], {
    timeoutMs: 300_000,
    onProgress: (read) => {
      bytes = read;
    },
  });
  assert.deepEqual(await result, { slot: 50, rows: 2 + 70 * rowsEach });
  assert.ok(bytes > 70 * MEBIBYTE, `${bytes} bytes`);
});

it('a response with more than 16 MiB between two rows counts as broken', async () => {
  await using node = await filled(' '.repeat(MEBIBYTE), 17);
  const { result, seen } = scanOf([node.url], { timeoutMs: 300_000 });
  await assert.rejects(result, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
  assert.equal(seen().rows, 0);
});
