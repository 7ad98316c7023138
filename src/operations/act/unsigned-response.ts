// Response shared by all builders: the transaction and a description of its instructions.

import { z } from 'zod';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import type { BuiltTransaction } from '../../chain/transactions/transaction.ts';
import { encodeWire } from '../../chain/transactions/transaction.ts';
import { solNumber } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import type { SignRequest } from '../../domain/sign-request.ts';
import { step } from '../../kernel/guidance.ts';
import { type Sentence, sentence, sentenceMembers } from '../../kernel/sentence.ts';
import type { Context } from '../context.ts';
import type { MetaExtras, OperationResult } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import {
  epochTimingSchema,
  integer,
  messageVersionSchema,
  sentenceShape,
  sol,
  timestamp,
} from '../shared-schemas.ts';
import { showInstructions } from '../verify/decoded-instructions.ts';
import { priorityFeeSchema, priorityFeeView, priorityNotices } from './choose-priority-fee.ts';
import { donationHint } from './donation-hint.ts';
import type { BuildFacts } from './read-build-facts.ts';
import { walletNotices } from './wallet-notices.ts';

const decodedInstructionSchema = z
  .object({
    program: z.string().meta({ description: 'Name of the program, e.g. `Stake`.' }),
    programId: z.string(),
    name: z.string().meta({ description: 'Name of the instruction, e.g. `DelegateStake`.' }),
    ...sentenceShape('summary', 'Its effect, in one sentence with addresses and amounts.'),
    accounts: z.array(
      z
        .object({ address: z.string(), role: z.string(), signer: z.boolean(), writable: z.boolean() })
        .meta({ id: 'InstructionAccount' }),
    ),
  })
  .meta({ id: 'DecodedInstruction' });

const limitsSchema = z
  .object({
    minimumStakeSol: sol(
      'Smallest amountSol that the cluster currently accepts: rent plus minimum delegation.',
    ),
    rentReserveSol: sol('Rent-exempt minimum of a stake account, part of amountSol and not delegated.'),
    minimumDelegationSol: sol("The Stake program's minimum delegation."),
    feeReserveSol: sol('Amount a wallet should keep for later fees.'),
  })
  .meta({ id: 'ChainLimits', description: 'Always read from the cluster.' });

/** Schema of the sign link in every builder's response. */
export const signUrlMembers = {
  signUrl: z.string().optional().meta({
    description:
      'Give it to the owner of the wallet, who reviews and signs this request on this service’s page. Valid for 24 hours; it contains no secret. Look up the outcome by the idempotency key. Omitted if the service has no page, for donations, and for more than 20 named accounts.',
  }),
  signUrlExpiresAt: timestamp('Time until which `signUrl` can be opened.').optional(),
};

/**
 * Builds the sign link for a request, as an object to spread into the response. Empty if there is no link.
 */
export const signUrlOf = (
  { service: { signLinks, publicUrl }, clock }: Context,
  request: SignRequest | null,
  idempotencyKey: string,
): { readonly signUrl?: string; readonly signUrlExpiresAt?: string } => {
  const link = request && signLinks?.create(request, idempotencyKey, clock.now());
  return link
    ? { signUrl: publicUrl() + link.path, signUrlExpiresAt: new Date(link.expiresAtMs).toISOString() }
    : {};
};

/** An unsigned transaction and its description, alone or as a step of a plan. */
export const plannedStepSchema = z
  .object({
    transaction: z.string().meta({
      description:
        'The transaction in base64, unsigned by the wallet; stake transactions already carry the signature of the new stake account.',
    }),
    transactionVersion: messageVersionSchema.meta({
      description: 'Message format in `transaction`.',
    }),
    blockhash: z.string().meta({ description: 'The recent blockhash, or the value of the nonce.' }),
    lastValidBlockHeight: integer(
      'The transaction can land up to this block height. Omitted with a nonce.',
    ).optional(),
    estimatedExpiresAt: timestamp(
      'Estimated time at which that height is reached. Omitted with a nonce.',
    ).optional(),
    nonceAccount: z
      .string()
      .optional()
      .meta({ description: 'The transaction is valid until this nonce account is used or advanced.' }),
    networkFeeSol: sol('Network fee charged to the fee payer, including the priority fee.'),
    priorityFee: priorityFeeSchema
      .optional()
      .meta({ description: 'Present if the request asked for a priority fee, and in version 1.' }),
    requiredSigners: z
      .array(z.string())
      .meta({ description: 'Addresses that must sign; the fee payer first.' }),
    instructions: z
      .array(decodedInstructionSchema)
      .meta({ description: 'The instructions of the transaction above, in words.' }),
  })
  .meta({ id: 'PlannedTransaction' });

export const unsignedTransactionSchema = z.object({
  ...plannedStepSchema.shape,
  ...sentenceShape('message', 'Next step, in words for people.'),
  limits: limitsSchema,
  idempotencyKey: z.string().meta({ description: 'Send it with the submission to make repeating it safe.' }),
  ...signUrlMembers,
  ...noticesMembers,
});

/** Fields that only some builders return. */
export const unsignedMembers = {
  stakeAccountAddress: z.string().meta({ description: 'The stake account that is created or acted on.' }),
  delegatedSol: sol('Amount that is delegated and earns, without rent.'),
  rewardsEstimate: z
    .object({ estimatedAnnualSol: z.number(), estimatedPerEpochSol: z.number(), basedOnApy: z.number() })
    .nullable()
    .meta({
      description:
        'Rewards of the delegated part in a full year and per epoch once it is active, at `basedOnApy` percent. The simulation counts from now instead: its first year is slightly less, because the stake first becomes active. An estimate from past epochs, not a promise; null while the APY is unknown.',
    }),
  epochTiming: epochTimingSchema,
};

