// Reads shared by several views, each with one key and one maximum age. The rate limit of 100 a minute
// applies to the whole page.
import { api } from './holdfast.ts';
import { CLUSTER_KEY } from './service-connection.ts';
import { useResource } from './use-resource.ts';

const SECOND = 1_000;

/** Key prefix of everything about wallets, for `refresh`. */
export const WALLET_KEYS = 'wallet/';

/** Reads the position in the epoch, with the cluster's name in `_meta.cluster`. */
export const useEpoch = () => useResource(CLUSTER_KEY, (signal) => api.epoch({}, { signal }), 15 * SECOND);

/** Key prefix of everything about the validator that changes during or after an epoch. */
export const VALIDATOR_KEYS = 'validator/';

export const PROFILE_KEY = `${VALIDATOR_KEYS}profile`;

/** Reads the validator with APY and performance. */
export const useValidator = () =>
  useResource(PROFILE_KEY, (signal) => api.validatorProfile({}, { signal }), 120 * SECOND);

/** Reads the wallet's balance and the staking limits. */
export const useBalance = (walletAddress: string | null) =>
  useResource(
    walletAddress && `${WALLET_KEYS}${walletAddress}/balance`,
    (signal) => api.balance({ walletAddress: walletAddress! }, { signal }),
    30 * SECOND,
  );

/** Key of everything about the wallet's stakes. */
export const summaryKey = (walletAddress: string): string => `${WALLET_KEYS}${walletAddress}/summary`;

/** Reads everything about the wallet's stakes, every `seconds`. */
export const useSummary = (walletAddress: string | null, seconds = 30) =>
  useResource(
    walletAddress && summaryKey(walletAddress),
    (signal) => api.stakingSummary({ walletAddress: walletAddress! }, { signal }),
    seconds * SECOND,
  );

/** Reads the memo that the verifier expects, and what the service reports about its code. */
export const useCodeIntegrity = () =>
  useResource('verify/code', (signal) => api.codeIntegrity({}, { signal }));
