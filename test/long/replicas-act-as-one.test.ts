// DB-1 for the whole service: replicas that share a PostgreSQL database behave as one service, even when
// killed, and a sandbox on that database starts with a new store every time.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { createTestDatabase, executeOn } from '../support/store-postgres.ts';
import { fundedWallet } from '../support/wallets.ts';

const database = await createTestDatabase();
if (typeof database !== 'string') after(() => database.drop());
const url = typeof database === 'string' ? '' : database.url;
const REQUESTS = 20;
const SERVER_SECRET = randomBytes(32).toString('hex');

suite('DB-1 on PostgreSQL', { skip: typeof database === 'string' && database }, () => {
  const shared = sharedSandbox({ before, after });
  const replicaSettings = () => ({
    ...settingsFor(shared.get()),
    DATABASE_URL: url,
    HOLDFAST_SERVER_SECRET: SERVER_SECRET,
  });

  test('DB-1 one request sent to two replicas concurrently is executed once, and its response is still returned after both were killed', async (t) => {
    const settings = replicaSettings();
    const replicas = [await startService(t, settings), await startService(t, settings)];
    const { walletAddress, secretKey } = await fundedWallet(shared.get(), 100);
    const request = { walletAddress, secretKey, amountSol: 2 };
    const key = { 'idempotency-key': 'one-intent' };
    const responses = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) =>
        replicas[index % 2]!.client.post('/api/v1/stake', request, key),
      ),
    );
    assert.equal(new Set(responses.map(({ signature }) => signature)).size, 1);
    for (const replica of replicas) await replica.process.stop('SIGKILL');

    const next = await startService(t, settings);
    assert.equal((await next.client.post('/api/v1/stake', request, key)).signature, responses[0].signature);
    const { accounts } = await next.client.get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.equal(accounts.length, 1);
    assert.deepEqual(await next.process.stop(), { code: 0, signal: null });
  });

  test('DB-1 a replica with a different server secret does not start', async (t) => {
    const settings = { ...replicaSettings(), HOLDFAST_SERVER_SECRET: randomBytes(32).toString('hex') };
    const started = startService(t, settings);
    await assert.rejects(started, /belongs to another server secret/);
  });

  test('DB-1 a sandbox never takes over the store of a real cluster, and archives the store of an earlier sandbox', async (t) => {
    const sandbox = { DATABASE_URL: url, HOLDFAST_SERVER_SECRET: SERVER_SECRET };
    await assert.rejects(
      startService(t, sandbox),
      /belongs to a real cluster and cannot be used by a sandbox/,
    );
    await executeOn(url, 'drop schema holdfast cascade');
    const first = await startService(t, sandbox);
    await first.process.stop();
    // Two sandboxes started within one second may have the same genesis hash.
    await executeOn(
      url,
      `update holdfast.identity set value = 'an earlier chain' where name = 'genesisHash'`,
    );
    const second = await startService(t, sandbox);
    await second.process.output(/"archive":"schema holdfast_.*was archived/);
    assert.doesNotMatch(second.process.stdout + first.process.stdout, /postgres:\/\//);
    assert.deepEqual(await second.process.stop(), { code: 0, signal: null });
  });
});
