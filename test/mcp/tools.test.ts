// Checks the table of tools: it has exactly the 33 tools of the interface, each operation has a tool or a
// reason for having none, descriptions guide agents, and hints are correct.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findCodeFiles } from '../../scripts/testing/find-test-files.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { operatorRoutes } from '../../src/http/routes/operator-routes.ts';
import { describeTools } from '../../src/mcp/tool-schemas.ts';
import { mcpTools, shownTools } from '../../src/mcp/tools.ts';

/** Operations without a tool, with the reason for each. */
const WITHOUT_TOOL: Readonly<Record<string, string>> = {
  listDelegators: 'The operator console needs the operator’s token and is never served over MCP.',
  showDelegator: 'The operator console needs the operator’s token and is never served over MCP.',
  showDelivery: 'The operator console needs the operator’s token and is never served over MCP.',
  showStakeFlows: 'The operator console needs the operator’s token and is never served over MCP.',
  showServiceHealth: 'The operator console needs the operator’s token and is never served over MCP.',
  listAlerts: 'The operator console needs the operator’s token and is never served over MCP.',
  setWalletLabel: 'The operator console needs the operator’s token and is never served over MCP.',
  showOwnValidator: 'The operator console needs the operator’s token and is never served over MCP.',
  sendTestAlert: 'The operator console needs the operator’s token and is never served over MCP.',
  listDeadLetters: 'The operator console needs the operator’s token and is never served over MCP.',
  replayDeadLetter: 'The operator console needs the operator’s token and is never served over MCP.',
  listSubmissions: 'The operator console needs the operator’s token and is never served over MCP.',
  rebuildTransaction:
    'A builder called again with the same idempotency key returns the same change with a new lifetime.',
  attachSignatures: 'For people who sign separately; an agent signs with one key.',
  listNonceAccounts: 'For wallets whose approval takes hours; an agent signs immediately.',
  createNonceTransaction: 'For wallets whose approval takes hours; an agent signs immediately.',
  advanceNonceTransaction: 'For wallets whose approval takes hours; an agent signs immediately.',
  closeNonceTransaction: 'For wallets whose approval takes hours; an agent signs immediately.',
  createUndoTransaction: 'Covered by plan_stake_change with the goal undo.',
  previewUnstake: 'plan_stake_change reports the nearest amounts and shows the plan.',
  analytics: 'Statistics of the service, for its operator and its page.',
  health: 'For operators; an agent that gets a response already knows that the service is up.',
  ready: 'For operators.',
  transactionState:
    'submit_transaction waits for the outcome and can be repeated; verify_transaction reports what landed.',
  readSignLink: 'For the page that a sign link opens.',
  verifyStakeTransaction:
    'Checking the bytes with the service that built them proves nothing; the stand-alone verifier does, on the signer’s machine.',
  sourceFile: 'A whole source file is not useful to an agent; verify_code_integrity links to it.',
  validatorHistory: 'Past epochs are for charts; get_performance_metrics and get_staking_apy summarize them.',
  validatorAlerts:
    'Tools that stake warn about the validator themselves; the list is for people and the page.',
  validatorLive: 'It is the resource holdfast://validator/status.',
  peerDensity: 'The locations of other validators are for the page.',
  listDeliveries: 'Managing webhooks needs their secret, which no model should have.',
  replayDeliveries: 'Managing webhooks needs their secret, which no model should have.',
  pingWebhook: 'Managing webhooks needs their secret, which no model should have.',
  rotateWebhookSecret: 'Managing webhooks needs their secret, which no model should have.',
  restoreWebhook: 'Managing webhooks needs their secret, which no model should have.',
  describeSandbox:
    'The sandbox’s controls are for people and tests; an agent must not create SOL or end epochs.',
  sandboxAirdrop:
    'The sandbox’s controls are for people and tests; an agent must not create SOL or end epochs.',
  sandboxEndEpochs:
    'The sandbox’s controls are for people and tests; an agent must not create SOL or end epochs.',
  sandboxNetwork:
    'The sandbox’s controls are for people and tests; an agent must not fill the blocks of others.',
  sandboxValidator:
    'The sandbox’s controls are for people and tests; an agent must not have its validator misbehave.',
};

const NAMES =
  `stake unstake withdraw get_validator_info get_staking_apy get_performance_metrics get_infrastructure generate_wallet
  check_balance check_stake_accounts check_withdraw_ready simulate_stake get_staking_summary get_epoch_timing check_address_type
  verify_transaction verify_code_integrity get_verification_links create_stake_transaction create_unstake_transaction withdraw_stake
  submit_transaction register_webhook list_webhooks delete_webhook donate set_staking_policy get_staking_policy
  delete_staking_policy plan_stake_change check_alerts get_staking_rewards get_staking_history`
    .split(/\s+/)
    .sort();

const names = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name).sort();
const root = join(import.meta.dirname, '..', '..');

