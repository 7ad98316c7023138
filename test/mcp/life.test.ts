// Completes a full staking lifecycle with MCP tools alone, as `npm run demo -- --via mcp` does, and checks that
// the statistics count it under MCP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceHere } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';

test('the demo runs to its end through MCP alone, and the statistics count its transactions and calls under MCP', async (t) => {
  // Uses the service's own sandbox, because the demo needs its controls.
  const { url, client } = await startServiceHere(t, {
    HOLDFAST_SANDBOX_EPOCH_SECONDS: '0',
    HOLDFAST_SANDBOX_SLOT_MS: '20',
    HOLDFAST_RATE_LIMIT: '1000000',
  });
  const demo = spawnProcess(t, { file: 'demo/main.ts', args: ['--via', 'mcp', url] });
  const { code } = await demo.ended;
  assert.equal(code, 0, `${demo.stdout}\n${demo.stderr}`);
  assert.match(demo.stdout, /All \d+ steps succeeded/);
  const { mcpTransactions, restTransactions, endpointCounts } = await client.get('/analytics-json');
  assert.equal(mcpTransactions, 4);
  assert.equal(restTransactions, 0);
  assert.equal(endpointCounts['POST /mcp#submit_transaction'], 6);
  assert.equal(endpointCounts['POST /mcp#stake'], 2);
  assert.equal(endpointCounts['POST /api/v1/stake'], undefined);
});
