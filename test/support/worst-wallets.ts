// Wallets that make planning as expensive as possible: sizes whose sums all differ, states that cannot be
// merged, and ranges of a few lamports.
import type { Address } from '@solana/kit';
import type { PlanInputs } from '../../src/domain/plan/plan.ts';
import type { PlanGoal } from '../../src/domain/plan/plan-for-goal.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { seededRandom } from './seeded-random.ts';
import {
  chainFacts,
  delegatedStake,
  initializedStake,
  NOBODY,
  OWNER,
  RENT,
  SOL,
  VOTE_ACCOUNT,
} from './stake-account-examples.ts';

const addressOf = (tag: number): Address => {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, tag);
  return encodeBase58(bytes) as Address;
};
const OTHER_VOTE = addressOf(999_999);
const EPOCH = 20n;

type Random = () => number;

/** Functions that return an account's stake in lamports by its index. */
const SIZES: Readonly<Record<string, (index: number, random: Random) => bigint>> = {
  // All sums differ, and two accounts turn all of them into ranges of two lamports.
  powers: (index) =>
    SOL + (index === 0 ? 1n : (1n << BigInt(index % 29)) * BigInt(1 + Math.floor(index / 29) * 2)),
  // Each account can be split, but only within a narrow range.
  narrow: (index) => 2n * SOL + (1n << BigInt(index % 29)) * BigInt(1 + Math.floor(index / 29) * 2),
  equal: () => 3n * SOL,
  small: (_index, random) => SOL + BigInt(Math.floor(random() * 1e9)),
  wide: (_index, random) => SOL + BigInt(Math.floor(random() ** 4 * 1e12)),
};

/** Functions that return an account's state by its index. */
const STATES: Readonly<Record<string, (index: number, random: Random) => Partial<StakeAccount> | null>> = {
  active: () => ({}),
  // Accounts with different lockups never merge, so each is a separate source.
  apart: (index) => ({
    lockup: { unixTimestamp: 1n, epoch: BigInt(index % 20), custodian: addressOf(index) },
  }),
  activating: () => ({}),
  undelegated: () => null,
  deactivated: () => ({}),
  mixed: (index, random) => ({
    lockup: {
      unixTimestamp: random() < 0.5 ? 0n : 1n,
      epoch: 0n,
      custodian: random() < 0.5 ? NOBODY : addressOf(index),
    },
  }),
};

const epochsOf = (state: string, random: Random): { activationEpoch: bigint; deactivationEpoch: bigint } => {
  const pick = state === 'mixed' ? ['active', 'activating', 'deactivated'][Math.floor(random() * 3)]! : state;
  return {
    activationEpoch: pick === 'activating' ? EPOCH : 3n,
    deactivationEpoch: pick === 'deactivated' ? EPOCH : EPOCH_ABSENT,
  };
};

/** A wallet that an attacker can create for the price of its stakes. */
export interface WorstWallet {
  readonly name: string;
  readonly world: PlanInputs;
}

/** Returns all families of wallets with `accounts` stakes each. The same seed gives the same families. */
export const worstWallets = (accounts: number, seed: number): readonly WorstWallet[] =>
  Object.entries(SIZES).flatMap(([size, lamportsOf]) =>
    Object.entries(STATES).flatMap(([state, overridesOf]) =>
      [10n ** 12n, RENT + 20_000n].map((walletLamports): WorstWallet => {
        const random = seededRandom(seed);
        const stakes = Array.from({ length: accounts }, (_, index) => {
          const stakeLamports = lamportsOf(index, random);
          const address = addressOf(index + 1);
          const overrides = overridesOf(index, random);
          if (overrides === null) return initializedStake({ address, lamports: stakeLamports });
          const voteAccount = state === 'mixed' && random() < 0.2 ? OTHER_VOTE : VOTE_ACCOUNT;
          const { lockup } = { ...initializedStake(), ...overrides };
          const idle = random() < 0.3 ? BigInt(index) + 1n : 0n;
          return delegatedStake({
            address,
            lockup,
            lamports: stakeLamports + RENT + idle,
            delegation: { stakeLamports, voteAccount, ...epochsOf(state, random) },
          });
        });
        return {
          name: `${accounts} ${size} ${state} ${walletLamports}`,
          world: {
            wallet: OWNER,
            walletLamports,
            accounts: stakes,
            voteAccount: VOTE_ACCOUNT,
            chain: {
              ...chainFacts({ epoch: EPOCH }),
              minimumDelegationLamports: SOL,
              voteCredits: new Map([
                [VOTE_ACCOUNT, 7n],
                [OTHER_VOTE, 9n],
              ]),
            },
            newAddress: (index) => addressOf(1_000_000 + index),
            signatureFeeLamports: 5_000n,
            memoBytes: 11,
          },
        };
      }),
    ),
  );

/** Returns every goal, with amounts that need many accounts. */
export const worstGoals = ({ accounts }: PlanInputs): readonly PlanGoal[] => {
  const total = accounts.reduce((sum, { lamports }) => sum + lamports, 0n);
  const amounts = [total / 2n + 1n, total / 3n + 12_345n, 1n];
  return [
    ...amounts.flatMap((lamports): readonly PlanGoal[] => [
      { goal: 'unstake', lamports, rounding: 'exact' },
      { goal: 'unstake', lamports, rounding: 'atLeast' },
      { goal: 'withdraw-amount', lamports, rounding: 'exact' },
      { goal: 'withdraw-amount', lamports, rounding: 'atLeast' },
      { goal: 'undo', lamports },
    ]),
    { goal: 'undo' },
    { goal: 'restake' },
    { goal: 'top-up', lamports: 2n * SOL },
    { goal: 'tidy' },
    { goal: 'sweep', to: 'wallet' },
    { goal: 'sweep', to: 'stake', addedLamports: SOL },
    { goal: 'sweep', to: 'activating' },
    { goal: 'migrate' },
    { goal: 'rescue' },
    { goal: 'withdraw-all' },
  ];
};
