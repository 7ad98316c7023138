// Checks that a shutdown waits until every signed transaction has a final state that matches the chain, even if
// the caller has disconnected.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { startTestApp } from '../support/app-fixture.ts';
import { mcpHeaders, toolMessage } from '../support/mcp-rpc.ts';
import { patience } from '../support/patience.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet } from '../support/wallets.ts';

test('a stake over /mcp whose caller disconnected is confirmed before the service stops', async (t) => {
  const dataDir = temporaryFolder(t);
  const { app, sandbox, rpc } = await startTestApp(t, {
    options: { slotMs: 80 },
    settings: { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_ONE_SHOT_LOOPBACK: 'on' },
  });
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 20);
  // Hides every landed transaction until the test allows it.
  let isBlind = true;
  rpc.rewrite((method, text) =>
    isBlind && method === 'getSignatureStatuses' ? text.replace(/"value":\[.*\]/s, '"value":[null]') : text,
  );
  const leaving = new AbortController();
  const message = toolMessage('modern', 'stake', JSON.stringify({ walletAddress, secretKey, amountSol: 2 }));
  const call = fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: mcpHeaders('modern', 'tools/call', 'stake'),
    body: message,
    signal: leaving.signal,
  });
  while (rpc.asked('sendTransaction') === 0) await sandbox.nextBlock(patience());
  leaving.abort();
  await assert.rejects(call);
  const stopping = app.close();
  // Without connections, only the pending submission keeps the service running.
  while (
    await fetch(app.url).then(
      () => true,
      () => false,
    )
  )
    await sandbox.nextBlock(patience());
  await sandbox.nextBlock(patience());
  isBlind = false;
  await stopping;
  const database = new DatabaseSync(join(dataDir, 'holdfast.db'), { readOnly: true });
  t.after(() => database.close());
  assert.deepEqual(
    database
      .prepare('select state from submissions')
      .all()
      .map(({ state }) => state),
    ['confirmed'],
  );
});
