// TX-1: through faulty proxies, every submission has the outcome that the chain shows. Nothing reported as
// "expired" lands, and nothing reported as "confirmed" is missing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { type Fault, type FaultyProxy, faults, startFaultyProxy } from '../support/faulty-proxy.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { lieOf, truthOf, untilNothingCanLand } from './submission-chain-truth.ts';
import type { Attempt, Driver } from './submission-driver.ts';
import { fundWallets, type OneShotAttempt, stakeOnce, stakesOnChain } from './submission-one-shot-driver.ts';
import { startSubmitterDriver } from './submission-submitter-driver.ts';

const ATTEMPTS = process.env.HOLDFAST_TEST_FULL === '1' ? 500 : 150;
const AT_ONCE = 50;
const SWALLOWED = process.env.HOLDFAST_TEST_FULL === '1' ? 200 : 60;
/**
 * Minimum number of attempts that expired, and of those that landed although the first node to accept them
 * forwarded nothing.
 */
const MIN_EACH = 5;
/**
 * The short form makes fewer one-shot stakes, because the last attempts wait until a blockhash of 9 s expires.
 */
const ONE_SHOTS = process.env.HOLDFAST_TEST_FULL === '1' ? 500 : 10;
const ONE_SHOTS_AT_ONCE = 100;
/**
 * Time in ms without an RPC node after which an attempt ends as unresolved. `inReach` is longer than three failed
 * reads on both proxies. `away` is short, because no proxy responds. `unreachable` is longer than one timeout of
 * the driver (1,500 ms), which proves that nothing was sent.
 */
const ABSENCE_MS = { inReach: 15_000, away: 1_500, unreachable: 6_000 };
const DEADLINE_MS = 10 * 60_000;
/**
 * With blocks of 30 ms, a blockhash is valid for 4.5 s. Lost and late transactions miss that, but a second send
 * does not.
 */
const SLOT_MS = 30;
/**
 * The service waits up to 10 s for an RPC node. With a blockhash that is valid for 9 s, a submission may just
 * as well expire as land.
 */
const ONE_SHOT_SLOT_MS = 60;

/**
 * Faults are injected into two of five requests. A delay lasts about one blockhash lifetime, so some
 * transactions land late.
 */
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
/** Chances under which often only one node accepts a transaction. */
const sendingChances = { ...chances, swallow: 0.5 };

type FirstSends = Map<string, Fault | 'none'>;

const attemptAll = async (
  driver: Driver,
  count: number,
  signal: AbortSignal,
  from = 0,
): Promise<readonly Attempt[]> => {
  const attempts: Attempt[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) attempts.push(await driver.attempt(from + next++, signal));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, work));
  return attempts;
};

