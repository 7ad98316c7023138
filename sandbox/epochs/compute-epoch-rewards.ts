// Computes the effects of an epoch boundary on every stake account without accessing the chain: history
// entry, rewards, tips.

import type { RuntimeAccount } from '../runtime-client.ts';
import { type Delegation, readDelegation } from './delegation-bytes.ts';
import type { StakeHistoryEntry } from './encode-sysvars.ts';
import { activationAt } from './replay-activation.ts';
import { type EpochCredits, readVoteState, totalCredits } from './vote-account.ts';

type Lookup = (epoch: bigint) => StakeHistoryEntry | undefined;

/** A stake account with its delegation. */
type DelegatedAccount = RuntimeAccount & { readonly delegation: Delegation };

/**
 * Payment to one stake account at a boundary, in lamports. A stake activated in this epoch receives nothing,
 * but its `creditsObserved` still advances.
 */
export type StakeReward = {
  readonly account: DelegatedAccount;
  readonly rewardLamports: bigint;
  readonly commissionLamports: bigint;
  readonly commissionBps: number;
  readonly creditsObserved: bigint;
};

export function delegatedAccounts(accounts: readonly RuntimeAccount[]): DelegatedAccount[] {
  return accounts.flatMap((account) => {
    const delegation = readDelegation(account.data);
    return delegation === null ? [] : [{ ...account, delegation }];
  });
}

/**
 * Returns the cluster's totals at `epoch`: every delegation plus `restLamports`, the constant effective stake of
 * the rest of the cluster.
 */
export function historyEntry(
  accounts: readonly DelegatedAccount[],
  epoch: bigint,
  history: Lookup,
  restLamports: bigint,
): StakeHistoryEntry {
  let effective = restLamports;
  let activating = 0n;
  let deactivating = 0n;
  for (const { delegation } of accounts) {
    const status = activationAt(delegation, epoch, history);
    effective += status.effective;
    activating += status.activating;
    deactivating += status.deactivating;
  }
  return { epoch, effective, activating, deactivating };
}

function pointsOf(delegation: Delegation, credits: readonly EpochCredits[], history: Lookup): bigint {
  let points = 0n;
  for (const { epoch, credits: final, previousCredits: initial } of credits) {
    const observed = delegation.creditsObserved;
    const earned = observed < initial ? final - initial : observed < final ? final - observed : 0n;
    if (earned > 0n) points += activationAt(delegation, epoch, history).effective * earned;
  }
  return points;
}

/**
 * Computes the rewards of `epoch`. A stake that observed all credits of the epoch earns `ratePpb` billionths of
 * its amount, and one with fewer credits earns proportionally less. A stake activated in `epoch` earns nothing,
 * but its observed credits advance.
 */
export function stakeRewards(input: {
  accounts: readonly DelegatedAccount[];
  voteAccounts: readonly RuntimeAccount[];
  epoch: bigint;
  history: Lookup;
  ratePpb: bigint;
  creditsPerEpoch: bigint;
}): { rewards: StakeReward[]; totalPoints: bigint } {
  const votes = new Map(input.voteAccounts.map((account) => [account.address, readVoteState(account.data)]));
  let totalPoints = 0n;
  const rewards = input.accounts.flatMap((account): StakeReward[] => {
    const { delegation } = account;
    const vote = votes.get(delegation.voter);
    if (vote === null || vote === undefined) return [];
    const credits = totalCredits(vote);
    const unpaid = {
      account,
      rewardLamports: 0n,
      commissionLamports: 0n,
      commissionBps: 0,
      creditsObserved: credits,
    };
    if (delegation.activationEpoch === input.epoch)
      return credits === delegation.creditsObserved ? [] : [unpaid];
    const points = pointsOf(delegation, vote.epochCredits, input.history);
    totalPoints += points;
    const earned = (points * input.ratePpb) / (1_000_000_000n * input.creditsPerEpoch);
    if (earned === 0n) return [];
    const commissionLamports = (earned * BigInt(vote.commissionBps)) / 10_000n;
    return [
      {
        ...unpaid,
        rewardLamports: earned - commissionLamports,
        commissionLamports,
        commissionBps: vote.commissionBps,
      },
    ];
  });
  return { rewards, totalPoints };
}
