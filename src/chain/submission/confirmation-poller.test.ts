// One loop polls all submissions in flight, hints trigger a poll, and only a lasting outage or a halted chain
// ends in `unresolved`.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address, Signature } from '@solana/kit';
import { atSlot, type ScriptedRpc, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock, type SteerableClock } from '../../../test/support/steerable-clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool, type RpcPool } from '../rpc/rpc-pool.ts';
import { ConfirmationPoller, outcomeOf } from './confirmation-poller.ts';
import type { SignatureFeed } from './signature-feed.ts';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const signatureOf = (i: number) =>
  `${'1'.repeat(70)}${[...String(i).padStart(4, '0')].map((digit) => alphabet[Number(digit)]).join('')}` as Signature;
const confirmed = (slot: number, err: unknown = null, confirmationStatus = 'confirmed') => ({
  slot,
  err,
  confirmations: 1,
  confirmationStatus,
});
const ABSENCE_MS = 60_000;

describe('ConfirmationPoller', () => {
  const signal = new AbortController().signal;
  const statuses = new Map<string, unknown>();
  const hints = new Map<string, () => void>();
  let height: number;
  let node: ScriptedRpc;
  let clock: SteerableClock;
  let pool: RpcPool;
  let poller: ConfirmationPoller;
  let feed: { connected: boolean } & Omit<SignatureFeed, 'connected'>;
  let ticking: NodeJS.Timeout;

  beforeEach(async () => {
    statuses.clear();
    hints.clear();
    height = 50;
    clock = createManualClock();
    node = await startScriptedRpc(({ method, params }) => {
      if (method === 'getSignatureStatuses') {
        return atSlot(
          2_000,
          (params[0] as string[]).map((signature) => statuses.get(signature) ?? null),
        );
      }
      if (method === 'getMultipleAccounts') return atSlot(2_000, [null]);
      if (method === 'getBlockHeight') return { result: height };
      if (method === 'getEpochInfo') {
        return {
          result: {
            absoluteSlot: height + 1_000,
            blockHeight: height,
            epoch: 1,
            slotIndex: 0,
            slotsInEpoch: 9,
          },
        };
      }
      return { result: '1'.repeat(32) };
    });
    feed = {
      connected: false,
      watch: (signature, onHint) => {
        hints.set(signature, onHint);
        return () => hints.delete(signature);
      },
      close: () => undefined,
    };
    const logger = createLogger('silent');
    pool = createRpcPool({ urls: [node.url], timeoutMs: 10_000, maxConcurrent: 8, clock, logger });
    poller = new ConfirmationPoller({ pool, feed, clock, logger, absenceMs: ABSENCE_MS });
  });
  afterEach(async () => {
    clearInterval(ticking);
    poller.close();
    await pool.close();
    await node[Symbol.asyncDispose]();
  });

  /** Advances the clock by `ms` about once per real millisecond. */
  const run = (ms: number) => {
    ticking = setInterval(() => clock.advance(ms), 1);
  };
  const watch = (i: number, lastValidBlockHeight = 100n) =>
    poller.watch({ signature: signatureOf(i), lastValidBlockHeight }, signal);

  it('ends each watch with the status of its transaction, including the error if the transaction failed', async () => {
    statuses.set(signatureOf(1), confirmed(7));
    statuses.set(signatureOf(2), confirmed(8, { InstructionError: [0, { Custom: 1 }] }, 'finalized'));
    run(100);
    assert.deepEqual(await Promise.all([watch(1), watch(2)]), [
      { kind: 'confirmed', slot: 7n },
      { kind: 'failed', slot: 8n, error: { InstructionError: [0, { Custom: 1 }] } },
    ]);
  });

  it('polls three hundred submissions with two requests', async () => {
    const watches = Array.from({ length: 300 }, (_, i) => watch(i));
    await clock.sleeping();
    for (let i = 0; i < 300; i += 1) statuses.set(signatureOf(i), confirmed(i));
    run(100);
    assert.equal((await Promise.all(watches)).length, 300);
    const lengths = node.requests
      .filter((r) => r.method === 'getSignatureStatuses')
      .map((r) => r.params[0].length);
    assert.deepEqual(lengths, [256, 44]);
  });

  it('a status of processed does not end a watch', async () => {
    statuses.set(signatureOf(1), confirmed(7, null, 'processed'));
    const ending = watch(1);
    run(100);
    await node.asked('getSignatureStatuses', 3);
    statuses.set(signatureOf(1), confirmed(9));
    assert.deepEqual(await ending, { kind: 'confirmed', slot: 9n });
  });

  it('a hint triggers an immediate poll of that signature only, repeated while the node lags behind', async () => {
    feed.connected = true;
    const ending = watch(1);
    watch(2).catch(() => undefined);
    await clock.sleeping();
    hints.get(signatureOf(1))!();
    await node.asked('getSignatureStatuses');
    assert.deepEqual(node.requests.at(-1)!.params[0], [signatureOf(1)]);
    statuses.set(signatureOf(1), confirmed(3));
    run(5);
    assert.deepEqual(await ending, { kind: 'confirmed', slot: 3n });
  });

  it('a connected feed without hints does not stop polling', async () => {
    feed.connected = true;
    statuses.set(signatureOf(1), confirmed(7));
    const ending = watch(1);
    run(100);
    assert.equal((await ending).kind, 'confirmed');
  });

  it('expires a transaction once it can no longer land, but not before', async () => {
    const ending = watch(1);
    run(100);
    await node.asked('getBlockHeight', 3);
    height = 100;
    await node.asked('getBlockHeight', node.count('getBlockHeight') + 2);
    assert.equal(node.count('getEpochInfo'), 0);
    height = 101;
    assert.deepEqual(await ending, { kind: 'expired' });
  });

  it('expires a transaction whose nonce was used, whatever the block height', async () => {
    const nonce = { account: '1'.repeat(32) as Address, value: '1'.repeat(32) };
    const ending = poller.watch({ signature: signatureOf(1), lastValidBlockHeight: 100n, nonce }, signal);
    run(100);
    assert.deepEqual(await ending, { kind: 'expired' });
  });

  it('a transaction that landed in the last valid block is confirmed even though its height has passed', async () => {
    const ending = watch(1);
    await clock.sleeping();
    height = 101;
    statuses.set(signatureOf(1), confirmed(1_090, null, 'finalized'));
    run(100);
    assert.deepEqual(await ending, { kind: 'confirmed', slot: 1_090n });
  });

  it('a watch is unresolved only after the RPC has been unavailable for the whole deadline', async () => {
    const startMs = clock.now();
    const ending = watch(1);
    await clock.sleeping();
    await node.down();
    run(500);
    assert.deepEqual(await ending, { kind: 'unresolved' });
    assert.ok(clock.now() - startMs >= ABSENCE_MS);
  });

  it('if the RPC recovers before the deadline, the watch gets its result and the outage timer restarts', async () => {
    const ending = watch(1);
    await clock.sleeping();
    await node.down();
    const startMs = clock.now();
    run(50);
    while (clock.now() < startMs + ABSENCE_MS / 2) await pause(5);
    await node.up();
    await node.asked('getSignatureStatuses');
    statuses.set(signatureOf(1), confirmed(5));
    assert.deepEqual(await ending, { kind: 'confirmed', slot: 5n });
  });

  it('a watch is unresolved if every RPC responds but the chain produces no block for the whole deadline', async () => {
    const startMs = clock.now();
    const ending = watch(1);
    run(500);
    assert.deepEqual(await ending, { kind: 'unresolved' });
    assert.ok(clock.now() - startMs >= ABSENCE_MS);
  });

  it('if the chain resumes before the deadline, the watch gets its result, even if the total wait is longer', async () => {
    const startMs = clock.now();
    const ending = watch(1, 1_000_000n);
    const growing = setInterval(() => {
      height += 1;
    }, 5);
    run(500);
    while (clock.now() < startMs + 3 * ABSENCE_MS) await pause(5);
    clearInterval(growing);
    statuses.set(signatureOf(1), confirmed(5));
    assert.deepEqual(await ending, { kind: 'confirmed', slot: 5n });
  });

  it('a response to a request made elsewhere keeps submissions in flight from becoming unresolved', async () => {
    let ended = false;
    const ending = watch(1).finally(() => {
      ended = true;
    });
    await clock.sleeping();
    await node.down();
    const startMs = clock.now();
    run(500);
    while (clock.now() < startMs + 2 * ABSENCE_MS) {
      poller.noteResponse();
      await pause(5);
    }
    assert.equal(ended, false);
    await ending;
  });

  it('an aborted watch is removed, and the loop ends with the last one', async () => {
    const leaving = new AbortController();
    const ending = poller.watch({ signature: signatureOf(1), lastValidBlockHeight: 9n }, leaving.signal);
    leaving.abort(new Error('left'));
    await assert.rejects(ending, /left/);
    run(500);
    while (clock.due().length > 0) await pause(5);
    const asked = node.requests.length;
    clock.advance(60_000);
    assert.equal(node.requests.length, asked);
    assert.equal(hints.size, 0);
  });
});

describe('outcomeOf', () => {
  it('a transaction has no outcome before it is confirmed', () => {
    assert.equal(outcomeOf({ slot: 1n, confirmationStatus: 'processed', error: null }), null);
    assert.deepEqual(outcomeOf({ slot: 1n, confirmationStatus: 'confirmed', error: null }), {
      kind: 'confirmed',
      slot: 1n,
    });
    assert.deepEqual(outcomeOf({ slot: 1n, confirmationStatus: 'finalized', error: 'E' }), {
      kind: 'failed',
      slot: 1n,
      error: 'E',
    });
  });
});
