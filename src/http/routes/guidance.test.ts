// Tests that each interface prints guidance with the service's own routes and tools, and never refers to
// something that does not exist.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationPlaces } from '../../adapter/operation-places.ts';
import { createGuidancePrinter } from '../../adapter/print-guidance.ts';
import { type CallSource, callSourceOf } from '../../domain/call-source.ts';
import { systemClock } from '../../kernel/clock.ts';
import { type Guidance, guidance, step, wording } from '../../kernel/guidance.ts';
import { oneShotTools } from '../../mcp/staking-tools.ts';
import { runTool, type ToolServing } from '../../mcp/tool-call.ts';
import { mcpTools, shownTools } from '../../mcp/tools.ts';
import { allRoutes } from './all-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import { oneShotRoutes } from './stake-routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes.
type Any = any;

const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const url = 'https://stake.example.org';

const printerFor = (oneShot: boolean) =>
  createGuidancePrinter({
    routes: allRoutes.filter((route) => oneShot || !oneShotRoutes.includes(route)),
    tools: shownTools(oneShot),
    publicUrl: () => url,
  });

const print = printerFor(true);
const body = (members: object) => ({ ...members, _meta: { relatedEndpoints: {} } });
const action = (suggestedAction: Guidance, source: CallSource, known = {}) =>
  print(body({ suggestedAction }), source, known).suggestedAction;

const POLL = guidance`Poll ${step('withdrawReadiness', { walletAddress: WALLET })} until ${wording('withdrawReady is true', 'it can be withdrawn')}, then ${step('createWithdrawTransaction')}.`;

test('a sentence names paths over REST, tools in MCP, commands in the command line and places on the page', () => {
  const paths = `Poll GET /api/v1/stake/accounts/${WALLET}/withdraw-ready until withdrawReady is true, then POST /api/v1/withdraw/transaction.`;
  assert.deepEqual([action(POLL, 'rest'), action(POLL, 'client')], [paths, paths]);
  const tools = `Poll check_withdraw_ready(walletAddress: ${WALLET}) until withdrawReady is true, then withdraw_stake.`;
  assert.deepEqual(
    [action(POLL, 'mcp'), action(POLL, 'mcp-stdio')],
    [tools, tools.replace('withdraw_stake', 'withdraw')],
  );
  assert.equal(
    action(POLL, 'cli'),
    'Poll holdfast accounts until it can be withdrawn, then holdfast withdraw.',
  );
  assert.equal(
    action(POLL, 'page'),
    'Poll the Portfolio page until it can be withdrawn, then the Withdraw button.',
  );
});

test('a sentence that begins with a place begins with a capital letter', () => {
  const shows = guidance`${step('listStakeAccounts', { walletAddress: WALLET })} shows it.`;
  assert.equal(action(shows, 'page'), 'The Portfolio page shows it.');
});

test('a step that names an operation that does not exist does not compile', () => {
  // @ts-expect-error No operation has this name.
  assert.equal(action(guidance`${step('withdrawReadyness')}`, 'rest'), 'The documentation');
});

test('guidance that was stored as JSON prints the same text', () => {
  assert.equal(action(JSON.parse(JSON.stringify(POLL)), 'mcp'), action(POLL, 'mcp'));
});

test('links contain the wallet of the request, and are named relatedTools in MCP', () => {
  const given = {
    history: [],
    _meta: {
      relatedEndpoints: {
        accounts: step('listStakeAccounts'),
        state: step('transactionState'),
        submit: step('submitTransaction'),
        documentation: '/docs',
      },
      nextSteps: { stake: step('createStakeTransaction'), list: step('listStakeAccounts'), fund: 'Send SOL' },
    },
  };
  const values = { walletAddress: WALLET, signature: 'not/plain' };
  assert.deepEqual(print(given, 'rest', values)._meta, {
    relatedEndpoints: {
      accounts: `/api/v1/stake/accounts/${WALLET}`,
      state: '/api/v1/transaction/{signature}',
      submit: '/api/v1/transaction/submit',
      documentation: '/docs',
    },
    nextSteps: {
      stake: 'POST /api/v1/stake/transaction',
      list: `/api/v1/stake/accounts/${WALLET}`,
      fund: 'Send SOL',
    },
  });
  assert.deepEqual(print(given, 'mcp', values)._meta, {
    relatedTools: {
      accounts: `check_stake_accounts(walletAddress: ${WALLET})`,
      state: 'verify_transaction',
      submit: 'submit_transaction',
      documentation: '/docs',
    },
    nextSteps: {
      stake: 'create_stake_transaction',
      list: `check_stake_accounts(walletAddress: ${WALLET})`,
      fund: 'Send SOL',
    },
  });
});

test('guidance in the refusal of a plan, the steps of a verification and a message is printed like any other', () => {
  const given = body({
    feasible: false,
    message: guidance`Ask ${step('planStakeChange')}.`,
    refusal: {
      errorCode: 'UNDO_TOO_LATE',
      suggestedAction: guidance`Stake it: ${step('createRestakeTransaction')}.`,
    },
    verificationSteps: [guidance`Build unsigned (${step('createStakeTransaction')}).`, 'Compare.'],
  });
  // The server on the user's machine signs locally, so its tools build and submit in one call.
  const local = print(given, 'mcp-stdio', {}) as Any;
  assert.deepEqual(
    [local.message, local.refusal.suggestedAction, local.verificationSteps[0]],
    ['Ask change_stake.', 'Stake it: stake.', 'Build unsigned (stake).'],
  );
  const onPage = print(given, 'page', {}) as Any;
  assert.equal(
    onPage.refusal.suggestedAction,
    'Stake it: the Stake again button of the account on the Portfolio page.',
  );
  const { refusal, verificationSteps, message } = print(given, 'mcp', {}) as Any;
  assert.equal(message, 'Ask plan_stake_change.');
  assert.equal(refusal.suggestedAction, 'Stake it: create_stake_transaction.');
  assert.deepEqual(verificationSteps, ['Build unsigned (create_stake_transaction).', 'Compare.']);
});

