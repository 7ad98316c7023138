// LIE-1: a service that lies has nothing signed beyond what was approved, on any surface. Every signature runs on the real Stake program, and the accounts there are compared with the request.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { configFolder, trustService } from '../cli/cli-runner.ts';
import { nodeFactsOf } from '../support/effects-of-plans.ts';
import { createLiedAboutWorld, type LiedAboutWorld, overreachOf } from '../support/lied-about-world.ts';
import {
  commandLineAlone,
  commandLineWithPerson,
  type LiedToClient,
  localMcp,
  localMcpWithNode,
  page,
  type Surroundings,
  unchecked,
} from '../support/lied-to-clients.ts';
import { planStrategies } from '../support/lying-plans.ts';
import { type LyingService, type Strategy, startLyingService } from '../support/lying-service.ts';
import { oneStepStrategies } from '../support/lying-strategies.ts';
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

/** An honest node: it shows the accounts as they are, and calls nothing dead. */
const nodeOf = ({ world }: LiedAboutWorld): Surroundings['node'] => ({
  nodeFacts: async () => nodeFactsOf(planWorldOf(world)),
  provesDead: async () => false,
});

/** What the chain shows that was not approved, after the strategy was tried on a client. */
const tryOn = async (client: LiedToClient, strategy: Strategy) => {
  runs += 1;
  const world = createLiedAboutWorld(prepared, wallet.walletAddress, runs);
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
    assert.ok(harmed.overreach.length > 0, `it harms a client that checks nothing: ${harmed.shown}`);
    assert.ok(harmed.landed > 0);
    const clients: Record<string, LiedToClient> = {
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
      assert.ok(builds > 0 || strategy.identity, `${name} asked: ${shown}`);
    }
  });

test('LIE-1: the strategies were really signed by the client that checks nothing', () => {
  assert.ok(signatures > STRATEGIES.length, `${signatures} signatures`);
});