/** Reads the names of all operations from the files that define them. */
const definedOperations = (): string[] =>
  findCodeFiles(root)
    .filter((path) => path.startsWith('src/operations/') && !path.endsWith('.test.ts'))
    .flatMap((path) => [
      ...readFileSync(join(root, path), 'utf8').matchAll(/defineOperation\(\{\s*name: '(\w+)'/g),
    ])
    .map(([, name]) => name!);

describe('every operation has', () => {
  const withTool: ReadonlySet<string> = new Set(
    mcpTools.flatMap(({ operation, instead }) => [
      operation.name,
      ...(instead ? [instead.operation.name] : []),
    ]),
  );

  test('a tool, or a line that states why there is none', () => {
    const defined = definedOperations();
    assert.ok(defined.length >= 40, 'the search must find the operations');
    for (const name of defined)
      assert.ok(
        withTool.has(name) !== name in WITHOUT_TOOL,
        `${name}: a tool, or else a reason in WITHOUT_TOOL`,
      );
    for (const name of Object.keys(WITHOUT_TOOL))
      assert.ok(defined.includes(name), `${name} is not an operation`);
  });

  test('and a REST route', () => {
    const routed: ReadonlySet<string> = new Set(
      [...allRoutes, ...operatorRoutes].map(({ operation }) => operation.name),
    );
    for (const name of definedOperations()) assert.ok(routed.has(name), name);
    for (const { name, operation } of mcpTools)
      assert.ok(
        allRoutes.some((route) => route.operation === operation),
        `${name} has a REST twin`,
      );
  });
});

describe('the tools', () => {
  test('are exactly the 33 tools of the interface', () => {
    assert.equal(NAMES.length, 33);
    assert.deepEqual(names(mcpTools), NAMES);
  });

  test('without one-shot calls are 30, without exactly those that need a secret key', () => {
    const hidden = NAMES.filter((name) => !names(shownTools(false)).includes(name));
    assert.deepEqual(hidden, ['stake', 'unstake', 'withdraw']);
    assert.deepEqual(names(shownTools(true)), NAMES);
    for (const { name, operation } of mcpTools)
      assert.equal('secretKey' in operation.input.shape, hidden.includes(name), name);
  });

  test('that take a secret key state who sees it and name the alternative without one', () => {
    for (const { name, description } of mcpTools.filter((tool) => tool.carriesSecretKey)) {
      assert.match(description, /The language model, its provider and .* see secretKey/, name);
      assert.match(
        description,
        /Prefer (create_stake_transaction|create_unstake_transaction|withdraw_stake)/,
        name,
      );
      assert.match(description, /submit_transaction/, name);
    }
  });

  test('that only read say that they change nothing, and every tool named in a description is available', () => {
    for (const { name, description, annotations, operation } of mcpTools) {
      assert.ok(description.length >= 100, name);
      if (operation.effect === 'read')
        assert.ok(/hanges nothing/.test(description) || name === 'get_infrastructure', name);
      for (const [mentioned] of description.matchAll(
        /\b(?:get|check|create|set|list|delete|submit|verify|simulate|plan)_[a-z_]+\b/g,
      ))
        assert.ok(NAMES.includes(mentioned), `${name} mentions ${mentioned}`);
      assert.equal(
        annotations.readOnlyHint,
        operation.effect === 'read' || /^(create_|withdraw_stake|donate|plan_stake_change)/.test(name),
        name,
      );
    }
  });

  test('have destructiveHint exactly where the interface specifies it', () => {
    const destructive = mcpTools.filter(({ annotations }) => annotations.destructiveHint);
    assert.deepEqual(names(destructive), [
      ...['delete_staking_policy', 'delete_webhook', 'stake', 'submit_transaction', 'unstake', 'withdraw'],
    ]);
    for (const { annotations, name } of mcpTools)
      if (annotations.readOnlyHint) assert.equal(annotations.destructiveHint, false, name);
  });

  test('take the arguments of the REST operation with the same names, with two exceptions', () => {
    for (const [at, tool] of describeTools(mcpTools).entries()) {
      const { operation, instead } = mcpTools[at]!;
      const members = Object.keys({ ...operation.input.shape, ...instead?.operation.input.shape });
      const expected =
        tool.name === 'delete_webhook'
          ? members.map((member) => (member === 'id' ? 'webhookId' : member))
          : [
              ...members.filter((member) => member !== 'format'),
              ...Object.keys(mcpTools[at]!.view?.input.shape ?? {}),
            ];
      assert.deepEqual(Object.keys(tool.inputSchema.properties ?? {}), expected, tool.name);
    }
  });

  test('have self-contained schemas: objects, without references, with a description of every argument', () => {
    for (const tool of describeTools(mcpTools)) {
      const { name, inputSchema, outputSchema } = tool;
      assert.equal(inputSchema.type, 'object', name);
      assert.equal(outputSchema?.type, 'object', name);
      assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /"\$ref"|"\$defs"|"override"/, name);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
        assert.match(JSON.stringify(schema), /"description":"[^"]{5}/, `${name}.${argument}`);
    }
  });

  test('MCP-6: together take at most 48,000 bytes of tools/list, and each names the fields of its response', () => {
    const listed = describeTools(mcpTools);
    assert.ok(Buffer.byteLength(JSON.stringify({ tools: listed })) <= 48_000);
    for (const [at, { name, outputSchema }] of listed.entries()) {
      const { properties = {}, ...rest } = outputSchema as { properties?: object };
      assert.deepEqual(rest, { type: 'object' }, name);
      // `…Sentences` fields are omitted, because they only repeat texts of other fields as data.
      const members = Object.keys(mcpTools[at]!.operation.output.shape).filter(
        (member) => member !== 'notices' && !member.endsWith('Sentences'),
      );
      for (const member of members) assert.ok(member in properties, `${name}.${member}`);
      assert.doesNotMatch(JSON.stringify(properties), /"properties"|"anyOf"/, name);
    }
  });
});