/** Returns the fields that state how long the transaction can land. */
const lifetimeView = ({ blockhash, nonce }: Pick<BuildFacts, 'blockhash' | 'nonce'>) =>
  nonce === null
    ? {
        blockhash: blockhash.blockhash,
        lastValidBlockHeight: Number(blockhash.lastValidBlockHeight),
        estimatedExpiresAt: new Date(blockhash.estimatedExpiresAtMs).toISOString(),
      }
    : { blockhash: nonce.value, nonceAccount: nonce.account };

/** Creates the notice that a transaction with a nonce does not expire. */
export const nonceNotices = ({ nonce }: Pick<BuildFacts, 'nonce'>): readonly Notice[] =>
  nonce === null
    ? []
    : [
        notice(
          'NEVER_EXPIRES',
          'Once signed, this transaction does not expire. Anyone who has it can send it until the nonce account {nonceAccount} is used or advanced.',
          { nonceAccount: nonce.account },
        ),
      ];

/** Creates the notice that another fee payer must sign too. */
const payerNotices = ({ payer }: Pick<BuildFacts, 'payer'>): readonly Notice[] =>
  payer === undefined
    ? []
    : [
        notice(
          'OTHER_FEE_PAYER',
          '{feePayer} pays the network fee and must sign too. It can lose nothing but the fee.',
          { feePayer: payer.address },
        ),
      ];

/** Returns the sentence that names the other fee payer after the wallet that signs. */
const payerSentences = ({ payer }: Pick<BuildFacts, 'payer'>): readonly Sentence[] =>
  payer === undefined
    ? []
    : [
        sentence('FEE_PAYER_SIGNS', 'The fee payer {feePayer} must sign it too.', {
          feePayer: payer.address,
        }),
      ];

/** Formats one transaction. `signatures` contains the signatures already made by the service, by address. */
export const plannedStep = (
  built: BuiltTransaction,
  facts: BuildFacts,
  /** The amount moved, from which the priority fee's share is calculated; null if nothing is moved. */
  amountLamports: bigint | null,
  signatures: ReadonlyMap<string, Uint8Array>,
): z.input<typeof plannedStepSchema> => ({
  transaction: Buffer.from(encodeWire(built, signatures)).toString('base64'),
  transactionVersion: built.version,
  ...lifetimeView(facts),
  networkFeeSol: solNumber(built.networkFeeLamports),
  ...((facts.price.estimate ?? built.headerBudget) && {
    priorityFee: priorityFeeView(built, amountLamports),
  }),
  requiredSigners: [...built.requiredSigners],
  instructions: showInstructions(built.instructions),
});

/** Returns the closing sentence of a description, which says who signs. */
export const signAndSubmit = (walletAddress: string): Sentence =>
  sentence('SIGN_AND_SUBMIT', 'Sign it with {walletAddress} and submit it.', { walletAddress });

/** Returns the next steps after a transaction was built. */
export const unsignedMeta = (ctx: Context, signUrl: string | undefined): MetaExtras => ({
  nextSteps: {
    '1_sign': 'Sign the transaction locally with the wallet, then submit it with this idempotencyKey',
    '2_submit': step('submitTransaction'),
    ...(signUrl !== undefined && {
      or_on_the_page:
        'Or give signUrl to the owner of the wallet, who reviews and signs there, and look up the outcome by the key',
      outcome_by_key: step('transactionByKey'),
    }),
  },
  ...donationHint(ctx),
});

/**
 * Builds a builder's response. `signatures` contains the signatures already made by the service, by address.
 */
export const unsignedResponse = <Members extends object>(
  ctx: Context,
  built: BuiltTransaction,
  facts: BuildFacts,
  {
    message,
    notices,
    idempotencyKey,
    signRequest = null,
    amountLamports = null,
    members,
  }: {
    readonly message: Sentence | readonly Sentence[];
    readonly notices: readonly Notice[];
    readonly idempotencyKey: string;
    /** The same request for a link to the page. Default: none, for requests that the page cannot make. */
    readonly signRequest?: SignRequest | null;
    /** The amount moved, from which the priority fee's share is calculated. Default: none. */
    readonly amountLamports?: bigint | null;
    /** The fields that only this builder returns. */
    readonly members: Members;
  },
  signatures: ReadonlyMap<string, Uint8Array> = new Map(),
): OperationResult<z.input<typeof unsignedTransactionSchema> & Members> => {
  const { limits } = facts;
  const link = signUrlOf(ctx, signRequest, idempotencyKey);
  return {
    body: {
      ...plannedStep(built, facts, amountLamports, signatures),
      limits: {
        minimumStakeSol: solNumber(minimumStakeLamports(limits)),
        rentReserveSol: solNumber(limits.stakeRentLamports),
        minimumDelegationSol: solNumber(limits.minimumDelegationLamports),
        feeReserveSol: solNumber(ctx.service.settings.feeReserveLamports),
      },
      ...sentenceMembers('message', [...[message].flat(), ...payerSentences(facts)]),
      idempotencyKey,
      ...members,
      ...link,
      ...noticesBody([
        ...notices,
        ...nonceNotices(facts),
        ...priorityNotices(facts.price, built.priorityFee),
        ...payerNotices(facts),
        ...walletNotices(ctx, built.wallet),
      ]),
    },
    meta: unsignedMeta(ctx, link.signUrl),
  };
};
