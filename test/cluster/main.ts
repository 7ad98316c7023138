// npm run test:cluster: runs Holdfast against a real Agave validator and checks every step against the chain
// and the solana command line.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createKeypairFile } from '../../cli/local/new-keypair.ts';
import { createHttpClient } from '../../demo/http-client.ts';
import { playLife } from '../../demo/life.ts';
import { playAutopilot } from '../../demo/life-autopilot.ts';
import { playLifeOverCli } from '../../demo/life-cli.ts';
import { playLifeOverMcp } from '../../demo/life-mcp.ts';
import { playWebhooks } from '../../demo/life-webhooks.ts';
import { createMcpClient } from '../../demo/mcp-client.ts';
import { commandRunner } from '../../demo/run-command.ts';
import { createStory } from '../../demo/story.ts';
import { startWebhookReceiver } from '../../demo/webhook-receiver.ts';
import { cacheFolder, openAgaveTools } from '../../scripts/cluster/agave-tools.ts';
import { openStakeImage } from '../../scripts/cluster/stake-image.ts';
import { startTestValidator, type TestValidatorOptions } from '../../scripts/cluster/test-validator.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startService, type TestService } from '../support/service-fixture.ts';
import { playActions } from './actions.ts';
import { playAlerts } from './alerts.ts';
import { createClusterChain } from './cluster-chain.ts';
import { startClusterFront } from './cluster-front.ts';
import { playFees, playNonces } from './landing.ts';
import { playPage } from './page.ts';
import { playPlans } from './plans.ts';
import { type ClusterWorld, createVoteAccount, scenarios } from './scenarios.ts';
import { playSequences } from './sequences.ts';
import { watchEpochs } from './watch-epochs.ts';

const HELP = `npm run test:cluster -- [options] [scenario …]
Starts a test validator and Holdfast and runs the scenarios one after the other; without names, all of them.

  --agave <folder>   folder whose bin/ holds solana-test-validator and solana (also: AGAVE_DIR; default: the cache, built if missing)
  --epochs <n>       epochs that the watcher is followed for (default 50)
  --sequences <n>    random command sequences (default 2000)
  --minutes <n>      no sequence begins later than this after the first (default 120)
  --slots-per-epoch <n>  default 32; 64 where restart or plans is among the scenarios; an undo needs more than 300
  --ticks-per-slot <n>   160 a second (default 64: slots of 400 ms)
  --bundled-stake    the Stake program that this Agave brings instead of v5.1
  --port <n>         default 19899
  --keep             keep ledger, log and data`;

