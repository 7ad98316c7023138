// Properties of kinds, derived from their records.
import type { Address } from '@solana/kit';
import { MEMO_PROGRAM, STAKE_PROGRAM, SYSTEM_PROGRAM } from '../instruction-programs.ts';
import type { InstructionFields, OwnInstruction } from '../instruction-types.ts';
import { isRearrangement } from './check-rearrangement.ts';
import type { Expectations } from './kind-record.ts';
import {
  kindRecord,
  kinds,
  type RecognizedKind,
  recognizedKinds,
  type TransactionKind,
  transactionKinds,
} from './transaction-kinds.ts';

/** Returns the kind that a transaction appears to be; `other` if none. */
export const kindOf = (fields: readonly InstructionFields[], expected: Expectations): RecognizedKind =>
  isRearrangement(fields)
    ? 'rearrange'
    : (recognizedKinds.find((kind) => kindRecord(kind).matches(fields, expected)) ?? 'other');

const programOf = (type: OwnInstruction): Address =>
  type === 'memo' ? MEMO_PROGRAM : type.startsWith('stake.') ? STAKE_PROGRAM : SYSTEM_PROGRAM;

/** Lists the program of each of a kind's instructions, in order. */
export const programsOf = (kind: TransactionKind): readonly Address[] => kinds[kind].layout.map(programOf);

/**
 * Returns true if the kind needs the Stake program, which refuses instructions while epoch rewards are being
 * distributed.
 */
export const usesStakeProgram = (kind: TransactionKind): boolean => programsOf(kind).includes(STAKE_PROGRAM);

/** Builds a record with one value for each kind. */
export const recordByKind = <T>(value: (kind: TransactionKind) => T): Record<TransactionKind, T> =>
  Object.fromEntries(transactionKinds.map((kind) => [kind, value(kind)])) as Record<TransactionKind, T>;
