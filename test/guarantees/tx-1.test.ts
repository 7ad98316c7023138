// TX-1: through faulty proxies every submission ends as the chain says it did: nothing "expired" lands, nothing "confirmed" is missing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { type FaultyProxy, faults, startFaultyProxy } from '../support/faulty-proxy.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { lieOf, truthOf, untilNothingCanLand } from './tx-1-chain-truth.ts';
import type { Attempt, Driver } from './tx-1-driver.ts';
import { startSubmitterDriver } from './tx-1-submitter-driver.ts';

const ATTEMPTS = process.env.HOLDFAST_TEST_FULL === '1' ? 500 : 40;
const AT_ONCE = 20;
/** Longer than three reads that fail on both proxies, where a proxy is in reach; short where none answers. */
const ABSENCE_MS = { inReach: 15_000, away: 1_500 };
const DEADLINE_MS = 10 * 60_000;
/** Blocks of 20 ms: a blockhash lives 3 s, so that lost and late sendings really run into its end. */
const SLOT_MS = 20;

/** Two requests in five are harmed; delays reach up to the life of a blockhash, so that late landings happen. */
const chances = {
  'drop-before': 0.06,
  'drop-after': 0.06,
  'reset-before': 0.05,
  'reset-after': 0.06,
  delay: 0.06,
  'too-many': 0.03,
  stale: 0.06,
  duplicate: 0.04,
};

const attemptAll = async (
  driver: Driver,
  count: number,
  signal: AbortSignal,
): Promise<readonly Attempt[]> => {
  const attempts: Attempt[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) attempts.push(await driver.attempt(next++, signal));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, work));
  return attempts;
};

/** Fails with every claim that the chain contradicts. */
const assertTrue = async (sandbox: Sandbox, attempts: readonly Attempt[]): Promise<void> => {
  const lies: string[] = [];
  for (const attempt of attempts) {
    if (attempt.signature === undefined) continue;
    const lie = lieOf(attempt, await truthOf(sandbox, attempt));
    if (lie !== null) lies.push(`${attempt.signature}: ${lie}`);
  }
  assert.deepEqual(lies, []);
};

const tally = (attempts: readonly Attempt[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(attempts, ({ ending }) => ending)).map(([ending, list]) => [
      ending,
      list!.length,
    ]),
  );

describe('TX-1', () => {
  const shared = sharedSandbox({ before, after }, { slotMs: SLOT_MS });

  const withDriver = async (
    { seed, absenceMs }: { seed: number; absenceMs: number },
    use: (driver: Driver, proxies: readonly FaultyProxy[], signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    const sandbox = shared.get();
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const options = { target: sandbox.rpcUrl, longestDelayMs: 3_500 };
    await using first = await startFaultyProxy({ ...options, seed });
    await using second = await startFaultyProxy({ ...options, seed: seed + 1 });
    const place = {
      sandbox,
      rpcUrls: [first.url, second.url],
      wsUrls: [sandbox.wsUrl],
      absenceMs,
    };
    const driver = await startSubmitterDriver(place, signal);
    try {
      await use(driver, [first, second], signal);
    } finally {
      await driver.close();
    }
  };

  it(`${ATTEMPTS} submissions through dropping, delaying, resetting, refusing, lagging and duplicating nodes end as the chain says`, async (t) => {
    await withDriver({ seed: 1, absenceMs: ABSENCE_MS.inReach }, async (driver, proxies, signal) => {
      for (const proxy of proxies) proxy.setChances(chances);
      const attempts = await attemptAll(driver, ATTEMPTS, signal);
      await untilNothingCanLand(shared.get(), signal);
      t.diagnostic(`endings ${JSON.stringify(tally(attempts))}`);
      for (const proxy of proxies) t.diagnostic(`faults ${JSON.stringify(proxy.counts)}`);
      await assertTrue(shared.get(), attempts);
      assert.equal(attempts.length, ATTEMPTS);
      assert.ok(
        attempts.some(({ ending }) => ending === 'confirmed'),
        'some landed',
      );
      assert.ok(!attempts.some(({ ending }) => ending === 'unresolved'), 'an RPC was always in reach');
      for (const fault of faults)
        assert.ok(
          proxies.some(({ counts }) => counts[fault] > 0),
          `${fault} happened`,
        );
    });
  });

  it('while every RPC is away submissions end unresolved, and the chain settles each of them after', async (t) => {
    await withDriver({ seed: 100, absenceMs: ABSENCE_MS.away }, async (driver, proxies, signal) => {
      // Every request reaches the node and no answer comes back, so nobody can know what was taken.
      for (const proxy of proxies) proxy.setChances({ 'reset-after': 0.5, 'reset-before': 0.5 });
      const away = attemptAll(driver, AT_ONCE, signal);
      const attempts = await away;
      t.diagnostic(`endings ${JSON.stringify(tally(attempts))}`);
      assert.ok(attempts.some(({ ending }) => ending === 'unresolved'));
      for (const proxy of proxies) proxy.setChances({});
      await untilNothingCanLand(shared.get(), signal);
      const settled = await Promise.all(
        attempts.map(async (attempt) => {
          if (attempt.ending !== 'unresolved') return attempt;
          const ending = await driver.settle(attempt, signal);
          assert.notEqual(ending, null, 'settled once the RPC is back');
          return { ...attempt, ending: ending! };
        }),
      );
      t.diagnostic(`settled ${JSON.stringify(tally(settled))}`);
      await assertTrue(shared.get(), settled);
    });
  });

  it('nothing is sent while no RPC can be connected to, and the same driver works again once they are back', async () => {
    await withDriver({ seed: 200, absenceMs: ABSENCE_MS.away }, async (driver, proxies, signal) => {
      const before = await driver.attempt(0, signal);
      await Promise.all(proxies.map((proxy) => proxy.down()));
      const gone = await attemptAll(driver, 6, signal);
      await Promise.all(proxies.map((proxy) => proxy.up()));
      const back = await driver.attempt(1, signal);
      assert.deepEqual([before.ending, back.ending], ['confirmed', 'confirmed']);
      assert.deepEqual(new Set(gone.map(({ ending }) => ending)), new Set(['not-sent']));
      await untilNothingCanLand(shared.get(), signal);
      await assertTrue(shared.get(), [before, ...gone, back]);
    });
  });
});
