// The four Solana Actions: each is one builder of the REST interface under the words that a wallet shows.

import type { AnyOperation } from '../../operations/operation.ts';
import { createStakeTransaction } from '../../operations/stake/create-stake-transaction.ts';
import { createUnstakeTransaction } from '../../operations/stake/create-unstake-transaction.ts';
import { createWithdrawTransaction } from '../../operations/stake/create-withdraw-transaction.ts';
import { donate } from '../../operations/stake/donate.ts';

/** Name of an action, the last part of its path. */
export type ActionName = 'stake' | 'unstake' | 'withdraw' | 'donate';

/** What a wallet shows of an action, and what carries it out. */
export interface Action {
  readonly name: ActionName;
  /** Builds the transaction: the very operation behind the REST builder. */
  readonly operation: AnyOperation;
  readonly title: string;
  readonly description: string;
  /** Text of the button: a verb first, at most five words, as the standard asks. */
  readonly label: string;
  /** Members that query or body may name besides the account, the required ones first. */
  readonly members: readonly string[];
  /** Members that the action itself decides. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Amounts offered as buttons, SOL. Those below what the cluster accepts are left out. */
  readonly presetsSol: readonly number[];
  /** The Stake program refuses it while rewards are distributed. */
  readonly usesStakeProgram: boolean;
  /** What follows once it is confirmed. */
  readonly afterwards: string;
}

/** Path of every action; `{name}` is one of the table. */
export const ACTION_PATH = '/api/actions/{name}';
/** Where a client goes once an action's transaction is confirmed. */
export const ACTION_DONE_PATH = '/api/actions/{name}/done';

/** `/api/actions/stake` and so on. */
export const actionPath = (name: ActionName): string => ACTION_PATH.replace('{name}', name);

/** In the order in which they are shown. */
export const actions: readonly Action[] = [
  {
    name: 'stake',
    operation: createStakeTransaction,
    title: 'Stake SOL natively',
    description:
      'Puts SOL from your wallet into a new stake account and delegates it to the validator of this service. Your wallet alone may unstake and withdraw it; no derivative token is issued.',
    label: 'Stake SOL',
    members: ['amountSol', 'idempotencyKey'],
    // A wallet that follows this standard neither changes a partly signed transaction nor asks for a missing signature.
    fixed: { cosign: 'now' },
    presetsSol: [2, 5, 10],
    usesStakeProgram: true,
    afterwards: 'The stake warms up from the next epoch boundary on and earns from when it is effective.',
  },
  {
    name: 'unstake',
    operation: createUnstakeTransaction,
    title: 'Unstake SOL',
    description:
      'Deactivates one of your stake accounts. It cools down, usually until the next epoch boundary; then it can be withdrawn.',
    label: 'Unstake',
    members: ['stakeAccountAddress', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
    usesStakeProgram: true,
    afterwards: 'The stake cools down; withdraw it once that is over.',
  },
  {
    name: 'withdraw',
    operation: createWithdrawTransaction,
    title: 'Withdraw SOL',
    description:
      'Returns SOL from one of your stake accounts to your wallet. Without an amount it takes all of it, which closes the account.',
    label: 'Withdraw SOL',
    members: ['stakeAccountAddress', 'amountSol', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
    usesStakeProgram: true,
    afterwards: 'The SOL is in your wallet.',
  },
  {
    name: 'donate',
    operation: donate,
    title: 'Donate SOL',
    description: 'Sends SOL to the donation address of this service. Nothing here depends on a donation.',
    label: 'Donate SOL',
    members: ['amountSol', 'idempotencyKey'],
    fixed: {},
    presetsSol: [0.01, 0.1, 1],
    usesStakeProgram: false,
    afterwards: 'Thank you.',
  },
];

/** The action of this name; undefined for any other. */
export const findAction = (name: string | undefined): Action | undefined =>
  actions.find((action) => action.name === name);
