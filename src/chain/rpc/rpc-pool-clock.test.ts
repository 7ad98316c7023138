// A read ends by its deadline even if the machine's clock is set back while it runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../../../test/support/patience.ts';
import { startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { blockHeightCall } from './rpc-calls.ts';
import { createRpcPool } from './rpc-pool.ts';

const TIMEOUT_MS = 10_000;

test('a node that has not reached the slot is retried for the usual time, not for an hour more', async (t) => {
  const behind = { code: -32_016, message: 'Minimum context slot has not been reached' };
  const node = await startScriptedRpc(() => ({ error: behind }));
  const clock = createManualClock();
  const logger = createLogger('silent');
  const pool = createRpcPool({ urls: [node.url], timeoutMs: TIMEOUT_MS, maxConcurrent: 4, clock, logger });
  t.after(async () => {
    await pool.close();
    await node[Symbol.asyncDispose]();
  });
  const failure = pool.call(blockHeightCall('confirmed'), { signal: patience() }).then(
    () => 'answered',
    (error: unknown) => error,
  );
  // Time only advances while no request is pending.
  await clock.sleeping();
  clock.setBack(3_600_000);
  for (let passedMs = 0; ; ) {
    const ended = await Promise.race([clock.sleeping(), failure]);
    if (ended !== undefined) break;
    assert.ok(passedMs <= 2 * TIMEOUT_MS, 'it retries for the whole hour');
    const [pauseMs] = clock.due();
    clock.advance(pauseMs!);
    passedMs += pauseMs!;
  }
  assert.ok(isAppError(await failure, 'UPSTREAM_UNAVAILABLE'));
});
