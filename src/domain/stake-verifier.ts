// Says what a transaction does with stake and whether it is exactly one of ours: pure, so that anyone can run it on what they are asked to sign.
import type { Address } from '@solana/kit';
import { priorityFeeLamports } from './instruction-fees.ts';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAMS } from './instruction-programs.ts';
import type { DecodedInstruction, InstructionFields } from './instruction-types.ts';
import { checkKind } from './stake-verifier-checks.ts';

/** What the verifier needs to know of a message; `decodeWire` and the builders give it. */
export interface MessageFacts {
  readonly feePayer: Address;
  readonly requiredSigners: readonly Address[];
  readonly instructions: readonly DecodedInstruction<Address | null>[];
  /** Accounts hidden in lookup tables: such a transaction is never ours. Default false. */
  readonly hasLookups?: boolean;
  /** The priority fee that a version 1 message states in its header. Default: what the instructions say. */
  readonly headerPriorityFeeLamports?: bigint | null;
}

/** What our transactions look like, and, where it is known, what this one was asked to be. */
export interface Expectations {
  readonly voteAccount: Address;
  /** Where a donation may go. Absent: nothing is a donation. */
  readonly donationAddress?: Address;
  /** Exact text. */
  readonly memo: string;
  /** Programs under which a memo counts. Default: all known ones. */
  readonly memoPrograms?: readonly Address[];
  /** Checked only where given. */
  readonly wallet?: Address;
  readonly stakeAccount?: Address;
  readonly lamports?: bigint;
  /** Where a withdrawal must go. Default: the wallet. */
  readonly recipient?: Address;
  /** The most a wallet may have added as priority fee. Default 0.01 SOL. */
  readonly maxPriorityFeeLamports?: bigint;
}

/** A check that failed. */
export interface VerifierProblem {
  readonly check:
    | 'kind'
    | 'order'
    | 'instructions'
    | 'lookup-tables'
    | 'signers'
    | 'wallet'
    | 'create-account'
    | 'stake-account'
    | 'stake-authority'
    | 'withdraw-authority'
    | 'lockup'
    | 'vote-account'
    | 'recipient'
    | 'sender'
    | 'donation-address'
    | 'lamports'
    | 'memo'
    | 'priority-fee';
  readonly message: string;
}

/** An instruction beside those of ours. */
export interface ExtraInstruction {
  readonly program: Address;
  readonly known: 'compute-budget' | 'wallet-guard' | 'unknown';
}

/** What a transaction turned out to be. */
export interface Recognised {
  readonly kind: 'stake' | 'unstake' | 'withdraw' | 'donate' | 'other';
  /** The fee payer. */
  readonly wallet: Address;
  readonly stakeAccount?: Address;
  /** Where a stake is delegated to. */
  readonly voteAccount?: Address;
  readonly lamports?: bigint;
  readonly recipient?: Address;
  /** A top-level memo instruction carries exactly our memo. */
  readonly hasOurMemo: boolean;
  readonly extraInstructions: readonly ExtraInstruction[];
  readonly problems: readonly VerifierProblem[];
  /** True only when every check passed: it does this one thing for the fee payer, and nothing else. */
  readonly ok: boolean;
}

const DEFAULT_MAX_PRIORITY_FEE_LAMPORTS = 10_000_000n;

type Check = VerifierProblem['check'];

/** The instructions of each kind, in the order in which they must stand. */
const LAYOUT = {
  stake: ['system.createAccount', 'stake.initialize', 'stake.delegateStake', 'memo'],
  unstake: ['stake.deactivate', 'memo'],
  withdraw: ['stake.withdraw', 'memo'],
  donate: ['system.transfer', 'memo'],
  other: [],
} as const satisfies Record<Recognised['kind'], readonly InstructionFields['type'][]>;

const kindOf = (
  fields: readonly InstructionFields[],
  donationAddress: Address | undefined,
): Recognised['kind'] => {
  const has = (type: InstructionFields['type']) => fields.some((data) => data.type === type);
  if (has('stake.delegateStake')) return 'stake';
  if (has('stake.deactivate')) return 'unstake';
  if (has('stake.withdraw')) return 'withdraw';
  return donationAddress !== undefined &&
    fields.some((data) => data.type === 'system.transfer' && data.to === donationAddress)
    ? 'donate'
    : 'other';
};

