// MCP-5: the same request returns the same data over MCP and over REST for all 33 tools, including failures.
// Every response matches the tool's own schema (MCP-3).
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { resultText } from '../../src/mcp/text/result-text.ts';
import { describeTools } from '../../src/mcp/tool-schemas.ts';
import { mcpTools } from '../../src/mcp/tools.ts';
import { callRestRoute, restRouteOf, withoutTimes } from '../support/compare-mcp-with-rest.ts';
import { type JsonSchema, schemaProblems } from '../support/json-schema-check.ts';
import { callTool } from '../support/mcp-rpc.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;
type Arguments = Readonly<Record<string, unknown>>;

const shared = sharedService(
  { before, after },
  { settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', HOLDFAST_WEBHOOK_PORTS: '443,9443' } },
);
const tools = new Map(mcpTools.map((tool) => [tool.name, tool]));
const schemas = new Map(describeTools(mcpTools).map((tool) => [tool.name, tool.outputSchema]));
const compared = new Set<string>();
let openApi: Json;

/**
 * Returns the response schema of the corresponding REST operation, or the error schema if the call failed.
 */
const fullSchema = (name: string, failed: boolean): JsonSchema => {
  if (failed) return { $ref: '#/components/schemas/ErrorBody' };
  const { method, path, documentedPath = path } = restRouteOf(tools.get(name)!);
  return openApi.paths[documentedPath][method.toLowerCase()].responses['200'].content['application/json']
    .schema;
};

const overMcp = async (name: string, args: Arguments): Promise<Json> => {
  const { structuredContent, content, isError } = await callTool(shared().service.url, name, args);
  assert.equal(content[0].text, resultText(structuredContent), 'the text is derived from the same response');
  const listed = schemas.get(name) as JsonSchema;
  assert.deepEqual(schemaProblems({}, listed, structuredContent), [], `${name} matches its output schema`);
  // The tool list contains only field names. The full schema is in the OpenAPI document.
  const whole = fullSchema(name, isError === true);
  // Guidance refers to tools over MCP and to paths over REST.
  const { _meta, ...body } = structuredContent;
  const { relatedTools, ...meta } = _meta;
  const asRest = { ...body, _meta: { relatedEndpoints: relatedTools, ...meta } };
  assert.deepEqual(schemaProblems(openApi, whole, asRest), [], `${name} fits OpenAPI`);
  return { body: structuredContent, isError: isError === true };
};

/**
 * Calls a tool over both interfaces and returns the REST response. `mcpFirst` reverses the order, `other` gives
 * MCP different arguments, and `differing` lists fields that must differ.
 */
const bothSay = async (
  name: string,
  args: Arguments,
  more: { mcpFirst?: true; other?: Arguments; differing?: readonly string[]; fails?: true } = {},
): Promise<Json> => {
  const { mcpFirst, other = args, differing, fails } = more;
  const early = mcpFirst ? await overMcp(name, other) : null;
  const { status, body } = await callRestRoute(shared().service.url, tools.get(name)!, args);
  const late = early ?? (await overMcp(name, other));
  assert.deepEqual(withoutTimes(late.body, differing), withoutTimes(body, differing), name);
  assert.equal(late.isError, status !== 200, name);
  assert.equal(status !== 200, fails === true, JSON.stringify(body));
  if (!fails) compared.add(name);
  return body;
};

describe('MCP-5: MCP and REST return the same data', () => {
  let wallet: TestWallet;
  before(async () => {
    wallet = await fundedWallet(shared().sandbox, 50);
    openApi = await (await fetch(`${shared().service.url}/openapi.json`)).json();
  });
  const one = () => ({ walletAddress: wallet.walletAddress });
  const withKey = () => ({ ...one(), secretKey: wallet.secretKey });

  test('reads without arguments return the same data over MCP and REST', async () => {
    for (const name of [
      ...['get_validator_info', 'get_staking_apy', 'get_performance_metrics', 'get_infrastructure'],
      ...['generate_wallet', 'get_epoch_timing', 'verify_code_integrity', 'get_verification_links'],
    ])
      await bothSay(name, {});
  });

  test("throughout a stake's lifecycle with a secret key, a call over one interface is replayed over the other with the same idempotency key", async () => {
    const stake = await bothSay('stake', { ...withKey(), amountSol: 3, idempotencyKey: 'twins-stake' });
    const { stakeAccountAddress } = stake;
    for (const name of ['check_balance', 'check_withdraw_ready', 'check_alerts', 'get_staking_summary'])
      await bothSay(name, one());
    for (const name of ['get_staking_rewards', 'get_staking_history']) await bothSay(name, one());
    for (const accounts of [one(), { ...one(), scope: 'all' }])
      await bothSay('check_stake_accounts', accounts, { other: { ...accounts, detail: 'full' } });
    await bothSay('simulate_stake', { amountSol: 1.123456789, durationDays: 30 });
    for (const address of [wallet.walletAddress, stakeAccountAddress, shared().sandbox.voteAccount])
      await bothSay('check_address_type', { address });
    await bothSay(
      'verify_transaction',
      { signature: stake.signature },
      { differing: ['confirmationStatus'] },
    );
    await bothSay('withdraw', { ...withKey(), stakeAccountAddress }, { fails: true });

    await shared().sandbox.advanceEpochs(1);
    const unstake = { ...withKey(), stakeAccountAddress, idempotencyKey: 'twins-unstake' };
    await bothSay('unstake', unstake, { mcpFirst: true });
    await shared().sandbox.advanceEpochs(1);
    const { amountSol } = await bothSay(
      'withdraw',
      { ...withKey(), stakeAccountAddress, idempotencyKey: 'twins-withdraw' },
      { mcpFirst: true },
    );
    assert.ok(amountSol >= 3);
  });

  test("both interfaces build the same transactions throughout a stake's lifecycle, and submitting over both has the same result", async () => {
    const stakeOf = { ...one(), amountSol: 2.000000001, idempotencyKey: 'twins-build' };
    const built = await bothSay('create_stake_transaction', stakeOf);
    const submit = {
      signedTransaction: signedBy(wallet, built.transaction),
      idempotencyKey: 'twins-build',
    };
    const { stakeAccountAddress, message } = await bothSay('submit_transaction', submit, { mcpFirst: true });
    assert.equal(stakeAccountAddress, built.stakeAccountAddress);
    assert.match(
      message,
      /^Stake of 2\.000000001 SOL confirmed\. /,
      'the text describes the transaction as read from its bytes',
    );
    const account = { ...one(), stakeAccountAddress, idempotencyKey: 'twins-other' };
    await shared().sandbox.advanceEpochs(1);
    await bothSay('withdraw_stake', account, { fails: true });
    await bothSay('plan_stake_change', {
      ...one(),
      goal: 'unstake',
      amountSol: 1,
      idempotencyKey: 'twins-plan',
    });
    const { transaction } = await bothSay('create_unstake_transaction', account);
    const unstaked = await bothSay('submit_transaction', {
      signedTransaction: signedBy(wallet, transaction),
    });
    assert.match(unstaked.message, /^Unstake of .+ SOL confirmed\. /);
    await shared().sandbox.advanceEpochs(1);
    await bothSay('withdraw_stake', { ...account, amountSol: null });
    await bothSay('donate', { ...one(), amountSol: 0.01, idempotencyKey: 'twins-donation' });
  });

  test('webhooks registered over one interface are listed and deleted over the other', async () => {
    // Uses a random idempotency key, because a repeated registration returns no secret if the key is guessable.
    const callbackUrl = 'https://127.0.0.1:9443/hook';
    const first = await bothSay('register_webhook', {
      ...one(),
      callbackUrl,
      events: ['withdraw_ready'],
      idempotencyKey: crypto.randomUUID(),
    });
    const second = await bothSay(
      'register_webhook',
      { ...one(), callbackUrl, events: ['epoch_complete'], idempotencyKey: crypto.randomUUID() },
      { mcpFirst: true },
    );
    const { webhooks } = await bothSay('list_webhooks', one());
    assert.equal(webhooks.length, 2);
    await bothSay(
      'delete_webhook',
      { ...one(), webhookId: first.id },
      { other: { ...one(), webhookId: second.id }, differing: ['id', 'restore'] },
    );
    assert.equal((await bothSay('list_webhooks', one())).webhooks.length, 0);
    await bothSay('delete_webhook', { ...one(), webhookId: first.id }, { fails: true });
  });

  test('for autopilot policies, both interfaces return the same text to sign and share one nonce counter', async () => {
    const policy = {
      ...one(),
      keepLiquidSol: 5.5,
      minSweepSol: 1,
      callbackUrl: 'https://127.0.0.1:9443/autopilot',
      paused: true,
    };
    const signed = async (name: string, members: Arguments): Promise<Arguments> => {
      const { textToSign } = await bothSay(name, { ...members, signature: '1'.repeat(64) }, { fails: true });
      return { ...members, signature: encodeBase58(wallet.sign(Buffer.from(textToSign))) };
    };
    const first = await callRestRoute(
      shared().service.url,
      tools.get('set_staking_policy')!,
      await signed('set_staking_policy', { ...policy, nonce: 1 }),
    );
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const second = await overMcp(
      'set_staking_policy',
      await signed('set_staking_policy', { ...policy, nonce: 2 }),
    );
    // The secret is returned only once, to the first caller.
    const { secret, ...later } = first.body;
    assert.match(secret, /^whsec_/);
    assert.deepEqual(
      withoutTimes(second.body, ['nonce', 'updatedAt']),
      withoutTimes(later, ['nonce', 'updatedAt']),
    );
    compared.add('set_staking_policy');
    await bothSay('get_staking_policy', one());
    const gone = await signed('delete_staking_policy', { ...one(), nonce: 3 });
    const deleted = await overMcp('delete_staking_policy', gone);
    await bothSay('delete_staking_policy', gone, { fails: true });
    await bothSay('get_staking_policy', one(), { fails: true });
    // Repeats over REST a deletion of the policy set over MCP.
    await overMcp('set_staking_policy', await signed('set_staking_policy', { ...policy, nonce: 4 }));
    const last = await signed('delete_staking_policy', { ...one(), nonce: 5 });
    const twin = await callRestRoute(shared().service.url, tools.get('delete_staking_policy')!, last);
    assert.deepEqual(withoutTimes(deleted.body, ['nonce']), withoutTimes(twin.body, ['nonce']));
    compared.add('delete_staking_policy');
  });

  test('missing and invalid arguments are refused in the same way over both interfaces', async () => {
    const wrong: Arguments = {
      walletAddress: 'no',
      address: 'no',
      stakeAccountAddress: 5,
      signature: 'no',
      amountSol: -1,
      webhookId: 'none',
      signedTransaction: 'no',
      secretKey: 'no',
      events: [],
      nonce: 'x',
      durationDays: 0.5,
    };
    for (const { name, operation, instead, argumentNames = {} } of mcpTools) {
      if (Object.keys(operation.input.shape).length === 0) continue;
      const taken = [...Object.keys(operation.input.shape), ...Object.values(argumentNames)];
      // Each interface refuses a misplaced secret key first, in its own way.
      const { secretKey, ...keyless } = wrong;
      // Omits a field that would select the tool's other operation.
      const members = Object.entries(
        'secretKey' in operation.input.shape ? { ...keyless, secretKey } : keyless,
      ).filter(([member]) => member !== instead?.member && taken.includes(member));
      const given: Arguments = Object.fromEntries(members);
      const { body, isError } = await overMcp(name, given);
      const twin = await callRestRoute(shared().service.url, tools.get(name)!, given);
      assert.deepEqual(withoutTimes(body), withoutTimes(twin.body), name);
      assert.equal(isError, true, name);
    }
    const { walletAddress } = newWallet();
    await bothSay('create_stake_transaction', { walletAddress, amountSol: 2 }, { fails: true });
    await bothSay('create_stake_transaction', { ...one(), amountSol: 1.0000000001 }, { fails: true });
    await bothSay('stake', { ...one(), amountSol: 2 }, { fails: true });
    await bothSay('stake', { ...one(), secretKey: 5, amountSol: 2 }, { fails: true });
    await bothSay('stake', { ...one(), secretKey: newWallet().secretKey, amountSol: 2 }, { fails: true });
  });

  test('all 33 tools were compared', () => {
    assert.deepEqual([...compared].sort(), mcpTools.map(({ name }) => name).sort());
    assert.equal(compared.size, 33);
  });
});
