// Checks an agent with a budget against a real service: the local MCP server and the command line sign only
// what the policy allows, ask a person where the policy requires it, and sign nothing while the freeze file
// exists.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { configFolder, holdfast, type KeypairFile, keypairFile, trustService } from '../cli/cli-runner.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';

const shared = sharedSandboxService({ before, after });
const root = join(import.meta.dirname, '..', '..');

type Era = 'auto' | 'legacy';
type Members = Readonly<Record<string, unknown>>;

/** Creates a funded wallet with a policy. */
const startAgent = async (t: Scope, members: Members) => {
  const { client, service } = shared();
  const wallet = keypairFile(t);
  await trustService(service.url);
  await client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol: 50 });
  const { identity } = await client.codeIntegrity({});
  const honest = {
    version: 1,
    cluster: identity.genesisHash,
    wallet: wallet.walletAddress,
    validators: [identity.voteAccount],
    operations: ['stake', 'unstake', 'withdraw'],
  };
  const path = join(temporaryFolder(t), 'policy.json');
  writeFileSync(path, JSON.stringify({ ...honest, ...members }));
  return { wallet, path, honest, url: service.url };
};
type Agent = Awaited<ReturnType<typeof startAgent>>;

/**
 * Starts `holdfast mcp --policy` as an agent's host would. `answer` is the person's reply if the client can
 * ask.
 */
const connect = async (
  t: Scope,
  { wallet, path, url }: Agent,
  era: Era,
  response?: (question: string) => {
    readonly action: 'accept' | 'decline';
    readonly content?: { approve: boolean };
  },
) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'cli/main.ts'), 'mcp', '--url', url, '--keypair', wallet.path, '--policy', path],
    env: { ...cleanEnvironment(), XDG_CONFIG_HOME: configFolder },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'agent', version: '1' }, {
    versionNegotiation: { mode: era },
    ...(response && { capabilities: { elicitation: { form: {} } } }),
  } as ConstructorParameters<typeof Client>[1]);
  if (response) client.setRequestHandler('elicitation/create', ({ params }) => response(params.message));
  await client.connect(transport);
  t.after(() => client.close());
  return async (name: string, given: Members = {}) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: { ...given } });
    // biome-ignore lint/suspicious/noExplicitAny: an agent parses untyped JSON.
    return { isError: isError === true, body: structuredContent as Record<string, any> };
  };
};

const balanceOf = async ({ walletAddress }: KeypairFile): Promise<number> =>
  (await shared().client.balance({ walletAddress })).sol;

for (const era of ['auto', 'legacy'] as const)
  test(`an agent (${era}) stakes within its budget, and the refusal of a stake above the cap names the cap, the amount used and the time at which the budget becomes available again`, async (t) => {
    const agent = await startAgent(t, { limits: { stake: { each: 4, day: 5 } } });
    const call = await connect(t, agent, era);
    const staked = await call('stake', { amountSol: 3 });
    assert.equal(staked.isError, false, JSON.stringify(staked.body));
    const refused = await call('stake', { amountSol: 2.5 });
    const { errorCode, policy, message } = refused.body;
    assert.deepEqual([refused.isError, errorCode], [true, 'POLICY_LIMIT']);
    const { freesAt, ...figures } = policy;
    assert.deepEqual(figures, {
      amount: 'stake',
      period: 'day',
      limitSol: '5',
      usedSol: '3',
      leftSol: '2',
      askedSol: '2.5',
      freesInEpoch: null,
    });
    assert.ok(message.includes(freesAt) && !Number.isNaN(Date.parse(freesAt)), message);
    assert.equal((await call('stake', { amountSol: 4.5 })).body.policy.period, 'each');
    // Another server with the same policy uses the same budget.
    const second = await connect(t, agent, era);
    assert.equal((await second('stake', { amountSol: 2.5 })).body.errorCode, 'POLICY_LIMIT');
    assert.equal((await second('stake', { amountSol: 2 })).isError, false);
    assert.equal((await call('stake', { amountSol: 1 })).body.policy.leftSol, '0');
    assert.equal((await call('change_stake', { goal: 'rescue' })).body.errorCode, 'POLICY_OPERATION');
    // The policy does not limit unstaking. The exact amount comes from the sandbox's node.
    const { stakeAccountAddress } = staked.body;
    assert.equal((await call('unstake', { stakeAccountAddress })).isError, false);
    const { code, stdout } = await holdfast(['audit', `${agent.path}.audit`, '--json']);
    assert.equal(code, 0, stdout);
    const { records } = JSON.parse(stdout);
    const signatures = records.flatMap(({ signature }: { signature: string | null }) => signature ?? []);
    assert.equal(signatures[0], staked.body.signature);
    assert.equal(signatures.length, 3);
    const unstaked = records.findLast(({ verdict }: { verdict: unknown }) => verdict !== null);
    assert.deepEqual([unstaked.verdict.operations, unstaked.verdict.amountsSol.stake], [['unstake'], '0']);
    assert.ok(Number(unstaked.verdict.amountsSol.unstake) > 2.9, 'everything except the rent');
    for (const secret of agent.wallet.secrets)
      assert.ok(!readFileSync(`${agent.path}.audit`, 'utf8').includes(secret));
  });

