// Describes a plan for programs: every account before and after, the wallet's balance over time, and costs.
import { type EpochPositionLike, epochStartBounds } from '../epoch-clock.ts';
import { solNumber } from '../lamports.ts';
import type { MachineAccount, MachineChain } from '../machine/stake-machine-state.ts';
import { assessStake } from '../stake/stake-state.ts';
import type { Plan } from './plan.ts';

export const describeBlocked = ({ account, reason, possibleFromEpoch }: Plan['blocked'][number]) => ({
  stakeAccountAddress: account,
  reason,
  possibleFromEpoch: possibleFromEpoch === null ? null : Number(possibleFromEpoch),
});

const describeAccount = (account: MachineAccount | undefined, chain: MachineChain) =>
  account === undefined || !('withdrawAuthority' in account)
    ? null
    : {
        state: assessStake(account, chain).state,
        sol: solNumber(account.lamports),
        stakedSol: solNumber(account.delegation?.stakeLamports ?? 0n),
        stakeAuthority: account.stakeAuthority as string,
      };

/** Chain data that the description needs in addition to the plan. */
export interface PlanMoment {
  readonly chain: MachineChain;
  readonly position: EpochPositionLike;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Rewards lost because of the plan; null if unknown. */
  readonly forgoneSol: number | null;
}

export const describePlan = (plan: Plan, { chain, position, nowMs, forgoneSol }: PlanMoment) => {
  const before = new Map(plan.accountsBefore.map((one) => [one.address, one]));
  const after = new Map(plan.accountsAfter.map((one) => [one.address, one]));
  return {
    accounts: [...new Set([...before.keys(), ...after.keys()])].map((address) => {
      const shown = after.get(address) ?? before.get(address)!;
      return {
        stakeAccountAddress: address as string,
        voteAccount: ('delegation' in shown && shown.delegation?.voteAccount) || null,
        before: describeAccount(before.get(address), chain),
        after: describeAccount(after.get(address), chain),
      };
    }),
    wallet: {
      beforeSol: solNumber(plan.wallet.beforeLamports),
      afterSol: solNumber(plan.wallet.afterLamports),
      later: plan.wallet.later.map(({ account, lamports, epoch }) => {
        const { at, earliest, latest } = epochStartBounds(position, epoch, nowMs);
        return {
          stakeAccountAddress: account as string,
          sol: solNumber(lamports),
          epoch: Number(epoch),
          estimatedAt: at,
          earliestAt: earliest,
          latestAt: latest,
        };
      }),
    },
    cost: {
      feesSol: solNumber(plan.cost.feesLamports),
      rentLockedSol: solNumber(plan.cost.rentLockedLamports),
      forgoneSol,
    },
    ...(plan.amountLamports !== null && { amountSol: solNumber(plan.amountLamports) }),
    cancelsActivationOf: [...plan.cancelsActivationOf] as string[],
    laterSteps: plan.laterSteps.map(({ account, action, epoch }) => ({
      stakeAccountAddress: account as string,
      action,
      epoch: Number(epoch),
    })),
    blocked: plan.blocked.map(describeBlocked),
  };
};
