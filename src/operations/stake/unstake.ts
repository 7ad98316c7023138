// One-shot unstake: deactivates a stake account with the stake authority's key and responds once the cluster
// has confirmed it.

import { z } from 'zod';
import { WalletKey } from '../../chain/transactions/signer.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solFigure } from '../../domain/lamports.ts';
import type { Notice } from '../../domain/notice.ts';
import { legsOf } from '../../domain/transaction/transaction-legs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { errorCodes } from '../../kernel/error-codes.ts';
import { type Guidance, guidance, type Step, step } from '../../kernel/guidance.ts';
import { type Sentence, sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { priorityAfterExpiry, priorityNotices } from '../act/choose-priority-fee.ts';
import { donationHint } from '../act/donation-hint.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { type Landed, performIntentOnce } from '../act/intents/perform-intent-once.ts';
import { recognizeWire } from '../act/intents/recognize-transaction.ts';
import { keyHandlingStatement } from '../act/key-handling-statement.ts';
import {
  feeMembers,
  oneShotErrors,
  oneShotInput,
  oneShotOutput,
  oneShotResponse,
} from '../act/one-shot-schemas.ts';
import { readUnstaked, type UnstakedOutcome, unstakedMember } from '../act/read-unstaked-amount.ts';
import { signBuilt } from '../act/sign-built-transaction.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { planSchema, planView } from '../plan/plan-view.ts';
import { oneShotRefusal, type SignedPlan, signPlanned } from '../plan/sign-planned-transaction.ts';
import { noticesBody } from '../response-notices.ts';
import { epochTimingSchema } from '../shared-schemas.ts';
import { prepareUnstake } from './prepare-unstake.ts';
import {
  requireUnstakeTarget,
  type UnstakeAmount,
  unstakeAmountErrors,
  unstakeInputShape,
  unstakeRequiresOneOf,
} from './unstake-input.ts';

/** Returns the `epochTiming` field, or no field if no RPC node responds. */
const optionalEpochTiming = async (
  ctx: Context,
  signal: AbortSignal,
): Promise<{ epochTiming?: ReturnType<typeof epochTiming> }> => {
  try {
    return { epochTiming: epochTiming(await ctx.chain.cluster.epochPosition(signal), ctx.clock.now()) };
  } catch (error) {
    if (isAppError(error, 'UPSTREAM_UNAVAILABLE')) return {};
    throw error;
  }
};

const unstakeMembers = {
  plan: planSchema.optional().meta({ description: 'With `amountSol`: the plan.' }),
  ...unstakedMember,
};
const unstakeResponse = z.object({ ...oneShotResponse, ...unstakeMembers });

/** `POST /api/v1/unstake` */
export const unstake = defineOperation({
  name: 'unstake',
  summary: 'Unstake in one call',
  description:
    'Deactivates a stake account, or with `amountSol` unstakes exactly that amount across the wallet’s accounts, and returns once the cluster has confirmed it. The stake becomes withdrawable once it is inactive, usually at the next epoch boundary. Pass an idempotency key with an amount: a repeat with the same key never unstakes twice. Needs the secret key of the stake authority, used in memory for this one signature. Prefer POST /api/v1/unstake/transaction, which never needs it.',
  effect: 'act',
  input: z.object({
    ...oneShotInput,
    ...unstakeInputShape,
  }),
  eitherOf: unstakeRequiresOneOf,
  keyless: 'createUnstakeTransaction',
  output: z.object({ ...oneShotOutput, ...unstakeMembers, epochTiming: epochTimingSchema.optional() }),
  errors: [
    ...oneShotErrors,
    'NOT_A_STAKE_ACCOUNT',
    'AUTHORITY_MISMATCH',
    'STAKE_NOT_DELEGATED',
    'STAKE_ALREADY_DEACTIVATED',
    'STAKE_BALANCE_CHANGED',
    ...unstakeAmountErrors,
  ],
  failureTitle: 'Unstake failed',
  presentation: {
    BLOCKHASH_EXPIRED: { status: 502 },
    NOT_A_STAKE_ACCOUNT: { title: errorCodes.NOT_A_STAKE_ACCOUNT.title },
  },
  async run({ ctx, input, source, signal }) {
    const wallet = input.walletAddress;
    using walletKey = WalletKey.open(input.secretKey, wallet);
    const { key } = idempotencyKeyFor(input.idempotencyKey);
    const what = requireUnstakeTarget(input);
    const { transactionVersion, priority = ctx.service.settings.priorityFee } = input;
    let notices: readonly Notice[] = [];
    // Stays undefined if an earlier call signed the transaction.
    let coolsDown: boolean | undefined;
    let planned: SignedPlan | undefined;
    const readiness = step('withdrawReadiness', { walletAddress: wallet });
    const outcomeOf = ({ wireBytes, slot }: Landed): Promise<UnstakedOutcome | null> =>
      readUnstaked(ctx, legsOf(recognizeWire(ctx, wireBytes).wire.instructions), slot);
    const described = (outcome: UnstakedOutcome | null) => ({
      ...sentenceMembers<'message', Guidance>(
        'message',
        'stakeAccount' in what
          ? [deactivated(what.stakeAccount), outcome?.sentence ?? afterwards(coolsDown, readiness)]
          : [
              unstaked(what),
              outcome?.sentence ??
                sentence('WITHDRAWABLE_WHEN', guidance`${readiness} shows what can be withdrawn, and when.`),
            ],
      ),
      ...(outcome && { unstaked: outcome.unstaked }),
    });
    const body = await performIntentOnce(ctx, {
      id: { operation: 'unstake', wallet, key },
      parameters: JSON.stringify(
        'stakeAccount' in what
          ? { stakeAccountAddress: what.stakeAccount }
          : { ...what, lamports: String(what.lamports), accounts: what.accounts ?? null },
      ),
      source,
      raisesFee: true,
      sign: async (expired) => {
        const options = { transactionVersion, priority: priorityAfterExpiry(priority, expired) };
        if (!('stakeAccount' in what)) {
          planned = await signPlanned(ctx, { ...what, wallet, key, ...options }, walletKey);
          ({ notices } = planned);
          return planned;
        }
        const prepared = await prepareUnstake(
          ctx,
          { wallet, stakeAccount: what.stakeAccount, isOneShot: true, ...options },
          ctx.service.lifetime,
        );
        const { built, facts } = prepared;
        ({ coolsDown } = prepared);
        notices = [...prepared.notices, ...priorityNotices(facts.price, built.priorityFee)];
        return { submission: signBuilt(built, facts.blockhash, [walletKey]) };
      },
      signAgain: (refusal) => refusal.code === 'STAKE_BALANCE_CHANGED',
      respond: async (landed, expired) => {
        const outcome = await outcomeOf(landed);
        return {
          signature: landed.signature,
          explorerUrl: transactionUrl(ctx.service.settings, landed.signature),
          ...described(outcome),
          ...feeMembers(landed, expired, 'stakeAccount' in what ? null : what.lamports),
          ...noticesBody(notices),
          ...(planned && { plan: planView(ctx, planned.prepared) }),
        };
      },
      refresh: async (stored, landed) => {
        if (stored.unstaked === undefined) return stored;
        const { unstaked: _, ...settled } = stored;
        return { ...settled, ...described(await outcomeOf(landed)) };
      },
      responseSchema: unstakeResponse,
      refusal: (error) => oneShotRefusal(error, planned, 'unstake'),
    });
    return {
      body: {
        ...body,
        ...(await optionalEpochTiming(ctx, signal)),
        idempotencyKey: key,
        security: keyHandlingStatement(ctx),
      },
      meta: donationHint(ctx),
    };
  },
});

const deactivated = (stakeAccountAddress: string): Sentence =>
  sentence('DEACTIVATED', 'Deactivated {stakeAccountAddress}.', { stakeAccountAddress });

const unstaked = ({ goal, lamports, rounding }: UnstakeAmount): Sentence => {
  const least = rounding === 'atLeast' ? 'at least ' : '';
  const figures = { amountSol: solFigure(lamports), rounding: rounding ?? 'exact' };
  return goal === 'withdraw-amount'
    ? sentence(
        'WITHDREW_AVAILABLE',
        `Withdrew the available part of ${least}{amountSol} SOL to the wallet; the rest is deactivating.`,
        figures,
      )
    : sentence('UNSTAKED', `Unstaked ${least}{amountSol} SOL.`, figures);
};

const afterwards = (coolsDown: boolean | undefined, readiness: Step): Sentence<Guidance> => {
  if (coolsDown === undefined)
    return sentence<Guidance>('SHOWS_READINESS', guidance`${readiness} shows when it can be withdrawn.`);
  return coolsDown
    ? sentence<Guidance>('WITHDRAW_LATER', guidance`Withdraw once it is inactive: ${readiness} shows when.`)
    : sentence<Guidance>('WITHDRAW_NOW', 'None of it was active yet, so it can be withdrawn immediately.');
};
