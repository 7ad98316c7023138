// Checks locally, without network access, that a transaction does exactly what was requested: before signing,
// and again after a wallet returned it.
import type { Address } from '@solana/kit';
import { splitWire } from '../../src/chain/transactions/split-wire-transaction.ts';
import type { WireMessage } from '../../src/chain/transactions/wire-message.ts';
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { DecodedInstruction } from '../../src/domain/instruction-types.ts';
import { goalRecord } from '../../src/domain/plan/plan-goals.ts';
import {
  checkEffects,
  type EffectsCheck,
  type EffectsRequest,
  type NodeFacts,
} from '../../src/domain/transaction/effects/check-effects.ts';
import { decodeInstruction } from '../../src/domain/transaction/instruction-decoder.ts';
import { networkFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import {
  type Expectations,
  type MessageFacts,
  type Recognized,
  recognizeTransaction,
} from '../../src/domain/transaction/stake-verifier.ts';
import type { RecognizedKind } from '../../src/domain/transaction/transaction-kinds.ts';
import { problemOf } from '../../src/domain/transaction/verifier-problems.ts';
import { type FieldVerdict, withProblems } from '../../src/operations/verify/add-verifier-problems.ts';
import { checkFields } from '../../src/operations/verify/compare-effect-fields.ts';
import type { StakePlan } from '../generated/shared-types.ts';
import { isShownByHardwareWallets } from './hardware-wallets.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { Priority } from './staking-request.ts';

/** Maximum length of a memo in bytes. */
const MAX_MEMO_BYTES = 128;

/** Verified effects of a transaction's bytes. */
export interface TransactionVerdict {
  /** True if the bytes do exactly what `recognized` describes, for the wallet. */
  readonly ok: boolean;
  readonly recognized: Recognized;
  /** Every checked field with its expected value, its actual value and the problem, if any. */
  readonly fields: readonly FieldVerdict[];
  readonly instructions: readonly Pick<
    DecodedInstruction,
    'program' | 'name' | 'summary' | 'summarySentences'
  >[];
  /** False if a hardware wallet shows only a hash and requires a blind signature. */
  readonly shownByHardwareWallets: boolean;
  readonly networkFeeLamports: bigint;
  /**
   * Fingerprint of all instructions, byte for byte, except those that wallets add. Equal instructions have
   * equal fingerprints.
   */
  readonly effectsFingerprint: string;
  /** The decoded message, for `verifyEffects`. */
  readonly message: MessageFacts;
}

/** The memo in the transaction; empty if absent. A second memo is refused as a foreign instruction. */
const memoOf = ({ instructions }: MessageFacts): string => {
  const memo = instructions.find(({ data }) => data.type === 'memo')?.data;
  return (memo?.type === 'memo' && memo.text) || '';
};

/**
 * Checks a decoded message. Does not check signatures and other properties of the bytes. Without `memo`, any
 * memo of at most 128 bytes passes, because a memo only names the service and protects nothing.
 */
export const verifyMessage = (
  message: MessageFacts,
  { memo, ...rest }: Omit<Expectations, 'memo'> & { readonly memo?: string | undefined },
): Omit<TransactionVerdict, 'effectsFingerprint' | 'message'> => {
  const written = memoOf(message);
  const expected: Expectations = { ...rest, memo: memo ?? written };
  const recognized = recognizeTransaction(message, expected);
  const isLong = new TextEncoder().encode(written).length > MAX_MEMO_BYTES;
  const tooLong = isLong ? [problemOf('MEMO_TOO_LONG', { mostBytes: MAX_MEMO_BYTES })] : [];
  const fields = withProblems(checkFields(message, recognized, expected), tooLong);
  return {
    ok: recognized.ok && !isLong,
    recognized,
    fields,
    instructions: message.instructions.map(({ program, name, summary, summarySentences }) => ({
      program,
      name,
      summary,
      summarySentences,
    })),
    // No hardware wallet is known to read version 1.
    shownByHardwareWallets: !message.headerBudget && isShownByHardwareWallets(message.instructions),
    networkFeeLamports: networkFeeLamports(message),
  };
};

const factsOf = (message: WireMessage): MessageFacts => ({
  feePayer: message.requiredSigners[0]!,
  requiredSigners: message.requiredSigners,
  instructions: message.instructions.map(decodeInstruction),
  hasLookups: message.hasLookups,
  headerBudget: message.headerBudget,
});

/** Instructions that wallets may add: a fee and guards. */
const OF_WALLETS: readonly string[] = [COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM];

/** Computes a fingerprint of all instructions, byte for byte, except those that wallets add. */
const effectsFingerprintOf = ({ instructions }: WireMessage): string =>
  JSON.stringify(
    instructions
      .filter(({ programId }) => !OF_WALLETS.includes(programId))
      .map(({ programId, accounts, data }) => [programId, accounts, [...data]]),
  );

/**
 * Checks a whole transaction, signed or not. Throws `AppError('INVALID_TRANSACTION')` unless it is exactly
 * one well-formed transaction.
 */
export const verifyTransaction = (
  wire: Uint8Array,
  expected: Parameters<typeof verifyMessage>[1],
): TransactionVerdict => {
  const { message } = splitWire(wire);
  const facts = factsOf(message);
  return {
    ...verifyMessage(facts, expected),
    effectsFingerprint: effectsFingerprintOf(message),
    message: facts,
  };
};

/** True if a transaction that a wallet returned has the approved instructions, accounts and amounts. */
const hasEffectsOf = ({ effectsFingerprint }: TransactionVerdict, approved: Uint8Array): boolean =>
  effectsFingerprint === effectsFingerprintOf(splitWire(approved).message);

/** The service's validator and memo, which every transaction must use. */
export interface ServiceBinding {
  /** The only validator allowed as a delegation target. */
  readonly voteAccount: string;
  /** The service's exact memo. If undefined, any memo of at most 128 bytes passes. */
  readonly memo?: string | undefined;
}

/** Checks that bytes have the effects of the request, for its wallet, on its stake account. */
export type VerifyRequest = (
  wire: Uint8Array,
  record: Pick<
    TransactionRecord,
    | 'kind'
    | 'walletAddress'
    | 'amountLamports'
    | 'stakeAccountAddress'
    | 'change'
    | 'priority'
    | 'owner'
    | 'stakeAuthority'
  >,
  binding: ServiceBinding,
  /** `built`: directly from the service. `signed`: returned by a wallet, which may have added a fee and guards. */
  stage: 'built' | 'signed',
  /**
   * Account data from the service. Its states help to detect mistakes of the service; its owners are not
   * trusted.
   */
  plan?: StakePlan | undefined,
  /** The approved transaction. If given, a signed transaction passes only with exactly the same effects. */
  approved?: Uint8Array | undefined,
) => TransactionVerdict;

/** Converts a record's request for `checkEffects`. */
export const effectsRequestOf = (
  {
    kind,
    walletAddress,
    amountLamports,
    stakeAccountAddress,
    change,
    owner,
  }: Pick<
    TransactionRecord,
    'kind' | 'walletAddress' | 'amountLamports' | 'stakeAccountAddress' | 'change' | 'owner'
  >,
  { voteAccount }: ServiceBinding,
): EffectsRequest => ({
  kind,
  wallet: walletAddress as Address,
  owner: owner as Address | undefined,
  voteAccount: voteAccount as Address,
  goal: change?.goal,
  rounding: change?.rounding,
  to: change?.to,
  lamports: amountLamports === undefined ? undefined : BigInt(amountLamports),
  // The user does not name the account of a new stake, so its address is compared with the address in the
  // record.
  accounts: (kind === 'stake'
    ? undefined
    : stakeAccountAddress === undefined
      ? change?.accounts
      : [stakeAccountAddress]) as readonly Address[] | undefined,
});

/**
 * Returns the requirements on one transaction of a request. For stake changes, `checkEffects` compares
 * amounts and accounts across all transactions.
 */
export const expectedOf = ({
  kind,
  goal,
  lamports,
  accounts,
}: Pick<EffectsRequest, 'kind' | 'goal' | 'lamports' | 'accounts'>): Partial<Expectations> => {
  if (kind === 'rearrange') return { allowed: goal === undefined ? [] : goalRecord(goal).allowed };
  const [stakeAccount] = accounts ?? [];
  return { ...(lamports !== undefined && { lamports }), ...(stakeAccount !== undefined && { stakeAccount }) };
};

/** Kinds that a stake change's transactions may have. A change with one step has the kind of that step. */
const KINDS_OF_CHANGES: readonly RecognizedKind[] = ['rearrange', 'stake', 'unstake', 'withdraw', 'restake'];

/** True if a transaction of the request may have the kind `found`. */
const isRequestedKind = (
  { kind, goal }: Pick<EffectsRequest, 'kind' | 'goal'>,
  found: RecognizedKind,
): boolean =>
  kind === 'rearrange' ? goal !== undefined && KINDS_OF_CHANGES.includes(found) : found === kind;

/** Returns the problem that no transaction of the request may have this kind, or none. */
export const otherKindProblems = (
  request: Pick<EffectsRequest, 'kind' | 'goal'>,
  kind: RecognizedKind,
): TransactionVerdict['recognized']['problems'] =>
  isRequestedKind(request, kind) ? [] : [problemOf('OTHER_KIND', { kind })];

/** Returns the account states that the service claims. Checking against them catches the service's mistakes, not its lies. */
const statesOf = ({ accounts }: StakePlan): Expectations['accounts'] =>
  new Map(
    accounts.flatMap(({ stakeAccountAddress, before }) =>
      before === null ? [] : [[stakeAccountAddress as Address, { state: before.state }] as const],
    ),
  );

/** Maximum priority fee of one transaction that the service may build for a request that names a level: 0.001 SOL. */
export const MAX_PRIORITY_LAMPORTS = 1_000_000n;

const mostPriorityLamports = (priority: Priority = 'none'): bigint => {
  if (typeof priority === 'object') return BigInt(priority.maxLamports);
  return priority === 'none' ? 0n : MAX_PRIORITY_LAMPORTS;
};

/**
 * Checks the transaction bytes `wire`. `ok` is true only for the requested kind. Throws
 * `AppError('INVALID_TRANSACTION')` unless they are exactly one well-formed transaction.
 */
export const verifyRequest: VerifyRequest = (wire, record, binding, stage, plan, approved) => {
  const request = effectsRequestOf(record, binding);
  const { stakeAccountAddress, stakeAuthority } = record;
  const verdict = verifyTransaction(wire, {
    wallet: request.wallet,
    voteAccount: request.voteAccount,
    memo: binding.memo,
    ...expectedOf(request),
    ...(request.owner !== undefined && { owner: request.owner }),
    ...(stakeAuthority !== undefined && { stakeAuthority: stakeAuthority as Address }),
    // A new stake keeps the address in its record.
    ...(request.kind === 'stake' &&
      stakeAccountAddress !== undefined && { stakeAccount: stakeAccountAddress as Address }),
    ...(request.kind === 'rearrange' && plan !== undefined && { accounts: statesOf(plan) }),
    // In a transaction from the service, a priority fee may go to the service's own validator when it is the
    // leader, so the fee must not exceed the requested maximum.
    ...(stage === 'built'
      ? { maxPriorityFeeLamports: mostPriorityLamports(record.priority) }
      : { allowWalletGuards: true }),
  });
  const problems = [
    ...otherKindProblems(request, verdict.recognized.kind),
    ...(approved === undefined || hasEffectsOf(verdict, approved) ? [] : [problemOf('NOT_APPROVED')]),
  ];
  if (problems.length === 0) return verdict;
  return { ...verdict, ok: false, fields: withProblems(verdict.fields, problems) };
};

/** Compares the combined effects of all transactions of one approval, each already verified, with the record's request. */
export const verifyEffects = (
  record: TransactionRecord,
  binding: ServiceBinding,
  verdicts: readonly TransactionVerdict[],
  facts: NodeFacts | null,
): EffectsCheck =>
  checkEffects(
    effectsRequestOf(record, binding),
    verdicts.map(({ message }) => message),
    facts,
  );
