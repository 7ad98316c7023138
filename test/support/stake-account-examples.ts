// Complete, plausible stake accounts and cluster states. A test sets only the fields under test.
import type { Address } from '@solana/kit';
import { type Delegation, EPOCH_ABSENT, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import type { StakeHistory, StakeHistoryEntry } from '../../src/domain/stake/stake-history.ts';
import type { StakeChainFacts } from '../../src/domain/stake/stake-state.ts';

export const SOL = 1_000_000_000n;
export const RENT = 2_282_880n;
export const NOBODY = '11111111111111111111111111111111' as Address;
export const OWNER = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5' as Address;
export const STAKER = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' as Address;
export const CUSTODIAN = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
export const VOTE_ACCOUNT = 'CertusDeBmqN8ZawdkxK5kFGMwBXdudvWHYwtNgNhvLu' as Address;
export const STAKE_ADDRESS = '8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh' as Address;

/**
 * Returns an account with 100 SOL and the rent-exempt minimum, delegated in epoch 10, with `OWNER` as both
 * authorities, except for the overrides.
 */
export const delegatedStake = (
  overrides: Partial<Omit<StakeAccount, 'delegation' | 'kind'>> & {
    readonly delegation?: Partial<Delegation>;
  } = {},
): StakeAccount => ({
  address: STAKE_ADDRESS,
  lamports: 100n * SOL + RENT,
  stakeAuthority: OWNER,
  withdrawAuthority: OWNER,
  lockup: { unixTimestamp: 0n, epoch: 0n, custodian: NOBODY },
  ...overrides,
  kind: 'delegated',
  delegation: {
    voteAccount: VOTE_ACCOUNT,
    stakeLamports: 100n * SOL,
    activationEpoch: 10n,
    deactivationEpoch: EPOCH_ABSENT,
    creditsObserved: 0n,
    ...overrides.delegation,
  },
});

/** Returns an account with 100 SOL and the rent that is only initialized. */
export const initializedStake = (
  overrides: Partial<Omit<StakeAccount, 'delegation' | 'kind'>> = {},
): StakeAccount => ({ ...delegatedStake(overrides), kind: 'initialized', delegation: null });

/**
 * Returns a history with the same entry for every epoch from `from` up to but not including `until`, by default
 * with 400 million SOL and little movement.
 */
export const steadyHistory = (
  from: bigint,
  until: bigint,
  entry: StakeHistoryEntry = {
    effectiveLamports: 400_000_000n * SOL,
    activatingLamports: 1_000_000n * SOL,
    deactivatingLamports: 1_000_000n * SOL,
  },
): StakeHistory => {
  const history = new Map<bigint, StakeHistoryEntry>();
  for (let epoch = from; epoch < until; epoch += 1n) history.set(epoch, entry);
  return history;
};

/** Returns the cluster in epoch 20 with a steady history since epoch 0, except for the overrides. */
export const chainFacts = (overrides: Partial<StakeChainFacts> = {}): StakeChainFacts => ({
  epoch: 20n,
  history: steadyHistory(0n, overrides.epoch ?? 20n),
  stakeRentLamports: RENT,
  unixTimestamp: 1_700_000_000n,
  epochRewardsActive: false,
  ...overrides,
});