/** Wallet guards are Lighthouse assertions; other programs that wallets may use are added here when they are known only to assert. */
const knownAs = ({
  programId,
  name,
  data,
}: MessageFacts['instructions'][number]): ExtraInstruction['known'] => {
  if (programId === COMPUTE_BUDGET_PROGRAM) return name === 'unknown' ? 'unknown' : 'compute-budget';
  return data.type === 'lighthouse.assertion' ? 'wallet-guard' : 'unknown';
};

/** Recognises a transaction and checks it field by field. Never throws; `kind` and the fields are filled even when `ok` is false. */
export const recogniseTransaction = (message: MessageFacts, expected: Expectations): Recognised => {
  const problems: VerifierProblem[] = [];
  const demand = (holds: boolean, check: Check, text: string): void => {
    if (!holds) problems.push({ check, message: text });
  };
  const fields = message.instructions.map(({ data }) => data);
  const kind = kindOf(fields, expected.donationAddress);
  const wallet = message.feePayer;
  const { ours, extraInstructions } = partition(message.instructions, LAYOUT[kind]);

  demand(kind !== 'other', 'kind', 'It neither stakes, unstakes, withdraws nor donates.');
  demand(
    !message.hasLookups,
    'lookup-tables',
    'It takes accounts from lookup tables, which cannot be checked.',
  );
  demand(
    ours.length === LAYOUT[kind].length,
    'order',
    `It is not made of ${LAYOUT[kind].join(', ')}, in this order.`,
  );
  demand(
    extraInstructions.every(({ known }) => known !== 'unknown'),
    'instructions',
    'It holds instructions beside ours that no wallet adds.',
  );
  demand(
    expected.wallet === undefined || expected.wallet === wallet,
    'wallet',
    'Another wallet pays and signs.',
  );
  const memos = message.instructions.filter(({ programId }) =>
    (expected.memoPrograms ?? MEMO_PROGRAMS).includes(programId),
  );
  const hasOurMemo = memos.some(({ data }) => data.type === 'memo' && data.text === expected.memo);
  demand(hasOurMemo, 'memo', 'It does not carry our memo.');
  const priorityFee = priorityFeeLamports(message.instructions, message.headerPriorityFeeLamports ?? null);
  const maxPriorityFee = expected.maxPriorityFeeLamports ?? DEFAULT_MAX_PRIORITY_FEE_LAMPORTS;
  demand(
    priorityFee <= maxPriorityFee,
    'priority-fee',
    `Its priority fee of ${priorityFee} lamports is above ${maxPriorityFee}.`,
  );

  const found = checkKind[kind]({ fields, wallet, expected, demand });
  demand(
    expected.stakeAccount === undefined || found.stakeAccount === expected.stakeAccount,
    'stake-account',
    'It concerns another stake account.',
  );
  demand(
    expected.lamports === undefined || found.lamports === expected.lamports,
    'lamports',
    'It moves another amount.',
  );
  const signers = new Set([wallet, ...found.signers]);
  demand(
    message.requiredSigners.length === signers.size &&
      message.requiredSigners.every((signer) => signers.has(signer)),
    'signers',
    'It needs other signatures than it should.',
  );
  const { signers: _, ...facts } = found;
  return { kind, wallet, ...facts, hasOurMemo, extraInstructions, problems, ok: problems.length === 0 };
};

/** Takes the instructions of the layout in their order, each once; whatever else stands there is extra. */
const partition = (
  instructions: MessageFacts['instructions'],
  layout: readonly InstructionFields['type'][],
) => {
  const ours: InstructionFields[] = [];
  const extraInstructions: ExtraInstruction[] = [];
  for (const instruction of instructions) {
    if (instruction.data.type === layout[ours.length]) ours.push(instruction.data);
    else extraInstructions.push({ program: instruction.programId, known: knownAs(instruction) });
  }
  return { ours, extraInstructions };
};
