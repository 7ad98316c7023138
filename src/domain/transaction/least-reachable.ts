// Finds the smallest amount, at or above the requested one, that can be unstaked from the accounts that a node shows.
import type { Address } from '@solana/kit';
import { planStakeChange } from '../plan/plan-stake-change.ts';
import type { EffectsRequest, NodeFacts } from './approval-effects.ts';
import { LAMPORTS_PER_SIGNATURE } from './instruction-fees.ts';

/** Runs the planner on the named accounts, or on those that are not at another validator. Returns the requested amount if possible, and 0 if no amount at or above it is. */
export const leastReachableLamports = (
  { wallet, voteAccount, goal, lamports = 0n, accounts: named }: EffectsRequest,
  { chain, accounts, walletLamports }: NodeFacts,
): bigint => {
  const own = [...accounts.values()].filter(
    (one) =>
      one !== null &&
      (named?.includes(one.address) ??
        (one.delegation === null || one.delegation.voteAccount === voteAccount)),
  );
  const result = planStakeChange(
    { goal: goal === 'withdraw-amount' ? 'withdraw-amount' : 'unstake', lamports, rounding: 'exact' },
    {
      wallet,
      walletLamports,
      chain,
      voteAccount,
      accounts: own.filter((one) => one !== null),
      newAddress: (index) => `new-${index}` as Address,
      signatureFeeLamports: LAMPORTS_PER_SIGNATURE,
      priorityFeeLamports: 0n,
      memoBytes: 0,
    },
  );
  if (result.ok) return lamports;
  return result.refusal.why === 'AMOUNT_NOT_REACHABLE' ? (result.refusal.nearestAboveLamports ?? 0n) : 0n;
};
