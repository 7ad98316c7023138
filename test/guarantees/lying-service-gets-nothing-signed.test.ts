// LIE-1: a lying service gets no signature beyond the approved effects from any client. Executes every signed
// transaction on the real Stake program and compares the resulting accounts with the request.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import { type StakingRequest, stakingService } from '../../client/staking/staking-request.ts';
import { verifyEffects } from '../../client/staking/verify-against-request.ts';
import { configFolder, trustService } from '../cli/cli-runner.ts';
import { nodeFactsOf } from '../support/effects-of-plans.ts';
import { planStrategies } from '../support/lying-plans.ts';
import {
  type Instructions,
  type LyingService,
  MEMO,
  type Strategy,
  startLyingService,
} from '../support/lying-service.ts';
import {
  createLyingServiceChain,
  type LyingServiceChain,
  overreachOf,
  SOL,
  type UserRequest,
} from '../support/lying-service-chain.ts';
import {
  commandLineAlone,
  commandLineWithPerson,
  type LyingServiceClient,
  localMcp,
  localMcpWithNode,
  page,
  type Surroundings,
  unchecked,
} from '../support/lying-service-clients.ts';
import { oneStepStrategies } from '../support/lying-strategies.ts';
import { createPageFlow } from '../support/page-flow.ts';
import { planWorldOf } from '../support/planned-worlds.ts';
import { preparedTruth } from '../support/truth-prepared.ts';
import { walletOfSeed } from '../support/wallets.ts';

const STRATEGIES = [...oneStepStrategies, ...planStrategies];

const prepared = preparedTruth();
const wallet = walletOfSeed(new Uint8Array(32).fill(23));
const [voteAccount] = prepared.keys.votes;
let service: LyingService;
let at: Omit<Surroundings, 'node'>;
let runs = 0;
let signatures = 0;

const cleanUps: (() => void | Promise<void>)[] = [];

before(async () => {
  service = await startLyingService({ after: (cleanUp) => void cleanUps.push(cleanUp) }, voteAccount!);
  const keypairPath = join(configFolder, 'lied-to.json');
  const seed = new Uint8Array(32).fill(23);
  writeFileSync(keypairPath, JSON.stringify([...seed, ...wallet.publicKeyBytes]), { mode: 0o600 });
  await trustService(service.url);
  at = { url: service.url, wallet, keypairPath, voteAccount: voteAccount! };
});

