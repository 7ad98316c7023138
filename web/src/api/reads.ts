// The reads that several views share, each with one key and one age; the rate limit of 100 a minute is for the whole page.
import { useRef } from 'react';
import { api } from './holdfast.ts';
import { CLUSTER_KEY } from './service-connection.ts';
import { useResource } from './use-resource.ts';

const SECOND = 1_000;

/** Starts of the keys: `refresh(WALLET_KEYS)` reads everything about wallets anew. */
export const WALLET_KEYS = 'wallet/';

/** Where the epoch stands. Carries the cluster's name in `_meta.cluster`. */
export const useEpoch = () => useResource(CLUSTER_KEY, (signal) => api.epoch({}, { signal }), 15 * SECOND);

/** The key of the validator's profile. */
export const PROFILE_KEY = 'validator/profile';

/** The validator with APY and performance. */
export const useValidator = () =>
  useResource(PROFILE_KEY, (signal) => api.validatorProfile({}, { signal }), 120 * SECOND);

/** What the wallet holds and the limits of staking. */
export const useBalance = (walletAddress: string | null) =>
  useResource(
    walletAddress && `${WALLET_KEYS}${walletAddress}/balance`,
    (signal) => api.balance({ walletAddress: walletAddress! }, { signal }),
    30 * SECOND,
  );

/** Everything about the wallet's stakes, read anew every `seconds`. */
export const useSummary = (walletAddress: string | null, seconds = 30) =>
  useResource(
    walletAddress && `${WALLET_KEYS}${walletAddress}/summary`,
    (signal) => api.stakingSummary({ walletAddress: walletAddress! }, { signal }),
    seconds * SECOND,
  );

/** What the service signs its transactions with: the memo that the verifier expects, and what it says of its code. */
export const useCodeIntegrity = () =>
  useResource('verify/code', (signal) => api.codeIntegrity({}, { signal }));

/** The cluster's name; undefined until the first answer. It never changes while the page is open. */
export const useCluster = (): string | undefined => {
  const { data } = useEpoch();
  const known = useRef<string>(undefined);
  known.current ??= data?._meta.cluster;
  return known.current;
};