for (const era of ['auto', 'legacy'] as const)
  test(`above approveAbove, the client asks the person (${era}), who accepts or declines, and if there is no one to ask, the stake is refused`, async (t) => {
    const agent = await startAgent(t, { approveAbove: 2, limits: { stake: { day: 20 } } });
    const questions: string[] = [];
    let reply: { action: 'accept' | 'decline'; content?: { approve: boolean } } = {
      action: 'accept',
      content: { approve: true },
    };
    const call = await connect(t, agent, era, (question) => {
      questions.push(question);
      return reply;
    });
    assert.equal((await call('stake', { amountSol: 2 })).isError, false);
    assert.equal(questions.length, 0, 'not above');
    const staked = await call('stake', { amountSol: 3 });
    assert.equal(staked.isError, false, JSON.stringify(staked.body));
    assert.equal(questions.length, 1);
    assert.match(
      questions[0]!,
      /^Sign this stake for the wallet \w+\? 3 SOL staked, with the validator \w+\./,
    );
    const before = await balanceOf(agent.wallet);
    for (const no of [
      { action: 'decline' as const },
      { action: 'accept' as const, content: { approve: false } },
    ]) {
      reply = no;
      assert.equal((await call('stake', { amountSol: 3 })).body.errorCode, 'POLICY_DECLINED');
    }
    assert.equal(questions.length, 3, 'an earlier approval does not cover a later stake');
    const silent = await connect(t, agent, era);
    const unasked = await silent('stake', { amountSol: 3 });
    assert.equal(unasked.body.errorCode, 'POLICY_NEEDS_PERSON');
    assert.match(unasked.body.signUrl, /\/sign\?request=/);
    const { recommendedAction } = (await silent('get_staking_summary')).body;
    assert.deepEqual(
      [recommendedAction.action, recommendedAction.amountSol, recommendedAction.policy.needsPerson],
      ['STAKE', 15, true],
      'the summary recommends no more than the budget allows',
    );
    const { limits, approveAboveSol } = (await silent('check_budget')).body;
    assert.deepEqual([limits[0].usedSol, limits[0].leftSol, approveAboveSol], [5, 15, 2]);
    assert.equal(await balanceOf(agent.wallet), before);
  });

test('nothing is signed while the freeze file exists, and after a change to the policy everything is refused until the server restarts', async (t) => {
  const agent = await startAgent(t, { freezeFile: 'freeze' });
  const call = await connect(t, agent, 'auto');
  const freeze = join(agent.path, '..', 'freeze');
  writeFileSync(freeze, '');
  assert.equal((await call('stake', { amountSol: 2 })).body.errorCode, 'POLICY_FROZEN');
  rmSync(freeze);
  assert.equal((await call('stake', { amountSol: 2 })).isError, false);
  writeFileSync(agent.path, `${readFileSync(agent.path, 'utf8')}\n`);
  assert.equal((await call('stake', { amountSol: 2 })).body.errorCode, 'POLICY_CHANGED');
  rmSync(agent.path);
  assert.equal((await call('stake', { amountSol: 2 })).body.errorCode, 'POLICY_CHANGED');
});

