// Applies one instruction to the accounts, with the checks of Stake v5 in the program's order. Returns null
// on success.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, type Lockup, lockupInForce, type StakeAccount } from '../stake/stake-account.ts';
import { activationOf, heldBackLamports } from '../stake/stake-state.ts';
import {
  type MergeClass,
  mergeClassOf,
  mergeMismatch,
  sameOwnership,
  weightedCredits,
} from './merge-class.ts';
import {
  type MachineOperation,
  type MachineState,
  type RefusalCode,
  STAKE_ERROR,
  SYSTEM_ERROR,
} from './stake-machine-state.ts';

type OperationOf<T extends MachineOperation['type']> = Extract<MachineOperation, { readonly type: T }>;
type Answer = RefusalCode | null;
type Carrier<T extends MachineOperation['type']> = (operation: OperationOf<T>, state: MachineState) => Answer;

/** Returns true if `wanted` signed. The program accepts signers in any position. */
const signs = ({ authority, custodian }: OperationOf<'withdraw' | 'authorize'>, wanted: Address): boolean =>
  authority === wanted || custodian === wanted;

const inForce = (lockup: Lockup, { chain }: MachineState): boolean =>
  lockupInForce(lockup, chain.epoch, chain.unixTimestamp);

const create: Carrier<'create'> = ({ account, payer, lamports }, state) => {
  if (state.stakes.has(account) || state.lamportsOf(account) > 0n) return SYSTEM_ERROR.AccountAlreadyInUse;
  if (lamports > state.lamportsOf(payer)) return SYSTEM_ERROR.ResultWithNegativeLamports;
  state.pay(payer, -lamports);
  state.put({ kind: 'uninitialized', address: account, lamports });
  return null;
};

const transfer: Carrier<'transfer'> = ({ from, to, lamports }, state) => {
  if (lamports > (state.wallets.get(from) ?? 0n)) return SYSTEM_ERROR.ResultWithNegativeLamports;
  state.pay(from, -lamports);
  state.pay(to, lamports);
  return null;
};

const initialize: Carrier<'initialize'> = (operation, state) => {
  const account = state.stakes.get(operation.account);
  if (account?.kind !== 'uninitialized') return 'InvalidAccountData';
  if (account.lamports < state.chain.stakeRentLamports) return 'InsufficientFunds';
  const { address, lamports } = account;
  const { stakeAuthority, withdrawAuthority, lockup } = operation;
  state.put({
    address,
    lamports,
    kind: 'initialized',
    stakeAuthority,
    withdrawAuthority,
    lockup,
    delegation: null,
  });
  return null;
};

const delegate: Carrier<'delegate'> = ({ account: address, voteAccount, authority }, state) => {
  const { chain } = state;
  const creditsObserved = chain.voteCredits.get(voteAccount);
  if (creditsObserved === undefined) return 'IncorrectProgramId';
  const account = state.stake(address);
  if (typeof account === 'string') return account;
  if (account.stakeAuthority !== authority) return 'MissingRequiredSignature';
  const stakeLamports = account.lamports - chain.stakeRentLamports;
  if (stakeLamports < chain.minimumDelegationLamports) return STAKE_ERROR.InsufficientDelegation;
  const { delegation } = account;
  if (delegation === null || activationOf(account, chain).effectiveLamports === 0n) {
    state.put({
      ...account,
      kind: 'delegated',
      delegation: {
        voteAccount,
        stakeLamports,
        activationEpoch: chain.epoch,
        deactivationEpoch: EPOCH_ABSENT,
        creditsObserved,
      },
    });
    return null;
  }
  if (delegation.deactivationEpoch !== chain.epoch || delegation.voteAccount !== voteAccount)
    return STAKE_ERROR.TooSoonToRedelegate;
  if (stakeLamports < delegation.stakeLamports) return STAKE_ERROR.InsufficientDelegation;
  state.put({ ...account, delegation: { ...delegation, deactivationEpoch: EPOCH_ABSENT } });
  return null;
};

const deactivate: Carrier<'deactivate'> = ({ account: address, authority }, state) => {
  const account = state.stake(address);
  if (typeof account === 'string') return account;
  const { delegation } = account;
  if (delegation === null) return 'InvalidAccountData';
  if (account.stakeAuthority !== authority) return 'MissingRequiredSignature';
  if (delegation.deactivationEpoch !== EPOCH_ABSENT) return STAKE_ERROR.AlreadyDeactivated;
  state.put({ ...account, delegation: { ...delegation, deactivationEpoch: state.chain.epoch } });
  return null;
};

