// Operations of the stake machine as instructions of the official client library, signed by nobody.
import { type Address, type Instruction, createNoopSigner as signer } from '@solana/kit';
import {
  getAuthorizeInstruction,
  getSetLockupInstruction,
  getWithdrawInstruction,
  StakeAuthorize,
} from '@solana-program/stake';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import * as build from './truth-instructions.ts';

const lockupAuthority = (custodian: Address | undefined) =>
  custodian === undefined ? {} : { lockupAuthority: signer(custodian) };

/** The instruction that the operation stands for. */
export const instructionOf = (operation: MachineOperation): Instruction => {
  switch (operation.type) {
    case 'create':
      return build.createStake(operation.payer, operation.account, operation.lamports);
    case 'transfer':
      return build.transfer(operation.from, operation.to, operation.lamports);
    case 'initialize':
      return build.initialize(
        operation.account,
        operation.stakeAuthority,
        operation.withdrawAuthority,
        operation.lockup,
      );
    case 'delegate':
      return build.delegate(operation.account, operation.voteAccount, operation.authority);
    case 'deactivate':
      return build.deactivate(operation.account, operation.authority);
    case 'merge':
      return build.merge(operation.account, operation.from, operation.authority);
    case 'split':
      return build.split(operation.account, operation.into, operation.authority, operation.lamports);
    case 'moveStake':
      return build.moveStake(operation.account, operation.into, operation.authority, operation.lamports);
    case 'moveLamports':
      return build.moveLamports(operation.account, operation.into, operation.authority, operation.lamports);
    case 'withdraw':
      return getWithdrawInstruction({
        stake: operation.account,
        recipient: operation.to,
        withdrawAuthority: signer(operation.authority),
        args: operation.lamports,
        ...lockupAuthority(operation.custodian),
      });
    case 'authorize':
      return getAuthorizeInstruction({
        stake: operation.account,
        authority: signer(operation.authority),
        arg0: operation.newAuthority,
        arg1: operation.role === 'staker' ? StakeAuthorize.Staker : StakeAuthorize.Withdrawer,
        ...lockupAuthority(operation.custodian),
      });
    case 'setLockup': {
      const { unixTimestamp = null, epoch = null, custodian = null } = operation.lockup;
      return getSetLockupInstruction({
        stake: operation.account,
        authority: signer(operation.authority),
        unixTimestamp,
        epoch,
        custodian,
      });
    }
  }
};
