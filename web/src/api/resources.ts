// Shared reads of the service: one request per key, stale data kept on failure, refreshed while visible.
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { answered, failed } from './service-connection.ts';

/** A value as it stands. `data` is the last good answer; it stays while `error` says why there is no newer one. */
export interface ResourceState<Data> {
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  /** When `data` came, Unix milliseconds. */
  readonly at: number | undefined;
  readonly loading: boolean;
}

/** Reads the value. */
export type Load<Data> = (signal: AbortSignal) => Promise<Data>;

/** How one follower reads the value, and how old it may become for it. */
interface Following {
  readonly load: Load<unknown>;
  readonly refreshMs: number;
}

interface Entry {
  readonly key: string;
  state: ResourceState<unknown>;
  readonly listeners: Map<() => void, Following>;
  failures: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  running: AbortController | undefined;
}

const EMPTY: ResourceState<never> = { data: undefined, error: undefined, at: undefined, loading: false };
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** Fresh enough to be shown again without asking when a view is opened. */
const FRESH_MS = 2_000;

/** Unfollowed values stay cached; beyond this many the oldest are dropped. */
const MOST_ENTRIES = 60;

const entries = new Map<string, Entry>();
/** No read before `untilMs`; a time before `fromMs` says that the clock was set back. */
let limit = { fromMs: 0, untilMs: 0 };

const pruneOldest = (): void => {
  for (const [key, { listeners }] of entries) {
    if (entries.size <= MOST_ENTRIES) return;
    if (listeners.size === 0) entries.delete(key);
  }
};

const entryOf = (key: string): Entry => {
  const present = entries.get(key);
  if (present) return present;
  const made: Entry = {
    key,
    state: EMPTY,
    listeners: new Map(),
    failures: 0,
    timer: undefined,
    running: undefined,
  };
  entries.set(key, made);
  pruneOldest();
  return made;
};

const publish = (entry: Entry, state: ResourceState<unknown>): void => {
  entry.state = state;
  for (const listener of [...entry.listeners.keys()]) listener();
};

/** Milliseconds until the next attempt after the `failures`th failure in a row; spread, so that tabs do not come back together. */
const backoff = (failures: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * (0.8 + Math.random() * 0.4);

const plan = (entry: Entry, delayMs: number): void => {
  clearTimeout(entry.timer);
  entry.timer = undefined;
  // A delay beyond what a timer holds means: not by itself.
  if (entry.listeners.size > 0 && delayMs < 2 ** 31) entry.timer = setTimeout(() => run(entry), delayMs);
};

const refreshMsOf = (entry: Entry): number =>
  Math.min(...[...entry.listeners.values()].map(({ refreshMs }) => refreshMs));

/** By a follower who is still there: one that left may have turned to something else. */
const loadOf = (entry: Entry): Load<unknown> => [...entry.listeners.values()].at(-1)!.load;

const limitedUntil = (nowMs: number): number => (nowMs < limit.fromMs ? 0 : limit.untilMs);

/** How old the value is; as old as can be where there is none, or it is from after now: the clock was set back. */
const ageOf = ({ state: { at } }: Entry, nowMs = Date.now()): number =>
  at === undefined || at > nowMs ? Number.POSITIVE_INFINITY : nowMs - at;

const settle = (entry: Entry, error: unknown): void => {
  const nowMs = Date.now();
  entry.failures += 1;
  const retryAfterSeconds = isHoldfastError(error) ? error.retryAfterSeconds : undefined;
  const limited = isHoldfastError(error, 'RATE_LIMITED');
  // A Retry-After of 0 would repeat it without a pause.
  const delayMs =
    retryAfterSeconds === undefined || retryAfterSeconds === 0
      ? backoff(entry.failures)
      : retryAfterSeconds * 1000 + 200;
  if (limited) limit = { fromMs: nowMs, untilMs: Math.max(limitedUntil(nowMs), nowMs + delayMs) };
  failed(entry.key, error, nowMs + delayMs);
  publish(entry, { ...entry.state, error: error as Error, loading: false });
  // What is wrong with the request itself does not pass by repeating it.
  const hopeless = isHoldfastError(error) && !error.retryable && error.errorCode !== 'BAD_ANSWER';
  plan(entry, hopeless ? Math.max(refreshMsOf(entry), LONGEST_RETRY_MS) : delayMs);
};

const run = (entry: Entry): void => {
  if (entry.running !== undefined) return;
  // Nobody looks at a hidden page: the visit brings it up to date.
  const unseen = document.hidden && entry.state.data !== undefined;
  const nowMs = Date.now();
  const wait = unseen ? refreshMsOf(entry) : limitedUntil(nowMs) - nowMs;
  if (wait > 0) {
    plan(entry, wait);
    return;
  }
  const running = new AbortController();
  entry.running = running;
  publish(entry, { ...entry.state, loading: true });
  loadOf(entry)(running.signal)
    .finally(() => {
      if (entry.running === running) entry.running = undefined;
    })
    .then(
      (data) => {
        if (running.signal.aborted) return;
        entry.failures = 0;
        answered(entry.key, Date.now());
        publish(entry, { data, error: undefined, at: Date.now(), loading: false });
        plan(entry, refreshMsOf(entry));
      },
      (error: unknown) => {
        if (!running.signal.aborted) settle(entry, error);
      },
    );
};

/** Follows a value. `refreshMs`: how old it may become while followed; `Infinity`: read once. Returns the function that ends it. */
export const follow = (
  key: string,
  load: Load<unknown>,
  refreshMs: number,
  listener: () => void,
): (() => void) => {
  const entry = entryOf(key);
  entry.listeners.set(listener, { load, refreshMs });
  const age = ageOf(entry);
  if (entry.running === undefined && (entry.timer === undefined || age > refreshMs)) {
    if (age < Math.min(FRESH_MS, refreshMs)) plan(entry, refreshMs - age);
    else run(entry);
  }
  return () => {
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0) return;
    clearTimeout(entry.timer);
    entry.timer = undefined;
    entry.running?.abort();
    entry.running = undefined;
    if (entry.state.loading) entry.state = { ...entry.state, loading: false };
  };
};

/** The value now, without asking. */
export const peek = <Data>(key: string | null): ResourceState<Data> =>
  ((key === null ? undefined : entries.get(key)?.state) ?? EMPTY) as ResourceState<Data>;

/** Reads values anew whose key starts with `prefix`, where somebody follows them; forgets the others. Default: all. */
export const refresh = (prefix = ''): void => {
  for (const [key, entry] of entries) {
    if (!key.startsWith(prefix)) continue;
    if (entry.listeners.size === 0) entries.delete(key);
    else {
      // What is under way may have been read before the change that this refresh is for.
      entry.running?.abort();
      entry.running = undefined;
      run(entry);
    }
  }
};

/** After a wait: tries again what failed, now. */
export const retryNow = (): void => {
  limit = { fromMs: 0, untilMs: 0 };
  for (const entry of entries.values())
    if (entry.state.error !== undefined && entry.listeners.size > 0) run(entry);
};

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  // Whoever comes back has often just changed something elsewhere: a payment, another tab.
  for (const entry of entries.values()) {
    const isFollowed = entry.listeners.size > 0 && Number.isFinite(refreshMsOf(entry));
    if (isFollowed && ageOf(entry) > FRESH_MS) run(entry);
  }
});
