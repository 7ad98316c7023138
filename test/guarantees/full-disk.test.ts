// DB-3: on a full disk, the service refuses everything that must be recorded and still does everything else. It
// recovers once space is freed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Refusal } from '../../demo/http-client.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { createCounterBatch } from '../../src/store/call-counter-batch.ts';
import { exampleIntent } from '../support/intent-examples.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { createManualClock } from '../support/steerable-clock.ts';
import { exampleTransaction } from '../support/store-examples.ts';
import { openTestStore } from '../support/store-fixture.ts';
import { mountSmallDisk, smallDiskProblem } from '../support/store-small-disk.ts';
import { fundedWallet } from '../support/wallets.ts';

const unavailable = (error: unknown): boolean => isAppError(error, 'STORE_UNAVAILABLE');

suite('DB-3', { skip: smallDiskProblem() }, () => {
  const shared = sharedSandbox({ before, after });

  test('DB-3 a service on a full disk sends no unrecorded transaction, still serves reads, and recovers without a restart', async (t) => {
    const sandbox = shared.get();
    const disk = mountSmallDisk(t);
    const service = await startService(t, settingsFor(sandbox), disk.folder);
    const { walletAddress, secretKey } = await fundedWallet(sandbox, 20);
    const stake = (key: string) =>
      service.client.post(
        '/api/v1/stake',
        { walletAddress, secretKey, amountSol: 2 },
        { 'idempotency-key': key },
      );
    const first = await stake('before');
    disk.fill();

    for (const key of ['full', 'full', 'another']) {
      const refusal = await stake(key).catch((error: unknown) => error);
      assert.ok(refusal instanceof Refusal, String(refusal));
      assert.deepEqual([refusal.status, refusal.errorCode], [503, 'STORE_UNAVAILABLE']);
    }
    assert.equal((await stake('before')).signature, first.signature, 'a recorded result is returned');
    const held = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.deepEqual(
      held.accounts.map(({ address }: { address: string }) => address),
      [first.stakeAccountAddress],
      'nothing was sent',
    );
    assert.equal((await service.client.get('/ready')).status, 'ready');

    disk.empty();
    const second = await stake('full');
    assert.notEqual(second.signature, first.signature);
    assert.equal((await stake('full')).signature, second.signature);
    assert.equal(service.process.hasEnded, false);
  });

  test('DB-3 on a full disk, every kind of write fails with STORE_UNAVAILABLE and leaves nothing partial, and every kind of read works', async (t) => {
    const disk = mountSmallDisk(t);
    const path = join(disk.folder, 'store.db');
    const store = await openTestStore(t, path);
    await store.intents.recordSigned(exampleIntent('sig'), null);
    await store.transactions.record([exampleTransaction(1)]);
    await store.counters.add(new Map([['GET /a', 1]]));
    disk.fill();

    const many = Array.from({ length: 300 }, (_, index) => exampleTransaction(index + 2));
    const writes = {
      record: () => store.intents.recordSigned(exampleIntent('new', { key: 'new' }), null),
      settle: () =>
        store.intents.settle('sig', { state: 'confirmed', slot: 1n, error: null, response: '{}' }),
      transactions: () => store.transactions.record(many),
      coverage: () =>
        store.transactions.extendCoverage({
          address: 'a',
          fromSlot: 1n,
          fromSignature: null,
          toSlot: 2n,
          toSignature: null,
          reachesStart: true,
        }),
      samples: () => store.samples.recordDelinquency({ epoch: 1n, isDelinquent: true }),
      counters: () => store.counters.add(new Map([['GET /a', 1]])),
    };
    for (const [name, write] of Object.entries(writes)) await assert.rejects(write(), unavailable, name);

    await store.check(new AbortController().signal);
    assert.equal((await store.intents.unsettled()).length, 1);
    assert.equal(await store.intents.findSubmission('new'), null);
    assert.equal((await store.transactions.statistics(0)).byType.stake.count, 1);
    assert.equal((await store.transactions.pageWalletHistory('wallet')).entries.length, 1);
    assert.equal(await store.transactions.coverage('a'), null);
    assert.deepEqual(await store.samples.delinquency(0n), { samples: 0, delinquent: 0 });
    assert.equal((await store.counters.all()).get('GET /a'), 1);

    disk.empty();
    for (const write of Object.values(writes)) await write();
    const again = await openTestStore(t, path);
    assert.equal((await again.transactions.statistics(0)).byType.stake.count, 301);
    assert.equal((await again.intents.findSubmission('sig'))?.state, 'confirmed');
  });

  test('DB-3 calls counted while the disk was full are not lost', async (t) => {
    const disk = mountSmallDisk(t);
    const { counters } = await openTestStore(t, join(disk.folder, 'store.db'));
    const clock = createManualClock();
    const failed = Promise.withResolvers<unknown>();
    const outage = { failed: failed.resolve, succeeded: () => undefined };
    const batch = createCounterBatch({ counters, clock, outage });
    disk.fill();
    batch.count('GET /a');
    await clock.sleeping();
    clock.advance(1_000);
    assert.ok(unavailable(await failed.promise));
    batch.count('GET /a');
    assert.equal((await batch.totals()).get('GET /a'), 2);
    disk.empty();
    await batch.close();
    assert.equal((await counters.all()).get('GET /a'), 2);
  });
});
