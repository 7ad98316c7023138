// The programs of our own transactions, instruction by instruction, for explaining which one the chain refused.
const SYSTEM = '11111111111111111111111111111111';
const STAKE = 'Stake11111111111111111111111111111111111111';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

/** By operation, in the order in which `chain/transaction.ts` builds them. */
export const programsOf = {
  stake: [SYSTEM, STAKE, STAKE, MEMO],
  unstake: [STAKE, MEMO],
  withdraw: [STAKE, MEMO],
  donate: [SYSTEM, MEMO],
} as const;
