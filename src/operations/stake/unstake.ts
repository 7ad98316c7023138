// One-shot unstake: deactivates a stake account with the stake authority's key and answers once the cluster has confirmed it.
import { z } from 'zod';
import { WalletKey } from '../../chain/transactions/signer.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { programsOf } from '../../domain/transaction/transaction-kinds.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { errorCodes } from '../../kernel/error-codes.ts';
import { chainRefusal } from '../act/chain-refusal.ts';
import { donationHint } from '../act/donation-hint.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { idempotencyKeyFor } from '../act/idempotency-key.ts';
import { keyHandlingStatement } from '../act/key-handling-statement.ts';
import { oneShotAnswer, oneShotErrors, oneShotInput, oneShotOutput } from '../act/one-shot-schemas.ts';
import { performIntent } from '../act/perform-intent.ts';
import { signBuilt } from '../act/sign-built.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, epochTimingSchema } from '../shared-schemas.ts';
import { prepareUnstake } from './prepare-unstake.ts';

/** The epochTiming member, or nothing while no RPC can say. */
const optionalEpochTiming = async (
  ctx: Context,
  signal: AbortSignal,
): Promise<{ epochTiming?: ReturnType<typeof epochTiming> }> => {
  try {
    return { epochTiming: epochTiming(await ctx.cluster.epochPosition(signal), ctx.clock.now()) };
  } catch (error) {
    if (isAppError(error, 'UPSTREAM_UNAVAILABLE')) return {};
    throw error;
  }
};

const unstakeAnswer = z.object(oneShotAnswer);

/** `POST /api/v1/unstake` */
export const unstake = defineOperation({
  name: 'unstake',
  summary: 'Unstake in one call',
  description:
    'Deactivates a stake account and answers once the cluster has confirmed it. The stake becomes withdrawable when its cool-down is over, usually at the next epoch boundary. Needs the secret key of the stake authority, used in memory for this one signature. Prefer POST /api/v1/unstake/transaction, which never needs it.',
  effect: 'act',
  input: z.object({
    ...oneShotInput,
    stakeAccountAddress: addressSchema('The stake account to deactivate.'),
  }),
  output: z.object({ ...oneShotOutput, epochTiming: epochTimingSchema.optional() }),
  errors: [
    ...oneShotErrors,
    'NOT_A_STAKE_ACCOUNT',
    'AUTHORITY_MISMATCH',
    'STAKE_NOT_DELEGATED',
    'STAKE_ALREADY_DEACTIVATED',
    'STAKE_BALANCE_CHANGED',
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
    const stakeAccount = input.stakeAccountAddress;
    let warnings: readonly string[] = [];
    // Unknown where an earlier run signed it.
    let coolsDown: boolean | undefined;
    const body = await performIntent(ctx, {
      id: { operation: 'unstake', wallet, key },
      parameters: JSON.stringify({ stakeAccountAddress: stakeAccount }),
      source,
      sign: async () => {
        const planned = await prepareUnstake(ctx, { wallet, stakeAccount }, ctx.lifetime);
        const { built, facts } = planned;
        ({ warnings, coolsDown } = planned);
        return { submission: signBuilt(built, facts.blockhash.lastValidBlockHeight, [walletKey]) };
      },
      signAgain: (refusal) => refusal.code === 'STAKE_BALANCE_CHANGED',
      answer: ({ signature }) => ({
        signature,
        explorerUrl: transactionUrl(ctx.settings, signature),
        message: `Deactivated ${stakeAccount}. ${afterwards(coolsDown, `GET /api/v1/stake/accounts/${wallet}/withdraw-ready`)}`,
        warnings: [...warnings],
      }),
      answerSchema: unstakeAnswer,
      refusal: (error) => chainRefusal(error, { programs: programsOf('unstake') }),
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

const afterwards = (coolsDown: boolean | undefined, readiness: string): string => {
  if (coolsDown === undefined) return `${readiness} tells when it can be withdrawn.`;
  return coolsDown
    ? `Withdraw once its cool-down is over: ${readiness} tells when.`
    : 'Nothing of it was active yet, so it can be withdrawn at once.';
};