test('a policy for a different cluster, service or wallet is refused by the MCP server and on the command line', async (t) => {
  const other = keypairFile(t).walletAddress;
  for (const [members, code] of [
    [{ cluster: other }, 'POLICY_OTHER_CLUSTER'],
    [{ validators: [other] }, 'POLICY_OTHER_SERVICE'],
    [{ wallet: other }, 'POLICY_OTHER_WALLET'],
  ] as const) {
    const agent = await startAgent(t, members);
    const call = await connect(t, agent, 'auto');
    assert.equal((await call('stake', { amountSol: 2 })).body.errorCode, code);
    const run = await holdfast([
      'stake',
      '2',
      '--yes',
      '--json',
      '--policy',
      agent.path,
      '--url',
      agent.url,
      '--keypair',
      agent.wallet.path,
    ]);
    assert.deepEqual([run.code, run.error().errorCode], [1, code]);
    assert.equal(await balanceOf(agent.wallet), 50);
  }
});

test('the command line asks in the terminal even with --yes, refuses if it cannot ask, and uses the same budget', async (t) => {
  const agent = await startAgent(t, { approveAbove: 2, limits: { stake: { epoch: 8 } } });
  const stake = (sol: string, args: readonly string[], responses?: readonly string[]) =>
    holdfast(
      ['stake', sol, '--policy', agent.path, '--url', agent.url, '--keypair', agent.wallet.path, ...args],
      responses === undefined ? {} : { responses },
    );
  assert.equal((await stake('2', ['--yes'])).code, 0);
  assert.equal((await stake('3', ['--yes', '--json'])).error().errorCode, 'POLICY_NEEDS_PERSON');
  assert.match((await stake('3', ['--yes'], ['n'])).stderr, /POLICY_DECLINED/);
  assert.equal((await stake('3', ['--yes'], ['y'])).code, 0);
  assert.equal((await stake('3', [], ['y'])).code, 0, 'the usual prompt asks for the approval');
  const over = await stake('1.5', ['--yes', '--json']);
  const { currentEpoch } = await shared().client.epoch({});
  assert.deepEqual(over.error().policy, {
    amount: 'stake',
    period: 'epoch',
    limitSol: '8',
    usedSol: '8',
    leftSol: '0',
    askedSol: '1.5',
    freesAt: null,
    freesInEpoch: currentEpoch + 1,
  });
  await shared().client.sandboxEndEpochs({ count: 1 });
  assert.equal((await stake('1.5', ['--yes'])).code, 0);
});

test('policy check explains a policy, and unreadable or contradictory policies are refused before anything starts', async (t) => {
  const { path, honest, url, wallet } = await startAgent(t, {
    limits: { stake: { each: 2, day: 5 } },
    approveAbove: 1,
    hours: { from: '08:00', to: '18:00' },
    freezeFile: 'freeze',
  });
  const { code, stdout } = await holdfast(['policy', 'check', path]);
  assert.equal(code, 0);
  for (const words of [
    'from 08:00 to 18:00 UTC',
    'stake, unstake and withdraw',
    'no limit on the SOL unstaked',
    'Stake more than 2 SOL in one request and 5 SOL in any 24 hours',
    'more than 1 SOL in one request unless a person approves',
    join(path, '..', 'freeze'),
  ])
    assert.ok(stdout.includes(words), `${words}\n${stdout}`);
  const broken: readonly (readonly [string, RegExp])[] = [
    ['{', /is not JSON/],
    [JSON.stringify({ ...honest, limit: {} }), /there is no field "limit"\. Did you mean limits\?/],
    [JSON.stringify({ ...honest, version: 2 }), /version/],
    [JSON.stringify({ ...honest, operations: ['steal'] }), /operations/],
    [JSON.stringify({ ...honest, validators: [] }), /validators/],
    [JSON.stringify({ ...honest, limits: { stake: { day: 0 } } }), /above 0/],
    [
      JSON.stringify({ ...honest, limits: { stake: { hour: 3, day: 2 } } }),
      /contradicts itself: limits\.stake\.hour \(3\)/,
    ],
    [
      JSON.stringify({ ...honest, operations: ['rescue'], limits: { stake: { day: 2 } } }),
      /contradicts itself/,
    ],
    [JSON.stringify({ ...honest, recipients: [honest.validators[0]] }), /contradicts itself: .*recipients/],
    [JSON.stringify({ ...honest, hours: { from: '08:00', to: '08:00' } }), /contradicts itself: hours/],
    [`{"wallet":"x",${JSON.stringify(honest).slice(1)}`, /contradicts itself: wallet is given twice/],
  ];
  for (const [text, pattern] of broken) {
    writeFileSync(path, text);
    for (const argv of [
      ['policy', 'check', path],
      ['stake', '2', '--yes', '--policy', path, '--url', url, '--keypair', wallet.path],
      ['mcp', '--policy', path, '--url', url, '--keypair', wallet.path],
    ]) {
      const run = await holdfast(argv);
      assert.deepEqual([run.code, pattern.test(run.stderr)], [2, true], run.stderr);
    }
    assert.ok(!existsSync(`${path}.audit`));
  }
  rmSync(path);
  assert.match((await holdfast(['policy', 'check', path])).stderr, /the policy .* does not exist\./);
  assert.equal((await holdfast(['mcp', '--policy', path])).code, 2);
});