test('a one-shot tool called without a key suggests the tool that needs none and does not ask for the key', async () => {
  const serving = {
    ctx: { clock: systemClock },
    source: { printGuidance: print, documentationUrl: `${url}/docs`, clusterName: () => 'test' },
    cachedResponses: () => assert.fail('no response is cached in this test'),
    endpointOf: () => null,
  } as unknown as ToolServing;
  for (const [tool, builder] of [
    ['stake', 'create_stake_transaction'],
    ['unstake', 'create_unstake_transaction'],
    ['withdraw', 'withdraw_stake'],
  ]) {
    const { body: refused } = await runTool(serving, oneShotTools.find(({ name }) => name === tool)!, {
      arguments: { walletAddress: WALLET, stakeAccountAddress: WALLET, amountSol: 1 },
      secret: undefined,
      client: '',
      signal: new AbortController().signal,
    });
    assert.match(String(refused.message), /^secretKey: was not given/);
    assert.match(
      String(refused.suggestedAction),
      new RegExp(`Never ask a person for a secret key\\. ${builder} does the same without one`),
    );
  }
});

test('the suggested actions of accounts and the recommended action name the tool, the command or the button', () => {
  const given = body({
    recommendedAction: { action: 'WITHDRAW', reason: 'It is due.', ...step('createWithdrawTransaction') },
    accounts: [
      {
        address: 'a',
        suggestedActions: [
          { action: 'wait', reason: 'R', ...step('withdrawReadiness', { walletAddress: WALLET }) },
        ],
      },
    ],
  });
  const seen = (source: CallSource) => {
    const { recommendedAction, accounts } = print(given, source, {}) as Any;
    return [recommendedAction, ...accounts[0].suggestedActions];
  };
  const withdraw = (method: string, endpoint: string) => ({
    action: 'WITHDRAW',
    reason: 'It is due.',
    method,
    endpoint,
  });
  const wait = (method: string, endpoint: string) => ({ action: 'wait', reason: 'R', method, endpoint });
  assert.deepEqual(seen('rest'), [
    withdraw('POST', '/api/v1/withdraw/transaction'),
    wait('GET', `/api/v1/stake/accounts/${WALLET}/withdraw-ready`),
  ]);
  assert.deepEqual(seen('mcp'), [
    withdraw('tool', 'withdraw_stake'),
    wait('tool', `check_withdraw_ready(walletAddress: ${WALLET})`),
  ]);
  assert.deepEqual(seen('cli'), [
    withdraw('command', 'holdfast withdraw'),
    wait('command', 'holdfast accounts'),
  ]);
  assert.deepEqual(seen('page'), [
    withdraw('button', 'the Withdraw button'),
    wait('button', 'the Portfolio page'),
  ]);
});

test('with one-shot calls off, no link or sentence mentions a route that is not served', () => {
  const given = body({ suggestedAction: guidance`See ${step('stake')}.` });
  const links = { stake: step('stake'), balance: step('balance') };
  for (const [source, related, place] of [
    ['rest', 'relatedEndpoints', '/api/v1/wallet/balance/{walletAddress}'],
    ['mcp', 'relatedTools', 'check_balance'],
  ] as const) {
    const printed = printerFor(false)({ ...given, _meta: { relatedEndpoints: links } }, source, {}) as Any;
    assert.deepEqual(printed._meta, { [related]: { balance: place } });
    assert.equal(printed.suggestedAction, 'See the documentation.');
  }
});

test('agents get the full URL of a route that has no tool', () => {
  assert.equal(
    action(guidance`See ${step('validatorHistory')}.`, 'mcp'),
    `See GET ${url}/api/v1/validator/history.`,
  );
});

test('fields without guidance stay unchanged, under any name', () => {
  const given = body({
    accounts: 3,
    refusal: null,
    nextSteps: undefined,
    message: 'Done.',
    other: [step('epoch')],
  });
  assert.deepEqual(print(given, 'rest', {}), given);
});

test('guidance contains no input of the caller except identifiers', () => {
  const link = (walletAddress: string) => action(guidance`${step('balance')}`, 'rest', { walletAddress });
  assert.equal(link(WALLET), `GET /api/v1/wallet/balance/${WALLET}`);
  for (const written of ['a b', '../x', '<script>', 'x'.repeat(101), ''])
    assert.equal(link(written), 'GET /api/v1/wallet/balance/{walletAddress}');
});

test('every place and every related link belongs to a served operation, and no place replaces an operation’s own tool', () => {
  const served = new Set([...allRoutes, ...operatorRoutes].map(({ operation }) => operation.name));
  const named = allRoutes.flatMap(({ related }) => Object.values(related ?? {}));
  for (const name of [...Object.keys(operationPlaces), ...named]) assert.ok(served.has(name as Any), name);
  const bound = new Set(mcpTools.map(({ operation }) => operation.name));
  for (const [name, { tool }] of Object.entries(operationPlaces))
    if (tool !== undefined) assert.ok(!bound.has(name as Any), name);
});

test('a caller is recognized as page, client, cli or mcp-stdio, and any other value of the header counts as rest', () => {
  assert.deepEqual(
    ['page', 'client', 'cli', 'mcp-stdio', 'mcp', 'actions', 'chain', 'x', '', undefined, ['page']].map(
      callSourceOf,
    ),
    ['page', 'client', 'cli', 'mcp-stdio', ...Array(7).fill('rest')],
  );
});
