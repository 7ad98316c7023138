// Table with one entry per transaction kind (the operation that builds it, its REST route and its Action), plus
// the Actions whose transaction comes from a plan.

import { formatSol } from '../../domain/lamports.ts';
import { usesStakeProgram } from '../../domain/transaction/kind-properties.ts';
import { kinds, type TransactionKind, transactionKinds } from '../../domain/transaction/transaction-kinds.ts';
import type { OperationName } from '../../kernel/guidance.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { createUndoTransaction } from '../../operations/plan/create-undo-transaction.ts';
import { createRestakeTransaction } from '../../operations/stake/create-restake-transaction.ts';
import { createStakeTransaction } from '../../operations/stake/create-stake-transaction.ts';
import { createUnstakeTransaction } from '../../operations/stake/create-unstake-transaction.ts';
import { createWithdrawTransaction } from '../../operations/stake/create-withdraw-transaction.ts';
import { donate } from '../../operations/stake/donate.ts';
import { goalOfWant, unstakeSentence } from '../../operations/stake/unstake-input.ts';
import type { Route } from '../pipeline/route.ts';

interface Asked {
  readonly amountSol?: bigint | null;
  readonly stakeAccountAddress?: string;
  readonly want?: keyof typeof goalOfWant;
}

export interface Built {
  readonly transaction: string;
  readonly stakeAccountAddress?: string;
  readonly warnings: readonly string[];
  readonly epochTiming?: { readonly estimatedEpochEnd: string };
  readonly plan?: { readonly amountSol?: number };
}

/** The HTTP binding of one kind of transaction. */
interface Builder {
  /** Used by both the REST route and the Action. */
  readonly operation: AnyOperation;
  readonly path: string;
  /** Related links of the route, in addition to submit. */
  readonly related: Readonly<Record<string, OperationName>>;
  readonly title: string;
  /** Fields that an Action's query or body may contain in addition to the account, required ones first. */
  readonly members: readonly string[];
  /** Fields set by the Action itself. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Amounts offered as buttons, in SOL. Amounts below the cluster's minimum are omitted. */
  readonly presetsSol: readonly number[];
  /** Sentence that the wallet shows next to the transaction. */
  readonly message: (asked: Asked, built: Built) => string;
}

/** Kinds with a builder of their own. A plan builds a `rearrange` instead. */
type BuilderKind = Exclude<TransactionKind, 'rearrange'>;

