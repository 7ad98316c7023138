// Nodes are queried in the right order. A suspended node gets no calls until its pause ends, and is probed by
// a single prober.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { patience } from '../../../test/support/patience.ts';
import { type ScriptedResponse, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { NodeAvailability } from './node-availability.ts';
import { NodeFailure, type NodeFailureWord, RpcError } from './rpc-error.ts';
import { RpcNode } from './rpc-node.ts';

const GENESIS = { result: '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY' };

const open = async (t: TestContext, count: number, response: () => ScriptedResponse = () => GENESIS) => {
  const clock = createManualClock();
  const closing = new AbortController();
  const server = await startScriptedRpc(() => response());
  const limits = { timeoutMs: 2_000, maxConcurrent: 4, maxResponseBytes: 10_000 };
  const nodes = Array.from(
    { length: count },
    (_, index) => new RpcNode({ index, url: server.url, role: 'read', clock, ...limits }),
  );
  t.after(async () => {
    closing.abort();
    for (const node of nodes) await node.close();
    await server[Symbol.asyncDispose]();
  });
  const logger = createLogger('silent');
  const availability = new NodeAvailability({
    readers: nodes,
    timeoutMs: 2_000,
    clock,
    logger,
    signal: closing.signal,
  });
  const order = () => availability.ordered().map(({ index }) => index);
  return { availability, nodes, clock, server, closing, order };
};
const failure = (word: NodeFailureWord, retryAfterMs?: number) =>
  new NodeFailure(word, { mayHaveArrived: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

test('calls go to usable nodes first, then to suspended nodes in the order in which their pauses end, and never to quarantined nodes', async (t) => {
  const { availability, nodes, clock, order } = await open(t, 4);
  assert.deepEqual(order(), [0, 1, 2, 3]);
  availability.noteError(nodes[0]!, failure('behind'), 'getSlot');
  availability.noteError(nodes[1]!, failure('reset'), 'getSlot');
  assert.deepEqual(order(), [2, 3, 1, 0]);
  nodes[2]!.isQuarantined = true;
  assert.deepEqual(order(), [3, 1, 0]);
  availability.noteResponse(nodes[0]!, 'getSlot');
  assert.deepEqual(order(), [0, 3, 1]);
  assert.deepEqual(clock.due(), [250, 2_000]);
});

test('a failure caused by shutdown is not counted against the node', async (t) => {
  const { availability, nodes, closing } = await open(t, 1);
  closing.abort();
  availability.noteError(nodes[0]!, failure('unreachable'), 'getSlot');
  assert.deepEqual([nodes[0]!.suspendedUntilMs, nodes[0]!.failures], [null, 0]);
});

test('a node that sends "retry after 0" is still not used for a second', async (t) => {
  const { availability, nodes, clock, server } = await open(t, 1, () => ({
    status: 429,
    text: '',
    headers: { 'retry-after': '0' },
  }));
  availability.noteError(nodes[0]!, failure('rate-limited', 0), 'getSlot');
  for (let probes = 0; probes < 4; probes += 1) {
    await clock.sleeping();
    assert.deepEqual(clock.due(), [1_000]);
    assert.equal(server.requests.length, probes);
    clock.advance(1_000);
    await server.asked('getGenesisHash', probes + 1);
  }
});

test('a node is suspended for its full pause, even if the clock is set back in the meantime', async (t) => {
  const { availability, nodes, clock, server } = await open(t, 1);
  availability.noteError(nodes[0]!, failure('behind'), 'getSlot');
  await clock.sleeping();
  clock.setBack(3_600_000);
  clock.advance(2_000);
  await clock.sleeping();
  assert.deepEqual(
    [clock.due(), server.requests.length],
    [[2_000], 0],
    'the time that has passed is unknown',
  );
  clock.advance(2_000);
  await server.asked('getGenesisHash');
});

test('if a node requests a longer pause, it is kept; a further failure in the meantime starts a new pause with the same prober', async (t) => {
  const { availability, nodes, clock, server } = await open(t, 1);
  const [node] = nodes;
  availability.noteError(node!, failure('rate-limited', 60_000), 'getSlot');
  assert.deepEqual(clock.due(), [60_000]);
  clock.advance(59_000);
  availability.noteError(node!, failure('timeout'), 'getSlot');
  assert.equal(node!.suspendedUntilMs, clock.now() + 500, 'the second failure in a row');
  availability.noteError(node!, failure('rate-limited', 10_000), 'getSlot');
  assert.equal(clock.due().length, 1);
  clock.advance(1_000);
  await clock.sleeping();
  assert.deepEqual([clock.due(), server.requests.length], [[9_000], 0]);
  clock.advance(9_000);
  await server.asked('getGenesisHash');
  while (node!.suspendedUntilMs !== null) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(server.requests.length, 1);
});

test('a node that has responded to a caller in the meantime is no longer probed', async (t) => {
  const { availability, nodes, clock, server } = await open(t, 1);
  availability.noteError(nodes[0]!, failure('unreachable'), 'getSlot');
  await clock.sleeping();
  availability.noteResponse(nodes[0]!, 'getSlot');
  clock.advance(250);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([clock.due(), server.requests.length, nodes[0]!.failures], [[], 0, 0]);
});

test('a node may be 64 slots behind another node, but not 65; a suspended node does not count as a reference', async (t) => {
  const { availability, nodes } = await open(t, 2);
  const [ahead, behind] = nodes;
  availability.noteSlot(ahead!, 1_000n);
  availability.noteSlot(behind!, 936n);
  const isBehind = (error: unknown) => error instanceof NodeFailure && error.word === 'behind';
  assert.throws(() => availability.noteSlot(behind!, 935n), isBehind);
  assert.throws(() => availability.noteSlot(ahead!, 800n), isBehind);
  availability.noteSlot(behind!, 801n);
  availability.noteSlot(ahead!, 1_000n);
  availability.noteError(ahead!, failure('garbage'), 'getSlot');
  availability.noteSlot(behind!, 802n);
});

test('an RPC error does not suspend a node, unless the node reports itself as unhealthy', async (t) => {
  const { availability, nodes, clock } = await open(t, 1);
  const [node] = nodes;
  for (const error of [
    new RpcError(-32002, 'refused', null),
    new RpcError(-32016, 'not there yet', null),
    new Error('of ours'),
  ])
    availability.noteError(node!, error, 'getSlot');
  assert.deepEqual([node!.suspendedUntilMs, node!.failures], [null, 0]);
  availability.noteError(node!, new RpcError(-32005, 'behind', null), 'getSlot');
  assert.deepEqual([node!.suspendedUntilMs, node!.lastError], [clock.now() + 2_000, 'behind']);
});

test('only a node that was disconnected has its genesis hash checked before a call, and a node of another cluster is not used', async (t) => {
  const { availability, nodes, server, order } = await open(t, 1, () => ({ result: 'another genesis hash' }));
  const [node] = nodes;
  const recognize = () => availability.recognize(node!, patience(), 2_000);
  availability.noteError(node!, failure('reset'), 'getSlot');
  await recognize();
  assert.equal(server.requests.length, 0, 'no cluster is known yet');
  availability.requireGenesisHash(GENESIS.result, []);
  node!.lastError = 'behind';
  await recognize();
  assert.equal(server.requests.length, 0);
  node!.lastError = 'unreachable';
  await assert.rejects(
    recognize(),
    (error) => error instanceof NodeFailure && error.word === 'other-cluster',
  );
  assert.deepEqual(order(), []);
});

test('a node whose slot goes far backwards is not trusted until its genesis hash has been checked', async (t) => {
  let genesis = GENESIS.result;
  const { availability, nodes } = await open(t, 1, () => ({ result: genesis }));
  const [node] = nodes;
  const recognize = () => availability.recognize(node!, patience(), 2_000);
  const isRestarted = (error: unknown) => error instanceof NodeFailure && error.word === 'restarted';
  const fallBack = (slot: bigint) => {
    assert.throws(() => availability.noteSlot(node!, slot), isRestarted);
    availability.noteError(node!, failure('restarted'), 'getSlot');
    // Responses that were in flight, with and without a slot.
    assert.throws(() => availability.noteSlot(node!, slot + 1n), isRestarted);
    assert.throws(() => availability.noteSlot(node!), isRestarted);
    availability.noteResponse(node!, 'getSlot');
    assert.notEqual(node!.suspendedUntilMs, null);
  };
  availability.requireGenesisHash(genesis, []);
  availability.noteSlot(node!, 5_000n);
  availability.noteSlot(node!, 4_488n);
  availability.noteSlot(node!, 5_000n);
  fallBack(4_487n);
  await recognize();
  availability.noteSlot(node!, 4_489n);
  availability.noteResponse(node!, 'getSlot');
  assert.deepEqual([node!.suspendedUntilMs, availability.newestSlot.slot], [null, 4_489n]);
  genesis = 'another genesis hash';
  fallBack(7n);
  await assert.rejects(recognize(), NodeFailure);
  assert.equal(node!.isQuarantined, true);
});

test('the newest slot is the maximum across all nodes, and the time for which it is unchanged grows only while responses arrive', async (t) => {
  const { availability, nodes, clock } = await open(t, 2);
  const [one, other] = nodes;
  availability.noteSlot(one!, 100n);
  clock.advance(3_600_000);
  assert.deepEqual(
    availability.newestSlot,
    { slot: 100n, unchangedMs: 0, ageMs: 3_600_000 },
    'no response has arrived in the meantime',
  );
  availability.noteSlot(other!, 90n);
  assert.deepEqual(availability.newestSlot, { slot: 100n, unchangedMs: 3_600_000, ageMs: 0 });
  availability.noteSlot(other!, 101n);
  assert.deepEqual(availability.newestSlot, { slot: 101n, unchangedMs: 0, ageMs: 0 });
});

test('an outage of all nodes lasts from the last response before it to the first one after it', async (t) => {
  const { availability, nodes, clock } = await open(t, 2);
  const [one, other] = nodes as [RpcNode, RpcNode];
  availability.noteResponse(one, 'getSlot');
  const sinceMs = clock.now();
  clock.advance(1_000);
  availability.noteError(one, failure('timeout'), 'getSlot');
  assert.equal(availability.outage, null, 'one node is left');
  clock.advance(1_000);
  availability.noteError(other, failure('timeout'), 'getSlot');
  assert.deepEqual(availability.outage, { sinceMs, untilMs: null });
  clock.advance(200);
  availability.noteResponse(other, 'getSlot');
  const ended = { sinceMs, untilMs: clock.now() };
  assert.deepEqual(availability.outage, ended);
  clock.advance(10);
  availability.noteResponse(one, 'getSlot');
  assert.deepEqual(availability.outage, ended, 'the second node must not prolong it');
});
