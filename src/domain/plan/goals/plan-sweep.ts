// Plans how to use idle lamports in stake accounts: withdraw them, create a new stake, or add them to an
// activating one.
import type { Address } from '@solana/kit';
import { mergeClassOf, sameOwnership } from '../../machine/merge-class.ts';
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import type { DraftOrRefusal, PlanInputs } from '../plan.ts';
import { byStake, freeLamports, isLocked, newStake, ownAccounts, withdrawPart } from '../plan-accounts.ts';

/** Destination of the idle lamports. */
export type SweepGoal =
  | { readonly to: 'wallet' }
  /** `account` defaults to the largest activating stake. */
  | { readonly to: 'activating'; readonly account?: Address }
  /** Additional amount from the wallet. */
  | { readonly to: 'stake'; readonly addedLamports: bigint };

/** Returns false for dust, which costs more to collect than it is worth. */
const isWorthItsFee = (account: StakeAccount, world: PlanInputs): boolean =>
  freeLamports(account, world) > world.signatureFeeLamports;

const idleAccounts = (world: PlanInputs): readonly StakeAccount[] =>
  world.accounts.filter(
    (one) =>
      one.withdrawAuthority === world.wallet &&
      mergeClassOf(one, world.chain) !== 'inactive' &&
      isWorthItsFee(one, world),
  );

/**
 * Plans the sweep of every account whose idle lamports exceed the fee and can be moved to this destination.
 */
export const planSweep = (goal: SweepGoal, world: PlanInputs): DraftOrRefusal => {
  if (goal.to === 'activating') return intoActivating(goal.account, world);
  const idle = idleAccounts(world).filter((one) => !isLocked(one, world));
  const steps = idle.map((one) => [withdrawPart(one, freeLamports(one, world), world)]);
  return goal.to === 'wallet' ? { steps } : intoNewStake(steps, goal.addedLamports, world);
};

const intoNewStake = (
  withdrawals: readonly (readonly Extract<MachineOperation, { type: 'withdraw' }>[])[],
  addedLamports: bigint,
  world: PlanInputs,
): DraftOrRefusal => {
  const { chain } = world;
  if (withdrawals.length === 0) return { steps: [] };
  const lamports = withdrawals.flat().reduce((sum, one) => sum + one.lamports, addedLamports);
  const missingLamports = chain.minimumDelegationLamports + chain.stakeRentLamports - lamports;
  if (missingLamports > 0n) return { refusal: { why: 'BELOW_MINIMUM', missingLamports } };
  return { steps: [...withdrawals, newStake(world.newAddress(0), lamports, world)] };
};

/**
 * Plans moving idle lamports into an activating stake. Locked accounts can take part, because nothing is
 * withdrawn. The target's own idle lamports are staked too.
 */
const intoActivating = (account: Address | undefined, world: PlanInputs): DraftOrRefusal => {
  const { chain, wallet, voteAccount } = world;
  const own = ownAccounts(world);
  const target = own
    .filter(
      (one) =>
        (account === undefined || one.address === account) &&
        mergeClassOf(one, chain) === 'activating' &&
        one.delegation!.voteAccount === voteAccount &&
        one.lamports - chain.stakeRentLamports >= chain.minimumDelegationLamports,
    )
    .sort(byStake)[0];
  if (target === undefined) return { refusal: { why: 'NOT_ACTIVATING' } };
  const sources = own.filter(
    (one) =>
      mergeClassOf(one, chain) === 'active' && isWorthItsFee(one, world) && sameOwnership(one, target, chain),
  );
  if (sources.length === 0 && !isWorthItsFee(target, world)) return { steps: [] };
  return {
    steps: [
      ...sources.map((one): MachineOperation[] => [
        {
          type: 'moveLamports',
          account: one.address,
          into: target.address,
          lamports: freeLamports(one, world),
          authority: wallet,
        },
      ]),
      [
        {
          type: 'delegate',
          account: target.address,
          voteAccount,
          authority: wallet,
        },
      ],
    ],
  };
};
