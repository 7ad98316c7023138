// EFFECTS-1: an honest service is never refused if the user has an RPC node. The command line and the local MCP
// server sign every kind and goal unattended, and each passes the page's check, in every transaction version.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Address, address } from '@solana/kit';
import { createSignatureLedger } from '../../cli/act/signature-ledger.ts';
import type { CommandCall } from '../../cli/command.ts';
import type { LocalToolName } from '../../cli/mcp/local-tools.ts';
import { createLocalToolRunner } from '../../cli/mcp/run-local-tool.ts';
import { openUserNode } from '../../cli/node/user-node.ts';
import { createHoldfastClient, type HoldfastClient } from '../../client/holdfast-client.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { type StakingRequest, stakingService } from '../../client/staking/staking-request.ts';
import { goalNames } from '../../src/domain/plan/plan-goals.ts';
import { configFolder, holdfast, trustService } from '../cli/cli-runner.ts';
import { until } from '../support/index-fixture.ts';
import type { UserRequest } from '../support/lying-service-chain.ts';
import { createPageFlow } from '../support/page-flow.ts';
import { patience } from '../support/patience.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, type TestWallet } from '../support/wallets.ts';

const SOL = 1_000_000_000n;
const IS_FULL = process.env.HOLDFAST_TEST_FULL === '1';

const shared = sharedService({ before, after });

type Version = 'legacy' | 0 | 1;
/** Executes a request of the wallet. Fails if it is refused. */
type Surface = (wallet: TestWallet, request: UserRequest, version: Version) => Promise<void>;

const amountOf = (request: UserRequest): string | undefined =>
  'amountLamports' in request && request.amountLamports !== undefined
    ? lamportsToSol(request.amountLamports)
    : undefined;

const accountOf = (request: UserRequest): string | undefined =>
  'stakeAccountAddress' in request ? request.stakeAccountAddress : undefined;

const argvOf = (request: UserRequest): string[] => {
  const [amount, account] = [amountOf(request), accountOf(request)];
  const given = account === undefined ? [] : [account];
  const flagged = amount === undefined ? [] : ['--amount', amount];
  if (request.kind === 'stake') return ['stake', amount!];
  if (request.kind === 'withdraw') return ['withdraw', ...given, ...(amount === undefined ? [] : [amount])];
  if (request.kind !== 'rearrange') return [request.kind, ...given];
  const { goal, to, rounding } = request;
  switch (goal) {
    case 'unstake':
    case 'withdraw-amount':
      return [
        ...['unstake', ...given, ...flagged],
        ...(goal === 'withdraw-amount' ? ['--withdraw-amount'] : []),
        ...(rounding === 'atLeast' ? ['--at-least'] : []),
      ];
    case 'top-up':
      return ['topup', amount!];
    case 'sweep':
      return ['sweep', '--to', to ?? 'wallet', ...(amount === undefined ? [] : ['--add', amount])];
    case 'withdraw-all':
      return ['withdraw', '--all'];
    default:
      return [goal, ...given, ...flagged];
  }
};

const commandLine: Surface = async (wallet, request, version) => {
  const keypair = join(configFolder, `${wallet.walletAddress}.json`);
  const bytes = [...Buffer.from(wallet.jwk.d, 'base64url'), ...wallet.publicKeyBytes];
  writeFileSync(keypair, JSON.stringify(bytes), { mode: 0o600 });
  const { service, sandbox } = shared();
  await trustService(service.url);
  const where = ['--url', service.url, '--keypair', keypair, '--rpc', sandbox.rpcUrl];
  const argv = [...argvOf(request), ...where, '--transaction-version', String(version), '--json', '--yes'];
  const { code, stderr } = await holdfast(argv);
  assert.equal(code, 0, `${argv.join(' ')}: ${stderr}`);
};

/** Creates a client that requests this transaction version from the builders. */
const asking = (client: HoldfastClient, transactionVersion: Version): HoldfastClient =>
  new Proxy(client, {
    get: (target, name: keyof HoldfastClient) =>
      /^create\w+Transaction$|^planStakeChange$/.test(name)
        ? (input: object, options: object) =>
            (target[name] as (...given: object[]) => unknown)({ ...input, transactionVersion }, options)
        : target[name],
  });

