// Guidance made of the service's own routes and tools: nobody is sent where they cannot go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuide } from '../../adapter/guidance.ts';
import { phrases } from '../../adapter/guidance-phrases.ts';
import { callSourceOf } from '../../domain/call-source.ts';
import { systemClock } from '../../kernel/clock.ts';
import { oneShotTools } from '../../mcp/staking-tools.ts';
import { runTool, type ToolServing } from '../../mcp/tool-call.ts';
import { shownTools } from '../../mcp/tools.ts';
import { allRoutes } from './all-routes.ts';
import { oneShotRoutes } from './stake-routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes.
type Any = any;

const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const url = 'https://stake.example.org';

const guideFor = (oneShot: boolean) =>
  createGuide({
    routes: allRoutes.filter((route) => oneShot || !oneShotRoutes.includes(route)),
    absent: oneShot ? [] : oneShotRoutes,
    tools: shownTools(oneShot),
    publicUrl: () => url,
  });

const guide = guideFor(true);
const body = (members: object) => ({ ...members, _meta: { relatedEndpoints: {} } });
const action = (text: string, source: Parameters<typeof guide.rewrite>[1]) =>
  guide.rewrite(body({ suggestedAction: text }), source, { walletAddress: WALLET }).suggestedAction;

const POLL = `Poll GET /api/v1/stake/accounts/${WALLET}/withdraw-ready until withdrawReady is true, then POST /api/v1/withdraw/transaction.`;

test('a sentence names paths over REST, tools in MCP, commands in the command line and places on the page', () => {
  assert.equal(action(POLL, 'rest'), POLL);
  assert.equal(action(POLL, 'client'), POLL);
  const tools = `Poll check_withdraw_ready(walletAddress: ${WALLET}) until withdrawReady is true, then withdraw_stake.`;
  assert.deepEqual([action(POLL, 'mcp'), action(POLL, 'mcp-stdio')], [tools, tools]);
  assert.equal(
    action(POLL, 'cli'),
    'Poll holdfast accounts until it can be withdrawn, then holdfast withdraw.',
  );
  assert.equal(
    action(POLL, 'page'),
    'Poll the Portfolio page until it can be withdrawn, then the Withdraw button.',
  );
});

test('links are filled with the wallet of the request, and are tools under relatedTools in MCP', () => {
  const given = {
    history: [],
    _meta: {
      relatedEndpoints: {
        accounts: '/api/v1/stake/accounts/{walletAddress}',
        state: '/api/v1/transaction/{signature}',
      },
      nextSteps: { stake: 'POST /api/v1/stake/transaction' },
    },
  };
  const values = { walletAddress: WALLET, signature: 'not/plain' };
  assert.deepEqual(guide.rewrite(given, 'rest', values)._meta, {
    relatedEndpoints: {
      accounts: `/api/v1/stake/accounts/${WALLET}`,
      state: '/api/v1/transaction/{signature}',
    },
    nextSteps: { stake: 'POST /api/v1/stake/transaction' },
  });
  assert.deepEqual(guide.rewrite(given, 'mcp', values)._meta, {
    relatedTools: {
      accounts: `check_stake_accounts(walletAddress: ${WALLET})`,
      state: 'verify_transaction',
    },
    nextSteps: { stake: 'create_stake_transaction' },
  });
});

test('the refusal of a plan and the steps of a verification are guided like the answer around them', () => {
  const given = body({
    feasible: false,
    refusal: { errorCode: 'UNDO_TOO_LATE', suggestedAction: 'Stake it: POST /api/v1/restake/transaction.' },
    verificationSteps: ['Build unsigned (POST /api/v1/stake/transaction).'],
  });
  const { refusal, verificationSteps } = guide.rewrite(given, 'mcp', {}) as Any;
  assert.equal(refusal.suggestedAction, 'Stake it: create_stake_transaction.');
  assert.deepEqual(verificationSteps, ['Build unsigned (create_stake_transaction).']);
});

test('a one-shot tool without a key names the tool that needs none, and does not ask for one', async () => {
  const serving = {
    ctx: { clock: systemClock },
    source: { guide, documentationUrl: `${url}/docs`, clusterName: () => 'test' },
    cachedAnswers: () => assert.fail('nothing is cached here'),
    endpointOf: () => null,
  } as unknown as ToolServing;
  for (const [tool, builder] of [
    ['stake', 'create_stake_transaction'],
    ['unstake', 'create_unstake_transaction'],
    ['withdraw', 'withdraw_stake'],
  ]) {
    const { body: refused } = await runTool(serving, oneShotTools.find(({ name }) => name === tool)!, {
      arguments: { walletAddress: WALLET, stakeAccountAddress: WALLET, amountSol: 1 },
      ...{ secret: undefined, client: '', signal: new AbortController().signal },
    });
    assert.equal(refused.message, 'secretKey: was not given');
    assert.match(
      String(refused.suggestedAction),
      new RegExp(`Never ask a person for a secret key\\. ${builder} does the same without one`),
    );
  }
});

test('steps of accounts and the recommended one name the tool, the command or the button', () => {
  const step = { method: 'POST', endpoint: '/api/v1/withdraw/transaction', reason: 'It is due.' };
  const given = body({
    recommendedAction: { action: 'WITHDRAW', ...step },
    accounts: [{ address: 'a', suggestedActions: [{ action: 'withdraw', ...step }] }],
  });
  const seen = (source: 'mcp' | 'cli' | 'page' | 'rest') => {
    const { recommendedAction, accounts } = guide.rewrite(given, source, {}) as typeof given & {
      recommendedAction: typeof step;
      accounts: { suggestedActions: (typeof step)[] }[];
    };
    return [recommendedAction, ...accounts[0]!.suggestedActions].map(({ method, endpoint }) => [
      method,
      endpoint,
    ]);
  };
  assert.deepEqual(seen('rest'), Array(2).fill(['POST', '/api/v1/withdraw/transaction']));
  assert.deepEqual(seen('mcp'), Array(2).fill(['tool', 'withdraw_stake']));
  assert.deepEqual(seen('cli'), Array(2).fill(['command', 'holdfast withdraw']));
  assert.deepEqual(seen('page'), Array(2).fill(['button', 'the Withdraw button']));
});

test('with one-shot off no link names a route that is not there', () => {
  const given = {
    _meta: {
      relatedEndpoints: { stake: '/api/v1/stake', balance: '/api/v1/wallet/balance/{walletAddress}' },
    },
  };
  assert.deepEqual(guideFor(false).rewrite(given, 'rest', {})._meta, {
    relatedEndpoints: { balance: '/api/v1/wallet/balance/{walletAddress}' },
  });
  assert.deepEqual(guideFor(false).rewrite(given, 'mcp', {})._meta, {
    relatedTools: { balance: 'check_balance' },
  });
});

test('a route without a tool is a whole URL for agents', () => {
  assert.equal(
    action('See GET /api/v1/validator/history.', 'mcp'),
    `See GET ${url}/api/v1/validator/history.`,
  );
});

test('every phrase is of an operation that exists', () => {
  const names = new Set(allRoutes.map(({ operation }) => operation.name));
  assert.deepEqual(
    Object.keys(phrases).filter((name) => !names.has(name)),
    [],
  );
});

test('a caller names itself by one of four words; anything else is a program of its own', () => {
  assert.deepEqual(
    ['page', 'client', 'cli', 'mcp-stdio', 'mcp', 'actions', 'chain', 'x', '', undefined, ['page']].map(
      callSourceOf,
    ),
    ['page', 'client', 'cli', 'mcp-stdio', ...Array(7).fill('rest')],
  );
});
