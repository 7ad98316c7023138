// Prepares an unstake: checks the authority, the state, the fee and the epoch before anything is built or
// signed.
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { solFigure } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { estimateWithdrawable } from '../../domain/stake/stake-state-estimate.ts';
import { checkUnstake } from '../../domain/stake/unstake-rules.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { type BuildFacts, boundaryNotices } from '../act/read-build-facts.ts';
import { withdrawableSentence } from '../act/read-unstaked-amount.ts';
import type { Context } from '../context.ts';
import { type AccountRequest, prepareOnAccount } from './prepare-on-account.ts';

/** A deactivation that passed every check. */
interface PreparedUnstake {
  readonly built: BuiltTransaction;
  readonly facts: BuildFacts;
  /** False if no part of the stake is effective yet, so the balance can be withdrawn immediately. */
  readonly coolsDown: boolean;
  /** Sentence about when the balance can be withdrawn; null if a lockup has no known end. */
  readonly outcome: Sentence | null;
  readonly notices: readonly Notice[];
}

/**
 * Checks and builds. Throws `AppError` with `NOT_A_STAKE_ACCOUNT`, `AUTHORITY_MISMATCH`,
 * `STAKE_NOT_DELEGATED`, `STAKE_ALREADY_DEACTIVATED`,
 * `EPOCH_REWARDS_ACTIVE`, `INSUFFICIENT_BALANCE`, `WALLET_CANNOT_PAY`, `UPSTREAM_UNAVAILABLE`.
 */
export const prepareUnstake = async (
  ctx: Context,
  request: AccountRequest,
  signal: AbortSignal,
): Promise<PreparedUnstake> => {
  const { wallet, isOneShot } = request;
  const { stake, assessment, built, facts } = await prepareOnAccount(
    ctx,
    request,
    {
      check: ({ stake, assessment }) => checkUnstake(stake, assessment, { wallet, isOneShot }),
      build: buildTransaction.unstake,
    },
    signal,
  );
  const elsewhere =
    stake.delegation && stake.delegation.voteAccount !== ctx.service.settings.voteAccount
      ? [
          notice('OTHER_VALIDATOR', 'This stake is delegated to another validator ({voteAccount}).', {
            voteAccount: stake.delegation.voteAccount,
          }),
        ]
      : [];
  const foreign =
    stake.withdrawAuthority !== wallet
      ? [
          notice(
            'FOREIGN_WITHDRAW_AUTHORITY',
            'Only {withdrawAuthority} can withdraw from this account afterwards.',
            { withdrawAuthority: stake.withdrawAuthority },
          ),
        ]
      : [];
  const unstaked = assessment.ifUnstakedNow();
  const at = unstaked && estimateWithdrawable(stake, unstaked, facts.position, ctx.clock.now());
  return {
    built,
    facts,
    coolsDown: assessment.activeLamports > 0n,
    outcome:
      at &&
      (at.secondsRemaining > 0
        ? withdrawableSentence(stake.lamports, at)
        : sentence('THEN_READY', '{amountSol} SOL can then be withdrawn immediately.', {
            amountSol: solFigure(stake.lamports),
          })),
    notices: [...boundaryNotices(facts.position), ...elsewhere, ...foreign],
  };
};
