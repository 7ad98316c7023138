// Checks a landed transaction for our memo and its effects, based on its bytes and never on logs or substrings.
import type { Signature } from '@solana/kit';
import { z } from 'zod';
import { decodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { type Recognized, recognizeTransaction } from '../../domain/transaction/stake-verifier.ts';
import type { VerifierCheck } from '../../domain/transaction/verifier-problems.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { integer, sentenceShape, signatureSchema, timestamp } from '../shared-schemas.ts';
import { effectSentences } from '../transaction/effects-of-sent-transaction.ts';
import { showInstructions, shownInstructionsSchema } from './decoded-instructions.ts';

const check = (description: string) => z.boolean().nullable().meta({ description });

/** `GET /api/v1/verify/transaction/{signature}` */
export const verifyTransaction = defineOperation({
  name: 'verifyTransaction',
  summary: "Check a landed transaction for this service's memo",
  description:
    "Reads a transaction from the chain. verified means that it succeeded and that one of its top-level instructions passes exactly this service's memo to a memo program. This proves only the presence of the memo: anyone can write this memo into a transaction. checks describes the effects of the transaction, and `recordedHere` is true if this service sent it.",
  effect: 'read',
  input: z.object({ signature: signatureSchema('The transaction.') }),
  output: z.object({
    signature: z.string(),
    verified: z.boolean().meta({ description: 'True if it succeeded and has exactly the expected memo.' }),
    proves: z.literal('memo-present').meta({ description: 'The only thing that verified proves.' }),
    succeeded: z.boolean(),
    memo: z
      .string()
      .nullable()
      .meta({ description: 'The expected memo if present, else the first memo; null if none.' }),
    expectedMemo: z.string(),
    memoProgram: z.string().nullable().meta({ description: 'Program of that memo.' }),
    checks: z.object({
      delegatesToValidator: check(
        'True if it delegates to the validator of this service; null if it delegates nothing.',
      ),
      authoritiesAreFeePayer: check(
        'True if every authority that it sets or uses, and every payer, is its fee payer; null if it is not a stake, unstake, withdrawal or donation.',
      ),
      noOtherInstructions: z.boolean().meta({
        description:
          'True if it contains only the instructions of one stake, unstake, withdrawal or donation, ComputeBudget and known wallet guards.',
      }),
    }),
    recordedHere: z.boolean().meta({ description: 'True if this service sent it.' }),
    slot: integer('Slot in which it landed.'),
    blockTime: timestamp('Time estimated by the cluster; null if unknown.').nullable(),
    confirmationStatus: z.enum(['confirmed', 'finalized']),
    error: z.unknown().meta({ description: "The chain's error if it failed, otherwise null.", override: {} }),
    instructions: shownInstructionsSchema,
    explorerUrl: z.string(),
    ...sentenceShape('message', 'Its effects, if its form is ours, and whether it is verified.'),
    ...noticesMembers,
  }),
  errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Transaction not found' } },
  async run({ ctx, input, signal }) {
    const signature = input.signature as Signature;
    const [landed, { statuses }, record] = await Promise.all([
      ctx.chain.reads.transaction(signature, { signal }),
      ctx.chain.reads.signatureStatuses([signature], { signal, searchHistory: true }),
      ctx.store.intents.findSubmission(signature),
    ]);
    if (landed === null) {
      throw new AppError('NOT_FOUND', 'The cluster has no confirmed transaction with this signature.', {
        reason: 'NO_CONFIRMED_TRANSACTION',
        suggestedAction: 'If it was just sent, try again in a few seconds.',
      });
    }
    const succeeded = landed.error === null;
    const evidence = readEvidence(ctx, landed.wireBytes);
    const verified = succeeded && evidence.hasOurMemo;
    // The transaction was read at `confirmed`, so it has at least that status even if the status request
    // returned a lower one.
    const confirmationStatus =
      statuses[0]?.confirmationStatus === 'finalized' ? ('finalized' as const) : ('confirmed' as const);
    const { wireBytes } = landed;
    const state = succeeded ? confirmationStatus : 'failed';
    return {
      body: {
        signature,
        verified,
        proves: 'memo-present' as const,
        succeeded,
        memo: evidence.memo,
        expectedMemo: ctx.service.settings.memo,
        memoProgram: evidence.memoProgram,
        checks: evidence.checks,
        recordedHere: record !== null,
        slot: Number(landed.slot),
        blockTime:
          landed.blockTimeSeconds === null ? null : new Date(landed.blockTimeSeconds * 1000).toISOString(),
        confirmationStatus,
        error: landed.error,
        instructions: evidence.instructions,
        explorerUrl: transactionUrl(ctx.service.settings, signature),
        ...sentenceMembers('message', [
          ...(await effectSentences(ctx, { signature, wireBytes }, state)),
          verified
            ? sentence('VERIFIED', 'The transaction succeeded and contains this service’s memo.')
            : sentence(
                'NOT_VERIFIED',
                'Not verified: the transaction failed or does not contain this service’s memo.',
              ),
        ]),
        ...noticesBody(evidence.notices),
      },
    };
  },
});

interface Evidence {
  readonly hasOurMemo: boolean;
  readonly memo: string | null;
  readonly memoProgram: string | null;
  readonly checks: {
    readonly delegatesToValidator: boolean | null;
    readonly authoritiesAreFeePayer: boolean | null;
    readonly noOtherInstructions: boolean;
  };
  readonly instructions: z.input<typeof shownInstructionsSchema>;
  readonly notices: readonly Notice[];
}

/** Evidence for a transaction in a format that this version cannot read: no instructions, and the reason. */
const UNREADABLE: Evidence = {
  hasOurMemo: false,
  memo: null,
  memoProgram: null,
  checks: { delegatesToValidator: null, authoritiesAreFeePayer: null, noOtherInstructions: false },
  instructions: [],
  notices: [
    notice(
      'TRANSACTION_FORM_UNKNOWN',
      'This version of the service cannot read this transaction’s format, so nothing is verified.',
    ),
  ],
};

const readEvidence = (ctx: Context, wireBytes: Uint8Array): Evidence => {
  let wire: WireTransaction;
  try {
    wire = decodeWire(wireBytes);
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return UNREADABLE;
    throw error;
  }
  const { voteAccount, donationAddress, memo } = ctx.service.settings;
  const seen = recognizeTransaction(wire, {
    voteAccount,
    donationAddress,
    memo,
    allowWalletGuards: true,
  });
  const memos = wire.instructions.filter(({ data }) => data.type === 'memo');
  const shown = memos.find(({ data }) => data.type === 'memo' && data.text === memo) ?? memos[0];
  return {
    hasOurMemo: seen.hasOurMemo,
    memo: shown?.data.type === 'memo' ? shown.data.text : null,
    memoProgram: shown?.programId ?? null,
    checks: checksOf(wire, seen, voteAccount),
    instructions: showInstructions(wire.instructions),
    notices: [],
  };
};

const AUTHORITY_CHECKS: readonly VerifierCheck[] = [
  'stake-authority',
  'withdraw-authority',
  'lockup',
  'sender',
  'signers',
];
const INSTRUCTION_CHECKS: readonly VerifierCheck[] = ['kind', 'order', 'instructions', 'lookup-tables'];

const checksOf = (wire: WireTransaction, seen: Recognized, voteAccount: string): Evidence['checks'] => {
  const passed = (checks: readonly VerifierCheck[]): boolean =>
    !seen.problems.some((problem) => checks.includes(problem.check));
  const delegations = wire.instructions.flatMap(({ data }) =>
    data.type === 'stake.delegateStake' ? [data.voteAccount] : [],
  );
  return {
    delegatesToValidator:
      delegations.length === 0 ? null : delegations.every((delegate) => delegate === voteAccount),
    authoritiesAreFeePayer:
      seen.kind === 'other' ? null : seen.feePayer === undefined && passed(AUTHORITY_CHECKS),
    noOtherInstructions: passed(INSTRUCTION_CHECKS),
  };
};
