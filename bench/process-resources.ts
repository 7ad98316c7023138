// Resources used by one process, for docs/operate.md: memory, CPU per request, PostgreSQL writes per stake
// and Redis work per request.

import pg from 'pg';
import { request } from 'undici';
import { withRedis } from '../test/support/redis-server.ts';
import { openReplicaWorld, replicasMissing } from '../test/support/replicas.ts';
import { fundedWallet } from '../test/support/wallets.ts';

const missing = await replicasMissing();
if (missing) {
  console.error(missing);
  process.exit(1);
}
const AT_ONCE = 32;
const cleanUps: (() => void | Promise<void>)[] = [];
const scope = { after: (cleanUp: () => void | Promise<void>) => void cleanUps.push(cleanUp) };
const world = await openReplicaWorld(scope, { settings: { HOLDFAST_METRICS_PORT: '0' } });
const { url, process: service } = await world.start();
const [, metricsUrl] = await service.output(/Metrics\s+(\S+)/);

const metric = async (name: string): Promise<number> => {
  const text = await (await request(metricsUrl!)).body.text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};
const wallets = await Promise.all(Array.from({ length: 100 }, () => fundedWallet(world.sandbox, 100)));
const { walletAddress } = wallets[0]!;

const get = (path: string) => () => request(url + path);
const post = (path: string, body: (index: number) => object) => (index: number) =>
  request(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body(index)),
  });

/** Makes `count` calls, up to `AT_ONCE` concurrently. */
const run = async (count: number, one: (index: number) => ReturnType<typeof request>): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const { statusCode, body } = await one(index);
      if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`);
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

const measure = async (
  name: string,
  count: number,
  one: (index: number) => ReturnType<typeof request>,
): Promise<void> => {
  await run(Math.min(count, 1_000), one);
  const before = await metric('process_cpu_seconds_total');
  await run(count, one);
  const cpuUs = (((await metric('process_cpu_seconds_total')) - before) / count) * 1e6;
  console.log(`${name}: ${cpuUs.toFixed(0)} µs CPU, ${Math.round(1e6 / cpuUs)} per second and core`);
};

const client = new pg.Client({ connectionString: world.databaseUrl });
await client.connect();
const writes = async (): Promise<{ commits: number; rows: number }> => {
  // PostgreSQL sessions report their statistics within a second of becoming idle.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const { rows } = await client.query(
    `select xact_commit as commits, tup_inserted + tup_updated + tup_deleted as rows
     from pg_stat_database where datname = current_database()`,
  );
  return { commits: Number(rows[0].commits), rows: Number(rows[0].rows) };
};

console.log(
  `memory after the start: ${((await metric('process_resident_memory_bytes')) / 2 ** 20).toFixed(0)} MiB`,
);
await measure('cached GET', 20_000, get('/api/v1/validator'));
await measure('epoch, read each time', 3_000, get('/api/v1/epoch'));
await measure(
  'unsigned stake',
  3_000,
  post('/api/v1/stake/transaction', () => ({ walletAddress, amountSol: 2 })),
);
const before = await writes();
const STAKES = 300;
const stake = post('/api/v1/stake', (index) => {
  const { walletAddress: payer, secretKey } = wallets[index % wallets.length]!;
  return { walletAddress: payer, secretKey, amountSol: 2 };
});
await measure('one-shot stake', STAKES, stake);
const after = await writes();
// The warm-up makes as many stakes as the measured run, so the counts are divided by twice the number of
// stakes.
const per = (name: 'commits' | 'rows'): string => ((after[name] - before[name]) / (2 * STAKES)).toFixed(1);
console.log(`PostgreSQL per stake: ${per('commits')} commits, ${per('rows')} rows written`);
console.log(
  `memory after the load: ${((await metric('process_resident_memory_bytes')) / 2 ** 20).toFixed(0)} MiB`,
);
await withRedis(async (redis) => {
  const info = String(await redis.command('INFO', 'commandstats'));
  console.log(
    `Redis, one command per counted request: ${/cmdstat_evalsha:.*?usec_per_call=([\d.]+)/.exec(info)?.[1]} µs each`,
  );
});
await client.end();
for (const cleanUp of cleanUps.reverse()) await cleanUp();
