// npm run cluster: starts a real Agave validator on this machine with epochs that last seconds, and prints
// the environment for running Holdfast against it.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createKeypairFile } from '../../cli/local/new-keypair.ts';
import { cacheFolder, openAgaveTools } from './agave-tools.ts';
import { openStakeImage } from './stake-image.ts';
import { startTestValidator } from './test-validator.ts';

const HELP = `npm run cluster -- [options]
Finds or builds solana-test-validator and solana, starts a validator with short epochs and prints what Holdfast needs to run against it.

  --agave <folder>        folder whose bin/ holds both programs; nothing is built then (also: AGAVE_DIR)
  --cache <folder>        where programs are built and kept (default ~/.cache/holdfast)
  --jobs <n>              parallel compilers of a build (default 2)
  --folder <folder>       ledger, log and keypairs (default <cache>/cluster)
  --keep                  continue the ledger that is there instead of starting a new chain
  --port <n>              JSON-RPC port; the next 40 are used, too (default 18899)
  --slots-per-epoch <n>   at least 32 (default 32)
  --ticks-per-slot <n>    160 a second (default 64: slots of 400 ms)
  --bundled-stake         the Stake program that this Agave brings instead of v5.1, which mainnet runs
  --build-only            end once the programs are there`;

const say = (line: string) => console.error(`cluster: ${line}`);

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      agave: { type: 'string' },
      cache: { type: 'string' },
      jobs: { type: 'string' },
      folder: { type: 'string' },
      keep: { type: 'boolean' },
      port: { type: 'string' },
      'slots-per-epoch': { type: 'string' },
      'ticks-per-slot': { type: 'string' },
      'bundled-stake': { type: 'boolean' },
      'build-only': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const number = (name: 'jobs' | 'port' | 'slots-per-epoch' | 'ticks-per-slot'): number | undefined => {
    const text = values[name];
    if (text !== undefined && !/^\d+$/.test(text))
      throw new Error(`--${name} takes a whole number, not ${text}.`);
    return text === undefined ? undefined : Number(text);
  };
  const cache = values.cache ?? cacheFolder();
  const agave = values.agave ?? process.env.AGAVE_DIR;
  const tools = await openAgaveTools({
    say,
    cacheFolder: cache,
    jobs: number('jobs') ?? 2,
    ...(agave ? { folder: agave } : {}),
  });
  say(`Agave ${tools.version}: ${tools.validator}`);
  if (values['build-only']) return;

  const folder = values.folder ?? join(cache, 'cluster');
  mkdirSync(folder, { recursive: true });
  const [slotsPerEpoch, ticksPerSlot, rpcPort] = [
    number('slots-per-epoch'),
    number('ticks-per-slot'),
    number('port'),
  ];
  const validator = await startTestValidator({
    tools,
    folder,
    reset: !values.keep,
    ...(slotsPerEpoch === undefined ? {} : { slotsPerEpoch }),
    ...(ticksPerSlot === undefined ? {} : { ticksPerSlot }),
    ...(rpcPort === undefined ? {} : { rpcPort }),
    ...(values['bundled-stake'] ? {} : { stakeImage: await openStakeImage(cache) }),
  });
  const donations = join(folder, 'donations.json');
  rmSync(donations, { force: true });
  console.log(`
# ${validator.wallet} holds 500 million SOL; its keypair file: ${validator.walletFile}
# an epoch lasts ${(validator.epochMs / 1_000).toFixed(1)} s; Ctrl-C stops the validator
export HOLDFAST_RPC_URL=${validator.rpcUrl}
export HOLDFAST_WS_URL=${validator.wsUrl}
export HOLDFAST_VOTE_ACCOUNT=${validator.voteAccount}
export HOLDFAST_MEMO='Staked through Holdfast'
export HOLDFAST_DONATION_ADDRESS=${createKeypairFile(donations)}
`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void validator.stop());
  await validator.ended;
};

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