const split: Carrier<'split'> = ({ account: address, into, lamports, authority }, state) => {
  const { stakeRentLamports: rent, minimumDelegationLamports: minimum } = state.chain;
  if (address === into) return 'InvalidArgument';
  const child = state.stakes.get(into);
  if (child === undefined) return 'InvalidAccountOwner';
  if (child.kind !== 'uninitialized') return 'InvalidAccountData';
  if (lamports > state.lamportsOf(address) || lamports === 0n) return 'InsufficientFunds';
  const parent = state.stakes.get(address);
  if (parent === undefined) return 'InvalidAccountOwner';
  if (parent.kind === 'empty') return 'InvalidAccountData';
  // An uninitialized account is its own authority for every instruction.
  const isSigned =
    parent.kind === 'uninitialized' ? state.signers.has(address) : parent.stakeAuthority === authority;
  if (!isSigned) return 'MissingRequiredSignature';
  const delegation =
    parent.kind === 'delegated' && mergeClassOf(parent, state.chain) !== 'inactive'
      ? parent.delegation
      : null;
  const staked = delegation?.stakeLamports ?? 0n;
  const childLamports = child.lamports + lamports;

  if (lamports === parent.lamports) {
    // The child inherits the state of the parent, including excess lamports.
    if (childLamports - staked < rent) return 'InsufficientFunds';
    if (delegation !== null && staked < minimum) return STAKE_ERROR.InsufficientDelegation;
    state.put({ ...parent, address: into, lamports: childLamports });
    state.close(address);
    return null;
  }
  const leftLamports = parent.lamports - lamports;
  if (delegation === null || parent.kind === 'uninitialized') {
    if (leftLamports < rent || childLamports < rent) return 'InsufficientFunds';
    state.put({ ...parent, lamports: leftLamports });
    state.put({ ...parent, address: into, lamports: childLamports });
    return null;
  }
  if (child.lamports < rent) return 'InsufficientFunds';
  if (staked - lamports < minimum) return STAKE_ERROR.InsufficientDelegation;
  if (leftLamports - (staked - lamports) < rent) return 'InsufficientFunds';
  if (lamports < minimum) return STAKE_ERROR.InsufficientDelegation;
  state.put({
    ...parent,
    lamports: leftLamports,
    delegation: { ...delegation, stakeLamports: staked - lamports },
  });
  state.put({
    ...parent,
    address: into,
    lamports: childLamports,
    delegation: { ...delegation, stakeLamports: lamports },
  });
  return null;
};

/**
 * Returns an account that is neither partly effective nor deactivating, or the reason why the account can be
 * neither merged nor moved.
 */
const settled = (
  address: Address,
  state: MachineState,
): { readonly account: StakeAccount; readonly held: MergeClass } | RefusalCode => {
  const account = state.stake(address);
  if (typeof account === 'string') return account;
  const held = mergeClassOf(account, state.chain);
  return held === 'transient' ? STAKE_ERROR.MergeTransientStake : { account, held };
};

const merge: Carrier<'merge'> = ({ account: address, from, authority }, state) => {
  if (address === from) return 'InvalidArgument';
  const target = settled(address, state);
  if (typeof target === 'string') return target;
  if (target.account.stakeAuthority !== authority) return 'MissingRequiredSignature';
  const source = settled(from, state);
  if (typeof source === 'string') return source;
  const mismatch = mergeMismatch(target.account, source.account, state.chain);
  if (mismatch !== null) return mismatch;
  const { delegation } = target.account;
  const merged = { ...target.account, lamports: target.account.lamports + source.account.lamports };
  if (delegation === null || target.held === 'inactive') state.put(merged);
  else {
    // Merging activating accounts delegates the source's whole balance, including its rent-exempt minimum.
    // When active accounts are merged, this minimum becomes excess.
    const absorbed =
      target.held === 'active' ? source.account.delegation!.stakeLamports : source.account.lamports;
    const credits =
      source.held === 'inactive' ? delegation.creditsObserved : source.account.delegation!.creditsObserved;
    state.put({
      ...merged,
      delegation: {
        ...delegation,
        stakeLamports: delegation.stakeLamports + absorbed,
        creditsObserved: weightedCredits(delegation, absorbed, credits),
      },
    });
  }
  state.close(from);
  return null;
};

type Move = OperationOf<'moveStake' | 'moveLamports'>;

/** Returns both accounts of a move, or the reason why the move is refused. */
const movable = ({ account, into, lamports, authority }: Move, state: MachineState) => {
  if (account === into) return 'InvalidInstructionData';
  if (lamports === 0n) return 'InvalidArgument';
  const source = settled(account, state);
  if (typeof source === 'string') return source;
  if (source.account.stakeAuthority !== authority) return 'MissingRequiredSignature';
  const target = settled(into, state);
  if (typeof target === 'string') return target;
  return sameOwnership(source.account, target.account, state.chain)
    ? { source, target }
    : STAKE_ERROR.MergeMismatch;
};

