// Verifies a transaction before signing, field by field, using only its bytes.
import { z } from 'zod';
import { fromBase64 } from '../../chain/transactions/wire-base64.ts';
import {
  decodeWire,
  verifySignatures,
  type WireTransaction,
} from '../../chain/transactions/wire-transaction.ts';
import { solNumber } from '../../domain/lamports.ts';
import { controlSentences, stakeAuthoritySentences } from '../../domain/transaction/control-sentences.ts';
import {
  type Expectations,
  type Recognized,
  recognizeTransaction,
} from '../../domain/transaction/stake-verifier.ts';
import { kindRecord, recognizedKinds } from '../../domain/transaction/transaction-kinds.ts';
import { CHECKED_FIELDS } from '../../domain/transaction/verifier-problems.ts';
import { type Sentence, sentence, sentenceMembers, sentenceOf } from '../../kernel/sentence.ts';
import { ownerMember, stakeAuthoritySchema } from '../act/build-options.ts';
import { defineOperation } from '../operation.ts';
import {
  addressSchema,
  sentenceSchema,
  sentenceShape,
  sol,
  solAmount,
  transactionSchema,
} from '../shared-schemas.ts';
import { checkFields } from './compare-effect-fields.ts';
import { showInstructions, shownInstructionsSchema } from './decoded-instructions.ts';

const fieldSchema = z
  .object({
    field: z.enum(CHECKED_FIELDS),
    ok: z.boolean(),
    expected: z.string().nullable().meta({ description: 'Expected value; null if nothing was claimed.' }),
    found: z.string().nullable().meta({ description: 'Value in the transaction; null if none.' }),
    problem: z.string().nullable().meta({ description: 'The problem; null if none.' }),
    problemSentences: z.array(sentenceSchema),
  })
  .meta({ id: 'FieldVerdict' });

/** `POST /api/v1/verify/stake-transaction` */
export const verifyStakeTransaction = defineOperation({
  name: 'verifyStakeTransaction',
  summary: 'Check a transaction before signing it',
  description:
    'Decodes a stake, unstake, withdraw or donation transaction, signed or not, and checks field by field that it does only that, for this wallet: authorities, validator, amount, fee payer, and no additional instructions except ComputeBudget and, once the wallet has signed, known wallet guards that only assert; all of them are listed. For a transaction that does anything else, returns ok false, not an error. Nothing is sent to or read from the chain. If you do not want to trust this service, run the same check on your own machine: scripts/verify-transaction.ts.',
  effect: 'read',
  input: z.object({
    transaction: transactionSchema.meta({
      description: 'The transaction in base64, with or without signatures.',
    }),
    walletAddress: addressSchema('The wallet that is to sign. The transaction may act only for this wallet.'),
    amountSol: solAmount('Expected amount. Not checked if omitted.').optional(),
    stakeAccountAddress: addressSchema('Expected stake account. Not checked if omitted.').optional(),
    feePayer: addressSchema('Expected fee payer. Default: the wallet.').optional(),
    stakeAuthority: stakeAuthoritySchema,
    ...ownerMember,
  }),
  output: z.object({
    ok: z.boolean().meta({
      description:
        'Every check passed: the transaction does this one thing for the wallet, and nothing else.',
    }),
    kind: z.enum([...recognizedKinds, 'other']),
    ...sentenceShape('message', 'The result in one sentence.'),
    walletAddress: z.string().meta({ description: 'The wallet that the transaction acts for.' }),
    stakeAccountAddress: z.string().nullable(),
    voteAccount: z
      .string()
      .nullable()
      .meta({ description: 'Vote account to which a stake is delegated; null for other kinds.' }),
    recipientAddress: z.string().nullable().meta({ description: 'Recipient of a withdrawal or donation.' }),
    amountSol: sol('Amount moved; null for an unstake.').nullable(),
    networkFeeSol: sol('Network fee including the priority fee.'),
    hasMemo: z.boolean().meta({ description: "True if it has this service's memo, which anyone can write." }),
    fields: z.array(fieldSchema),
    extraInstructions: z
      .array(
        z.object({
          program: z.string(),
          name: z.string().meta({ description: 'Name in its program, or `unknown`.' }),
          ...sentenceShape('summary', 'Its effect, in one sentence.'),
          known: z.enum(['compute-budget', 'wallet-guard', 'unknown']),
        }),
      )
      .meta({
        description:
          'Additional instructions. `unknown` ones make ok false; so do wallet guards until the wallet has signed, because only a wallet adds them.',
      }),
    signatures: z
      .array(z.object({ address: z.string(), state: z.enum(['valid', 'missing', 'invalid']) }))
      .meta({
        description:
          'Required signers in order. They do not affect ok, which concerns only the effects of the transaction.',
      }),
    instructions: shownInstructionsSchema,
  }),
  errors: ['INVALID_TRANSACTION'],
  async run({ ctx, input }) {
    const wire = decodeWire(fromBase64(input.transaction));
    const signatures = verifySignatures(wire);
    const { voteAccount, donationAddress, memo } = ctx.service.settings;
    const expected: Expectations = {
      voteAccount,
      donationAddress,
      memo,
      wallet: input.walletAddress,
      nonceAccount: 'any',
      ...(input.feePayer && { feePayer: input.feePayer }),
      ...(input.stakeAuthority && { stakeAuthority: input.stakeAuthority }),
      ...(input.owner && { owner: input.owner }),
      // A wallet may add guards when it signs. Guards are therefore allowed only once the wallet has signed.
      allowWalletGuards: signatures.valid.includes(input.walletAddress),
      ...(input.amountSol === undefined ? {} : { lamports: input.amountSol }),
      ...(input.stakeAccountAddress === undefined ? {} : { stakeAccount: input.stakeAccountAddress }),
    };
    const seen = recognizeTransaction(wire, expected);
    return {
      body: {
        ok: seen.ok,
        kind: seen.kind,
        ...sentenceMembers('message', resultSentences(seen)),
        walletAddress: seen.wallet,
        stakeAccountAddress: seen.stakeAccount ?? null,
        voteAccount: seen.voteAccount ?? null,
        recipientAddress: seen.recipient ?? null,
        amountSol: seen.lamports === undefined ? null : solNumber(seen.lamports),
        networkFeeSol: solNumber(wire.networkFeeLamports),
        hasMemo: seen.hasOurMemo,
        fields: checkFields(wire, seen, expected).map((field) => ({
          ...field,
          problemSentences: [...field.problemSentences],
        })),
        extraInstructions: seen.extraInstructions.map((extra) => ({
          ...extra,
          summarySentences: [...extra.summarySentences],
        })),
        signatures: signatureStates(wire, signatures),
        instructions: showInstructions(wire.instructions),
      },
    };
  },
});

const signatureStates = (wire: WireTransaction, check: ReturnType<typeof verifySignatures>) =>
  wire.requiredSigners.map((address) => ({
    address,
    state: check.valid.includes(address)
      ? ('valid' as const)
      : check.missing.includes(address)
        ? ('missing' as const)
        : ('invalid' as const),
  }));

/** Describes a transaction in one sentence if it passed every check, otherwise by its problems. */
const resultSentences = (seen: Recognized): readonly Sentence[] =>
  seen.ok && seen.kind !== 'other'
    ? [
        ...(seen.owner === undefined
          ? kindRecord(seen.kind).resultSentences(seen)
          : stakeAuthoritySentences(seen)),
        ...controlSentences(seen),
      ]
    : [sentence('DO_NOT_SIGN', 'Do not sign it:'), ...seen.problems.map(sentenceOf)];