const { values, positionals } = parseArgs({
  options: {
    agave: { type: 'string' },
    epochs: { type: 'string', default: '50' },
    sequences: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '120' },
    'slots-per-epoch': { type: 'string' },
    'ticks-per-slot': { type: 'string' },
    'bundled-stake': { type: 'boolean' },
    port: { type: 'string', default: '19899' },
    keep: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const isChosen = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const slotsPerEpoch = Number(
  values['slots-per-epoch'] ?? (isChosen('restart') || isChosen('plans') ? 64 : 32),
);

const story = createStory(process.stdout);
const folder = mkdtempSync(join(tmpdir(), 'holdfast-cluster-'));
const cleanUps: (() => void | Promise<void>)[] = [];
const scope = { after: (cleanUp: () => void | Promise<void>) => void cleanUps.push(cleanUp) };
const startedAt = performance.now();
const counts: Record<string, number> = {};
const failed: string[] = [];

const play = async (): Promise<void> => {
  const agave = values.agave ?? process.env.AGAVE_DIR;
  const tools = await openAgaveTools({ say: story.tell, ...(agave ? { folder: agave } : {}) });
  const options: TestValidatorOptions = {
    tools,
    folder: join(folder, 'cluster'),
    rpcPort: Number(values.port),
    slotsPerEpoch,
    ...(values['ticks-per-slot'] ? { ticksPerSlot: Number(values['ticks-per-slot']) } : {}),
    ...(values['bundled-stake'] ? {} : { stakeImage: await openStakeImage(cacheFolder()) }),
  };
  let validator = await startTestValidator(options);
  scope.after(() => validator.stop('SIGKILL'));
  const { rpcUrl, wsUrl, voteAccount, wallet, walletFile, epochMs } = validator;
  story.tell(`Agave ${tools.version}, vote account ${voteAccount}, epochs of ${epochMs / 1_000} s`);
  const chain = createClusterChain(rpcUrl, tools.solana);

  const settings = {
    HOLDFAST_RPC_URL: rpcUrl,
    HOLDFAST_WS_URL: wsUrl,
    HOLDFAST_VOTE_ACCOUNT: voteAccount,
    HOLDFAST_MEMO: 'Staked through Holdfast',
    HOLDFAST_DONATION_ADDRESS: wallet,
    HOLDFAST_ONE_SHOT_LOOPBACK: 'on',
    HOLDFAST_RATE_LIMIT: '1000000',
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    HOLDFAST_STAKEWIZ_URL: '',
    HOLDFAST_JITO_URL: '',
    LOG_LEVEL: 'info',
  };
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const service: TestService = await startService(scope, settings, dataDir);
  scope.after(() =>
    writeFileSync(join(folder, 'holdfast.log'), service.process.stdout + service.process.stderr),
  );
  const front = await startClusterFront(chain, voteAccount, () => service.url);
  scope.after(front.close);
  // Epochs last only seconds, so rewards are often being paid. A refused request is repeated when the response
  // says so.
  const client = createHttpClient(front.url, async (url, init) => {
    for (;;) {
      const response = await fetch(url, init);
      if (response.ok || !(await response.clone().text()).includes('EPOCH_REWARDS_ACTIVE')) return response;
      counts['refusals during a freeze'] = (counts['refusals during a freeze'] ?? 0) + 1;
      await delay(500);
    }
  });
  const keypair = (name: string): { path: string; address: string } => {
    const path = join(folder, `${name}.json`);
    return { path, address: createKeypairFile(path) };
  };

  const world: ClusterWorld = {
    chain,
    client,
    serviceUrl: service.url,
    story,
    voteAccount,
    walletFile,
    keypair,
    count: (what, by = 1) => {
      counts[what] = (counts[what] ?? 0) + by;
    },
    restartValidator: async () => {
      await validator.stop('SIGKILL');
      validator = await startTestValidator({ ...options, reset: false });
    },
  };
  const { restart, ...others } = scenarios;
  const lives: Readonly<Record<string, () => Promise<unknown>>> = {
    rest: () => playLife(client, story),
    mcp: () => playLifeOverMcp(createMcpClient(front.url), client, story),
    cli: () => playLifeOverCli(commandRunner(front.url, folder), join(folder, 'cli-wallet.json'), story),
    webhooks: async () => {
      const receiver = await startWebhookReceiver(PATIENCE_MS);
      scope.after(receiver.close);
      await playWebhooks(client, story, receiver);
      await playAutopilot(client, story, receiver);
    },
    ...Object.fromEntries(Object.entries(others).map(([name, run]) => [name, () => run(world)])),
    actions: () => playActions(world),
    page: () => playPage(world, scope),
    plans: () => playPlans(world),
    alerts: () => playAlerts(world),
    fees: () => playFees(world),
    nonces: () => playNonces(world),
    sequences: async () =>
      playSequences(world, {
        sequences: Number(values.sequences),
        withinMs: Number(values.minutes) * 60_000,
        slotsPerEpoch,
        otherVoteAccount: await createVoteAccount(world, walletFile, 'sequences', {
          path: validator.identityFile,
          address: validator.identity,
        }),
        arithmetic: 'integer',
      }),
    epochs: () => watchEpochs(world, Number(values.epochs), scope),
    restart: () => restart!(world),
  };
  for (const [name, run] of Object.entries(lives)) {
    if (!isChosen(name)) continue;
    story.tell(`\n== ${name}`);
    try {
      await run();
      story.tell(`== ${name}: passed`);
    } catch (error) {
      failed.push(name);
      story.tell(`== ${name}: FAILED ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
};

try {
  await play();
} catch (error) {
  failed.push('start');
  console.error(error);
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  if (!values.keep && failed.length === 0) rmSync(folder, { recursive: true, force: true });
  else story.tell(`kept: ${folder}`);
}
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
story.tell(
  `\n${JSON.stringify(counts)}\n${failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`} in ${seconds} s`,
);
process.exit(failed.length === 0 ? 0 : 1);
