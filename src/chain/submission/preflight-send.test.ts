// Responses are classified as accepted or refused, and as possibly sent if a node may still have the bytes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Signature } from '@solana/kit';
import { patience } from '../../../test/support/patience.ts';
import {
  atSlot,
  type Script,
  type ScriptedResponse,
  type ScriptedRpc,
  startScriptedRpc,
} from '../../../test/support/scripted-rpc.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { broadcast, classifyRefusal, type SendResult, sendWithPreflight } from './preflight-send.ts';

const SIGNATURE = '5'.repeat(88) as Signature;
const submission = { wireBytes: Uint8Array.of(1, 2, 3), signature: SIGNATURE, lastValidBlockHeight: 100n };
const preflight = (err: unknown, logs: readonly string[] = []): ScriptedResponse => ({
  error: { code: -32002, message: 'Transaction simulation failed', data: { err, logs } },
});
const custom = { InstructionError: [0, { Custom: 12 }] };
const taken: ScriptedResponse = { result: SIGNATURE };

interface Sent {
  readonly result: SendResult;
  readonly maybeSent: boolean;
  readonly nodes: readonly ScriptedRpc[];
}

const sendTo = async (
  responses: readonly (ScriptedResponse | Script)[],
  sender?: Script,
  wireBytes = submission.wireBytes,
): Promise<Sent> => {
  const nodes = await Promise.all(
    responses.map((response) => startScriptedRpc(typeof response === 'function' ? response : () => response)),
  );
  const apart = sender === undefined ? undefined : await startScriptedRpc(sender);
  const pool = createRpcPool({
    urls: nodes.map(({ url }) => url),
    ...(apart === undefined ? {} : { sendUrl: apart.url }),
    timeoutMs: 2_000,
    maxConcurrent: 4,
    clock,
    logger: createLogger('silent'),
  });
  let maybeSent = false;
  try {
    const signal = patience();
    const note = () => {
      maybeSent = true;
    };
    return {
      result: await sendWithPreflight(pool, { ...submission, wireBytes }, note, signal),
      get maybeSent() {
        return maybeSent;
      },
      nodes,
    };
  } finally {
    await pool.close();
    for (const node of [...nodes, ...(apart ? [apart] : [])]) await node[Symbol.asyncDispose]();
  }
};

describe('sending a transaction to one node', () => {
  const cases: readonly [string, ScriptedResponse, SendResult, boolean][] = [
    ['accepted if the node answers with the signature', taken, { kind: 'accepted' }, false],
    ['accepted if it was already processed', preflight('AlreadyProcessed'), { kind: 'accepted' }, false],
    [
      'accepted if only the message says that it was already processed',
      { error: { code: -32002, message: 'Transaction error: This transaction has already been processed' } },
      { kind: 'accepted' },
      false,
    ],
    [
      'refused with error and logs',
      preflight(custom, ['log']),
      { kind: 'refused', refusal: { error: custom, logs: ['log'] } },
      false,
    ],
    [
      'refused for a bad signature',
      { error: { code: -32003, message: 'Transaction signature verification failure' } },
      { kind: 'refused', refusal: { error: 'SignatureFailure', logs: [] } },
      false,
    ],
    [
      'refused if the bytes cannot be parsed',
      { error: { code: -32602, message: 'invalid transaction: too large' } },
      { kind: 'refused', refusal: { error: 'invalid transaction: too large', logs: [] } },
      false,
    ],
    [
      'unknown if the blockhash is unknown',
      preflight('BlockhashNotFound'),
      { kind: 'blockhash-not-found' },
      false,
    ],
    [
      'unanswered if the node is behind',
      { error: { code: -32005, message: 'Node is behind' } },
      { kind: 'no-response' },
      false,
    ],
    [
      'unanswered if the node cannot send',
      { error: { code: -32601, message: 'Method not found' } },
      { kind: 'no-response' },
      false,
    ],
    [
      'unanswered if the node has not reached the slot',
      { error: { code: -32016, message: 'Minimum context slot has not been reached' } },
      { kind: 'no-response' },
      false,
    ],
    ['unanswered if the node is rate-limited', { status: 429, text: '' }, { kind: 'no-response' }, false],
    ['possibly sent if the connection was closed', 'reset', { kind: 'no-response' }, true],
    ['possibly sent if no response came', 'silence', { kind: 'no-response' }, true],
    ['possibly sent if a gateway failed', { status: 502, text: '' }, { kind: 'no-response' }, true],
    [
      'possibly sent if the response is garbage',
      { status: 200, text: '<html>' },
      { kind: 'no-response' },
      true,
    ],
    [
      'possibly sent if the response names another signature',
      { result: '4'.repeat(88) },
      { kind: 'no-response' },
      true,
    ],
    [
      'possibly sent after an internal error',
      { error: { code: -32603, message: 'Internal error' } },
      { kind: 'no-response' },
      true,
    ],
  ];
  for (const [name, response, result, maybeSent] of cases) {
    it(`is ${name}`, async () => {
      const offered = await sendTo([response]);
      assert.deepEqual([offered.result, offered.maybeSent], [result, maybeSent]);
    });
  }

  it('sends it once, as base64 with preflight at confirmed and without resending by the node', async () => {
    const { nodes } = await sendTo([taken]);
    assert.deepEqual(
      nodes[0]!.requests.map(({ method, params }) => [method, params]),
      [
        [
          'sendTransaction',
          [
            'AQID',
            { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight: false, maxRetries: 0 },
          ],
        ],
      ],
    );
  });
});

