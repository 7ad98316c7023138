// Builds what a wallet signs, by the same operation as the REST builder, and says in one text what it does.
import type { TransactionResponse } from '@solana/actions-spec';
import { formatSol } from '../../domain/lamports.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import type { Call } from '../../operations/operation.ts';
import { ACTION_DONE_PATH, type Action } from './action-table.ts';

interface Built {
  readonly transaction: string;
  readonly stakeAccountAddress?: string;
  readonly warnings: readonly string[];
  readonly epochTiming?: { readonly estimatedEpochEnd: string };
}

interface Asked {
  readonly amountSol?: bigint | null;
  readonly stakeAccountAddress?: string;
}

const TELLS: Readonly<Record<TransactionKind, (asked: Asked, built: Built) => string>> = {
  stake: ({ amountSol }, { stakeAccountAddress }) =>
    `Stakes ${formatSol(amountSol as bigint)} SOL in the new stake account ${stakeAccountAddress}, which only your wallet controls.`,
  unstake: ({ stakeAccountAddress }, { epochTiming }) =>
    `Deactivates ${stakeAccountAddress}.${epochTiming ? ` The epoch is expected to end around ${epochTiming.estimatedEpochEnd}.` : ''}`,
  withdraw: ({ stakeAccountAddress, amountSol }) =>
    amountSol == null
      ? `Withdraws everything from ${stakeAccountAddress} to your wallet and closes it.`
      : `Withdraws ${formatSol(amountSol)} SOL from ${stakeAccountAddress} to your wallet.`,
  donate: ({ amountSol }) => `Donates ${formatSol(amountSol as bigint)} SOL to this service.`,
};

/** The body of a POST. Rejects with what the operation rejects with. */
export const createActionTransaction = async (
  action: Action,
  call: Call<Record<string, unknown>>,
): Promise<TransactionResponse> => {
  const { body } = await action.operation.run(call);
  const built = body as Built;
  return {
    type: 'transaction',
    transaction: built.transaction,
    message: [TELLS[action.name](call.input as Asked, built), ...built.warnings].join(' '),
    // Relative: the standard calls it only on the origin that the wallet itself has asked.
    links: { next: { type: 'post', href: ACTION_DONE_PATH.replace('{name}', action.name) } },
  };
};
