// Says why a goal finds nothing to do in a wallet, and what to do next.
import type { Plan, PlanWorld } from '../../domain/plan/plan.ts';
import type { GoalName } from '../../domain/plan/plan-goals.ts';
import { AppError } from '../../kernel/app-error.ts';

/** One call that signs with the caller's key, or a transaction that the caller signs. */
type Use = 'one-shot' | 'builder';

interface Words {
  readonly why: string;
  readonly next: (wallet: string, builder: (path: string) => string) => string;
}

const accounts = (wallet: string): string =>
  `GET /api/v1/stake/accounts/${wallet} shows the state of each stake account.`;
const newStake: Words['next'] = (_wallet, builder) =>
  `To make a new stake: POST ${builder('/api/v1/stake')}.`;

const words: Readonly<Record<GoalName, Words>> = {
  unstake: { why: 'The wallet has no stake to unstake for this.', next: accounts },
  'withdraw-amount': {
    why: 'Stake that is deactivating already covers this amount.',
    next: (wallet) => `GET /api/v1/stake/accounts/${wallet}/withdraw-ready says when it can be withdrawn.`,
  },
  undo: { why: 'The wallet has no deactivation to undo.', next: accounts },
  restake: { why: 'The wallet has no inactive stake to delegate again.', next: newStake },
  'top-up': { why: 'The wallet has no stake to add to.', next: newStake },
  tidy: { why: 'The wallet has no stake accounts that can be merged.', next: accounts },
  sweep: { why: 'No stake account of the wallet holds idle SOL.', next: accounts },
  migrate: { why: 'The wallet has no stake with another validator to bring here.', next: newStake },
  rescue: { why: 'The wallet is the stake authority of all its stakes already.', next: accounts },
  'withdraw-all': {
    why: 'Nothing is ready to withdraw.',
    next: (_wallet, builder) => `Unstake first: POST ${builder('/api/v1/unstake')}.`,
  },
};

/** An account that is left as it is, as answers show it. */
export const blockedView = ({ account, reason, possibleFromEpoch }: Plan['blocked'][number]) => ({
  stakeAccountAddress: account,
  reason,
  possibleFromEpoch: possibleFromEpoch === null ? null : Number(possibleFromEpoch),
});

/** The refusal. Where waiting helps, it names the first epoch in which an account can take part. */
export const nothingToDo = (
  { goal, use = 'builder' }: { readonly goal: GoalName; readonly use?: Use | undefined },
  blocked: Plan['blocked'],
  { wallet }: Pick<PlanWorld, 'wallet'>,
): AppError => {
  const { why, next } = words[goal];
  const [first] = blocked
    .flatMap(({ possibleFromEpoch }) => possibleFromEpoch ?? [])
    .toSorted((a, b) => Number(a - b));
  const builder = (path: string): string => (use === 'one-shot' ? path : `${path}/transaction`);
  return new AppError('NOTHING_TO_DO', why, {
    suggestedAction:
      first === undefined
        ? next(wallet, builder)
        : `Try again from epoch ${first} on; GET /api/v1/epoch says when the next epoch begins.`,
    body: { blocked: blocked.map(blockedView) },
  });
};
