// Submits a signed transaction and responds with its outcome: confirmed, refused or expired. The outcome
// stays unresolved only if no RPC is reachable or the chain has stopped.
import { z } from 'zod';
import type { Submission } from '../../chain/ports.ts';
import { verifySignatures, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { confirmationOf } from '../../domain/transaction/stake-acts.ts';
import { legsOf } from '../../domain/transaction/transaction-legs.ts';
import { AppError, isAppError, validationError } from '../../kernel/app-error.ts';
import { type Sentence, sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { chainRefusal } from '../act/chain-refusal.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { type IntentWork, performIntent } from '../act/perform-intent.ts';
import {
  type Recognised,
  type RecognisedWire,
  recogniseWire,
  recordedAs,
} from '../act/recognise-transaction.ts';
import type { Context } from '../context.ts';
import { type Call, defineOperation } from '../operation.ts';
import {
  idempotencyKeySchema,
  sentenceShape,
  signatureSchema,
  transactionSchema,
} from '../shared-schemas.ts';
import { answerKnownBytes, areKnownElsewhere, refuseBytesOfAnotherKey } from './answer-known-bytes.ts';
import { cosign, derivesStakeAccount } from './cosign.ts';
import { parametersOf, submissionFromWire } from './submission-from-wire.ts';

/** Throws `INVALID_TRANSACTION` with the addresses whose signature is missing or does not match the message. */
const requireSignatures = (wire: WireTransaction): void => {
  const { missing, invalid } = verifySignatures(wire);
  if (missing.length === 0 && invalid.length === 0) return;
  const parts = [
    missing.length > 0 ? 'not signed by {missingSigners}' : '',
    invalid.length > 0 ? 'signature of {invalidSigners} does not match the message' : '',
  ].filter(Boolean);
  throw new AppError('INVALID_TRANSACTION', `The transaction cannot be sent: ${parts.join('; ')}.`, {
    reason:
      missing.length === 0
        ? 'SIGNATURE_MISMATCH'
        : invalid.length === 0
          ? 'UNSIGNED'
          : 'UNSIGNED_AND_MISMATCH',
    params: { missingSigners: missing.join(', '), invalidSigners: invalid.join(', ') },
    suggestedAction:
      'Sign exactly the bytes that were built. If the wallet changes them (new blockhash, priority fee), build with cosign: on-submit and pass the same idempotency key here.',
    body: { missingSigners: missing, invalidSigners: invalid },
  });
};

const submittedSchema = z.object({
  signature: signatureSchema('The confirmed transaction.'),
  explorerUrl: z.string(),
  ...sentenceShape('message'),
  stakeAccountAddress: z
    .string()
    .optional()
    .meta({ description: 'The stake account that was created or changed.' }),
});

type Submitted = z.input<typeof submittedSchema>;

/**
 * Maximum number of transactions, more than any plan needs. Transactions of maximum size still fit into the
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
  failureTitle: 'Transaction failed',
  // The caller built these bytes and must change what a program refuses. Retrying them unchanged cannot help.
  presentation: { SUBMISSION_FAILED: { status: 400 }, STAKE_BALANCE_CHANGED: { status: 400 } },
  async run({ ctx, input, source, client }) {
    const { signedTransaction, signedTransactions, idempotencyKey } = input;
    const call = { ctx, source, client };
    if (signedTransaction !== undefined && signedTransactions !== undefined)
      throw validationError([
        {
          path: 'signedTransaction',
          code: 'not_together',
          message: 'pass either this or signedTransactions',
        },
      ]);
    if (signedTransaction !== undefined) {
      const checked = check(ctx, signedTransaction, idempotencyKey);
      return {
        body: await submitChecked(call, checked, await submissionFromWire(ctx, checked.wire, checked.seen)),
      };
    }
    const transactions = await submitInOrder(call, signedTransactions!, idempotencyKey);
    return { body: { ...transactions.at(-1)!, transactions } };
  },
});

/** A transaction that is ready to be sent. */
interface Checked extends RecognisedWire {
  /** The caller's key. In a list, each transaction has its own key. */
  readonly key: string | undefined;
  readonly stakeSignedHere: boolean;
}

/** Throws `INVALID_TRANSACTION` or `FOREIGN_TRANSACTION`. */
const check = (
  ctx: Context,
  signedTransaction: string,
  callersKey: string | undefined,
  index = 0,
): Checked => {
  const { wire: received, seen } = recogniseWire(
    ctx,
    new Uint8Array(Buffer.from(signedTransaction, 'base64')),
  );
  if (ctx.service.settings.submitPolicy === 'own' && !seen.hasOurMemo) throw foreign();
  refuseLateAdvance(ctx, received, seen);
  const wire = callersKey === undefined ? received : cosign(ctx, received, seen, callersKey);
  requireSignatures(wire);
  return {
    wire,
    seen,
    // Callers' keys cannot contain a space.
    key: callersKey === undefined || index === 0 ? callersKey : `${callersKey} ${index}`,
    stakeSignedHere: callersKey !== undefined && derivesStakeAccount(ctx, seen, callersKey),
  };
};

/**
 * Refuses our transaction if a wallet inserted something before the advance of its nonce. The runtime then takes
 * the nonce for a blockhash that it does not know.
 */
const refuseLateAdvance = (ctx: Context, wire: WireTransaction, seen: Recognised): void => {
  const { blockhash, durableNonce, instructions } = wire;
  if (durableNonce !== null || !seen.hasOurMemo || seen.kind === 'nonce') return;
  if (ctx.chain.cluster.lastValidBlockHeightOf(blockhash) !== undefined) return;
  if (instructions.every(({ data }) => data.type !== 'system.advanceNonceAccount')) return;
  throw new AppError(
    'INVALID_TRANSACTION',
    'The instruction that advances the nonce is not the first one, so this transaction can never land. It was not sent.',
    {
      reason: 'ADVANCE_NOT_FIRST',
      suggestedAction:
        'Sign exactly the bytes that were built, with a wallet that inserts nothing before the first instruction.',
    },
  );
};

type SubmitCall = Pick<Call<unknown>, 'ctx' | 'source' | 'client'>;

/** Sends the transaction once and responds with its outcome, even if other callers send it too. */
const submitChecked = async (
  { ctx, source, client }: SubmitCall,
  { wire, seen, key, stakeSignedHere }: Checked,
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
  const answerKnown = async (): Promise<Submitted> => {
    await refuseBytesOfAnotherKey(ctx, work.id, key, wire);
    return answerKnownBytes(ctx, work, submission, admit);
  };
  const work: IntentWork<Submitted> = {
    id: { operation: 'submit', wallet: seen.wallet, key: key ?? signature },
    parameters: parametersOf(wire, seen, stakeSignedHere),
    recognised: { wire, seen },
    source,
    sign: async () => {
      // Counted only here, where bytes are sent, because a response from the record uses no quota.
      held.use(admit());
      return { submission };
    },
    answer: async ({ signature }) => ({
      signature,
      explorerUrl: transactionUrl(ctx.service.settings, signature),
      ...sentenceMembers('message', await confirmation(ctx, { wire, seen }, signature)),
      ...(seen.stakeAccount ? { stakeAccountAddress: seen.stakeAccount } : {}),
    }),
    answerSchema: submittedSchema,
    refusal: (error) =>
      chainRefusal(error, { programs: programsIn(wire), isPlanned: seen.ok && seen.kind === 'rearrange' }),
    // A wallet may change what it signs, for example the priority fee. A transaction that provably never
    // lands does not block the next one.
    freeAfter: ['refused', 'expired', 'failed'],
    answerKnownBytes: answerKnown,
  };
  if (await areKnownElsewhere(ctx, work.id, submission)) return await answerKnown();
  // `await` is needed: the end of this function returns the quota.
  return await performIntent(ctx, work);
};

/** Checks all transactions before sending the first. An error names the failed transaction and those that landed before it. */
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
  const ready: Checked[] = [];
  for (const [index, one] of signedTransactions.entries())
    ready.push(await naming(index, () => check(ctx, one, idempotencyKey, index)));
  let landedSlot: bigint | null = null;
  for (const [index, one] of ready.entries())
    landed.push(
      await naming(index, async () => {
        const submission = await submissionFromWire(ctx, one.wire, one.seen);
        // A node that has not seen the previous transaction would refuse this one.
        const answer = await submitChecked(call, one, {
          ...submission,
          ...(landedSlot === null ? {} : { minContextSlot: landedSlot }),
        });
        landedSlot = (await ctx.store.intents.findSubmission(submission.signature))?.slot ?? landedSlot;
        return answer;
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

const foreign = (): AppError =>
  new AppError('FOREIGN_TRANSACTION', 'This service submits only transactions that end with its memo.', {
    reason: 'NO_MEMO',
    suggestedAction: 'Build the transaction with this service, or submit it through another RPC.',
  });

/** Describes the transaction's effects, from its record if there is one, otherwise from its bytes. */
const confirmation = async (
  ctx: Context,
  { wire, seen }: RecognisedWire,
  signature: string,
): Promise<readonly Sentence[]> => {
  const type = recordedAs(seen);
  if (type === 'other') return [sentence('TRANSACTION_CONFIRMED', 'Transaction confirmed.')];
  const recorded = await ctx.store.transactions.find([signature]).catch((error: unknown) => {
    if (isAppError(error, 'STORE_UNAVAILABLE')) return null;
    throw error;
  });
  return confirmationOf(
    recorded?.get(signature) ?? {
      type,
      wallet: seen.wallet,
      stakeAccountAddress: seen.stakeAccount ?? null,
      amountLamports: seen.lamports ?? 0n,
      legs: legsOf(wire.instructions),
    },
  );
};
