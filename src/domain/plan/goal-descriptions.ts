// Describes the goals of a stake change for tools and documentation. The page has its own texts.
import type { GoalName } from './plan-goals.ts';

/** Purpose of each goal, for the person or agent who chooses. */
export const goalDescriptions: Readonly<Record<GoalName, string>> = {
  unstake:
    'Deactivates exactly amountSol of active stake, from as many accounts as needed, in addition to stake already deactivating.',
  'withdraw-amount':
    'Brings a total of amountSol into the wallet as soon as possible: first withdrawable SOL, then stake that never became active, then deactivating stake, and deactivates only the rest. Rent of accounts that close arrives in addition.',
  undo: 'Reverts deactivations of this epoch before the boundary makes them final; all of them, or exactly amountSol.',
  restake: 'Delegates inactive stake again; accounts with the same owner become one stake.',
  'top-up':
    'Adds amountSol from the wallet to a stake that is still activating. Less than the minimum stake is added through a new account, which keeps its rent until withdraw-all closes it.',
  tidy: 'Merges stake accounts that the Stake program can merge; the rent of the closed ones is returned.',
  sweep:
    'Moves idle SOL from staked accounts to the wallet, into a new stake, or into an activating one. Leaves amounts that do not exceed the fee.',
  migrate:
    'Moves stake here from other validators: active stake is deactivated first and delegated here in a later epoch.',
  rescue: 'Makes the wallet the stake authority again for every stake that it may withdraw.',
  'withdraw-all': 'Withdraws every inactive account in full and closes it.',
};
