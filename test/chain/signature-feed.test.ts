// Checks the hints of the real runtime's socket: they arrive, they resume after a disconnect, and a silent
// socket does not count as a failure.
import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type Address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  type Signature,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { createSignatureFeed } from '../../src/chain/submission/signature-feed.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { patience } from '../support/patience.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { startScriptedSocket } from '../support/scripted-socket.ts';
import { signSubmission } from '../support/signed-submission.ts';

const logger = createLogger('silent');
const SOL = 1_000_000_000n;

/** Starts a TCP relay that can cut every connection. */
const startRelay = async (
  target: URL,
): Promise<{ url: string; cut: () => void; connections: () => number; server: Server }> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const upstream = connect(Number(target.port), target.hostname);
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on('error', () => undefined).on('close', () => sockets.delete(each));
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { url: `ws://127.0.0.1:${port}`, cut, connections: () => connections, server };
};

describe('SignatureFeed', () => {
  const shared = sharedSandbox({ before, after });
  let staker: SandboxStaker;
  let target: Address;

  before(async () => {
    staker = await SandboxStaker.fund(shared.get(), 100n * SOL);
    target = (await generateKeyPairSigner()).address;
  });

  let amount = SOL;
  const transfer = () =>
    getTransferSolInstruction({ source: staker.wallet, destination: target, amount: amount++ });

  const connected = async (feed: { readonly connected: boolean }) => {
    const signal = patience();
    while (!feed.connected) await clock.sleep(2, signal);
  };

  it('gives a hint when a watched signature is confirmed, but not when a different signature is', async () => {
    const feed = createSignatureFeed({ wsUrls: [shared.get().wsUrl], clock, logger });
    const hinted = Promise.withResolvers<void>();
    const signature = await staker.send([transfer()]);
    feed.watch('5'.repeat(88) as Signature, () =>
      hinted.reject(new Error('received a hint about another signature')),
    );
    feed.watch(signature as Signature, hinted.resolve);
    await hinted.promise;
    feed.close();
  });

  it('reconnects after the socket is cut, and renews its subscriptions', async () => {
    const relay = await startRelay(new URL(shared.get().wsUrl));
    const feed = createSignatureFeed({ wsUrls: [relay.url], clock, logger });
    // The runtime may lose a subscription that it has just confirmed, so the test retries until one
    // notification arrives.
    let heard = false;
    while (!heard) {
      const hinted = Promise.withResolvers<void>();
      const { value: recent } = await staker.rpc.getLatestBlockhash().send();
      const { signature, wireBytes } = await signSubmission(staker.wallet, recent, [transfer()]);
      const unwatch = feed.watch(signature, hinted.resolve);
      await connected(feed);
      relay.cut();
      while (feed.connected) await clock.sleep(2, patience());
      await connected(feed);
      const wire = Buffer.from(wireBytes).toString('base64') as Base64EncodedWireTransaction;
      await staker.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
      const lost = new AbortController();
      heard = await Promise.race([
        hinted.promise.then(() => true),
        clock.sleep(5_000, lost.signal).then(
          () => false,
          () => false,
        ),
      ]);
      lost.abort();
      unwatch();
    }
    assert.ok(relay.connections() >= 2);
    feed.close();
    relay.server.close();
    relay.cut();
  });

  it('uses the next URL if the first one is down', async () => {
    const dead = await startRelay(new URL(shared.get().wsUrl));
    dead.server.close();
    const feed = createSignatureFeed({ wsUrls: [dead.url, shared.get().wsUrl], clock, logger });
    const unwatch = feed.watch('5'.repeat(88) as Signature, () => undefined);
    await connected(feed);
    unwatch();
    feed.close();
  });

  it('gives no hints and does not throw if there is no valid URL', async () => {
    for (const wsUrls of [[], ['not a url']]) {
      const feed = createSignatureFeed({ wsUrls, clock, logger });
      const unwatch = feed.watch('5'.repeat(88) as Signature, assert.fail);
      assert.equal(feed.connected, false);
      unwatch();
      feed.close();
    }
  });

  it('a notification that arrives before the response to its subscription is not lost', async () => {
    await using socket = await startScriptedSocket((text, send) => {
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      if (method !== 'signatureSubscribe') return;
      const result = { context: { slot: 1 }, value: { err: null } };
      send(
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'signatureNotification',
          params: { result, subscription: 77 },
        }),
      );
      send(JSON.stringify({ jsonrpc: '2.0', result: 77, id }));
    });
    const feed = createSignatureFeed({ wsUrls: [socket.url], clock, logger });
    const hinted = Promise.withResolvers<void>();
    feed.watch('5'.repeat(88) as Signature, hinted.resolve);
    await hinted.promise;
    feed.close();
  });

  it('reports that it is connected once the node has confirmed every subscription, not as soon as the socket is open', async () => {
    const requests: { id: number; method: string; params: unknown[] }[] = [];
    let response: (message: object) => void = () => assert.fail('no subscription was requested yet');
    let heard = Promise.withResolvers<void>();
    await using socket = await startScriptedSocket((text, send) => {
      requests.push(JSON.parse(text));
      response = (message) => send(JSON.stringify({ jsonrpc: '2.0', ...message }));
      heard.resolve();
    });
    const nextRequest = async () => {
      await heard.promise;
      heard = Promise.withResolvers();
      return requests.at(-1)!;
    };
    const feed = createSignatureFeed({ wsUrls: [socket.url], clock, logger });
    const hinted = Promise.withResolvers<void>();
    feed.watch('5'.repeat(88) as Signature, hinted.resolve);
    const first = await nextRequest();
    assert.equal(feed.connected, false, 'no subscription is confirmed yet');
    response({ id: first.id, result: 41 });
    await connected(feed);
    const unwatch = feed.watch('4'.repeat(88) as Signature, assert.fail);
    assert.equal(feed.connected, false, 'no second subscription is confirmed yet');
    const second = await nextRequest();
    response({ id: second.id, error: { code: -32_601, message: 'Method not found' } });
    response({ method: 'signatureNotification', params: { subscription: 41 } });
    await hinted.promise;
    assert.equal(feed.connected, false, 'a refusal does not count as a confirmed subscription');
    unwatch();
    assert.equal(feed.connected, true);
    feed.watch('3'.repeat(88) as Signature, assert.fail)();
    const third = await nextRequest();
    response({ id: third.id, result: 43 });
    const { method, params } = await nextRequest();
    assert.deepEqual(
      [method, params],
      ['signatureUnsubscribe', [43]],
      'unsubscribes from a signature that is no longer watched',
    );
    feed.close();
  });

  it('invalid notifications are ignored', async () => {
    await using socket = await startScriptedSocket((text, send) => {
      const { id } = JSON.parse(text) as { id: number };
      for (const noise of ['', 'null', '[]', '{"method":"slotNotification","params":{}}', '{"id":"x"}'])
        send(noise);
      send(JSON.stringify({ jsonrpc: '2.0', result: 3, id }));
      send('{"method":"signatureNotification","params":{"subscription":3}}');
    });
    const feed = createSignatureFeed({ wsUrls: [socket.url], clock, logger });
    const hinted = Promise.withResolvers<void>();
    feed.watch('5'.repeat(88) as Signature, hinted.resolve);
    await hinted.promise;
    feed.close();
  });

  it('opens no socket before a signature is watched', async () => {
    const relay = await startRelay(new URL(shared.get().wsUrl));
    const feed = createSignatureFeed({ wsUrls: [relay.url], clock, logger });
    await shared.get().nextBlock(patience());
    assert.equal(relay.connections(), 0);
    feed.close();
    relay.server.close();
  });
});
