// Converts plans to the inputs of the effects check: the service's messages, the request for a goal, and the
// accounts from a node.
import { buildTransaction } from '../../src/chain/transactions/transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { PlanInputs } from '../../src/domain/plan/plan.ts';
import type { PlanGoal } from '../../src/domain/plan/plan-for-goal.ts';
import type { EffectsRequest, NodeFacts } from '../../src/domain/transaction/effects/check-effects.ts';
import type { MessageFacts } from '../../src/domain/transaction/stake-verifier.ts';

const MEMO = 'example.org';

/** Returns the message of one transaction with these operations. */
export const messageOf = (
  operations: readonly MachineOperation[],
  { wallet }: Pick<PlanInputs, 'wallet'>,
): MessageFacts => {
  const { feePayer, requiredSigners, instructions } = buildTransaction.rearrange({
    wallet,
    memo: MEMO,
    blockhash: wallet,
    operations,
  });
  return { feePayer, requiredSigners, instructions };
};

/** Returns a client's request for the goal. */
export const requestOfGoal = (
  goal: PlanGoal,
  { wallet, voteAccount }: Pick<PlanInputs, 'wallet' | 'voteAccount'>,
): EffectsRequest => ({
  kind: 'rearrange',
  goal: goal.goal,
  wallet,
  voteAccount,
  ...('lamports' in goal && { lamports: goal.lamports }),
  ...('addedLamports' in goal && { lamports: goal.addedLamports }),
  ...('rounding' in goal && { rounding: goal.rounding }),
  ...('to' in goal && { to: goal.to }),
  ...('accounts' in goal && { accounts: goal.accounts }),
});

/** Returns the accounts in the format of a node's response. */
export const nodeFactsOf = ({ chain, accounts, walletLamports }: PlanInputs): NodeFacts => ({
  chain,
  walletLamports,
  accounts: new Map(accounts.map((one) => [one.address, one])),
});
