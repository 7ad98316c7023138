// Checks the running service: its settings determine the tools, and a shutdown completes running calls but does
// not wait for streams.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connectMcp } from '../support/mcp-clients.ts';
import {
  callToolRaw,
  MCP_ENVELOPE,
  mcpHeaders,
  postMcp,
  rpcResponse,
  toolMessage,
} from '../support/mcp-rpc.ts';
import { openMcpStream } from '../support/mcp-stream.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, startServiceHere } from '../support/service-fixture.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';

const shared = sharedSandbox({ before, after });

describe('HOLDFAST_ONE_SHOT', () => {
  for (const [oneShot, restStatus] of [
    ['rest', 400],
    ['off', 404],
  ] as const)
    test(`${oneShot}: the three tools are absent, and a secret key sent to one is neither used nor shown`, async (t) => {
      const { url, process } = await startService(t, {
        ...settingsFor(shared.get()),
        HOLDFAST_ONE_SHOT: oneShot,
        LOG_LEVEL: 'trace',
      });
      const client = await connectMcp(t, url);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 30);
      const { walletAddress, secretKey } = newWallet();
      const stake = JSON.stringify({ walletAddress, secretKey, amountSol: 2 });
      const answer = await callToolRaw(url, 'stake', stake);
      const text = await answer.text();
      assert.equal(JSON.parse(text).error.code, -32602);
      const rest = await fetch(new URL('/api/v1/stake', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      assert.equal(rest.status, restStatus);
      await process.stop();
      assert.equal(`${text}${process.stdout}${process.stderr}`.includes(secretKey.slice(5, 25)), false);
    });
});

describe('a shutdown', () => {
  test('ends streams that would otherwise stay open forever', async (t) => {
    const { url, app } = await startServiceHere(t, settingsFor(shared.get()));
    const streams = await Promise.all(Array.from({ length: 5 }, () => openMcpStream(t, url)));
    const listen = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['holdfast://epoch/current'] }, _meta: MCP_ENVELOPE },
    });
    const waiting = await postMcp(url, listen, mcpHeaders('modern', 'subscriptions/listen'));
    assert.equal(waiting.status, 200);
    assert.match(waiting.headers.get('content-type') ?? '', /event-stream/);
    const rest = waiting.text();
    // Waiting for the streams would take 75 s, longer than this test may run.
    await app.close();
    await Promise.all([...streams.map(({ ended }) => ended), rest]);
  });

  test('responds to stakes in flight, over /mcp and over a stream', async (t) => {
    const { url, app } = await startServiceHere(t, settingsFor(shared.get()));
    const wallets = await Promise.all(Array.from({ length: 6 }, () => fundedWallet(shared.get(), 5)));
    const stream = await openMcpStream(t, url);
    const argumentsOf = (at: number): string => {
      const { walletAddress, secretKey } = wallets[at]!;
      return JSON.stringify({ walletAddress, secretKey, amountSol: 2 });
    };
    const direct = [0, 1, 2].map((at) => callToolRaw(url, 'stake', argumentsOf(at)));
    const streamed = [3, 4, 5].map((at) => stream.response(at));
    for (const at of [3, 4, 5])
      assert.equal((await stream.post(toolMessage('legacy', 'stake', argumentsOf(at), at))).status, 202);
    const stopped = app.close();
    for (const message of await Promise.all(streamed))
      assert.ok(message.result.structuredContent.stakeAccountAddress, JSON.stringify(message));
    for (const answer of await Promise.all(direct)) {
      const { result } = await rpcResponse(answer);
      assert.ok(result.structuredContent.stakeAccountAddress, JSON.stringify(result));
    }
    await stopped;
  });
});
