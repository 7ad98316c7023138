// MCP-3: hints are true. Tools that say they only read write nothing here and send nothing to the chain; repeating an idempotent one changes nothing more.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { mcpTools } from '../../src/mcp/tools.ts';
import { callTool } from '../support/mcp-rpc.ts';
import { type RpcCounter, startRpcCounter } from '../support/rpc-counter.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

/** Tables that hold what callers did. The others hold what the service notes by itself: samples, counts of calls, what runs where. */
const CALLERS_TABLES =
  /^(intents|submissions|transactions|webhooks|registrations|events|deliveries|policies)/;

describe('MCP-3: hints are true', () => {
  const cleanUps: (() => void | Promise<void>)[] = [];
  const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
  let sandbox: Sandbox;
  let rpc: RpcCounter;
  let service: TestService;
  let wallet: TestWallet;

  before(async () => {
    sandbox = await startSandbox(QUICK_SANDBOX);
    cleanUps.push(() => sandbox.close());
    rpc = await startRpcCounter(sandbox.rpcUrl);
    cleanUps.push(() => rpc.close());
    service = await startService(scope, {
      ...settingsFor({ ...sandbox, rpcUrl: rpc.url }),
      HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      HOLDFAST_WEBHOOK_PORTS: '443,9443',
    });
    wallet = await fundedWallet(sandbox, 20);
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  const call = (name: string, args: object = {}) => callTool(service.url, name, args);
  const broadcasts = (): number => rpc.asked('sendTransaction');

  /** The rows of every table that callers write, as text. */
  const rows = (): Record<string, string> => {
    const db = new DatabaseSync(join(service.dataDir, 'holdfast.db'), { readOnly: true });
    try {
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
      return Object.fromEntries(
        tables
          .map(({ name }) => String(name))
          .filter((name) => CALLERS_TABLES.test(name))
          .map((name) => {
            const statement = db.prepare(`SELECT * FROM "${name}"`);
            statement.setReadBigInts(true);
            return [
              name,
              JSON.stringify(statement.all(), (_key, value) =>
                typeof value === 'bigint' ? `${value}` : value,
              ),
            ];
          }),
      );
    } finally {
      db.close();
    }
  };

  test('a read-only tool, called with good and with bad arguments, writes nothing and sends nothing', async () => {
    const key = { walletAddress: wallet.walletAddress, secretKey: wallet.secretKey };
    const { signature, stakeAccountAddress } = (await call('stake', { ...key, amountSol: 2 }))
      .structuredContent;
    const callback = { callbackUrl: 'https://127.0.0.1:9443/hook', events: ['withdraw_ready'] };
    assert.equal((await call('register_webhook', { ...key, ...callback })).isError, undefined);
    const before = rows();
    assert.ok(Object.keys(before).length >= 3, Object.keys(before).join(', '));
    assert.match(before.intents ?? '', new RegExp(signature));
    const sent = broadcasts();
    assert.ok(sent >= 1);

    const { walletAddress } = wallet;
    const good = {
      walletAddress,
      address: walletAddress,
      signature,
      stakeAccountAddress,
      amountSol: 1,
      durationDays: 30,
    };
    const readers = mcpTools.filter(({ annotations }) => annotations.readOnlyHint);
    assert.ok(readers.length >= 20);
    for (const { name } of readers) {
      for (const idempotencyKey of ['mcp-3-a', 'mcp-3-b']) await call(name, { ...good, idempotencyKey });
      await call(name, { ...good, walletAddress: 'no', address: 'no', signature: 'no', amountSol: -1 });
    }
    assert.deepEqual(rows(), before);
    assert.equal(broadcasts(), sent);
  });

  test('an idempotent tool that acts changes nothing more when it is called again', async () => {
    const { walletAddress, secretKey } = wallet;
    const stake = { walletAddress, amountSol: 2, idempotencyKey: 'mcp-3-build' };
    const { transaction } = (await call('create_stake_transaction', stake)).structuredContent;
    const submit = { signedTransaction: signedBy(wallet, transaction), idempotencyKey: 'mcp-3-build' };
    const { stakeAccountAddress } = (await call('submit_transaction', submit)).structuredContent;
    const unstake = { walletAddress, secretKey, stakeAccountAddress };
    await sandbox.advanceEpochs(1);
    assert.equal((await call('unstake', unstake)).isError, undefined);
    const hook = { walletAddress, callbackUrl: 'https://127.0.0.1:9443/two', events: ['epoch_complete'] };
    const { id: webhookId } = (await call('register_webhook', hook)).structuredContent;
    assert.equal((await call('delete_webhook', { walletAddress, webhookId })).isError, undefined);

    const accounts = async () =>
      (await call('check_stake_accounts', { walletAddress })).structuredContent.accounts.map(
        ({ address, lamports, rawState, deactivationEpoch }: Record<string, unknown>) => ({
          address,
          lamports,
          rawState,
          deactivationEpoch,
        }),
      );
    const webhooks = async () => (await call('list_webhooks', { walletAddress })).structuredContent.webhooks;
    const state = [await accounts(), await webhooks()];
    const sent = broadcasts();
    await call('submit_transaction', submit);
    assert.equal((await call('unstake', unstake)).structuredContent.errorCode, 'STAKE_ALREADY_DEACTIVATED');
    assert.equal((await call('delete_webhook', { walletAddress, webhookId })).isError, true);
    assert.deepEqual([await accounts(), await webhooks()], state);
    assert.equal(broadcasts(), sent);
  });

  test('a tool that is not idempotent says so for a reason: it acts again', async () => {
    const { walletAddress, secretKey } = wallet;
    const stake = { walletAddress, secretKey, amountSol: 2 };
    const one = (await call('stake', stake)).structuredContent;
    const two = (await call('stake', stake)).structuredContent;
    assert.notEqual(one.stakeAccountAddress, two.stakeAccountAddress);
  });
});
