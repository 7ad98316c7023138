import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { after, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { createPostgresLeaderElection } from '../../src/store/engine/postgres-leader-election.ts';
import {
  LEASE_TIMES,
  type LeaseTimes,
  lockNumber,
  openLockSession,
} from '../../src/store/engine/postgres-lock-session.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { createTestDatabase, executeOn, type TestDatabase } from '../support/store-postgres.ts';
import { startTcpProxy } from '../support/store-tcp-proxy.ts';

const logger = pino({ level: 'silent' });
/** Shorter than in production, but long enough for a busy machine. */
const SHORT: LeaseTimes = { leaseMs: 3_000, askEveryMs: 700, responseWithinMs: 800, tryEveryMs: 100 };

/** Records the start and end of work, in order. */
class Diary extends EventEmitter {
  readonly lines: string[] = [];
  write(line: string): void {
    this.lines.push(line);
    this.emit('line');
  }
  async has(line: string, count = 1): Promise<void> {
    while (this.lines.filter((one) => one === line).length < count) await once(this, 'line');
  }
  /** Returns the maximum number of workers at any one time. */
  most(): number {
    let [now, most] = [0, 0];
    for (const line of this.lines) {
      now += line.endsWith('begins') ? 1 : -1;
      most = Math.max(most, now);
    }
    return most;
  }
}

interface Candidate {
  readonly stop: () => Promise<void>;
}

const stand = (
  t: TestContext,
  diary: Diary,
  who: string,
  {
    url,
    name = 'role',
    clock = systemClock,
    times = SHORT,
  }: {
    url: string;
    name?: string;
    clock?: Clock;
    times?: LeaseTimes;
  },
): Candidate => {
  const stopping = new AbortController();
  const led = createPostgresLeaderElection({ url, clock, logger, times }).lead(
    name,
    async (signal) => {
      diary.write(`${who} begins`);
      if (!signal.aborted) await once(signal, 'abort');
      diary.write(`${who} ends`);
    },
    stopping.signal,
  );
  const stop = async (): Promise<void> => {
    stopping.abort();
    await led;
  };
  t.after(stop);
  return { stop };
};

const registerTests = ({ url }: TestDatabase): void => {
  test('exactly one of five candidates works at any time, and each becomes leader once the others have left', async (t) => {
    const diary = new Diary();
    const candidates = new Map(['a', 'b', 'c', 'd', 'e'].map((who) => [who, stand(t, diary, who, { url })]));
    for (let turn = 1; turn <= 5; turn += 1) {
      while (diary.lines.filter((line) => line.endsWith('begins')).length < turn) await once(diary, 'line');
      const who = diary.lines.at(-1)!.split(' ')[0]!;
      await candidates.get(who)!.stop();
      candidates.delete(who);
    }
    assert.equal(diary.most(), 1);
    assert.equal(new Set(diary.lines).size, 10);
  });

  test('each name has its own leader', async (t) => {
    const diary = new Diary();
    stand(t, diary, 'a', { url, name: 'watcher' });
    stand(t, diary, 'b', { url, name: 'sampler' });
    await Promise.all([diary.has('a begins'), diary.has('b begins')]);
    assert.equal(diary.most(), 2);
  });

  test('an undisturbed leader keeps leading, heartbeat after heartbeat, with any lock number', async (t) => {
    const names = ['role', 'watcher', 'sampler', 'deliveries', 'e', 'f'];
    assert.equal(
      new Set(names.map((name) => lockNumber(name) < 0n)).size,
      2,
      'both negative and positive lock numbers are tested',
    );
    const diary = new Diary();
    for (const name of names) {
      let beats = 0;
      const beaten = new Promise<void>((resolve) => {
        const clock: Clock = {
          ...systemClock,
          sleep: (ms, signal) => {
            if (ms === SHORT.askEveryMs && ++beats === 5) resolve();
            return systemClock.sleep(ms === SHORT.askEveryMs ? 1 : ms, signal);
          },
        };
        stand(t, diary, name, { url, name, clock, times: { ...SHORT, responseWithinMs: 5_000 } });
      });
      await beaten;
    }
    assert.deepEqual(
      diary.lines,
      names.map((name) => `${name} begins`),
    );
  });

  test('only the session with the lock reports that it holds the lock', async (t) => {
    const open = async (name: string) => {
      const session = await openLockSession(url, name, { ...SHORT, leaseMs: 30_000 }, systemClock);
      t.after(session.end);
      return session;
    };
    const [holder, other, ofAnother] = await Promise.all([open('held'), open('held'), open('another')]);
    assert.equal(await holder.holds(), false, 'no session has requested it yet');
    assert.equal(await holder.tryAcquire(), true);
    assert.equal(await other.tryAcquire(), false);
    assert.deepEqual(await Promise.all([holder.holds(), other.holds(), ofAnother.holds()]), [
      true,
      false,
      false,
    ]);
  });

  test('a leader stops working when the server ends its session, and another starts', async (t) => {
    const diary = new Diary();
    stand(t, diary, 'a', { url });
    await diary.has('a begins');
    await executeOn(
      url,
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    await diary.has('a ends');
    await diary.has('a begins', 2);
    assert.equal(diary.most(), 1);
  });

  test('a leader that was silently cut off from the network stops working before another starts', async (t) => {
    const diary = new Diary();
    const proxy = await startTcpProxy(t, 5432);
    const through = new URL(url);
    through.port = String(proxy.port);
    stand(t, diary, 'cut', { url: through.href });
    await diary.has('cut begins');
    stand(t, diary, 'next', { url });
    proxy.silence();
    await diary.has('next begins');
    assert.deepEqual(diary.lines.slice(0, 3), ['cut begins', 'cut ends', 'next begins']);
  });

  test('when a process is killed, the next candidate takes over', async (t) => {
    const killed = spawnLeader(t, url, 'killed');
    await killed.output(/leads/);
    const next = spawnLeader(t, url, 'killed');
    // The second candidate is connected but waiting, so the two never lead at the same time.
    await waitsFor(url, 2);
    assert.equal(next.stdout, '');
    await killed.stop('SIGKILL');
    await next.output(/leads/);
    await next.stop('SIGKILL');
  });

  test('when a process is frozen, the next candidate takes over, and the frozen one stops working when it resumes', async (t) => {
    const frozen = spawnLeader(t, url, 'frozen');
    await frozen.output(/leads/);
    const next = spawnLeader(t, url, 'frozen');
    await waitsFor(url, 2);
    frozen.child.kill('SIGSTOP');
    await next.output(/leads/);
    assert.equal(frozen.stdout, 'leads\n');
    frozen.child.kill('SIGCONT');
    await frozen.output(/stops/);
    for (const process of [frozen, next]) await process.stop('SIGKILL');
  });

  test('a refusal by the server is logged once, with its code and without any part of the URL', async (t) => {
    const lines: string[] = [];
    const signals = new EventEmitter();
    const refused = new URL(url);
    refused.username = 'markedUser';
    refused.password = 'markedPassword';
    const stop = new AbortController();
    let attempts = 0;
    const led = createPostgresLeaderElection({
      url: refused.href,
      clock: {
        ...systemClock,
        sleep: (ms, signal) => {
          if (ms === 1_000 && ++attempts === 3) signals.emit('thrice');
          return systemClock.sleep(ms === 1_000 ? 1 : ms, signal);
        },
      },
      logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
      times: SHORT,
    }).lead('role', async () => assert.fail('the candidate cannot lead'), stop.signal);
    t.after(async () => {
      stop.abort();
      await led;
    });
    await once(signals, 'thrice');
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /"reason":"28(000|P01)"/);
    assert.ok(!lines[0]!.includes('marked'));
  });

  test('the connection to an unavailable server is retried until the server is back', async (t) => {
    const diary = new Diary();
    const proxy = await startTcpProxy(t, 5432);
    const through = new URL(url);
    through.port = String(proxy.port);
    proxy.cut();
    const candidate = stand(t, diary, 'a', { url: through.href });
    proxy.mend();
    await diary.has('a begins');
    proxy.cut();
    await diary.has('a ends');
    await candidate.stop();
  });
};

const spawnLeader = (t: TestContext, url: string, name: string) =>
  spawnProcess(t, {
    file: 'test/support/leader-process.ts',
    args: [url, name, JSON.stringify(SHORT)],
  });

/** Waits until `count` leadership sessions are connected to the database. */
const waitsFor = async (url: string, count: number): Promise<void> => {
  for (;;) {
    try {
      await executeOn(
        url,
        `select 1 / (count(*) >= ${count})::int from pg_stat_activity
         where datname = current_database() and application_name = 'holdfast leadership' and state = 'idle'`,
      );
      return;
    } catch (error) {
      assert.equal((error as { code?: string }).code, '22012');
    }
  }
};

const database = await createTestDatabase();
if (typeof database === 'string') test('leadership on PostgreSQL', { skip: database });
else {
  // Keeps the process alive, because the service's timers do not.
  const keepAlive = setInterval(() => {}, 60_000);
  after(() => {
    clearInterval(keepAlive);
    return database.drop();
  });
  registerTests(database);
}

test('a leader stops working 2 s before the server releases its lock, and is replaced within 10 s', () => {
  const { leaseMs, askEveryMs, responseWithinMs, tryEveryMs } = LEASE_TIMES;
  assert.equal(leaseMs - (askEveryMs + 2 * responseWithinMs), 2_000);
  assert.ok(leaseMs + tryEveryMs < 10_000);
});
