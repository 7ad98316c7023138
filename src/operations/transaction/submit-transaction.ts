// Submits a signed transaction and responds with its outcome: confirmed, refused or expired. The outcome
// remains unresolved only if no RPC node is reachable or the chain has stopped.
import { z } from 'zod';
import type { Submission } from '../../chain/ports.ts';
import type { WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { AppError, isAppError, validationError } from '../../kernel/app-error.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { type IntentWork, performIntentOnce } from '../act/intents/perform-intent-once.ts';
import type { RecognizedWire } from '../act/intents/recognize-transaction.ts';
import { readUnstaked, unstakedMember } from '../act/read-unstaked-amount.ts';
import { translateChainError } from '../act/translate-chain-error.ts';
import type { Context } from '../context.ts';
import { type Call, defineOperation } from '../operation.ts';
import {
  idempotencyKeySchema,
  sentenceShape,
  signatureSchema,
  timestamp,
  transactionSchema,
} from '../shared-schemas.ts';
import { oneStakePerKey } from '../stake/one-stake-per-key.ts';
import { type CheckedSubmission, checkSubmission } from './check-submission.ts';
import { currentConfirmation } from './current-confirmation.ts';
import { knownEffects } from './effects-of-sent-transaction.ts';
import { areKnownElsewhere, refuseBytesOfAnotherKey, respondToKnownBytes } from './respond-to-known-bytes.ts';
import { parametersOf, submissionFromWire } from './submission-from-wire.ts';

const submittedSchema = z.object({
  signature: signatureSchema('The confirmed transaction.'),
  explorerUrl: z.string(),
  ...sentenceShape('message'),
  stakeAccountAddress: z
    .string()
    .optional()
    .meta({ description: 'The stake account that was created or changed.' }),
  ...unstakedMember,
  estimatedActiveAt: timestamp(
    'For a stake: estimate of when it becomes active, as of this response. Absent if no RPC could be read, and once the epoch has ended.',
  ).optional(),
});

type Submitted = z.input<typeof submittedSchema>;

/**
 * Maximum number of transactions. No plan needs that many, and even transactions of maximum size fit into the
 * body limit.
 */
const MAX_TRANSACTIONS = 10;

/** `POST /api/v1/transaction/submit` */
export const submitTransaction = defineOperation({
  name: 'submitTransaction',
  summary: 'Submit a signed transaction',
  description:
    'Sends a signed transaction and rebroadcasts the same bytes until the cluster confirms it or it is proven that it can never land. Submitting the same transaction again returns its signature. With the idempotency key of the builder, a missing signature of the new stake account is added. `signedTransactions` takes the transactions of a plan in order: all are checked first, then each is sent once the previous one is confirmed; the first failure stops the sequence, and the error lists those that landed. Submitting the same list again is safe.',
  effect: 'act',
  input: z.object({
    signedTransaction: transactionSchema
      .optional()
      .meta({ description: 'The signed transaction in base64.' }),
    signedTransactions: z
      .array(transactionSchema)
      .min(1)
      .max(MAX_TRANSACTIONS)
      .optional()
      .meta({ description: 'Several transactions instead of one, sent one after the other.' }),
    idempotencyKey: idempotencyKeySchema,
  }),
  eitherOf: {
    members: ['signedTransaction', 'signedTransactions'],
    issue: { path: 'signedTransaction', code: 'required', message: 'is required' },
  },
  output: submittedSchema.extend({
    transactions: z
      .array(submittedSchema.meta({ id: 'SubmittedTransaction' }))
      .optional()
      .meta({
        description:
          'With `signedTransactions`: the result of each, in order. The other fields are those of the last one.',
      }),
  }),
  errors: [
    'INVALID_TRANSACTION',
    'FOREIGN_TRANSACTION',
    'BLOCKHASH_EXPIRED',
    'SUBMISSION_FAILED',
    'SUBMISSION_UNRESOLVED',
    'INSUFFICIENT_BALANCE',
    'WALLET_CANNOT_PAY',
    'BELOW_MINIMUM_STAKE',
    'STAKE_NOT_WITHDRAWABLE',
    'STAKE_LOCKED',
    'STAKE_ALREADY_DEACTIVATED',
    'STAKE_BALANCE_CHANGED',
    'INSUFFICIENT_STAKE_BALANCE',
    'AUTHORITY_MISMATCH',
    'STAKE_ADDRESS_OCCUPIED',
    'EPOCH_REWARDS_ACTIVE',
    'IDEMPOTENCY_KEY_REUSED',
    'TRANSACTION_ALREADY_SUBMITTED',
    'STORE_UNAVAILABLE',
    'SHUTTING_DOWN',
    'UPSTREAM_UNAVAILABLE',
  ],
  // The caller built this transaction and must change it, because retrying it unchanged cannot help.
  presentation: { SUBMISSION_FAILED: { status: 400 }, STAKE_BALANCE_CHANGED: { status: 400 } },
  async run({ ctx, input, source, client }) {
    const { signedTransaction, signedTransactions, idempotencyKey } = input;
    const call = { ctx, source, client };
    if (signedTransaction !== undefined && signedTransactions !== undefined)
      throw validationError([
        {
          path: 'signedTransaction',
          code: 'not_together',
          message: 'must not be given together with signedTransactions',
          params: { or: 'signedTransactions' },
        },
      ]);
    if (signedTransaction !== undefined) {
      const checked = checkSubmission(ctx, signedTransaction, idempotencyKey);
      return {
        body: await submitChecked(call, checked, await submissionFromWire(ctx, checked.wire, checked.seen)),
      };
    }
    const transactions = await submitInOrder(call, signedTransactions!, idempotencyKey);
    return { body: { ...transactions.at(-1)!, transactions } };
  },
});

type SubmitCall = Pick<Call<unknown>, 'ctx' | 'source' | 'client'>;

/** Sends the transaction once and responds with its outcome, even if other callers send it too. */
const submitChecked = async (
  { ctx, source, client }: SubmitCall,
  { wire, seen, key, stakeSignedHere }: CheckedSubmission,
  submission: Submission,
): Promise<Submitted> => {
  const { signature } = submission;
  const admit = () =>
    ctx.chain.submissionCaps.admit({
      lane: seen.ok ? 'own' : 'other',
      client,
      feePayer: wire.feePayer,
      signature,
    });
  using held = new DisposableStack();
  const respondToKnown = async (): Promise<Submitted> => {
    await refuseBytesOfAnotherKey(ctx, work.id, key, wire);
    return respondToKnownBytes(ctx, work, submission, admit);
  };
  const work: IntentWork<Submitted> = {
    id: { operation: 'submit', wallet: seen.wallet, key: key ?? signature },
    parameters: parametersOf(wire, seen, stakeSignedHere),
    recognized: { wire, seen },
    source,
    sign: async () => {
      // Quota is used only here, where bytes are sent, because a response from the record needs none.
      held.use(admit());
      return { submission };
    },
    respond: async ({ signature, slot }) => ({
      signature,
      explorerUrl: transactionUrl(ctx.service.settings, signature),
      ...(await outcome(ctx, { wire, seen }, { signature, slot })),
      ...(seen.stakeAccount ? { stakeAccountAddress: seen.stakeAccount } : {}),
    }),
    refresh: async (stored, landed) => {
      const { unstaked, estimatedActiveAt, ...settled } = stored;
      if (unstaked === undefined && estimatedActiveAt === undefined) return stored;
      return { ...settled, ...(await outcome(ctx, { wire, seen }, landed, true)) };
    },
    responseSchema: submittedSchema,
    refusal: (error, hasLanded) =>
      translateChainError(error, {
        programs: programsIn(wire),
        isPlanned: seen.ok && seen.kind === 'rearrange',
        hasLanded,
      }),
    // A wallet may change what it signs, for example the priority fee, so a transaction that can provably never
    // land must not block the next one.
    freeAfter: ['refused', 'expired', 'failed'],
    respondToKnownBytes: respondToKnown,
  };
  if (await areKnownElsewhere(ctx, work.id, submission)) return await respondToKnown();
  // `await` is required here, because the quota is released when this function returns.
  const perform = () => performIntentOnce(ctx, work);
  return await (seen.kind === 'stake' && key !== undefined
    ? oneStakePerKey(
        ctx,
        { ...work.id, operation: 'submit', parameters: work.parameters, lamports: seen.lamports ?? 0n },
        perform,
      )
    : perform());
};

/**
 * Checks all transactions before sending the first. An error states which transaction failed and which ones
 * landed before it.
 */
const submitInOrder = async (
  call: SubmitCall,
  signedTransactions: readonly string[],
  idempotencyKey: string | undefined,
): Promise<Submitted[]> => {
  const { ctx } = call;
  const landed: Submitted[] = [];
  const naming = async <Result>(index: number, run: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (error) {
      throw isAppError(error) ? inList(error, index, signedTransactions.length, landed) : error;
    }
  };
  const ready: CheckedSubmission[] = [];
  for (const [index, one] of signedTransactions.entries())
    ready.push(await naming(index, () => checkSubmission(ctx, one, idempotencyKey, index)));
  let landedSlot: bigint | null = null;
  for (const [index, one] of ready.entries())
    landed.push(
      await naming(index, async () => {
        const submission = await submissionFromWire(ctx, one.wire, one.seen);
        // The next preflight needs a node that has seen the previous transaction.
        const response = await submitChecked(call, one, {
          ...submission,
          ...(landedSlot === null ? {} : { minContextSlot: landedSlot }),
        });
        landedSlot = (await ctx.store.intents.findSubmission(submission.signature))?.slot ?? landedSlot;
        return response;
      }),
    );
  return landed;
};

const inList = (
  error: AppError,
  failedIndex: number,
  count: number,
  landed: readonly Submitted[],
): AppError => {
  const { code, reason, params, message, suggestedAction, body, details, retryAfterSeconds } = error;
  const before = landed.length === 0 ? 'None landed before it.' : `Before it, ${landed.length} landed.`;
  return new AppError(code, `Transaction ${failedIndex + 1} of ${count}: ${message} ${before}`, {
    ...(reason === undefined ? {} : { reason }),
    params,
    ...(suggestedAction === undefined ? {} : { suggestedAction }),
    ...(details && { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    body: {
      ...body,
      failedIndex,
      landed: landed.map(({ signature, explorerUrl }) => ({ signature, explorerUrl })),
    },
    cause: error,
  });
};

const programsIn = (wire: WireTransaction): string[] =>
  wire.instructions.map((instruction) => instruction.programId);

/**
 * Describes the transaction's effects, from its record if there is one, otherwise from its bytes. A repeated
 * response omits what may no longer be true: unstaked SOL may have been withdrawn, and the stake may be active.
 */
const outcome = async (
  ctx: Context,
  recognized: RecognizedWire,
  { signature, slot }: { readonly signature: string; readonly slot: bigint | null },
  isRepeated = false,
) => {
  const landed = await knownEffects(ctx, recognized, signature);
  if (landed === null)
    return sentenceMembers('message', sentence('CONFIRMED', '{done} confirmed.', { done: 'Transaction' }));
  const unstaked = await readUnstaked(ctx, landed.legs, slot);
  const { sentences, estimatedActiveAt } = await currentConfirmation(ctx, landed, slot, {
    isRepeated,
    unstaked: unstaked?.sentence,
  });
  return {
    ...sentenceMembers('message', sentences),
    ...(unstaked && { unstaked: unstaked.unstaked }),
    ...(estimatedActiveAt !== null && { estimatedActiveAt }),
  };
};