const builders: Readonly<Record<BuilderKind, Builder>> = {
  stake: {
    operation: createStakeTransaction,
    path: '/api/v1/stake/transaction',
    related: { balance: 'balance' },
    title: 'Stake SOL natively',
    members: ['amountSol', 'transactionVersion', 'priority', 'idempotencyKey'],
    // Signs the new account now, because a wallet that follows this standard neither changes a partly signed
    // transaction nor asks for a missing signature.
    fixed: { cosign: 'now' },
    presetsSol: [3, 5, 10],
    message: ({ amountSol }, { stakeAccountAddress }) =>
      `Stakes ${formatSol(amountSol as bigint)} SOL in the new stake account ${stakeAccountAddress}, which only your wallet controls.`,
  },
  unstake: {
    operation: createUnstakeTransaction,
    path: '/api/v1/unstake/transaction',
    related: { withdrawReady: 'withdrawReadiness' },
    title: 'Unstake SOL',
    members: ['stakeAccountAddress', 'transactionVersion', 'priority', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
    message: ({ stakeAccountAddress }, { epochTiming }) =>
      `Deactivates ${stakeAccountAddress}.${epochTiming ? ` The epoch is expected to end around ${epochTiming.estimatedEpochEnd}.` : ''}`,
  },
  withdraw: {
    operation: createWithdrawTransaction,
    path: '/api/v1/withdraw/transaction',
    related: { withdrawReady: 'withdrawReadiness' },
    title: 'Withdraw SOL',
    members: ['stakeAccountAddress', 'amountSol', 'transactionVersion', 'priority', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
    message: ({ stakeAccountAddress, amountSol }) =>
      amountSol == null
        ? `Withdraws everything from ${stakeAccountAddress} to your wallet and closes it.`
        : `Withdraws ${formatSol(amountSol)} SOL from ${stakeAccountAddress} to your wallet.`,
  },
  restake: {
    operation: createRestakeTransaction,
    path: '/api/v1/restake/transaction',
    related: { accounts: 'listStakeAccounts' },
    title: 'Stake SOL again',
    members: ['stakeAccountAddress', 'transactionVersion', 'priority', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
    message: ({ stakeAccountAddress }) =>
      `Delegates ${stakeAccountAddress} to the validator of this service again, with everything it holds beyond its rent.`,
  },
  donate: {
    operation: donate,
    path: '/api/v1/donate',
    related: {},
    title: 'Donate SOL',
    members: ['amountSol', 'transactionVersion', 'priority', 'idempotencyKey'],
    fixed: {},
    presetsSol: [0.01, 0.1, 1],
    message: ({ amountSol }) => `Donates ${formatSol(amountSol as bigint)} SOL to this service.`,
  },
};

/** The texts that a wallet shows for an Action, and the operation that performs it. */
export interface Action extends Omit<Builder, 'path' | 'related'> {
  readonly name: BuilderKind | PlannedAction;
  readonly description: string;
  /** The verb at the start of a button that shows an amount, e.g. `Unstake`. */
  readonly verb: string;
  /** Button text. The standard requires a leading verb and at most five words. */
  readonly label: string;
  /** True if the Stake program refuses the action while epoch rewards are being distributed. */
  readonly usesStakeProgram: boolean;
}

/** Actions whose transaction comes from a plan. */
type PlannedAction = 'unstake-amount' | 'undo';

const plannedActions: Readonly<Record<PlannedAction, Omit<Action, 'name'>>> = {
  'unstake-amount': {
    operation: createUnstakeTransaction,
    title: 'Unstake an amount',
    description:
      'Takes exactly this amount from your stakes, using as many accounts as needed. You can withdraw it once it is inactive, usually when the epoch ends.',
    verb: 'Unstake',
    label: 'Unstake an amount',
    members: ['amountSol', 'want', 'rounding', 'transactionVersion', 'priority', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
    usesStakeProgram: true,
    message: ({ amountSol, want = 'unstake' }, { epochTiming, plan }) =>
      // `JSON.stringify` prints any amount of SOL exactly.
      `${unstakeSentence(goalOfWant[want], plan === undefined ? formatSol(amountSol as bigint) : JSON.stringify(plan.amountSol)).text}${epochTiming ? ` The epoch is expected to end around ${epochTiming.estimatedEpochEnd}.` : ''}`,
  },
  undo: {
    operation: createUndoTransaction,
    title: 'Undo an unstake',
    description: 'Cancels an unstake of this epoch without losing rewards. Possible until the epoch ends.',
    verb: 'Undo unstake',
    label: 'Undo unstake',
    members: ['amountSol', 'transactionVersion', 'priority', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
    usesStakeProgram: true,
    message: ({ amountSol }) =>
      amountSol == null
        ? 'Cancels every unstake of this epoch.'
        : `Cancels the unstake of ${formatSol(amountSol)} SOL in this epoch.`,
  },
};

const builderKinds = transactionKinds.filter((kind): kind is BuilderKind => kind !== 'rearrange');

/** Actions in display order. */
export const actions: readonly Action[] = [
  ...builderKinds.map((name) => {
    const { description, verb, moves } = kinds[name];
    return {
      name,
      description,
      verb,
      label: moves === null ? verb : `${verb} SOL`,
      usesStakeProgram: usesStakeProgram(name),
      ...builders[name],
    };
  }),
  ...Object.entries(plannedActions).map(([name, action]) => ({ name: name as PlannedAction, ...action })),
];

export const findAction = (name: string | undefined): Action | undefined =>
  actions.find((action) => action.name === name);

/** Path of every Action; `{name}` is the Action's name. */
export const ACTION_PATH = '/api/actions/{name}';
/** Path that a client calls after the transaction of an Action has been confirmed. */
export const ACTION_DONE_PATH = '/api/actions/{name}/done';

/** Returns the path of an Action, e.g. `/api/actions/stake`. */
export const actionPath = (name: Action['name']): string => ACTION_PATH.replace('{name}', name);

export const SUBMIT_PATH = '/api/v1/transaction/submit';

/** The REST routes that build a transaction. */
export const builderRoutes: readonly Route[] = builderKinds.map((kind) => {
  const { operation, path, related } = builders[kind];
  return {
    operation,
    method: 'POST',
    path,
    browsers: 'public',
    tag: 'Transactions',
    related: { submit: 'submitTransaction', ...related },
  };
});
