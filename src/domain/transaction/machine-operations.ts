// Converts the decoded instructions of a message into operations of the stake machine.
import type { Address } from '@solana/kit';
import type { InstructionFields } from '../instruction-types.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import type { MessageFacts } from './stake-verifier.ts';

type Optional<T> = { readonly [K in keyof T]: T[K] | null };

/** Returns the operation if every address is known, otherwise null. */
const complete = (operation: Optional<MachineOperation>): MachineOperation | null =>
  Object.values(operation).includes(null) ? null : (operation as MachineOperation);

const withCustodian = (custodian: Address | null): { readonly custodian?: Address } =>
  custodian === null ? {} : { custodian };

/**
 * Returns null for an instruction that the machine does not run because its addresses are hidden or it is not
 * one of ours.
 */
const operationOf = (data: InstructionFields): MachineOperation | null => {
  switch (data.type) {
    case 'system.createAccount':
      // This service never builds an instruction with a base other than the payer.
      return data.derivedFrom !== undefined && data.derivedFrom.base !== data.from
        ? null
        : complete({
            type: 'create',
            account: data.newAccount,
            payer: data.from,
            lamports: data.lamports,
            ...(data.derivedFrom && { seed: data.derivedFrom.seed }),
          });
    case 'system.transfer':
      return complete({ type: 'transfer', from: data.from, to: data.to, lamports: data.lamports });
    case 'stake.initialize':
      return complete({
        type: 'initialize',
        account: data.stakeAccount,
        stakeAuthority: data.staker,
        withdrawAuthority: data.withdrawer,
        lockup: data.lockup,
      });
    case 'stake.delegateStake':
      return complete({
        type: 'delegate',
        account: data.stakeAccount,
        voteAccount: data.voteAccount,
        authority: data.stakeAuthority,
      });
    case 'stake.deactivate':
      return complete({ type: 'deactivate', account: data.stakeAccount, authority: data.stakeAuthority });
    case 'stake.split':
    case 'stake.moveStake':
    case 'stake.moveLamports':
      return complete({
        type: data.type.slice('stake.'.length) as 'split',
        account: data.stakeAccount,
        into: data.into,
        lamports: data.lamports,
        authority: data.stakeAuthority,
      });
    case 'stake.merge':
      return complete({
        type: 'merge',
        account: data.stakeAccount,
        from: data.from,
        authority: data.stakeAuthority,
      });
    case 'stake.withdraw':
      return complete({
        type: 'withdraw',
        account: data.stakeAccount,
        to: data.recipient,
        lamports: data.lamports,
        authority: data.withdrawAuthority,
        ...withCustodian(data.custodian),
      });
    case 'stake.authorize':
      return complete({
        type: 'authorize',
        account: data.stakeAccount,
        role: data.role,
        authority: data.authority,
        newAuthority: data.newAuthority,
        ...withCustodian(data.custodian),
      });
    default:
      return null;
  }
};

/** Lists the operations of a message in order. Omits instructions that the machine does not run. */
export const machineOperationsOf = ({
  instructions,
}: Pick<MessageFacts, 'instructions'>): readonly MachineOperation[] =>
  instructions.map(({ data }) => operationOf(data)).filter((one) => one !== null);
