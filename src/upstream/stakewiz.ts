// StakeWiz's public API as a provider of validator statistics.
import type { NetworkStatistics } from './network-statistics.ts';
import { parsePlain } from './parse-provider-json.ts';
import { type ProviderOptions, ProviderSource } from './provider-source.ts';
import { readStakeHistory, readValidator, readValidators } from './stakewiz-entries.ts';

/**
 * Time for which each response is fresh, in ms. After that, it may be served stale for up to the same time
 * again.
 */
interface StakewizLifetimes {
  readonly validatorsMs: number;
  readonly validatorMs: number;
  readonly stakeHistoryMs: number;
}

const MIB = 1024 * 1024;

/** Base URL of the public service. */
export const STAKEWIZ_URL = 'https://api.stakewiz.com';

/** Opens the provider without sending a request. Throws `TypeError` for an invalid URL. */
export const createStakewiz = (
  options: ProviderOptions & { readonly lifetimes: StakewizLifetimes },
): NetworkStatistics => {
  const source = new ProviderSource('stakewiz', options);
  const { lifetimes, voteAccount } = options;
  return {
    validators: source.cached({
      what: 'validators',
      path: '/validators',
      // Maximum size: 2,000 validators of about 2 kB each, with eightfold headroom.
      maxBytes: 32 * MIB,
      freshMs: lifetimes.validatorsMs,
      read: (text) => readValidators(parsePlain(text)),
    }),
    validator: source.cached({
      what: 'validator',
      path: `/validator/${voteAccount}`,
      maxBytes: MIB,
      freshMs: lifetimes.validatorMs,
      read: (text) => readValidator(parsePlain(text), voteAccount),
    }),
    stakeHistory: source.cached({
      what: 'stake history',
      path: `/validator_total_stakes/${voteAccount}`,
      maxBytes: MIB,
      freshMs: lifetimes.stakeHistoryMs,
      read: (text) => readStakeHistory(parsePlain(text)),
    }),
    close: () => source.close(),
  };
};