test('a dry run reports that the policy would require approval, and only above its threshold', async (t) => {
  const { path, url, wallet } = await startAgent(t, { approveAbove: 3 });
  const dryRun = async (sol: string) =>
    holdfast(['stake', sol, '--dry-run', '--policy', path, '--url', url, '--keypair', wallet.path]);
  const [below, above] = [await dryRun('2'), await dryRun('4')];
  assert.deepEqual([below.code, above.code], [0, 0], above.stderr);
  assert.equal(below.stderr, '');
  assert.match(above.stderr, /requires a person's approval.*\n.*4 SOL staked.*above 3 SOL/);
});

test('the policy in the guide works as printed once the reader’s addresses are filled in', async (t) => {
  const { path, honest, url, wallet } = await startAgent(t, {});
  const guide = readFileSync(join(root, 'docs/mcp.md'), 'utf8');
  const [, printed] = /```json\n(\{\n {2}"version": 1,[\s\S]*?)```/.exec(guide)!;
  const filled = printed!
    .replaceAll('<GENESIS_HASH>', honest.cluster!)
    .replaceAll('<WALLET_ADDRESS>', honest.wallet)
    .replaceAll('<VOTE_ACCOUNT>', honest.validators[0]!);
  writeFileSync(path, filled);
  assert.equal((await holdfast(['policy', 'check', path])).code, 0);
  // Removes `hours`, because the test may run at any time of day.
  writeFileSync(path, filled.replace(/ *"hours": .*\n/, ''));
  const stake = (sol: string) =>
    holdfast(['stake', sol, '--yes', '--json', '--policy', path, '--url', url, '--keypair', wallet.path]);
  assert.equal((await stake('2')).code, 0);
  assert.equal((await stake('2.5')).error().errorCode, 'POLICY_NEEDS_PERSON');
  const text = await holdfast([
    'stake',
    '2.5',
    '--yes',
    '--policy',
    path,
    '--url',
    url,
    '--keypair',
    wallet.path,
  ]);
  assert.match(text.stderr, /Then see the outcome: holdfast stake 2\.5 --yes .* --idempotency-key cli-\S+$/m);
  assert.equal((await stake('6')).error().errorCode, 'POLICY_LIMIT');
});

test('nothing is signed if the audit log of the policy cannot be written', async (t) => {
  const agent = await startAgent(t, {});
  const args = [
    'stake',
    '2',
    '--yes',
    '--policy',
    agent.path,
    '--url',
    agent.url,
    '--keypair',
    agent.wallet.path,
  ];
  assert.equal((await holdfast(args)).code, 0);
  chmodSync(`${agent.path}.seal-key`, 0o644);
  const shown = await holdfast(args);
  assert.deepEqual([shown.code, /chmod 600/.test(shown.stderr)], [2, true], shown.stderr);
  chmodSync(`${agent.path}.seal-key`, 0o600);
  rmSync(`${agent.path}.seal-key`);
  assert.match((await holdfast(args)).stderr, /POLICY_AUDIT_DAMAGED/);
  assert.equal((await balanceOf(agent.wallet)) > 47, true);
});
