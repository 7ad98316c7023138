// The programs of our own transactions, instruction by instruction, for explaining which one the chain refused.
import { MEMO_PROGRAM, STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';

/** By operation, in the order in which `chain/transaction.ts` builds them. */
export const programsOf = {
  stake: [SYSTEM_PROGRAM, STAKE_PROGRAM, STAKE_PROGRAM, MEMO_PROGRAM],
  unstake: [STAKE_PROGRAM, MEMO_PROGRAM],
  withdraw: [STAKE_PROGRAM, MEMO_PROGRAM],
  donate: [SYSTEM_PROGRAM, MEMO_PROGRAM],
} as const;
