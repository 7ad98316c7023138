// Counts the RPC calls made by one piece of asynchronous work.
import { AsyncLocalStorage } from 'node:async_hooks';

const counters = new AsyncLocalStorage<(calls: number) => void>();

/** Runs `work` and reports every upstream call that it makes. */
export const countingUpstreamCalls = <T>(onCalls: (calls: number) => void, work: () => T): T =>
  counters.run(onCalls, work);

/**
 * Weight of a scan. Scanning all accounts of a program costs providers and their customers far more than
 * reading an account by its address.
 */
const SCAN_WEIGHT = 4;

/** Reports a call of `method` to the current counter. */
export const noteUpstreamCall = (method: string): void =>
  counters.getStore()?.(method === 'getProgramAccounts' ? SCAN_WEIGHT : 1);
