// Explains why a goal changes nothing in a wallet, and what to do next.

import { describeBlocked } from '../../domain/plan/describe-plan.ts';
import type { Plan, PlanInputs } from '../../domain/plan/plan.ts';
import type { GoalName } from '../../domain/plan/plan-goals.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import { type Guidance, guidance, step } from '../../kernel/guidance.ts';

/**
 * The way in which the caller makes the change. `one-shot`: one call signs with the caller's key. `builder`:
 * the caller signs a built transaction.
 */
type Use = 'one-shot' | 'builder';

interface Words {
  readonly why: string;
  readonly next: (walletAddress: string, use: Use) => Guidance;
}

const accounts: Words['next'] = (walletAddress) =>
  guidance`${step('listStakeAccounts', { walletAddress })} shows the state of each stake account.`;
const newStake: Words['next'] = (_walletAddress, use) =>
  guidance`To make a new stake: ${step(use === 'one-shot' ? 'stake' : 'createStakeTransaction')}.`;

const words: Readonly<Record<GoalName, Words>> = {
  unstake: { why: 'The wallet has no stake that can be unstaked.', next: accounts },
  'withdraw-amount': {
    why: 'Stake that is already deactivating covers this amount.',
    next: (walletAddress) =>
      guidance`${step('withdrawReadiness', { walletAddress })} shows when it can be withdrawn.`,
  },
  undo: { why: 'The wallet has no unstake to cancel.', next: accounts },
  restake: { why: 'The wallet has no inactive stake to delegate again.', next: newStake },
  'top-up': { why: 'The wallet has no stake to add to.', next: newStake },
  tidy: { why: 'The wallet has no stake accounts that can be merged.', next: accounts },
  sweep: {
    why: 'No stake account of the wallet holds more idle SOL than it costs to collect it.',
    next: accounts,
  },
  migrate: { why: 'The wallet has no stake with another validator to move here.', next: newStake },
  rescue: { why: 'The wallet is already the stake authority of all its stakes.', next: accounts },
  'withdraw-all': {
    why: 'No stake account is ready to be withdrawn in full.',
    next: (_walletAddress, use) =>
      guidance`Unstake first: ${step(use === 'one-shot' ? 'unstake' : 'createUnstakeTransaction')}.`,
  },
};

const REASONS = {
  unstake: 'UNSTAKE',
  'withdraw-amount': 'WITHDRAW_AMOUNT',
  undo: 'UNDO',
  restake: 'RESTAKE',
  'top-up': 'TOP_UP',
  tidy: 'TIDY',
  sweep: 'SWEEP',
  migrate: 'MIGRATE',
  rescue: 'RESCUE',
  'withdraw-all': 'WITHDRAW_ALL',
} as const satisfies Readonly<Record<GoalName, ErrorReason<'NOTHING_TO_DO'>>>;

/** Creates the refusal. It states the first epoch in which an account can be used, if waiting helps. */
export const nothingToDo = (
  { goal, use = 'builder' }: { readonly goal: GoalName; readonly use?: Use | undefined },
  blocked: Plan['blocked'],
  { wallet }: Pick<PlanInputs, 'wallet'>,
): AppError => {
  const { why, next } = words[goal];
  const [first] = blocked
    .flatMap(({ possibleFromEpoch }) => possibleFromEpoch ?? [])
    .toSorted((a, b) => Number(a - b));
  return new AppError('NOTHING_TO_DO', why, {
    reason: `${REASONS[goal]}${first === undefined ? '' : '_YET'}`,
    ...(first !== undefined && { params: { epoch: Number(first) } }),
    suggestedAction:
      first === undefined
        ? next(wallet, use)
        : guidance`Try again in epoch {epoch} or later; ${step('epoch')} shows when the next epoch begins.`,
    body: { blocked: blocked.map(describeBlocked) },
  });
};
