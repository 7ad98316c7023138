// npm run cluster:record: records the responses of a running test validator as fixtures for `npm test`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringifyJson } from '../../sandbox/runtime-client.ts';
import type { ChainActor } from './chain-actor.ts';
import { type RecordedResponse, recordResponses } from './recorded-responses.ts';
import { askRpc } from './test-validator.ts';

const HELP = `npm run cluster:record -- [options]
Records every RPC response that Holdfast reads, from the validator that npm run cluster started, into test/fixtures/agave-<version>/.

  --rpc <url>     default http://127.0.0.1:18899
  --ws <url>      default ws://127.0.0.1:18900
  --into <folder> default test/fixtures/agave-<version>`;

const nextEpoch = async (actor: ChainActor) => actor.untilEpoch((await actor.epoch()) + 1);

/** Writes one file per method and one line per call, so differences between two recordings are easy to read. */
const write = (folder: string, about: Record<string, unknown>, responses: readonly RecordedResponse[]) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [method, calls] of Map.groupBy(responses, (response) => response.method)) {
    const lines = calls.map(({ method: _method, ...call }) => stringifyJson(call)).join(',\n');
    writeFileSync(join(folder, `${method}.json`), `{"method":"${method}",\n"calls":[\n${lines}\n]}\n`);
  }
  writeFileSync(join(folder, 'about.json'), `${JSON.stringify(about, null, 2)}\n`);
};

const main = async () => {
  const { values } = parseArgs({
    options: {
      rpc: { type: 'string', default: 'http://127.0.0.1:18899' },
      ws: { type: 'string', default: 'ws://127.0.0.1:18900' },
      into: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const version =
    (await askRpc<Record<string, string>>(values.rpc, 'getVersion'))['solana-core'] ?? 'unknown';
  type Votes = { current: { votePubkey: string; nodePubkey: string }[] };
  const [validator] = (await askRpc<Votes>(values.rpc, 'getVoteAccounts')).current;
  if (validator === undefined) throw new Error('No validator is voting on this cluster.');
  console.error(`cluster: recording Agave ${version}; it takes about four epochs`);
  const responses = await recordResponses({
    rpcUrl: values.rpc,
    wsUrl: values.ws,
    voteAccount: validator.votePubkey,
    identity: validator.nodePubkey,
    nextEpoch,
  });
  const folder = values.into ?? join(import.meta.dirname, '..', '..', 'test', 'fixtures', `agave-${version}`);
  const command = 'npm run cluster, then npm run cluster:record';
  write(
    folder,
    { software: `Agave ${version}`, recorded: new Date().toISOString().slice(0, 10), command },
    responses,
  );
  console.error(`cluster: ${responses.length} responses in ${folder}`);
};

try {
  await main();
} catch (error) {
  console.error(`cluster: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