const toolOf = (request: UserRequest): [LocalToolName, Record<string, unknown>] => {
  const amount = amountOf(request);
  const amountSol = amount === undefined ? {} : { amountSol: Number(amount) };
  const account = accountOf(request);
  if (request.kind === 'stake') return ['stake', amountSol];
  if (request.kind === 'restake') return ['stake', { stakeAccountAddress: account }];
  if (request.kind !== 'rearrange') return [request.kind, { stakeAccountAddress: account, ...amountSol }];
  const { goal, to, rounding } = request;
  return [
    'change_stake',
    {
      goal,
      ...amountSol,
      ...(to && { to }),
      ...(rounding && { rounding }),
      ...(account && { stakeAccountAddresses: [account] }),
    },
  ];
};

const localMcp: Surface = async ({ walletAddress, sign }, request, version) => {
  const { service, sandbox } = shared();
  const client = createHoldfastClient({ baseUrl: service.url });
  const { identity, memoProgram } = await client.codeIntegrity({});
  const call = {
    values: { rpc: sandbox.rpcUrl },
    signal: new AbortController().signal,
    client,
    terminal: { environment: { XDG_CONFIG_HOME: configFolder }, err: () => undefined },
  } as unknown as CommandCall;
  const run = createLocalToolRunner(asking(client, version), {
    walletAddress,
    sign,
    budgetLamports: undefined,
    node: () => openUserNode(call, null),
    bind: async () => ({ voteAccount: identity!.voteAccount, memo: memoProgram.expectedMemo }),
    ledger: createSignatureLedger({ XDG_CONFIG_HOME: configFolder }, service.url),
  });
  const [name, given] = toolOf(request);
  const { isError, body } = await run(name, given, { signal: call.signal, onState: () => undefined });
  assert.equal(isError, false, `${name} ${JSON.stringify(given)}: ${JSON.stringify(body)}`);
};

const page: Surface = async (wallet, request, version) => {
  const client = createHoldfastClient({ baseUrl: shared().service.url });
  const { identity, memoProgram } = await client.codeIntegrity({});
  const flow = createPageFlow({
    wallet,
    binding: { voteAccount: identity!.voteAccount, memo: memoProgram.expectedMemo },
    service: stakingService(client, { transactionVersion: version }),
  });
  await flow.begin({ ...request, walletAddress: wallet.walletAddress } as StakingRequest);
  for (let reviews = 0; flow.state.get().step === 'review' && reviews < 9; reviews += 1) {
    const { built } = flow.state.get();
    // Effects that the transaction does not show are left to the user to decide. Nothing is refused.
    assert.equal(built!.verdict.ok, true, JSON.stringify([request, built!.verdict.fields], bigints));
    assert.deepEqual(built!.effects.problems, []);
    await flow.approve();
  }
  const { step, error } = flow.state.get();
  assert.equal(step, 'confirmed', `${JSON.stringify(request, bigints)}: ${step} ${String(error)}`);
};

const bigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const surfaces: Readonly<Record<string, Surface>> = {
  'the command line': commandLine,
  'the local MCP server': localMcp,
  'the page': page,
};

