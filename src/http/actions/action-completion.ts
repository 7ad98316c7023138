// Completes an Action based on the chain's record of its transaction.
import type { CompletedAction, NextAction } from '@solana/actions-spec';
import type { Signature } from '@solana/kit';
import type { z } from 'zod';
import { parseInput } from '../../adapter/validation-issues.ts';
import { AppError, isAppError, validationError } from '../../kernel/app-error.ts';
import { textOf } from '../../kernel/sentence.ts';
import type { Call } from '../../operations/operation.ts';
import { currentConfirmation } from '../../operations/transaction/current-confirmation.ts';
import { recordFromChain } from '../../operations/transaction/record-from-chain.ts';
import { transactionState } from '../../operations/transaction/transaction-state.ts';
import type { Action } from '../routes/transaction-builders.ts';
import { actionTexts, createActionCard } from './action-card.ts';

type Around = Omit<Call<unknown>, 'input'>;
type Face = ReturnType<typeof actionTexts>;
type State = z.input<typeof transactionState.output>;

// Number of attempts to read the state, because our node may be a few slots behind the wallet's node.
const TRIES = 3;
const BETWEEN_TRIES_MS = 400;

const readState = async (call: Call<{ signature: string }>): Promise<State | null> => {
  try {
    return (await transactionState.run(call)).body;
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND')) return null;
    throw error;
  }
};

const settledState = async (call: Call<{ signature: string }>): Promise<State | null> => {
  for (let tries = 1; ; tries += 1) {
    const found = await readState(call);
    if ((found !== null && found.state !== 'pending') || tries === TRIES) return found;
    await call.ctx.clock.sleep(BETWEEN_TRIES_MS, call.signal);
  }
};

const readSignature = (body: Readonly<Record<string, unknown>>): { signature: string } => {
  const { data, issues } = parseInput(transactionState.input, body);
  if (data === undefined) throw validationError(issues);
  return data;
};

const completed = (title: string, label: string, description: string, face: Face): CompletedAction => ({
  ...face,
  type: 'completed',
  title,
  label,
  description,
});

/**
 * Describes the transaction by its own effects, because anyone may name any transaction as that of an Action.
 * Sentences about "your wallet" are shown only to the wallet that made it.
 */
const whatHappened = async (
  landed: Awaited<ReturnType<typeof recordFromChain>>,
  account: unknown,
  ctx: Around['ctx'],
): Promise<string> => {
  if (landed === null) return 'It landed and succeeded. This service does not know what it did.';
  const { effects, slot } = landed;
  const { sentences } = await currentConfirmation(ctx, effects, slot, { isRepeated: false });
  return effects.wallet === account
    ? textOf(sentences)
    : `${sentences[0]!.text} It was made by ${effects.wallet}, which is not the account of this request.`;
};

/** Builds the same Action again, with the reason why it must be repeated. */
const again = async (action: Action, message: string, around: Around): Promise<NextAction> => ({
  ...(await createActionCard({ action, given: {}, account: undefined }, around)),
  type: 'action',
  error: { message },
});

/**
 * Builds the Action that follows the transaction `body.signature`. Throws `AppError('NOT_FOUND')` if the
 * cluster does not know the transaction.
 */
export const createActionCompletion = async (
  action: Action,
  body: Readonly<Record<string, unknown>>,
  around: Around,
): Promise<NextAction> => {
  const input = readSignature(body);
  const found = await settledState({ ...around, input });
  if (found === null)
    throw new AppError('NOT_FOUND', 'The cluster has not seen this transaction yet.', {
      reason: 'NO_TRANSACTION_YET',
    });
  const { state, explorerUrl } = found;
  if (state === 'failed')
    return again(
      action,
      `The transaction failed on chain; only the fee was paid. See ${explorerUrl}`,
      around,
    );
  if (state === 'expired')
    return again(action, 'The transaction expired. It did not land and never will.', around);
  const face = actionTexts(action, around.ctx);
  if (state === 'pending')
    return completed(
      'Transaction sent',
      'Not confirmed yet',
      `It is not confirmed yet and may still land. See ${explorerUrl}`,
      face,
    );
  // Recorded before the response, so the wallet's next request already includes this transaction. If recording
  // fails, the response does not say what the transaction did.
  const landed = await recordFromChain(around.ctx, input.signature as Signature, around.signal).catch(
    (error: unknown) => {
      around.signal.throwIfAborted();
      const isUnavailable =
        isAppError(error, 'UPSTREAM_UNAVAILABLE') || isAppError(error, 'STORE_UNAVAILABLE');
      // A bug here must not hide that the transaction landed, so it is only logged.
      around.ctx.logger[isUnavailable ? 'warn' : 'error'](
        { err: error },
        'a landed transaction could not be recorded',
      );
      return null;
    },
  );
  return completed(
    'Transaction confirmed',
    'Confirmed',
    `${await whatHappened(landed, body.account, around.ctx)} See ${explorerUrl}`,
    face,
  );
};
