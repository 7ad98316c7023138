// Classifies any transaction on stake accounts as the single act that a history shows.
import type { Address } from '@solana/kit';
import type { DecodedInstruction, InstructionFields } from '../instruction-types.ts';
import type { TransactionKind } from './transaction-kinds.ts';

/** One act. Of several of a kind in one transaction the amounts are added up, and the first account stands for all. */
export interface StakeAct {
  readonly type: TransactionKind;
  readonly stakeAccount: Address;
  /** The withdraw authority where the transaction says it, else the authority that signed. */
  readonly wallet: Address;
  /** Where a stake is delegated to; null for what else is done, which the transaction does not say. */
  readonly voteAccount: Address | null;
  /** What a new account was given, or what was withdrawn; null where the transaction does not say it. */
  readonly lamports: bigint | null;
}

type Fields<Type extends InstructionFields['type']> = Extract<InstructionFields, { type: Type }>;

/** Null for a transaction that does nothing of the kind, or hides its accounts in lookup tables. A new delegation counts before an unstake, an unstake before a withdrawal, and a split, merge or move is what there is nothing else of. */
export const classifyStakeAct = (
  instructions: readonly DecodedInstruction<Address | null>[],
): StakeAct | null => {
  const fields = instructions.map(({ data }) => data);
  const all = <Type extends InstructionFields['type']>(type: Type): Fields<Type>[] =>
    fields.filter((data): data is Fields<Type> => data.type === type);
  const [delegation] = all('stake.delegateStake');
  if (delegation?.stakeAccount && delegation.stakeAuthority && delegation.voteAccount) {
    const { stakeAccount, stakeAuthority, voteAccount } = delegation;
    const delegated = new Set(all('stake.delegateStake').map((data) => data.stakeAccount));
    const created = all('system.createAccount').filter(({ newAccount }) => delegated.has(newAccount));
    const initialized = all('stake.initialize').find((data) => data.stakeAccount === stakeAccount);
    return {
      // What is not made here exists already.
      type: initialized || created.length > 0 ? 'stake' : 'restake',
      stakeAccount,
      voteAccount,
      wallet: initialized?.withdrawer ?? stakeAuthority,
      lamports: created.length === 0 ? null : created.reduce((sum, { lamports }) => sum + lamports, 0n),
    };
  }
  const [deactivation] = all('stake.deactivate');
  if (deactivation?.stakeAccount && deactivation.stakeAuthority)
    return {
      type: 'unstake',
      stakeAccount: deactivation.stakeAccount,
      wallet: deactivation.stakeAuthority,
      voteAccount: null,
      lamports: null,
    };
  const [withdrawal] = all('stake.withdraw');
  if (withdrawal?.stakeAccount && withdrawal.withdrawAuthority)
    return {
      type: 'withdraw',
      stakeAccount: withdrawal.stakeAccount,
      wallet: withdrawal.withdrawAuthority,
      voteAccount: null,
      lamports: all('stake.withdraw').reduce((sum, { lamports }) => sum + lamports, 0n),
    };
  const [division] = fields.filter((data) => 'into' in data || data.type === 'stake.merge');
  if (division?.stakeAccount && division.stakeAuthority)
    return {
      type: 'rearrange',
      stakeAccount: division.stakeAccount,
      wallet: division.stakeAuthority,
      voteAccount: null,
      lamports: null,
    };
  return null;
};
