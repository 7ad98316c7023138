// Setting the machine's clock back does not affect submissions in flight.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address, Signature } from '@solana/kit';
import { patience } from '../../../test/support/patience.ts';
import { atSlot, type ScriptedResponse, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createSubmitter } from './submissions-in-flight.ts';

const HOUR_MS = 3_600_000;
const SIGNATURE = '5'.repeat(88) as Signature;
const SUBMISSION = { wireBytes: new Uint8Array([1]), signature: SIGNATURE, lastValidBlockHeight: 100n };
const confirmed = { slot: 7, err: null, confirmations: 1, confirmationStatus: 'confirmed' };
const logger = createLogger('silent');

const open = async (t: TestContext, responses: Record<string, () => ScriptedResponse>) => {
  const clock = createManualClock();
  const node = await startScriptedRpc(({ method }) => responses[method]?.() ?? { result: 50 });
  const pool = createRpcPool({ urls: [node.url], timeoutMs: 2_000, maxConcurrent: 4, clock, logger });
  const submitter = createSubmitter({ pool, wsUrls: [], clock, logger });
  t.after(async () => {
    submitter.close();
    await pool.close();
    await node[Symbol.asyncDispose]();
  });
  return { clock, node, submitter };
};

test('statuses are polled as often as before, and the result is returned', async (t) => {
  let status: unknown = null;
  const { clock, node, submitter } = await open(t, {
    sendTransaction: () => ({ result: SIGNATURE }),
    getSignatureStatuses: () => atSlot(9, [status]),
  });
  const ending = submitter.submit(SUBMISSION, patience());
  // Two sleeps: the poller and the next broadcast.
  await clock.sleeping(2);
  clock.setBack(HOUR_MS);
  status = confirmed;
  for (let looks = 0; node.count('getSignatureStatuses') === 0; looks += 1) {
    assert.ok(looks < 5 && clock.due()[0]! <= 500, 'the poller waits for the whole hour');
    clock.advance(500);
    await Promise.race([clock.sleeping(2), node.asked('getSignatureStatuses')]);
  }
  assert.deepEqual(await ending, { kind: 'confirmed', slot: 7n });
});

test('a submission that reaches no node is abandoned in time, since it is certain that nothing was sent', async (t) => {
  const { clock, node, submitter } = await open(t, {});
  await node.down();
  const ending = submitter.submit(SUBMISSION, patience());
  let ended = false;
  const over = ending
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  // Three sleeps: the poller, the next attempt and the node's prober. Time does not advance while one of them
  // waits for a response.
  await clock.sleeping(3);
  clock.setBack(HOUR_MS);
  const startMs = clock.now();
  while (!ended) {
    clock.advance(clock.due()[0]!);
    assert.ok(clock.now() < startMs + 60_000, 'it continues for the whole hour');
    await Promise.race([clock.sleeping(3), over]);
  }
  await assert.rejects(ending, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
});

for (const [name, relayed, sends] of [
  ['our own bytes are sent every two seconds', false, 1 + 31],
  ['relayed bytes are sent at intervals that double up to half a minute', true, 1 + 5],
] as const) {
  test(`in the 62 s for which a blockhash may be valid, ${name}`, async (t) => {
    // The height grows with every poll, once a second, because a halted chain would end the submission.
    let height = 1;
    const { clock, node, submitter } = await open(t, {
      sendTransaction: () => ({ result: SIGNATURE }),
      getSignatureStatuses: () => atSlot(9, [null]),
      getBlockHeight: () => ({ result: height++ }),
    });
    const over = new AbortController();
    const ending = submitter.submit({ ...SUBMISSION, relayed }, over.signal).catch(() => undefined);
    await clock.sleeping(2);
    const endMs = clock.now() + 62_000;
    while (clock.now() < endMs) {
      clock.advance(Math.min(clock.due()[0]!, endMs - clock.now()));
      // Two sleeps: the poller and the next broadcast. Time does not advance while one of them waits for a
      // response.
      await clock.sleeping(2);
    }
    assert.equal(node.count('sendTransaction'), sends);
    over.abort(new Error('the test has seen enough'));
    await ending;
  });
}

for (const [name, nonce, least] of [
  ['an expired blockhash is refused at the first attempt', undefined, 1],
  [
    'a nonce has no last valid block height, so nodes that do not know the nonce yet are retried',
    { account: '1'.repeat(32) as Address, value: SIGNATURE },
    4,
  ],
] as const)
  test(`if no node knows the blockhash or nonce of a transaction, ${name}`, async (t) => {
    let asked = 0;
    const { clock, node, submitter } = await open(t, {
      sendTransaction: () => ({
        error: { code: -32002, message: 'Transaction simulation failed', data: { err: 'BlockhashNotFound' } },
      }),
      getSignatureStatuses: () => atSlot(9, [null]),
      getBlockHeight: () => ({ result: 200 + 5 * asked++ }),
    });
    const ending = submitter.submit({ ...SUBMISSION, ...(nonce && { nonce }) }, patience());
    let ended = false;
    const over = ending.finally(() => {
      ended = true;
    });
    while (!ended) {
      await Promise.race([clock.sleeping(2), over]);
      if (!ended) clock.advance(clock.due()[0]!);
    }
    assert.deepEqual(await ending, { kind: 'refused', error: 'BlockhashNotFound', logs: [] });
    const offers = node.count('sendTransaction');
    assert.ok(least === 1 ? offers === 1 : offers >= least, `${offers} offers`);
  });
