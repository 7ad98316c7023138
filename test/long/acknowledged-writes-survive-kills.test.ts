// DB-1: every write that a store acknowledged survives `kill -9`, and the store opens again immediately.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { seededRandom } from '../support/seeded-random.ts';
import { type SpawnedProcess, spawnProcess } from '../support/spawned-process.ts';
import { exampleSignature } from '../support/store-examples.ts';
import { openTestStore } from '../support/store-fixture.ts';
import { createTestDatabase } from '../support/store-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KILLS = process.env.HOLDFAST_TEST_FULL === '1' ? 50 : 3;
const MAX_WRITES = 1_500;

/** Runs a process that writes to the store, and kills it at a random time. Returns its output. */
const killedUnderLoad = async (t: TestContext, location: string, round: number, writes: number) => {
  const load = spawnProcess(t, { file: 'test/support/store-load.ts', args: [location, String(round)] });
  await load.output(new RegExp(`#${writes}\n`));
  assert.deepEqual(await load.stop('SIGKILL'), { code: null, signal: 'SIGKILL' });
  return acknowledgedBy(load);
};

/**
 * Returns the acknowledged writes. Only complete lines count, because the kill may have cut off the last one.
 */
const acknowledgedBy = ({ stdout }: SpawnedProcess) => {
  const lines = stdout.split('\n').slice(0, -1);
  const named = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  return {
    openedMs: Number(/^opened in ([\d.]+) ms$/.exec(lines[0] ?? '')?.[1]),
    recorded: named('recorded'),
    settled: named('settled'),
    landed: named('landed').map(Number),
    counted: lines.filter((line) => line === 'counted').length,
    sampled: lines.filter((line) => line === 'sampled').length,
  };
};

type Acknowledged = ReturnType<typeof acknowledgedBy>;

/** Opens the store again and returns the number of acknowledged writes that are missing. */
const lostOf = async (t: TestContext, location: string, round: number, was: Acknowledged) => {
  const store = await openTestStore(t, location);
  const idOf = (key: string) => ({ operation: 'stake', wallet: 'wallet', key }) as const;
  let lost = 0;
  for (const name of was.recorded) if (!(await store.intents.find(idOf(name)))) lost += 1;
  for (const name of was.settled) {
    const found = await store.intents.find(idOf(name));
    // The store must contain both rows or neither: a confirmed submission without its response would be a
    // partial write.
    if (found?.submission.state !== 'confirmed' || found.response !== `{"of":"${name}"}`) lost += 1;
  }
  for (const first of was.landed) {
    const signatures = [first, first + 1, first + 2].map(exampleSignature);
    lost += 3 - (await store.transactions.find(signatures)).size;
  }
  const counts = await store.counters.all();
  lost += Math.max(0, was.counted - (counts.get(`GET /${round}`) ?? 0));
  const { samples } = await store.samples.delinquency(BigInt(round));
  lost += Math.max(0, was.sampled - samples);
  await store.close();
  return { lost, counted: counts.get('GET /all') ?? 0 };
};

const killAndPoll = async (t: TestContext, location: string): Promise<void> => {
  const random = seededRandom(1);
  const openings: number[] = [];
  let [acknowledged, lost, counted, countedInStore] = [0, 0, 0, 0];
  const kinds = { recorded: 0, settled: 0, landed: 0, counted: 0, sampled: 0 };
  for (let round = 1; round <= KILLS; round += 1) {
    const was = await killedUnderLoad(t, location, round, 1 + Math.floor(random() * MAX_WRITES));
    const found = await lostOf(t, location, round, was);
    openings.push(was.openedMs);
    kinds.recorded += was.recorded.length;
    kinds.settled += was.settled.length;
    kinds.landed += was.landed.length;
    kinds.counted += was.counted;
    kinds.sampled += was.sampled;
    acknowledged += was.recorded.length + was.settled.length + was.landed.length + was.counted + was.sampled;
    lost += found.lost;
    counted += was.counted;
    countedInStore = found.counted;
  }
  t.diagnostic(
    `${KILLS} kills, ${acknowledged} acknowledged writes, ${lost} lost; slowest opening ${Math.max(...openings)} ms (goal: 2,000)`,
  );
  for (const [kind, count] of Object.entries(kinds))
    assert.ok(
      count >= KILLS,
      `${count} writes of the kind "${kind}" were acknowledged before ${KILLS} kills`,
    );
  assert.equal(openings.filter(Number.isFinite).length, KILLS);
  assert.equal(lost, 0);
  // Each kill can leave at most one write that was stored but not acknowledged.
  assert.ok(
    countedInStore >= counted && countedInStore <= counted + KILLS,
    `${countedInStore} of ${counted}`,
  );
};

test(`DB-1 ${KILLS} kills under mixed load lose no write that the embedded store acknowledged`, async (t) => {
  await killAndPoll(t, join(temporaryFolder(t), 'store.db'));
});

const database = await createTestDatabase();
if (typeof database !== 'string') after(() => database.drop());

test(`DB-1 ${KILLS} kills under mixed load lose no write that the store on PostgreSQL acknowledged`, {
  skip: typeof database === 'string' && database,
}, async (t) => {
  if (typeof database !== 'string') await killAndPoll(t, database.url);
});
