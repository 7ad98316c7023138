// Builds what a wallet signs, by the same operation as the REST builder, and says in one text what it does.
import type { TransactionResponse } from '@solana/actions-spec';
import type { Call } from '../../operations/operation.ts';
import { ACTION_DONE_PATH, type Action, type Built } from '../builders.ts';

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
    message: [action.message(call.input, built), ...built.warnings].join(' '),
    // Relative: the standard calls it only on the origin that the wallet itself has asked.
    links: { next: { type: 'post', href: ACTION_DONE_PATH.replace('{name}', action.name) } },
  };
};