after(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** Creates an honest RPC node that returns the true accounts and never proves that a transaction expired. */
const nodeOf = ({ world }: LyingServiceChain): Surroundings['node'] => ({
  nodeFacts: async () => nodeFactsOf(planWorldOf(world)),
  provesExpired: async () => false,
  outcomeOf: async () => null,
  epoch: async () => null,
});

/** Runs a strategy against a client. Returns the unapproved effects on the chain. */
const tryOn = async (client: LyingServiceClient, strategy: Strategy) => {
  runs += 1;
  const world = createLyingServiceChain(prepared, wallet.walletAddress, runs);
  const request = typeof strategy.asks === 'function' ? strategy.asks(world) : strategy.asks;
  service.tell({ strategy, world, request });
  const earlier = world.world.accounts();
  let shown = '';
  for (let time = 0; time < (strategy.times ?? 1); time += 1)
    shown += await client({ ...at, node: nodeOf(world) }, request, `lie-${runs}`);
  signatures += service.landed();
  const overreach = overreachOf(request, earlier, world.world.accounts(), world);
  return { overreach, shown, landed: service.landed(), builds: service.builds() };
};

test(`LIE-1: there are ${STRATEGIES.length} strategies`, () => {
  assert.ok(STRATEGIES.length >= 50);
  assert.equal(new Set(STRATEGIES.map(({ name }) => name)).size, STRATEGIES.length);
});

for (const strategy of STRATEGIES)
  test(`LIE-1: ${strategy.name}`, async () => {
    const harmed = await tryOn(unchecked, strategy);
    assert.ok(
      harmed.overreach.length > 0,
      `the strategy did not harm a client without checks: ${harmed.shown}`,
    );
    assert.ok(harmed.landed > 0);
    const clients: Record<string, LyingServiceClient> = {
      'command line with a person': commandLineWithPerson,
      page,
      'command line alone': commandLineAlone,
      'local MCP': localMcp,
      'local MCP with a node': localMcpWithNode,
    };
    if (strategy.identity) delete clients.page;
    for (const [name, client] of Object.entries(clients)) {
      const { overreach, shown, builds } = await tryOn(client, strategy);
      assert.deepEqual(overreach, [], `${name}: ${shown}`);
      assert.ok(builds > 0 || strategy.identity, `${name} never requested a build: ${shown}`);
    }
  });

/**
 * A service that builds one transaction, and then a different one because the user has read the review for too
 * long.
 */
interface Swap {
  readonly request: UserRequest;
  readonly builds: (world: LyingServiceChain) => readonly [Instructions, Instructions];
}

const swaps: Readonly<Record<string, Swap>> = {
  'unstake 5, then 40': {
    request: { kind: 'rearrange', goal: 'unstake', amountLamports: 5n * SOL },
    builds: ({ plant, deactivate }) => [
      [deactivate(plant(5n, 'active'))],
      [deactivate(plant(40n, 'active'))],
    ],
  },
  'undo of a stake here, then of a stake at another validator': {
    request: { kind: 'rearrange', goal: 'undo' },
    builds: ({ plant, delegate, elsewhere }) => [
      [delegate(plant(5n, 'deactivating'))],
      [delegate(plant(30n, 'activating', { vote: elsewhere }))],
    ],
  },
  'an account at another validator, then one staked here': {
    request: { kind: 'rearrange', goal: 'migrate' },
    builds: ({ plant, deactivate, elsewhere }) => [
      [deactivate(plant(5n, 'active', { vote: elsewhere }))],
      [deactivate(plant(40n, 'active'))],
    ],
  },
};

/**
 * Runs the page's flow for a user who reads each review for 20 s, knows the accounts, and approves if
 * `approves` returns true.
 */
const readSlowly = async (
  { url, voteAccount, wallet }: Surroundings,
  request: UserRequest,
  approves: (built: Prepared) => boolean | Promise<boolean>,
) => {
  let readMs = 0;
  const flow = createPageFlow({
    wallet,
    binding: { voteAccount, memo: MEMO },
    service: stakingService(createHoldfastClient({ baseUrl: url, retries: 0 })),
    newKey: () => `slow-${runs}`,
    now: () => performance.now() + readMs,
  });
  await flow.begin({ ...request, walletAddress: wallet.walletAddress } as StakingRequest);
  let reviews = 0;
  for (; flow.state.get().step === 'review' && reviews < 9; reviews += 1) {
    readMs += 20_000;
    if (await approves(flow.state.get().built!)) await flow.approve();
    else flow.dismiss();
  }
  return reviews;
};

for (const [name, { request, builds }] of Object.entries(swaps))
  test(`LIE-1: approving the displayed transaction does not approve another one built while the user reads for 20 s: ${name}`, async () => {
    const read = async (isCareful: boolean) => {
      runs += 1;
      const world = createLyingServiceChain(prepared, wallet.walletAddress, runs);
      const [first, then] = builds(world);
      service.tell({
        strategy: { name, asks: request, builds: () => (attempt) => [attempt === 1 ? first : then] },
        world,
        request,
      });
      const node = nodeOf(world);
      const earlier = world.world.accounts();
      const reviews = await readSlowly({ ...at, node }, request, async ({ record, verdict, effects }) => {
        if (!isCareful) return true;
        assert.ok(effects.unknowns.length > 0, 'the user has to decide');
        const facts = await node.nodeFacts(record, [verdict]);
        return verifyEffects(record, { voteAccount: voteAccount! }, [verdict], facts).problems.length === 0;
      });
      return { reviews, overreach: overreachOf(request, earlier, world.world.accounts(), world) };
    };
    const careless = await read(false);
    assert.ok(careless.overreach.length > 0, 'approving everything must be harmful');
    const careful = await read(true);
    assert.deepEqual(careful, { reviews: 2, overreach: [] });
  });

test('LIE-1: a client without checks signs whatever the strategies request', () => {
  assert.ok(signatures > STRATEGIES.length, `${signatures} signatures`);
});