/** Completes a staking lifecycle that requests every kind and goal, by account and by amount. */
const live = async (surface: Surface, versions: () => Version): Promise<ReadonlySet<string>> => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 200);
  const staker = await SandboxStaker.of(sandbox, wallet);
  const asked = new Set<string>();
  const change = async (request: UserRequest): Promise<void> => {
    asked.add(request.kind === 'rearrange' ? request.goal : request.kind);
    await surface(wallet, request, versions());
  };
  const goal = (name: (typeof goalNames)[number], more: object = {}): Promise<void> =>
    change({ kind: 'rearrange', goal: name, ...more } as UserRequest);
  const accounts = async (state: string): Promise<{ address: string; sol: number }[]> =>
    (await service.client.get(`/api/v1/stake/accounts/${wallet.walletAddress}?scope=all`)).accounts.filter(
      (one: { state: string }) => one.state === state,
    );
  const nextEpoch = async (): Promise<void> => {
    await sandbox.advanceEpochs(1);
    await until(async () => (await accounts('activating')).length === 0, 'the epoch to be noticed');
  };
  const first = async (state: string): Promise<string> => (await accounts(state))[0]!.address;

  for (const sol of [3n, 4n, 5n]) await change({ kind: 'stake', amountLamports: sol * SOL });
  await goal('top-up', { amountLamports: (3n * SOL) / 10n });
  await goal('top-up', { amountLamports: (3n * SOL) / 2n });
  await nextEpoch();
  await goal('unstake', { amountLamports: (3n * SOL) / 2n });
  await goal('undo', { amountLamports: (3n * SOL) / 2n });
  await goal('unstake', { amountLamports: (17n * SOL) / 4n, rounding: 'atLeast' });
  await goal('undo');
  const [largest] = (await accounts('active')).toSorted((one, other) => other.sol - one.sol);
  await change({ kind: 'unstake', stakeAccountAddress: largest!.address });
  await goal('undo', { stakeAccountAddress: largest!.address });
  await goal('withdraw-amount', { amountLamports: 2n * SOL });
  await nextEpoch();
  const released = await first('inactive');
  await change({ kind: 'withdraw', stakeAccountAddress: released, amountLamports: SOL / 10n });
  await change({ kind: 'restake', stakeAccountAddress: released });
  await goal('unstake', { amountLamports: 2n * SOL });
  await nextEpoch();
  await goal('restake');
  await change({ kind: 'unstake', stakeAccountAddress: await first('active') });
  await nextEpoch();
  await goal('withdraw-all');
  await change({ kind: 'stake', amountLamports: 3n * SOL });
  await nextEpoch();
  /** Waits until the service has read changes made elsewhere. */
  const planned = (name: (typeof goalNames)[number]): Promise<void> =>
    until(async () => {
      const body = { walletAddress: wallet.walletAddress, goal: name };
      return (await service.client.post('/api/v1/plan', body)).feasible === true;
    }, `${name} is possible`);
  const idle = async (lamports: bigint): Promise<void> => {
    await sandbox.airdrop(await first('active'), lamports, patience());
    await planned('sweep');
  };
  await idle((2n * SOL) / 5n);
  await goal('sweep', { to: 'wallet' });
  await idle((6n * SOL) / 5n);
  await goal('sweep', { to: 'stake', amountLamports: SOL });
  await idle((2n * SOL) / 5n);
  await goal('sweep', { to: 'activating' });
  await nextEpoch();
  await goal('tidy');
  await staker.stake(3n * SOL, { vote: sandbox.otherVoteAccount });
  await planned('migrate');
  await goal('migrate');
  await staker.stake(4n * SOL, { vote: sandbox.otherVoteAccount });
  await planned('migrate');
  await nextEpoch();
  await goal('migrate');
  const taken = await first('active');
  await staker.rearrange([
    {
      type: 'authorize',
      account: taken as Address,
      role: 'staker',
      authority: address(wallet.walletAddress),
      newAuthority: address(newWallet().walletAddress),
    },
  ]);
  await planned('rescue');
  await goal('rescue');
  return asked;
};

const VERSIONS: readonly Version[] = ['legacy', 0, 1];

// Successive transactions use successive versions. The full run also starts with each version.
for (const [index, [name, surface]] of Object.entries(surfaces).entries())
  for (const shift of IS_FULL ? VERSIONS.keys() : [index % VERSIONS.length])
    test(`EFFECTS-1: ${name} executes every kind and goal with an honest service, starting with version ${VERSIONS[shift]}`, async () => {
      let count = shift;
      const asked = await live(surface, () => VERSIONS[count++ % VERSIONS.length]!);
      const expected = [...goalNames, 'stake', 'unstake', 'withdraw', 'restake'];
      assert.deepEqual([...asked].sort(), [...new Set(expected)].sort());
    });
