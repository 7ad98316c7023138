// Reads that the console's sections share, each with one key and one maximum age.
import { refresh, useResource } from '../api/use-resource.ts';
import { type Account, operatorApi } from './operator-api.ts';

const REFRESH_MS = 10_000;
/** Maximum age of the list. It is long because the list of a large validator takes several megabytes. */
const LIST_REFRESH_MS = 60_000;

/** Number of accounts per request, and maximum number of requests per read: enough for 20,000 accounts. */
const PAGE = 500;
const MAX_PAGES = 40;

/** Time within which the service attempts a due delivery. */
const DELIVERED_WITHIN_MS = 2_000;

/** Reads the deliveries again: immediately, and again once the due deliveries have been attempted. */
export const refreshDeliveries = (): void => {
  const readAll = (): void => {
    for (const key of [ALERTS_KEY, DEAD_LETTERS_KEY, HEALTH_KEY]) refresh(key);
  };
  readAll();
  setTimeout(readAll, DELIVERED_WITHIN_MS);
};

/** Reads the current stake, stake by epoch, and the newest changes. */
export const useStake = () => useResource('stake', operatorApi.stake, REFRESH_MS);

/** Reads income, rank and skip rate by epoch. */
export const useOwnValidator = () => useResource('validator', operatorApi.ownValidator, REFRESH_MS);

const HEALTH_KEY = 'health';

/** Reads the health of the service's parts. */
export const useHealth = () => useResource(HEALTH_KEY, operatorApi.health, REFRESH_MS);

/** Cache key of the alerts; used to read them again after a test alert is sent. */
export const ALERTS_KEY = 'alerts';

/** Reads the alerts sent to the operator. */
export const useAlerts = () => useResource(ALERTS_KEY, operatorApi.alerts, REFRESH_MS);

const DEAD_LETTERS_KEY = 'dead-letters';

export const useDeadLetters = () => useResource(DEAD_LETTERS_KEY, operatorApi.deadLetters, REFRESH_MS);

/** Reads transactions signed and submitted here. */
export const useSubmissions = () => useResource('submissions', operatorApi.submissions, REFRESH_MS);

const DELEGATOR_KEY = 'delegator/';
const ACCOUNTS_KEY = 'accounts';

/** Labels a wallet, or removes its label (null), and refreshes the reads that show it. */
export const labelWallet = async (walletAddress: string, label: string | null): Promise<void> => {
  await operatorApi.setLabel(walletAddress, label);
  refresh(ACCOUNTS_KEY);
  refresh(DELEGATOR_KEY);
};

/** Reads one wallet or account with its history; if `address` is null, nothing is read. */
export const useDelegator = (address: string | null) =>
  useResource(
    address && `${DELEGATOR_KEY}${address}`,
    (signal) => operatorApi.delegator(address!, signal),
    REFRESH_MS,
  );

/** Accounts of the validator, largest stake first. */
export interface AccountList {
  readonly accounts: readonly Account[];
  /** Number of all accounts of the validator, including those that were not read. */
  readonly total: number;
  /** Time of the list if the network is currently unreachable; null if the list is current. */
  readonly asOf: string | null;
  /** Time of the labels and origins if the store is currently unavailable; null if they are current. */
  readonly recordsAsOf: string | null;
}

const readAccounts = async (signal: AbortSignal): Promise<AccountList> => {
  const accounts: Account[] = [];
  let total = 0;
  let asOf: string | null = null;
  let recordsAsOf: string | null = null;
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await operatorApi.delegators({ sort: 'stake', limit: PAGE, cursor }, signal);
    accounts.push(...response.delegators);
    total = response.accounts;
    asOf = response.asOf;
    recordsAsOf = response.recordsAsOf;
    cursor = response.nextCursor;
    if (cursor === null) break;
  }
  return { accounts, total, asOf, recordsAsOf };
};

/** Reads every account of the validator. */
export const useAccounts = () => useResource(ACCOUNTS_KEY, readAccounts, LIST_REFRESH_MS);