const moveStake: Carrier<'moveStake'> = (operation, state) => {
  const { stakeRentLamports: rent, minimumDelegationLamports: minimum } = state.chain;
  const { lamports } = operation;
  const found = movable(operation, state);
  if (typeof found === 'string') return found;
  const { account: source } = found.source;
  const { account: target } = found.target;
  if (found.source.held !== 'active') return 'InvalidAccountData';
  const given = source.delegation!;
  const leftLamports = given.stakeLamports - lamports;
  if (leftLamports < 0n || (leftLamports > 0n && leftLamports < minimum)) return 'InvalidArgument';
  if (found.target.held === 'activating') return 'InvalidAccountData';
  const held = found.target.held === 'active' ? target.delegation! : null;
  if (held !== null && held.voteAccount !== given.voteAccount) return STAKE_ERROR.VoteAddressMismatch;
  const stakeLamports = (held?.stakeLamports ?? 0n) + lamports;
  if (stakeLamports < minimum) return 'InvalidArgument';
  if (source.lamports - lamports < rent || target.lamports + lamports < rent) return 'InvalidArgument';
  const creditsObserved =
    held === null ? given.creditsObserved : weightedCredits(held, lamports, given.creditsObserved);
  state.put({
    ...target,
    kind: 'delegated',
    lamports: target.lamports + lamports,
    delegation: { ...(held ?? given), stakeLamports, creditsObserved },
  });
  const left = { ...source, lamports: source.lamports - lamports };
  state.put(
    leftLamports === 0n
      ? { ...left, kind: 'initialized', delegation: null }
      : { ...left, delegation: { ...given, stakeLamports: leftLamports } },
  );
  return null;
};

const moveLamports: Carrier<'moveLamports'> = (operation, state) => {
  const found = movable(operation, state);
  if (typeof found === 'string') return found;
  const { account, held } = found.source;
  if (held === 'activating') return 'InvalidAccountData';
  const staked = held === 'active' ? account.delegation!.stakeLamports : 0n;
  if (operation.lamports > account.lamports - staked - state.chain.stakeRentLamports)
    return 'InvalidArgument';
  state.pay(operation.account, -operation.lamports);
  state.pay(operation.into, operation.lamports);
  return null;
};

const withdraw: Carrier<'withdraw'> = (operation, state) => {
  const { account: address, to, lamports, custodian } = operation;
  if (address === to) return 'InvalidArgument';
  const account = state.stakes.get(address);
  if (account === undefined) return 'InvalidAccountOwner';
  let reserved = 0n;
  let staked = 0n;
  if (account.kind === 'uninitialized' || account.kind === 'empty') {
    if (!signs(operation, address)) return 'MissingRequiredSignature';
  } else {
    if (!signs(operation, account.withdrawAuthority)) return 'MissingRequiredSignature';
    const isReleased = custodian !== undefined && custodian === account.lockup.custodian;
    if (!isReleased && inForce(account.lockup, state)) return STAKE_ERROR.LockupInForce;
    staked = heldBackLamports(account, state.chain);
    reserved = staked + state.chain.stakeRentLamports;
  }
  if (lamports === account.lamports) {
    if (staked > 0n) return 'InsufficientFunds';
    state.close(address);
  } else {
    if (lamports + reserved > account.lamports) return 'InsufficientFunds';
    state.pay(address, -lamports);
  }
  state.pay(to, lamports);
  return null;
};

const authorize: Carrier<'authorize'> = (operation, state) => {
  const { role, newAuthority, custodian } = operation;
  const account = state.stake(operation.account);
  if (typeof account === 'string') return account;
  const { stakeAuthority, withdrawAuthority, lockup } = account;
  if (role === 'staker') {
    if (!signs(operation, stakeAuthority) && !signs(operation, withdrawAuthority))
      return 'MissingRequiredSignature';
    state.put({ ...account, stakeAuthority: newAuthority });
    return null;
  }
  if (inForce(lockup, state)) {
    if (custodian === undefined) return STAKE_ERROR.CustodianMissing;
    if (custodian !== lockup.custodian) return STAKE_ERROR.LockupInForce;
  }
  if (!signs(operation, withdrawAuthority)) return 'MissingRequiredSignature';
  state.put({ ...account, withdrawAuthority: newAuthority });
  return null;
};

const setLockup: Carrier<'setLockup'> = ({ account: address, lockup, authority }, state) => {
  const account = state.stake(address);
  if (typeof account === 'string') return account;
  const decides = inForce(account.lockup, state) ? account.lockup.custodian : account.withdrawAuthority;
  if (authority !== decides) return 'MissingRequiredSignature';
  state.put({ ...account, lockup: { ...account.lockup, ...lockup } });
  return null;
};

/** Implementation of each instruction, by name. */
export const stakeInstructions: { readonly [T in MachineOperation['type']]: Carrier<T> } = {
  create,
  transfer,
  initialize,
  delegate,
  deactivate,
  split,
  merge,
  moveStake,
  moveLamports,
  withdraw,
  authorize,
  setLockup,
};
