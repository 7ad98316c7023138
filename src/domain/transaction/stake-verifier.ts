// Verifies a transaction's effects on stake, and that it exactly matches a known kind. Pure, so that anyone
// can run it before signing.
import type { Address } from '@solana/kit';
import type { Sentence } from '../../kernel/sentence.ts';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAMS } from '../instruction-programs.ts';
import type { DecodedInstruction, InstructionFields } from '../instruction-types.ts';
import { formatSol } from '../lamports.ts';
import { checkLifetimeNonce } from './check-nonce-transactions.ts';
import { fieldIfKnown } from './check-single-account.ts';
import { checkStakeAuthorityOnly } from './check-stake-authority-only.ts';
import {
  DEFAULT_MAX_PRIORITY_FEE_LAMPORTS,
  type HeaderBudget,
  priorityFeeLamports,
} from './instruction-fees.ts';
import { kindOf } from './kind-properties.ts';
import type { Expectations, KindFacts, StakeEffects } from './kind-record.ts';
import { kindRecord, type RecognizedKind } from './transaction-kinds.ts';
import { problemList, type VerifierProblem } from './verifier-problems.ts';

export type { Expectations };

/** The verifier's view of a message, created by `decodeWire` and the builders. */
export interface MessageFacts {
  readonly feePayer: Address;
  readonly requiredSigners: readonly Address[];
  readonly instructions: readonly DecodedInstruction<Address | null>[];
  /** True if accounts are hidden in lookup tables. Such a transaction is never ours. Default: false. */
  readonly hasLookups?: boolean;
  /** Fee and limits in a version 1 header. Null or absent in other versions. */
  readonly headerBudget?: HeaderBudget | null;
}

/** An instruction that does not belong to the kind. */
interface ExtraInstruction {
  readonly program: Address;
  /** The program's name for the instruction, or `unknown`. */
  readonly name: string;
  /** One sentence for display. */
  readonly summary: string;
  readonly summarySentences: readonly Sentence[];
  readonly known: 'compute-budget' | 'wallet-guard' | 'unknown';
}

/** The result of verifying a transaction. */
export interface Recognized {
  readonly kind: RecognizedKind;
  /** The wallet whose transaction this is: the fee payer, unless another account may pay. */
  readonly wallet: Address;
  readonly stakeAccount?: Address;
  /** The delegation target. */
  readonly voteAccount?: Address;
  readonly lamports?: bigint;
  readonly recipient?: Address;
  readonly effects?: StakeEffects;
  /** The nonce account whose value is the lifetime. If absent, the transaction expires with its blockhash. */
  readonly nonceAccount?: Address;
  /** The account that pays the fee, if it is not the wallet. */
  readonly feePayer?: Address;
  /** The stake authority of the new stake, if it is not the wallet. */
  readonly stakeAuthority?: Address;
  /** The expected withdraw authority, if it is not the wallet. */
  readonly owner?: Address;
  /** True if a top-level memo instruction contains exactly our memo. */
  readonly hasOurMemo: boolean;
  readonly extraInstructions: readonly ExtraInstruction[];
  readonly problems: readonly VerifierProblem[];
  /** True only if every check passed: the transaction does exactly this for the wallet. */
  readonly ok: boolean;
}

/**
 * Classifies an instruction that does not belong to the kind. Only Lighthouse assertions count as wallet
 * guards. Other programs that wallets use may be added once it is known that they only assert.
 */
const knownAs = (
  { programId, name, data }: MessageFacts['instructions'][number],
  { headerBudget }: Pick<MessageFacts, 'headerBudget'>,
): ExtraInstruction['known'] => {
  // In version 1, the header sets the limits and the fee.
  if (programId === COMPUTE_BUDGET_PROGRAM)
    return name === 'unknown' || headerBudget ? 'unknown' : 'compute-budget';
  return data.type === 'lighthouse.assertion' ? 'wallet-guard' : 'unknown';
};

/**
 * Recognizes a transaction and checks each field. Never throws. `kind` and the fields are set even if `ok` is
 * false.
 */