/** Fails if any claim contradicts the chain. */
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
    use: (
      driver: Driver,
      proxies: readonly FaultyProxy[],
      signal: AbortSignal,
      firstSends: FirstSends,
    ) => Promise<void>,
  ): Promise<void> => {
    const sandbox = shared.get();
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const firstSends: FirstSends = new Map();
    const options = { target: sandbox.rpcUrl, longestDelayMs: 5_000, firstSends };
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
      await use(driver, [first, second], signal, firstSends);
    } finally {
      await driver.close();
    }
  };

  it(`${ATTEMPTS} submissions through nodes that drop, delay, reset, refuse, lag and duplicate have the outcome that the chain shows`, async (t) => {
    await withDriver({ seed: 1, absenceMs: ABSENCE_MS.inReach }, async (driver, proxies, signal) => {
      for (const proxy of proxies) proxy.setChances(sendingChances);
      const attempts = [...(await attemptAll(driver, ATTEMPTS, signal))];
      // Faults are random, so a few hundred requests sometimes lack one of them, and few transactions expire.
      while (
        faults.some((fault) => proxies.every(({ counts }) => counts[fault] === 0)) ||
        (tally(attempts).expired ?? 0) < MIN_EACH
      )
        attempts.push(...(await attemptAll(driver, AT_ONCE, signal, attempts.length)));
      await untilNothingCanLand(shared.get(), signal);
      t.diagnostic(`endings ${JSON.stringify(tally(attempts))}`);
      for (const proxy of proxies) t.diagnostic(`faults ${JSON.stringify(proxy.counts)}`);
      await assertTrue(shared.get(), attempts);
      assert.ok(attempts.length >= ATTEMPTS);
      const { confirmed = 0, expired = 0 } = tally(attempts);
      assert.ok(confirmed > ATTEMPTS / 10, `${confirmed} landed`);
      assert.ok(expired >= MIN_EACH, `${expired} expired`);
      assert.ok(!attempts.some(({ ending }) => ending === 'unresolved'), 'an RPC node was always reachable');
    });
  });

  // There are no other faults here, so a premature result becomes visible.
  it('transactions that nodes accept but do not forward are resent until they land or have provably expired', async (t) => {
    await withDriver({ seed: 50, absenceMs: ABSENCE_MS.inReach }, async (driver, proxies, signal, sends) => {
      for (const proxy of proxies) proxy.setChances({ swallow: 0.8 });
      const attempts = await attemptAll(driver, SWALLOWED, signal);
      await untilNothingCanLand(shared.get(), signal);
      const sentAgain = attempts.filter(
        ({ ending, signature }) => ending === 'confirmed' && sends.get(signature!) === 'swallow',
      );
      const { expired = 0 } = tally(attempts);
      t.diagnostic(
        `results ${JSON.stringify(tally(attempts))}, ${sentAgain.length} landed after being sent again`,
      );
      await assertTrue(shared.get(), attempts);
      assert.ok(expired >= MIN_EACH, `${expired} expired`);
      assert.ok(sentAgain.length >= MIN_EACH, `${sentAgain.length} landed after being sent again`);
    });
  });

  it('while every RPC node is down, submissions end as unresolved, and the chain settles each of them afterwards', async (t) => {
    await withDriver({ seed: 100, absenceMs: ABSENCE_MS.away }, async (driver, proxies, signal) => {
      const attempts: Attempt[] = [];
      // On a busy machine, the blockhash may have expired before it is used. Without a new one, nothing is
      // sent.
      while (!attempts.some(({ ending }) => ending === 'unresolved')) {
        for (const proxy of proxies) proxy.setChances({});
        attempts.push(await driver.attempt(attempts.length, signal));
        // Every request reaches the node but no response returns, so the outcome is unknown.
        for (const proxy of proxies) proxy.setChances({ 'reset-after': 0.5, 'reset-before': 0.5 });
        attempts.push(...(await attemptAll(driver, AT_ONCE, signal, attempts.length)));
        t.diagnostic(`endings ${JSON.stringify(tally(attempts))}`);
      }
      for (const proxy of proxies) proxy.setChances({});
      await untilNothingCanLand(shared.get(), signal);
      const settled = await Promise.all(
        attempts.map(async (attempt) => {
          if (attempt.ending !== 'unresolved') return attempt;
          // This may take a while on a busy machine: the nodes were just down, and only a height returned by
          // one of them proves the outcome.
          for (;;) {
            const ending = await driver.settle(attempt, signal);
            if (ending !== null) return { ...attempt, ending };
            await pause(100, undefined, { signal });
          }
        }),
      );
      t.diagnostic(`settled ${JSON.stringify(tally(settled))}`);
      await assertTrue(shared.get(), settled);
    });
  });

  it('nothing is sent while no RPC node is reachable, and the same driver works again once one is', async () => {
    await withDriver({ seed: 200, absenceMs: ABSENCE_MS.unreachable }, async (driver, proxies, signal) => {
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

  it(`${ONE_SHOTS} one-shot stakes over HTTP through the same nodes: no stake is made twice, none is reported that does not exist, and retrying creates each of them`, {
    timeout: DEADLINE_MS,
  }, async (t) => {
    await using sandbox = await startSandbox({ epochSeconds: 0, slotMs: ONE_SHOT_SLOT_MS });
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const options = { target: sandbox.rpcUrl, longestDelayMs: 2_000 };
    await using first = await startFaultyProxy({ ...options, seed: 300 });
    await using second = await startFaultyProxy({ ...options, seed: 301 });
    const proxies = [first, second];
    const service = await startService(t, {
      ...settingsFor(sandbox),
      HOLDFAST_RPC_URL: proxies.map(({ url }) => url).join(','),
      HOLDFAST_WS_URL: [sandbox.wsUrl, sandbox.wsUrl].join(','),
    });
    const wallets = await fundWallets(sandbox, ONE_SHOTS);
    for (const proxy of proxies) proxy.setChances(chances);
    const attempts: OneShotAttempt[] = [];
    let next = 0;
    const work = async () => {
      while (next < ONE_SHOTS) {
        const index = next++;
        attempts[index] = await stakeOnce(service, wallets[index]!, `intent-${index}`);
      }
    };
    await Promise.all(Array.from({ length: ONE_SHOTS_AT_ONCE }, work));
    for (const proxy of proxies) proxy.setChances({});
    await untilNothingCanLand(sandbox, signal);

    const found = await stakesOnChain(sandbox, wallets);
    const lies = attempts.filter(
      ({ claim }, index) => claim !== 'unresolved' && found[index] !== (claim === 'confirmed' ? 1 : 0),
    );
    const endings = Object.groupBy(attempts, ({ claim, errorCode }) => errorCode || claim);
    t.diagnostic(
      `one-shot endings ${JSON.stringify(Object.fromEntries(Object.entries(endings).map(([ending, list]) => [ending, list!.length])))}`,
    );
    assert.deepEqual(
      lies.map(({ claim, errorCode }) => `${claim} ${errorCode}`),
      [],
    );
    assert.ok(
      found.every((count) => count <= 1),
      'no wallet has two stakes',
    );

    const again = await Promise.all(attempts.map(({ wallet, key }) => stakeOnce(service, wallet, key)));
    assert.deepEqual([...new Set(again.map(({ claim }) => claim))], ['confirmed']);
    assert.deepEqual(
      [...new Set(await stakesOnChain(sandbox, wallets))],
      [1],
      'retried until made, each exists exactly once',
    );
  });
});
