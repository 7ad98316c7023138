// Classifies any transaction on stake accounts as a single change for the history.
import type { Address } from '@solana/kit';
import type { DecodedInstruction, InstructionFields } from '../instruction-types.ts';
import type { TransactionKind } from './transaction-kinds.ts';

/**
 * A change to stake. If a transaction makes several changes of one kind, their amounts are added, and the first
 * account represents all of them.
 */
export interface StakeAct {
  readonly type: TransactionKind;
  readonly stakeAccount: Address;
  /** The withdraw authority if the transaction contains it, otherwise the authority that signed. */
  readonly wallet: Address;
  /** The vote account of a delegation. Null for other changes, whose transactions do not contain it. */
  readonly voteAccount: Address | null;
  /** Lamports of a new account or of a withdrawal. Null if the transaction does not contain the amount. */
  readonly lamports: bigint | null;
}

type Fields<Type extends InstructionFields['type']> = Extract<InstructionFields, { type: Type }>;

/**
 * Classifies a transaction. Returns null if it changes no stake, or hides its accounts in lookup tables.
 * Precedence: delegation, unstake, withdrawal, then split, merge or move, then a change of authority.
 */
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
      // Without a new account in the transaction, the delegated account already existed.
      type: initialized || created.length > 0 ? 'stake' : 'restake',
      stakeAccount,
      voteAccount,
      wallet: initialized?.withdrawer ?? stakeAuthority,
      lamports: created.length === 0 ? null : created.reduce((sum, { lamports }) => sum + lamports, 0n),
    };
  }
  const deactivations = all('stake.deactivate');
  const [deactivation] = deactivations;
  if (deactivation?.stakeAccount && deactivation.stakeAuthority)
    return {
      // No single account represents an unstake of several.
      type: deactivations.some((one) => one.stakeAccount !== deactivation.stakeAccount)
        ? 'rearrange'
        : 'unstake',
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
  const [authorization] = all('stake.authorize');
  if (authorization?.stakeAccount && authorization.authority)
    return {
      type: 'rearrange',
      stakeAccount: authorization.stakeAccount,
      wallet: authorization.authority,
      voteAccount: null,
      lamports: null,
    };
  return null;
};