export const recognizeTransaction = (message: MessageFacts, expected: Expectations): Recognized => {
  const { problems, demand } = problemList();
  const { advance, instructions } = withoutLifetimeNonce(message.instructions);
  const fields = instructions.map(({ data }) => data);
  const kind = kindOf(fields, expected);
  const record = kind === 'other' ? null : kindRecord(kind);
  const wallet = walletOf(message, fields, expected);
  const { isComplete, extras } = partition(instructions, record);
  const extraInstructions = extras.map((extra) => ({
    program: extra.programId,
    name: extra.name,
    summary: extra.summary,
    summarySentences: extra.summarySentences,
    known: knownAs(extra, message),
  }));

  demand(record !== null, 'KIND_UNKNOWN');
  demand(!message.hasLookups, 'LOOKUP_TABLES');
  checkLifetimeNonce(advance, expected, wallet, demand);
  demand(isComplete, 'NOT_ITS_LAYOUT', { layout: record?.layout.join(', ') ?? '' });
  const { allowed } = expected;
  demand(
    allowed === undefined ||
      fields.every(({ type }) => !changesChain(type) || allowed.some((one) => one === type)),
    'INSTRUCTIONS_NOT_NEEDED',
  );
  demand(
    extraInstructions.every(({ known }) => known !== 'unknown'),
    'FOREIGN_INSTRUCTIONS',
  );
  demand(
    expected.allowWalletGuards === true || extraInstructions.every(({ known }) => known !== 'wallet-guard'),
    'EARLY_WALLET_GUARDS',
  );
  const payer = message.feePayer;
  demand(
    (expected.wallet === undefined || expected.wallet === wallet) &&
      (expected.feePayer === 'any' || payer === (expected.feePayer ?? wallet)),
    'OTHER_PAYER',
  );
  demand(
    payer === wallet ||
      message.instructions.every(
        (one) =>
          knownAs(one, message) === 'wallet-guard' || one.accounts.every(({ address }) => address !== payer),
      ),
    'FEE_PAYER_USED',
  );
  const memos = message.instructions.filter(({ programId }) =>
    (expected.memoPrograms ?? MEMO_PROGRAMS).includes(programId),
  );
  const hasOurMemo = memos.some(({ data }) => data.type === 'memo' && data.text === expected.memo);
  demand(hasOurMemo, 'MEMO_MISSING');
  const priorityFee = priorityFeeLamports(message);
  const maxPriorityFee = expected.maxPriorityFeeLamports ?? DEFAULT_MAX_PRIORITY_FEE_LAMPORTS;
  demand(priorityFee <= maxPriorityFee, 'PRIORITY_FEE_TOO_HIGH', {
    feeSol: formatSol(priorityFee),
    mostSol: formatSol(maxPriorityFee),
  });
  const { headerBudget: limits } = message;
  demand(
    !limits || (limits.computeUnitLimit > 0 && limits.loadedAccountsDataBytes > 0),
    'HEADER_LIMIT_MISSING',
  );

  const found: KindFacts = record?.check({ fields, wallet, expected, demand }) ?? { signers: [] };
  const owner = expected.owner === wallet ? undefined : expected.owner;
  if (owner !== undefined) checkStakeAuthorityOnly(kind, { fields, owner, expected, demand });
  demand(
    expected.stakeAccount === undefined || found.stakeAccount === expected.stakeAccount,
    'OTHER_STAKE_ACCOUNT',
  );
  demand(expected.lamports === undefined || found.lamports === expected.lamports, 'OTHER_AMOUNT');
  const signers = new Set([expected.feePayer === undefined ? wallet : payer, wallet, ...found.signers]);
  const touched = new Set<Address | null | undefined>([...signers, found.stakeAccount, found.recipient]);
  demand(
    extras.every(
      (extra) =>
        knownAs(extra, message) === 'unknown' ||
        extra.accounts.every(
          ({ address, signer, writable }) => !(signer || writable) || touched.has(address),
        ),
    ),
    'FOREIGN_ACCOUNTS',
  );
  demand(
    message.requiredSigners.length === signers.size &&
      message.requiredSigners.every((signer) => signers.has(signer)),
    'UNEXPECTED_SIGNERS',
  );
  const { signers: _, ...facts } = found;
  return {
    kind,
    wallet,
    ...facts,
    ...fieldIfKnown('nonceAccount', advance?.nonceAccount),
    ...(payer === wallet ? {} : { feePayer: payer }),
    ...fieldIfKnown('owner', owner),
    hasOurMemo,
    extraInstructions,
    problems,
    ok: problems.length === 0,
  };
};

/**
 * Returns the wallet: the expected one if it signs or someone else may pay. Otherwise the fee payer, or, if anyone
 * may pay, the first authority that an instruction names. Every check then requires that authority.
 */
const walletOf = (
  { feePayer, requiredSigners }: MessageFacts,
  fields: readonly InstructionFields[],
  expected: Expectations,
): Address => {
  if (expected.feePayer === undefined)
    return expected.wallet !== undefined && requiredSigners.includes(expected.wallet)
      ? expected.wallet
      : feePayer;
  return expected.wallet ?? fields.map(authorityOf).find((one) => one != null) ?? feePayer;
};

const authorityOf = (data: InstructionFields): Address | null | undefined => {
  switch (data.type) {
    case 'system.createAccount':
    case 'system.transfer':
      return data.from;
    case 'stake.withdraw':
      return data.withdrawAuthority;
    case 'stake.authorize':
      return data.authority;
    case 'system.advanceNonceAccount':
    case 'system.withdrawNonceAccount':
      return data.nonceAuthority;
    default:
      return 'stakeAuthority' in data ? data.stakeAuthority : undefined;
  }
};

/**
 * Separates the nonce advance. The runtime only uses the value of a nonce as the lifetime if its advance
 * comes first and may write to the account.
 */
const withoutLifetimeNonce = (instructions: MessageFacts['instructions']) => {
  const [first, ...rest] = instructions;
  return first?.data.type === 'system.advanceNonceAccount' && first.accounts[0]?.writable
    ? { advance: first.data, instructions: rest }
    : { advance: null, instructions };
};

const changesChain = (type: InstructionFields['type']): boolean =>
  type.startsWith('stake.') || type.startsWith('system.');

/**
 * Matches the layout's instructions in order, each of them once (in a free layout in any order and number,
 * but only one memo). All other instructions are extra.
 */
const partition = (
  instructions: MessageFacts['instructions'],
  record: Pick<ReturnType<typeof kindRecord>, 'layout' | 'isFree' | 'optional'> | null,
) => {
  const { layout: required, isFree = false, optional } = record ?? { layout: [] };
  const layout =
    optional !== undefined && instructions.some(({ data }) => data.type === optional)
      ? required.toSpliced(-1, 0, optional)
      : required;
  const extras: MessageFacts['instructions'][number][] = [];
  let found = 0;
  let memos = 0;
  for (const instruction of instructions) {
    const { type } = instruction.data;
    const isOwn = isFree ? layout.some((one) => one === type) : type === layout[found];
    if (isOwn && type === 'memo') memos += 1;
    if (isOwn && (type !== 'memo' || memos === 1)) found += 1;
    else extras.push(instruction);
  }
  return { isComplete: isFree ? memos > 0 : found === layout.length, extras };
};