describe('offering a version 1 transaction', () => {
  const version1 = Uint8Array.of(0x81, 2, 3);
  /** Like Agave 4.1.2, refuses the signatures in its preflight. `err` is the result of a simulation. */
  const agave =
    (err: unknown): Script =>
    ({ method, params }) => {
      if (method === 'simulateTransaction') return atSlot(1, { err, logs: [] });
      return params[1].skipPreflight ? taken : preflight('SignatureFailure');
    };

  it('simulates it without signatures and sends it without preflight', async () => {
    const { result, nodes } = await sendTo([agave(null)], undefined, version1);
    assert.deepEqual(result, { kind: 'accepted' });
    assert.deepEqual([nodes[0]!.count('simulateTransaction'), nodes[0]!.count('sendTransaction')], [1, 1]);
  });

  it('does not send it if the simulation refuses it', async () => {
    const { result, maybeSent, nodes } = await sendTo([agave(custom)], undefined, version1);
    assert.deepEqual([result.kind, maybeSent, nodes[0]!.count('sendTransaction')], ['refused', false, 0]);
  });
});

describe('sending a transaction to several nodes', () => {
  it('if the only node is unreachable, it is certain that nothing was sent', async () => {
    const gone = await startScriptedRpc(() => taken);
    await gone.down();
    const pool = createRpcPool({
      urls: [gone.url],
      timeoutMs: 2_000,
      maxConcurrent: 4,
      clock,
      logger: createLogger('silent'),
    });
    const result = await sendWithPreflight(pool, submission, assert.fail, patience());
    assert.deepEqual(result, { kind: 'no-response' });
    await pool.close();
  });

  it('a second node may accept a transaction that a lagging one refused', async () => {
    const { result, maybeSent } = await sendTo([preflight('AccountNotFound'), taken]);
    assert.deepEqual([result, maybeSent], [{ kind: 'accepted' }, false]);
  });

  it('two refusals are enough: a third node is not queried', async () => {
    const { result, nodes } = await sendTo([preflight(custom), preflight(custom), preflight(custom)]);
    assert.equal(result.kind, 'refused');
    assert.equal(
      nodes.reduce((sum, node) => sum + node.count('sendTransaction'), 0),
      2,
    );
  });

  it('a transaction whose response was lost counts as possibly sent even if the other node refuses it', async () => {
    const { result, maybeSent } = await sendTo(['reset', preflight(custom)]);
    assert.deepEqual([result.kind, maybeSent], ['refused', true]);
  });

  it('a node that does not know the blockhash is skipped', async () => {
    assert.equal((await sendTo([preflight('BlockhashNotFound'), taken])).result.kind, 'accepted');
  });
});

describe('sending a transaction with a separate sending URL', () => {
  it('only simulates it on a reading node and does not send it', async () => {
    let sent = 0;
    const { result, maybeSent, nodes } = await sendTo([atSlot(1, { err: custom, logs: ['why'] })], () => {
      sent += 1;
      return taken;
    });
    assert.deepEqual(result, { kind: 'refused', refusal: { error: custom, logs: ['why'] } });
    assert.deepEqual([maybeSent, sent, nodes[0]!.count('sendTransaction')], [false, 0, 0]);
  });

  it('a lost simulation does not count as sent', async () => {
    const { result, maybeSent } = await sendTo(['reset'], () => taken);
    assert.deepEqual([result.kind, maybeSent], ['no-response', false]);
  });
});

describe('broadcast', () => {
  it('sends the transaction to every node without preflight, and counts a refusal as a response', async () => {
    const nodes = await Promise.all([
      startScriptedRpc(() => 'reset'),
      startScriptedRpc(() => preflight(custom)),
    ]);
    const urls = nodes.map(({ url }) => url);
    const pool = createRpcPool({
      urls,
      timeoutMs: 500,
      maxConcurrent: 4,
      clock,
      logger: createLogger('silent'),
    });
    const signal = patience();
    assert.equal(await broadcast(pool, submission, signal), true);
    for (const { requests } of nodes) {
      assert.deepEqual(
        requests.filter((r) => r.method === 'sendTransaction').map((r) => r.params[1].skipPreflight),
        [true],
      );
    }
    nodes[1]!.script = () => ({ status: 500, text: '' });
    assert.equal(await broadcast(pool, submission, signal), false);
    await pool.close();
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });
});

describe('classifyRefusal', () => {
  it('a cluster error is never mistaken for a refusal', () => {
    for (const code of [-32603, -32005, -32016, -32000]) {
      assert.equal(classifyRefusal(new RpcError(code, 'something', undefined)), 'other-node');
    }
  });
});
