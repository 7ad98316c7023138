// The four Solana Actions: each is one builder of the REST interface under the words that a wallet shows.

import { kinds, type TransactionKind, transactionKinds } from '../../domain/transaction/transaction-kinds.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { createStakeTransaction } from '../../operations/stake/create-stake-transaction.ts';
import { createUnstakeTransaction } from '../../operations/stake/create-unstake-transaction.ts';
import { createWithdrawTransaction } from '../../operations/stake/create-withdraw-transaction.ts';
import { donate } from '../../operations/stake/donate.ts';

/** What a wallet shows of an action, and what carries it out. */
export interface Action {
  readonly name: TransactionKind;
  /** Builds the transaction: the very operation behind the REST builder. */
  readonly operation: AnyOperation;
  readonly title: string;
  /** That of its kind. */
  readonly description: string;
  /** Members that query or body may name besides the account, the required ones first. */
  readonly members: readonly string[];
  /** Members that the action itself decides. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Amounts offered as buttons, SOL. Those below what the cluster accepts are left out. */
  readonly presetsSol: readonly number[];
}

/** Path of every action; `{name}` is one of the table. */
export const ACTION_PATH = '/api/actions/{name}';
/** Where a client goes once an action's transaction is confirmed. */
export const ACTION_DONE_PATH = '/api/actions/{name}/done';

/** `/api/actions/stake` and so on. */
export const actionPath = (name: TransactionKind): string => ACTION_PATH.replace('{name}', name);

const table: Readonly<Record<TransactionKind, Omit<Action, 'name' | 'description'>>> = {
  stake: {
    operation: createStakeTransaction,
    title: 'Stake SOL natively',
    members: ['amountSol', 'transactionVersion', 'idempotencyKey'],
    // A wallet that follows this standard neither changes a partly signed transaction nor asks for a missing signature.
    fixed: { cosign: 'now' },
    presetsSol: [2, 5, 10],
  },
  unstake: {
    operation: createUnstakeTransaction,
    title: 'Unstake SOL',
    members: ['stakeAccountAddress', 'transactionVersion', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
  },
  withdraw: {
    operation: createWithdrawTransaction,
    title: 'Withdraw SOL',
    members: ['stakeAccountAddress', 'amountSol', 'transactionVersion', 'idempotencyKey'],
    fixed: {},
    presetsSol: [],
  },
  donate: {
    operation: donate,
    title: 'Donate SOL',
    members: ['amountSol', 'transactionVersion', 'idempotencyKey'],
    fixed: {},
    presetsSol: [0.01, 0.1, 1],
  },
};

/** In the order in which they are shown. */
export const actions: readonly Action[] = transactionKinds.map((name) => ({
  name,
  description: kinds[name].description,
  ...table[name],
}));

/** The action of this name; undefined for any other. */
export const findAction = (name: string | undefined): Action | undefined =>
  actions.find((action) => action.name === name);
