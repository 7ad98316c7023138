// Tests that a response with cached values does not wait long for nodes that are known not to respond.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedChainRead } from './bounded-chain-read.ts';

const ctxWith = (isReachable: boolean) => ({ chain: { cluster: { isReachable: () => isReachable } } });

test('while no RPC node responds, a read is given up after a fraction of the usual wait, and values that are cached are still used', async () => {
  const hang = () => new Promise<null>(() => {});
  const stop = new AbortController();
  const waits = boundedChainRead(ctxWith(true), hang, stop.signal).catch(() => null);
  const gaveUp = boundedChainRead(ctxWith(false), hang, stop.signal);
  assert.equal(await Promise.race([waits.then(() => 'waited'), gaveUp.then(() => 'gave up')]), 'gave up');
  assert.equal(await gaveUp, null);
  stop.abort();
  assert.equal(await boundedChainRead(ctxWith(false), async () => 7, new AbortController().signal), 7);
});
