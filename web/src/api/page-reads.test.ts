// Tests that reads are shared, kept while refreshes fail, retried with backoff, and paused on a hidden page.
import assert from 'node:assert/strict';
import { after, afterEach, describe, it, type TestContext } from 'node:test';
import { HoldfastError } from '../../../client/holdfast-error.ts';

const page = { visibilityState: 'visible', querySelectorAll: () => [] };
Object.assign(globalThis, { document: page, window: new EventTarget() });
// TanStack Query decides on import whether it runs in a browser.
const { QueryObserver } = await import('@tanstack/react-query');
const { queries, queryOf, refresh, refreshAfterAct, retryNow } = await import('./use-resource.ts');
const { connection } = await import('./service-connection.ts');

const show = (isHidden: boolean): void => {
  page.visibilityState = isHidden ? 'hidden' : 'visible';
  window.dispatchEvent(new Event('visibilitychange'));
};

const errorOf = (
  errorCode: string,
  more: { status?: number; retryAfterSeconds?: number } = {},
): HoldfastError => new HoldfastError({ errorCode, message: errorCode, operation: 'test', ...more });

/** Creates a load function whose calls wait until the test provides a value or an error. */
const source = () => {
  const calls: { signal: AbortSignal; give: (value: unknown) => void; fail: (error: unknown) => void }[] = [];
  return {
    calls,
    load: (signal: AbortSignal) =>
      new Promise<unknown>((give, fail) => {
        calls.push({ signal, give, fail });
      }),
  };
};

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

const peek = (key: string) => {
  const state = queries.getQueryState([key]);
  return {
    data: state?.data,
    error: state?.error ?? undefined,
    at: state?.dataUpdatedAt,
    loading: state?.fetchStatus === 'fetching',
  };
};

const nobody = (): void => undefined;
let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `test/${keys}/`;
};

/** Mocks the timers, so the test advances time. */
const clock = (t: TestContext): void =>
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });

