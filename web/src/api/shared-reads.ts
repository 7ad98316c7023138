// Reads shared by several views, each with one key and one maximum age. The rate limit of 100 a minute
// applies to the whole page.
import type { SimulateStakeInput } from '../../../client/generated/stake-operations.ts';
import type { ValidatorProfileAnswer } from '../../../client/generated/validator-operations.ts';
import { createStore, useStore } from '../state/create-store.ts';
import { api } from './holdfast.ts';
import { CLUSTER_KEY } from './service-connection.ts';
import { peek, type Resource, refresh, useResource } from './use-resource.ts';
import { contradicts, type Noticed, validatorSentences } from './validator-notices.ts';

const SECOND = 1_000;

/** Key prefix of everything about wallets, for `refresh`. */
export const WALLET_KEYS = 'wallet/';

/** Reads the position in the epoch every `seconds`, with the cluster's name in `_meta.cluster`. */
export const useEpoch = (seconds = 15) =>
  useResource(CLUSTER_KEY, (signal) => api.epoch({}, { signal }), seconds * SECOND);

/** Key prefix of everything about the validator that changes during or after an epoch. */
export const VALIDATOR_KEYS = 'validator/';

export const PROFILE_KEY = `${VALIDATOR_KEYS}profile`;

/** The last response with notices; undefined before the first one. */
export const lastNoticed = createStore<Noticed | undefined>(undefined);

/** Records the notices of a response. News about the validator refresh its figures. */
const noteNotices = <Answer extends Noticed>(answer: Answer): Answer => {
  const isNews = validatorSentences(answer.notices) !== validatorSentences(lastNoticed.get()?.notices);
  lastNoticed.set(answer);
  if (isNews) refresh(VALIDATOR_KEYS);
  return answer;
};

/**
 * Reads the validator with APY and performance. Figures that contradict a notice are withheld, as if they were
 * loading, and soon read again.
 */
export const useValidator = (): Resource<ValidatorProfileAnswer> => {
  const noticed = useStore(lastNoticed);
  const known = peek<ValidatorProfileAnswer>(PROFILE_KEY);
  const isOutdated = known !== undefined && noticed !== undefined && contradicts(known, noticed);
  const resource = useResource(
    PROFILE_KEY,
    (signal) => api.validatorProfile({}, { signal }),
    (isOutdated ? 5 : 120) * SECOND,
  );
  return isOutdated
    ? { ...resource, data: undefined, stale: false, pending: resource.error === undefined }
    : resource;
};

/** Returns the notices about the validator as text; empty without any. */
export const useValidatorSentences = (): string => {
  const noticed = useStore(lastNoticed);
  const { data } = useValidator();
  return validatorSentences([...(noticed?.notices ?? []), ...(data?.apy.notices ?? [])]);
};

/** Reads the wallet's balance and the staking limits. */
export const useBalance = (walletAddress: string | null) =>
  useResource(
    walletAddress && `${WALLET_KEYS}${walletAddress}/balance`,
    (signal) => api.balance({ walletAddress: walletAddress! }, { signal }),
    30 * SECOND,
  );

/** Key of everything about the wallet's stakes. */
export const summaryKey = (walletAddress: string): string => `${WALLET_KEYS}${walletAddress}/summary`;

export const readSummary = async (walletAddress: string, signal: AbortSignal) =>
  noteNotices(await api.stakingSummary({ walletAddress }, { signal }));

/** Reads everything about the wallet's stakes, every `seconds`. */
export const useSummary = (walletAddress: string | null, seconds = 30) =>
  useResource(
    walletAddress && summaryKey(walletAddress),
    (signal) => readSummary(walletAddress!, signal),
    seconds * SECOND,
  );

/** Reads the memo that the verifier expects, and what the service reports about its code. */
export const useCodeIntegrity = () =>
  useResource('verify/code', (signal) => api.codeIntegrity({}, { signal }));

/** Reads the projected rewards of a stake. */
export const readProjection = async (input: SimulateStakeInput, signal: AbortSignal) =>
  noteNotices(await api.simulateStake(input, { signal }));
