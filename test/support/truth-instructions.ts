// Builds the commands of the random sequences as unsigned instructions, with the official client library.
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import {
  getAuthorizeInstruction,
  getDeactivateInstruction,
  getDelegateStakeInstruction,
  getInitializeInstruction,
  getMergeInstruction,
  getMoveLamportsInstruction,
  getMoveStakeInstruction,
  getSetLockupInstruction,
  getSplitInstruction,
  getWithdrawInstruction,
  StakeAuthorize,
} from '@solana-program/stake';
import {
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getCreateAccountWithSeedInstruction,
  getTransferSolInstruction,
  getWithdrawNonceAccountInstruction,
} from '@solana-program/system';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { Lockup } from '../../src/domain/stake/stake-account.ts';
import { STAKE_ACCOUNT_BYTES } from '../../src/domain/stake/stake-account.ts';

const signer = createNoopSigner;

/** Creates an uninitialized stake account. */
export const createStake = (payer: Address, stake: Address, lamports: bigint): Instruction =>
  getCreateAccountInstruction({
    payer: signer(payer),
    newAccount: signer(stake),
    lamports,
    space: STAKE_ACCOUNT_BYTES,
    programAddress: STAKE_PROGRAM,
  });

/** Creates an uninitialized stake account at the address derived from `base` and the seed. */
export const createStakeBySeed = (
  payer: Address,
  stake: Address,
  lamports: bigint,
  { base = payer, seed }: { readonly base?: Address; readonly seed: string },
): Instruction =>
  getCreateAccountWithSeedInstruction({
    payer: signer(payer),
    newAccount: stake,
    ...(base !== payer && { baseAccount: signer(base) }),
    base,
    seed,
    amount: lamports,
    space: STAKE_ACCOUNT_BYTES,
    programAddress: STAKE_PROGRAM,
  });

export const initialize = (
  stake: Address,
  staker: Address,
  withdrawer: Address,
  lockup: Lockup,
): Instruction => getInitializeInstruction({ stake, arg0: { staker, withdrawer }, arg1: lockup });

export const delegate = (stake: Address, vote: Address, staker: Address): Instruction =>
  getDelegateStakeInstruction({ stake, vote, stakeAuthority: signer(staker) });

export const deactivate = (stake: Address, staker: Address): Instruction =>
  getDeactivateInstruction({ stake, stakeAuthority: signer(staker) });

/** Withdraws from a stake account. `custodian`, if given, also signs. */
export const withdraw = (
  stake: Address,
  withdrawer: Address,
  lamports: bigint,
  custodian?: Address,
): Instruction =>
  getWithdrawInstruction({
    stake,
    recipient: withdrawer,
    withdrawAuthority: signer(withdrawer),
    args: lamports,
    ...(custodian === undefined ? {} : { lockupAuthority: signer(custodian) }),
  });

export const split = (stake: Address, splitStake: Address, staker: Address, lamports: bigint): Instruction =>
  getSplitInstruction({ stake, splitStake, stakeAuthority: signer(staker), args: lamports });

export const merge = (destinationStake: Address, sourceStake: Address, staker: Address): Instruction =>
  getMergeInstruction({ destinationStake, sourceStake, stakeAuthority: signer(staker) });

export const moveStake = (
  source: Address,
  destination: Address,
  staker: Address,
  lamports: bigint,
): Instruction =>
  getMoveStakeInstruction({
    sourceStake: source,
    destinationStake: destination,
    stakeAuthority: signer(staker),
    args: lamports,
  });

export const moveLamports = (
  source: Address,
  destination: Address,
  staker: Address,
  lamports: bigint,
): Instruction =>
  getMoveLamportsInstruction({
    sourceStake: source,
    destinationStake: destination,
    stakeAuthority: signer(staker),
    args: lamports,
  });

export const setLockup = (stake: Address, authority: Address, lockup: Lockup): Instruction =>
  getSetLockupInstruction({ stake, authority: signer(authority), ...lockup });

export const authorizeStaker = (stake: Address, staker: Address, newStaker: Address): Instruction =>
  getAuthorizeInstruction({ stake, authority: signer(staker), arg0: newStaker, arg1: StakeAuthorize.Staker });

export const transfer = (source: Address, destination: Address, lamports: bigint): Instruction =>
  getTransferSolInstruction({ source: signer(source), destination, amount: lamports });

export const advanceNonce = (nonceAccount: Address, authority: Address): Instruction =>
  getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: signer(authority) });

export const withdrawNonce = (
  nonceAccount: Address,
  authority: Address,
  recipient: Address,
  lamports: bigint,
): Instruction =>
  getWithdrawNonceAccountInstruction({
    nonceAccount,
    recipientAccount: recipient,
    nonceAuthority: signer(authority),
    withdrawAmount: lamports,
  });
