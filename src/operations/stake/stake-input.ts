// Defines the input of the stake builder, which moves SOL from the wallet or its stake accounts into a new or
// activating stake account.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { validationError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { type Sentence, type SentenceParams, sentence } from '../../kernel/sentence.ts';
import type { PlanRequest } from '../plan/plan-request.ts';
import { addressSchema, solAmount } from '../shared-schemas.ts';

const sources = ['idle', 'inactive'] as const;

export const stakeInputShape = {
  amountSol: solAmount('Total moved out of the wallet in SOL, rent included. Optional with from.').optional(),
  from: z.array(z.enum(sources)).min(1).max(sources.length).optional().meta({
    description:
      'Source accounts: `idle` (undelegated SOL of staked accounts, plus `amountSol`) or `inactive` (deactivated stake).',
  }),
  into: addressSchema('An activating stake to add to instead.').optional(),
};

/**
 * Throws `AppError('VALIDATION_ERROR')` if the request names another stake authority together with `from` or
 * `into`.
 */
export const refuseStakeAuthority = ({
  stakeAuthority,
}: {
  readonly stakeAuthority?: Address | undefined;
}): void => {
  if (stakeAuthority !== undefined)
    throw refused('stakeAuthority', 'not_with_sources', 'must be omitted if from or into is given');
};

/** Fields of which at least one is required. */
export const stakeRequiresOneOf = {
  members: ['amountSol', 'from'],
  issue: {
    path: 'amountSol',
    code: 'required',
    message: 'is required unless from is given',
    params: { or: 'from' },
  },
} as const;

/** Additional error codes with `from` or `into`. */
export const stakeFromErrors = [
  'STAKE_NOT_ACTIVATING',
  'STAKE_LOCKED',
  'AMOUNT_NOT_REACHABLE',
  'NOTHING_TO_DO',
  'PLAN_NEEDS_SEVERAL',
  'IDEMPOTENCY_KEY_REUSED',
  'STAKE_ACCOUNT_ADDRESS_PROVIDED',
] as const satisfies readonly ErrorCode[];

type Input = z.output<z.ZodObject<typeof stakeInputShape>>;
type Planned = Pick<PlanRequest, 'goal' | 'lamports' | 'to' | 'into'>;

const refused = (path: string, code: string, message: string, params?: SentenceParams) =>
  validationError([{ path, code, message, ...(params && { params }) }]);

/**
 * Returns the amount for a new account, or the plan goal that the fields describe. Throws
 * `AppError('VALIDATION_ERROR')` for combinations that are not allowed.
 */
export const requireStakeTarget = ({
  amountSol,
  from = [],
  into,
}: Input): { readonly newStakeLamports: bigint } | (Planned & { readonly words: Sentence }) => {
  const target: Address | undefined = into;
  if (from.includes('idle') && from.includes('inactive'))
    throw refused(
      'from',
      'idle_or_inactive',
      'idle and inactive cannot be combined; request only one of them',
    );
  if (from.includes('inactive')) {
    if (amountSol !== undefined)
      throw refused(
        'amountSol',
        'inactive_whole',
        'must be omitted: inactive accounts are staked as a whole',
      );
    if (target !== undefined)
      throw refused('into', 'inactive_apart', 'must be omitted: inactive accounts become a separate stake');
    return {
      goal: 'restake',
      words: sentence('DELEGATES_INACTIVE', 'Delegates the inactive stake to the validator again.'),
    };
  }
  if (from.includes('idle')) {
    if (target === undefined)
      return {
        goal: 'sweep',
        to: 'stake',
        lamports: amountSol,
        words: sentence('STAKES_IDLE', 'Stakes the idle SOL in a new stake account.'),
      };
    if (amountSol !== undefined)
      throw refused('amountSol', 'not_together', 'must not be given together with from and into', {
        or: 'from and into',
      });
    return {
      goal: 'sweep',
      to: 'activating',
      into: target,
      words: sentence('ADDS_IDLE', 'Adds the idle SOL to {target}.', { target }),
    };
  }
  if (amountSol === undefined) throw validationError([stakeRequiresOneOf.issue]);
  if (target === undefined) return { newStakeLamports: amountSol };
  return {
    goal: 'top-up',
    lamports: amountSol,
    into: target,
    words: sentence(
      'ADDS_TO_ACTIVATING',
      'Adds to {target}, which is still activating, through a new account. That account keeps its rent until you withdraw it.',
      { target },
    ),
  };
};
