// Reads shared by the console's sections, each with one key and one maximum age.
import { refresh, useResource } from '../api/use-resource.ts';
import { type Account, operatorApi } from './operator-api.ts';

const REFRESH_MS = 10_000;
/** Maximum age, long because the list of a large validator is several megabytes. */
const LIST_REFRESH_MS = 60_000;

/** Number of accounts per request, and of requests per read: enough for 20,000 accounts. */
const PAGE = 500;
const MAX_PAGES = 40;

/** Reads the current stake, stake by epoch, and the newest changes. */
export const useStake = () => useResource('stake', operatorApi.stake, REFRESH_MS);

/** Reads income, rank and skip rate by epoch. */
export const useOwnValidator = () => useResource('validator', operatorApi.ownValidator, REFRESH_MS);

/** Key of the health, which is read again after a test alert. */
export const HEALTH_KEY = 'health';

/** Reads the health of the service's parts. */
export const useHealth = () => useResource(HEALTH_KEY, operatorApi.health, REFRESH_MS);

/** Key of the alerts, which are read again after a test. */
export const ALERTS_KEY = 'alerts';

/** Reads the alerts sent to the operator. */
export const useAlerts = () => useResource(ALERTS_KEY, operatorApi.alerts, REFRESH_MS);

/** Key of the dead letters, which are read again after a replay. */
export const DEAD_LETTERS_KEY = 'dead-letters';

/** Reads permanently failed deliveries. */
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

/** Reads one wallet or account with its history; null reads nothing. */
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
}

const readAccounts = async (signal: AbortSignal): Promise<AccountList> => {
  const accounts: Account[] = [];
  let total = 0;
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await operatorApi.delegators({ sort: 'stake', limit: PAGE, cursor }, signal);
    accounts.push(...answer.delegators);
    total = answer.accounts;
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return { accounts, total };
};

/** Reads every account of the validator. */
export const useAccounts = () => useResource(ACCOUNTS_KEY, readAccounts, LIST_REFRESH_MS);