describe('a read of the page', () => {
  after(() => queries.clear());
  const ends: (() => void)[] = [];
  const followed = (
    key: string,
    load: (signal: AbortSignal) => Promise<unknown>,
    refreshMs: number,
    listener: () => void = nobody,
  ) => {
    const end = new QueryObserver(queries, queryOf(key, load, refreshMs)).subscribe(listener);
    ends.push(end);
    return end;
  };
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    show(false);
    await settled();
    retryNow();
    await settled();
  });

  it('is shared by all its subscribers, and all are notified', async (t) => {
    clock(t);
    const { calls, load } = source();
    const key = newKey();
    const notified: string[] = [];
    followed(key, load, 10_000, () => notified.push('a'));
    followed(key, load, 10_000, () => notified.push('b'));
    assert.equal(calls.length, 1);
    assert.equal(peek(key).loading, true);
    calls[0]!.give('answer');
    await settled();
    assert.deepEqual({ ...peek(key) }, { data: 'answer', error: undefined, at: 1_000_000, loading: false });
    assert.ok(notified.includes('a') && notified.includes('b'));
  });

  it('repeats at the shortest interval that a subscriber requests, and stops when the last one leaves', async (t) => {
    clock(t);
    const { calls, load } = source();
    const key = newKey();
    followed(key, load, 60_000);
    const leave = followed(key, load, 5_000, () => undefined);
    calls[0]!.give(1);
    await settled();
    t.mock.timers.tick(4_999);
    assert.equal(calls.length, 1);
    t.mock.timers.tick(1);
    assert.equal(calls.length, 2);
    calls[1]!.give(2);
    await settled();
    leave();
    t.mock.timers.tick(5_000);
    // The timer set for both subscribers may fire once more. After that only the longer interval applies.
    for (const call of calls.slice(2)) call.give(3);
    await settled();
    const before = calls.length;
    t.mock.timers.tick(54_000);
    assert.equal(calls.length, before);
    for (const end of ends.splice(0)) end();
    t.mock.timers.tick(600_000);
    assert.equal(calls.length, before);
  });

  it('is not repeated for a subscriber that subscribes right after it', async (t) => {
    clock(t);
    const { calls, load } = source();
    const key = newKey();
    const leave = followed(key, load, 30_000);
    calls[0]!.give(1);
    await settled();
    leave();
    t.mock.timers.tick(1_999);
    followed(key, load, 30_000)();
    assert.equal(calls.length, 1);
    t.mock.timers.tick(1);
    followed(key, load, 30_000);
    assert.equal(calls.length, 2);
  });

  it('keeps its value while a newer one fails, reports the error, and is retried earlier than its next refresh', async (t) => {
    clock(t);
    const { calls, load } = source();
    const key = newKey();
    followed(key, load, 60_000);
    calls[0]!.give('old');
    await settled();
    t.mock.timers.tick(60_000);
    const error = errorOf('NETWORK');
    calls[1]!.fail(error);
    await settled();
    assert.equal(peek(key).data, 'old');
    assert.equal(peek(key).error, error);
    assert.equal(connection.get().state, 'down');
    // The first delay is between 0.8 and 1.2 s.
    t.mock.timers.tick(799);
    assert.equal(calls.length, 2);
    t.mock.timers.tick(402);
    assert.equal(calls.length, 3);
    // The second delay is between 1.6 and 2.4 s.
    calls[2]!.fail(error);
    await settled();
    t.mock.timers.tick(1_599);
    assert.equal(calls.length, 3);
    t.mock.timers.tick(802);
    assert.equal(calls.length, 4);
    calls[3]!.give('new');
    await settled();
    assert.deepEqual([peek(key).data, peek(key).error], ['new', undefined]);
    assert.equal(connection.get().state, 'ok');
    // The next failure starts with the first delay again.
    t.mock.timers.tick(60_000);
    calls[4]!.fail(error);
    await settled();
    t.mock.timers.tick(1_201);
    assert.equal(calls.length, 6);
  });

  it('waits until the retry time that the service sent, and so do all other reads', async (t) => {
    clock(t);
    const [limited, other] = [source(), source()];
    followed(newKey(), limited.load, 60_000);
    limited.calls[0]!.fail(errorOf('RATE_LIMITED', { status: 429, retryAfterSeconds: 20 }));
    await settled();
    followed(newKey(), other.load, 60_000);
    assert.equal(other.calls.length, 0);
    t.mock.timers.tick(20_199);
    assert.deepEqual([limited.calls.length, other.calls.length], [1, 0]);
    t.mock.timers.tick(1);
    await settled();
    assert.deepEqual([limited.calls.length, other.calls.length], [2, 1]);
  });

  it('keeps its value under a rate limit without a failure, and reports only waits of several seconds', async (t) => {
    clock(t);
    const { calls, load } = source();
    const key = newKey();
    followed(key, load, 60_000);
    calls[0]!.give('last');
    await settled();
    t.mock.timers.tick(60_000);
    calls[1]!.fail(errorOf('RATE_LIMITED', { status: 429, retryAfterSeconds: 3 }));
    await settled();
    assert.deepEqual([peek(key).data, peek(key).error], ['last', undefined]);
    assert.equal(connection.get().state, 'ok');
    t.mock.timers.tick(3_200);
    await settled();
    calls[2]!.fail(errorOf('RATE_LIMITED', { status: 429, retryAfterSeconds: 30 }));
    await settled();
    assert.deepEqual([peek(key).data, peek(key).error], ['last', undefined]);
    assert.equal(connection.get().state, 'limited');
    t.mock.timers.tick(30_200);
    await settled();
    calls[3]!.give('next');
    await settled();
    assert.equal(peek(key).data, 'next');
    assert.equal(connection.get().state, 'ok');
  });

  it('reports the limit until it ends if a value is missing, although earlier requests still respond', async (t) => {
    clock(t);
    const [missing, other] = [source(), source()];
    followed(newKey(), missing.load, 60_000);
    followed(newKey(), other.load, 60_000);
    missing.calls[0]!.fail(errorOf('RATE_LIMITED', { status: 429, retryAfterSeconds: 3 }));
    await settled();
    const limited = connection.get();
    assert.deepEqual([limited.state, limited.nextTryMs], ['limited', 1_003_200]);
    other.calls[0]!.give('in time');
    await settled();
    assert.equal(connection.get(), limited);
    t.mock.timers.tick(3_200);
    await settled();
    missing.calls[1]!.give('value');
    await settled();
    assert.equal(connection.get().state, 'ok');
  });

  it('is shown as loading after a change if no newer value arrives soon, even if the read is canceled', async (t) => {
    clock(t);
    const { calls, load } = source();
    const key = newKey();
    followed(key, load, 60_000);
    calls[0]!.give('before the act');
    await settled();
    refreshAfterAct(key);
    await settled();
    calls[1]!.fail(errorOf('RATE_LIMITED', { status: 429, retryAfterSeconds: 20 }));
    await settled();
    t.mock.timers.tick(1_999);
    assert.equal(peek(key).data, 'before the act');
    t.mock.timers.tick(1);
    await settled();
    assert.equal(peek(key).data, undefined);
    refresh(key);
    await settled();
    assert.equal(peek(key).data, undefined);
    t.mock.timers.tick(20_200);
    await settled();
    calls.at(-1)!.give('after the act');
    await settled();
    assert.equal(peek(key).data, 'after the act');
    refresh(key);
    await settled();
    t.mock.timers.tick(10_000);
    assert.equal(peek(key).data, 'after the act');
  });

  it('is retried with a delay even if the service sends none', async (t) => {
    clock(t);
    const { calls, load } = source();
    followed(newKey(), load, 60_000);
    for (const _ of [0, 1, 2]) {
      calls.at(-1)!.fail(errorOf('NETWORK', { retryAfterSeconds: 0 }));
      await settled();
      t.mock.timers.tick(799);
      assert.equal(peek(`test/${keys}/`).loading, false);
      t.mock.timers.tick(30_000);
    }
  });

  it('is not retried immediately if the request itself is wrong', async (t) => {
    clock(t);
    const { calls, load } = source();
    followed(newKey(), load, 5_000);
    calls[0]!.fail(errorOf('VALIDATION_ERROR', { status: 400 }));
    await settled();
    t.mock.timers.tick(29_999);
    assert.equal(calls.length, 1);
    t.mock.timers.tick(1);
    assert.equal(calls.length, 2);
  });

  it('is repeated by a refresh, which drops pending responses and forgets values without subscribers', async (t) => {
    clock(t);
    const [shown, left, apart] = [source(), source(), source()];
    const prefix = newKey();
    const [shownKey, leftKey, apartKey] = [`${prefix}shown`, `${prefix}left`, newKey()];
    followed(shownKey, shown.load, 60_000);
    followed(apartKey, apart.load, 60_000);
    const leave = followed(leftKey, left.load, 60_000);
    left.calls[0]!.give('kept');
    await settled();
    leave();
    refresh(prefix);
    await settled();
    assert.equal(shown.calls[0]!.signal.aborted, true);
    shown.calls[0]!.give('from before the change');
    await settled();
    assert.equal(peek(shownKey).data, undefined);
    shown.calls[1]!.give('after it');
    await settled();
    assert.equal(peek(shownKey).data, 'after it');
    assert.equal(peek(leftKey).data, undefined);
    assert.equal(apart.calls.length, 1);
  });

  it('is paused on a hidden page and repeated when the page is shown again', async (t) => {
    clock(t);
    const [renewed, once] = [source(), source()];
    followed(newKey(), renewed.load, 5_000);
    followed(newKey(), once.load, Number.POSITIVE_INFINITY);
    renewed.calls[0]!.give(1);
    once.calls[0]!.give(1);
    await settled();
    show(true);
    t.mock.timers.tick(60_000);
    assert.equal(renewed.calls.length, 1);
    show(false);
    await settled();
    assert.equal(renewed.calls.length, 2);
    assert.equal(once.calls.length, 1, 'a value that is read only once is not read again');
    renewed.calls[1]!.give(2);
    await settled();
    show(true);
    show(false);
    await settled();
    assert.equal(renewed.calls.length, 2, 'a value is not read again within a second');
  });

  it('is not started twice when the page is shown during it', async (t) => {
    clock(t);
    const { calls, load } = source();
    followed(newKey(), load, 5_000);
    t.mock.timers.tick(3_000);
    show(true);
    show(false);
    await settled();
    assert.equal(calls.length, 1);
  });

  it('is aborted when its subscriber leaves', async (t) => {
    clock(t);
    const { calls, load } = source();
    const key = newKey();
    followed(key, load, 5_000)();
    assert.equal(calls[0]!.signal.aborted, true);
    assert.equal(peek(key).loading, false);
    calls[0]!.give('late');
    await settled();
    assert.equal(peek(key).data, undefined);
  });

  it('still refreshes after the clock was set back', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    let nowMs = 10_000_000;
    t.mock.method(Date, 'now', () => nowMs);
    const [again, seen] = [source(), source()];
    const key = newKey();
    const leave = followed(key, again.load, 60_000);
    followed(newKey(), seen.load, 60_000);
    again.calls[0]!.give(1);
    seen.calls[0]!.give(1);
    await settled();
    leave();
    nowMs -= 3_600_000;
    followed(key, again.load, 60_000);
    assert.equal(again.calls.length, 2);
    show(true);
    show(false);
    await settled();
    assert.equal(seen.calls.length, 2);
  });

  it('is repeated by a retry only if it failed', async (t) => {
    clock(t);
    const [failing, fine] = [source(), source()];
    followed(newKey(), failing.load, 60_000);
    followed(newKey(), fine.load, 60_000);
    failing.calls[0]!.fail(errorOf('NETWORK'));
    fine.calls[0]!.give(1);
    await settled();
    retryNow();
    await settled();
    assert.deepEqual([failing.calls.length, fine.calls.length], [2, 1]);
  });
});
