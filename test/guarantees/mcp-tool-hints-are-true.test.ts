// MCP-3: tool hints are true. Tools that claim to be read-only neither write to the store nor send to the
// chain, and repeating an idempotent call has no further effect.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { mcpTools } from '../../src/mcp/tools.ts';
import { callTool } from '../support/mcp-rpc.ts';
import { type RpcCounter, startRpcCounter } from '../support/rpc-counter.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { lamportsOf } from '../support/service-calls.ts';
import { type RunningService, settingsFor, startServiceHere } from '../support/service-fixture.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

/**
 * Tables that the service writes on behalf of callers. All others are its own: samples, call counts and running
 * processes.
 */
const CALLERS_TABLES =
  /^(intents|submissions|transactions|webhooks|registrations|events|deliveries|policies)/;

const CALLBACK = { callbackUrl: 'https://127.0.0.1:9443/hook' };
const POLICY = { ...CALLBACK, keepLiquidSol: 5.5, minSweepSol: 1, paused: true };

describe('MCP-3: hints are true', () => {
  const cleanUps: (() => void | Promise<void>)[] = [];
  const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
  let sandbox: Sandbox;
  let rpc: RpcCounter;
  let service: RunningService;
  let wallet: TestWallet;

  before(async () => {
    // With slots of 80 ms, a blockhash is valid for 12 s, which is enough on a busy machine.
    sandbox = await startSandbox({ ...QUICK_SANDBOX, slotMs: 80 });
    cleanUps.push(() => sandbox.close());
    rpc = await startRpcCounter(sandbox.rpcUrl);
    cleanUps.push(() => rpc.close());
    service = await startServiceHere(scope, {
      ...settingsFor({ ...sandbox, rpcUrl: rpc.url }),
      HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      HOLDFAST_WEBHOOK_PORTS: '443,9443',
    });
    wallet = await fundedWallet(sandbox, 50);
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  const call = (name: string, args: object = {}) => callTool(service.url, name, args);
  const broadcasts = (): number => rpc.asked('sendTransaction');

  /** Adds the wallet's signature of the text returned by the tool to the arguments. */
  const signedPolicy = async (name: string, members: object): Promise<object> => {
    const { textToSign } = (await call(name, { ...members, signature: '1'.repeat(64) })).structuredContent;
    return { ...members, signature: encodeBase58(wallet.sign(Buffer.from(textToSign))) };
  };

  /** Returns the rows of each such table as text. */
  const rows = (): Record<string, string> => {
    const db = new DatabaseSync(join(service.dataDir, 'holdfast.db'), { readOnly: true });
    try {
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
      return Object.fromEntries(
        tables
          .map(({ name }) => String(name))
          .filter((name) => CALLERS_TABLES.test(name))
          .map((name) => {
            // Omits retry times, because only the service decides when to retry a delivery.
            const columns = name === 'deliveries' ? 'event, registration' : '*';
            const statement = db.prepare(`SELECT ${columns} FROM "${name}"`);
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

  test('a read-only tool, called with valid and invalid arguments, neither writes to the store nor sends to the chain', async () => {
    const key = { walletAddress: wallet.walletAddress, secretKey: wallet.secretKey };
    const staked = await call('stake', { ...key, amountSol: 2 });
    assert.equal(staked.isError, undefined, staked.content[0].text);
    const { signature, stakeAccountAddress, amountSol, delegatedSol, rentReserveSol } =
      staked.structuredContent;
    assert.equal(amountSol, 2);
    assert.equal(lamportsOf(delegatedSol) + lamportsOf(rentReserveSol), 2_000_000_000n);
    const { accounts } = (
      await call('check_stake_accounts', { walletAddress: wallet.walletAddress, detail: 'full' })
    ).structuredContent;
    const made = accounts.find(({ address }: { address: string }) => address === stakeAccountAddress);
    assert.equal(lamportsOf(delegatedSol), lamportsOf(made.activatingSol), 'as on the chain');
    const cooledDown = (await call('stake', { ...key, amountSol: 2 })).structuredContent.stakeAccountAddress;
    assert.equal((await call('unstake', { ...key, stakeAccountAddress: cooledDown })).isError, undefined);
    await sandbox.advanceEpochs(1);
    const hook = { walletAddress: key.walletAddress, ...CALLBACK, events: ['withdraw_ready'] };
    assert.equal((await call('register_webhook', hook)).isError, undefined);
    const policy = { ...POLICY, walletAddress: key.walletAddress, nonce: 1 };
    const set = await call('set_staking_policy', await signedPolicy('set_staking_policy', policy));
    assert.equal(set.isError, undefined, set.content[0].text);
    const before = rows();
    assert.ok(Object.keys(before).length >= 3, Object.keys(before).join(', '));
    assert.match(before.intents ?? '', new RegExp(signature));
    const sent = broadcasts();
    assert.ok(sent >= 1);

    const { walletAddress } = wallet;
    const own: Readonly<Record<string, object>> = {
      check_address_type: { address: walletAddress },
      verify_transaction: { signature },
      simulate_stake: { amountSol: 2, durationDays: 30 },
      create_stake_transaction: { walletAddress, amountSol: 2 },
      create_unstake_transaction: { walletAddress, stakeAccountAddress },
      withdraw_stake: { walletAddress, stakeAccountAddress: cooledDown },
      donate: { walletAddress, amountSol: 0.01 },
      plan_stake_change: { walletAddress, goal: 'unstake', amountSol: 1 },
    };
    const readers = mcpTools.filter(({ annotations }) => annotations.readOnlyHint);
    assert.ok(readers.length >= 20);
    for (const { name, operation } of readers) {
      const keyed = 'idempotencyKey' in operation.input.shape;
      for (const idempotencyKey of ['mcp-3-a', 'mcp-3-b']) {
        const good = { ...(own[name] ?? { walletAddress }), ...(keyed ? { idempotencyKey } : {}) };
        const response = await call(name, good);
        assert.equal(response.isError, undefined, `${name}: ${response.content[0].text}`);
      }
      const bad = { walletAddress: 'no', address: 'no', signature: 'no', amountSol: -1 };
      const response = await call(name, { ...own[name], ...bad });
      const takes = Object.keys(operation.input.shape).some((member) => member in bad);
      assert.equal(response.isError, takes ? true : undefined, name);
    }
    assert.deepEqual(rows(), before);
    assert.equal(broadcasts(), sent);
  });

  test('a tool with side effects is idempotent on repetition if and only if its hint says so', async () => {
    const { walletAddress } = wallet;
    const key = { walletAddress, secretKey: wallet.secretKey };
    const stakeOnce = async (): Promise<string> =>
      (await call('stake', { ...key, amountSol: 2 })).structuredContent.stakeAccountAddress;
    await stakeOnce();
    const toWithdraw = await stakeOnce();
    await sandbox.advanceEpochs(1);
    await call('unstake', { ...key, stakeAccountAddress: toWithdraw });
    await sandbox.advanceEpochs(1);
    const { transaction } = (await call('create_stake_transaction', { walletAddress, amountSol: 2 }))
      .structuredContent;
    const hook = { walletAddress, callbackUrl: 'https://127.0.0.1:9443/two', events: ['epoch_complete'] };
    const { id: webhookId } = (await call('register_webhook', hook)).structuredContent;
    const policy = await signedPolicy('set_staking_policy', { ...POLICY, walletAddress, nonce: 10 });
    const end = await signedPolicy('delete_staking_policy', { walletAddress, nonce: 11 });
    // In call order.
    const acts: Readonly<Record<string, object>> = {
      stake: { ...key, amountSol: 2 },
      unstake: { ...key, amountSol: 1 },
      withdraw: { ...key, stakeAccountAddress: toWithdraw, amountSol: 0.1 },
      submit_transaction: { signedTransaction: signedBy(wallet, transaction) },
      register_webhook: hook,
      delete_webhook: { walletAddress, webhookId },
      set_staking_policy: policy,
      delete_staking_policy: end,
    };
    const acting = mcpTools.filter(({ annotations }) => !annotations.readOnlyHint);
    assert.deepEqual(Object.keys(acts).sort(), acting.map(({ name }) => name).sort());

    const state = async () => {
      const { accounts } = (await call('check_stake_accounts', { walletAddress, detail: 'full' }))
        .structuredContent;
      const { webhooks } = (await call('list_webhooks', { walletAddress })).structuredContent;
      const { nonce, errorCode } = (await call('get_staking_policy', { walletAddress })).structuredContent;
      return {
        accounts: accounts.map(({ address, lamports, deactivationEpoch }: Record<string, unknown>) => ({
          address,
          lamports,
          deactivationEpoch,
        })),
        webhooks: webhooks.map(({ id }: { id: string }) => id),
        policy: nonce ?? errorCode,
        sent: broadcasts(),
      };
    };
    for (const [name, args] of Object.entries(acts)) {
      const untouched = await state();
      const first = await call(name, args);
      assert.equal(first.isError, undefined, `${name}: ${first.content[0].text}`);
      const once = await state();
      assert.notDeepEqual(once, untouched, `${name} acts`);
      await call(name, args);
      const { idempotentHint } = mcpTools.find((tool) => tool.name === name)!.annotations;
      const repeated = isDeepStrictEqual(await state(), once);
      assert.equal(repeated, idempotentHint, `${name} has the hint idempotent: ${idempotentHint}`);
    }
  });
});
