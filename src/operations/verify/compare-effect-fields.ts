// Compares a transaction's effects with the expected ones, field by field. Every failed check appears in
// exactly one field.

import type { InstructionFields } from '../../domain/instruction-types.ts';
import { formatSol } from '../../domain/lamports.ts';
import { priorityFeeLamports } from '../../domain/transaction/instruction-fees.ts';
import type { Expectations, MessageFacts, Recognized } from '../../domain/transaction/stake-verifier.ts';
import { kindRecord } from '../../domain/transaction/transaction-kinds.ts';
import { CHECKED_FIELDS, type CheckedField } from '../../domain/transaction/verifier-problems.ts';
import { type FieldVerdict, withProblems } from './add-verifier-problems.ts';

const EVERY_KIND: readonly CheckedField[] = ['feePayer', 'instructions', 'signers', 'memo', 'priorityFee'];

type Values = Partial<Record<CheckedField, string | null | undefined>>;

const solText = (lamports: bigint | undefined): string | null =>
  lamports === undefined ? null : `${formatSol(lamports)} SOL`;

const lockupText = ({
  unixTimestamp,
  epoch,
  custodian,
}: { [K in 'unixTimestamp' | 'epoch']: bigint } & { custodian: string }) =>
  unixTimestamp === 0n && epoch === 0n
    ? 'none'
    : `until Unix time ${unixTimestamp} and epoch ${epoch}, custodian ${custodian}`;

/**
 * Returns the value that the instructions set or require. If several instructions differ, returns all values
 * separated by commas.
 */
const collect = (
  fields: readonly InstructionFields[],
  pick: (data: InstructionFields) => string | null | undefined,
): string | null => [...new Set(fields.map(pick).filter((value) => value != null))].join(', ') || null;

/** Returns the stake authority that an instruction sets or requires. */
const authorityIn = (data: InstructionFields): string | null =>
  data.type === 'stake.initialize'
    ? data.staker
    : data.type === 'stake.authorize' && data.role === 'staker'
      ? data.newAuthority
      : data.type === 'stake.delegateStake' || data.type === 'stake.deactivate'
        ? data.stakeAuthority
        : null;

/** Formats a fee. A fee of 0 is shown as none. */
const feeText = (lamports: bigint): string | null => (lamports === 0n ? null : solText(lamports));

const foundValues = (message: MessageFacts, seen: Recognized): Values => {
  const fields = message.instructions.map(({ data }) => data);
  return {
    feePayer: message.feePayer,
    instructions: message.instructions.map(({ program, name }) => `${program}.${name}`).join(', '),
    signers: message.requiredSigners.join(', '),
    stakeAccount: seen.stakeAccount,
    // A new stake authority replaces the wallet, which initializes and delegates the account.
    stakeAuthority: collect(fields, (data) => {
      const authority = authorityIn(data);
      return authority === seen.wallet ? (seen.stakeAuthority ?? authority) : authority;
    }),
    withdrawAuthority: collect(fields, (data) =>
      data.type === 'stake.initialize'
        ? data.withdrawer
        : data.type === 'stake.withdraw'
          ? data.withdrawAuthority
          : null,
    ),
    lockup: collect(fields, (data) => (data.type === 'stake.initialize' ? lockupText(data.lockup) : null)),
    validator: seen.voteAccount,
    fundedBy: collect(fields, (data) =>
      data.type === 'system.createAccount' || data.type === 'system.transfer' ? data.from : null,
    ),
    recipient: seen.recipient,
    amount: solText(seen.lamports),
    memo: collect(fields, (data) => (data.type === 'memo' ? data.text : null)),
    priorityFee: feeText(priorityFeeLamports(message)),
  };
};

const expectedValues = (seen: Recognized, expected: Expectations): Values => {
  // All payers must be the same address. Whether it is the right wallet is checked by the fee payer field.
  const { wallet } = seen;
  return {
    feePayer:
      expected.feePayer === undefined || expected.feePayer === 'any' ? expected.wallet : expected.feePayer,
    stakeAccount: expected.stakeAccount,
    stakeAuthority: seen.stakeAuthority ?? wallet,
    withdrawAuthority: seen.owner ?? wallet,
    lockup: 'none',
    validator: expected.voteAccount,
    fundedBy: wallet,
    recipient: seen.kind === 'other' ? undefined : kindRecord(seen.kind).recipient?.(expected, wallet),
    amount: solText(expected.lamports),
    memo: expected.memo,
    priorityFee: expected.maxPriorityFeeLamports
      ? `at most ${formatSol(expected.maxPriorityFeeLamports)} SOL`
      : null,
  };
};

/** Returns the fields of this kind of transaction, plus any other field with a failed check. */
export const checkFields = (
  message: MessageFacts,
  seen: Recognized,
  expected: Expectations,
): readonly FieldVerdict[] => {
  const shown = new Set([...EVERY_KIND, ...(seen.kind === 'other' ? [] : kindRecord(seen.kind).fields)]);
  const found = foundValues(message, seen);
  const wanted = expectedValues(seen, expected);
  const wrong = new Set<CheckedField>(seen.problems.map(({ field }) => field));
  const right = CHECKED_FIELDS.filter((field) => shown.has(field) || wrong.has(field)).map((field) => ({
    field,
    ok: true,
    expected: wanted[field] ?? null,
    found: found[field] ?? null,
    problem: null,
    problemSentences: [],
  }));
  return withProblems(right, seen.problems);
};
