// Checks transactions that act on one account: authority, account, amount and destination.
import type { Address } from '@solana/kit';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../instruction-programs.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { STAKE_ACCOUNT_BYTES } from '../stake/stake-account.ts';
import type { Expectations, Fields, InstructionType, KindCheckInput, KindFacts } from './kind-record.ts';

const first = <Type extends InstructionType>(
  fields: readonly InstructionFields[],
  type: Type,
): Fields<Type> | undefined => fields.find((data): data is Fields<Type> => data.type === type);

/** True for a transfer to the donation address. */
export const isDonation =
  ({ donationAddress }: Expectations) =>
  (data: InstructionFields): data is Fields<'system.transfer'> =>
    donationAddress !== undefined && data.type === 'system.transfer' && data.to === donationAddress;

/** Returns an object with the field, or an empty one if the address is unknown. */
export const ifKnown = <Key extends string>(
  key: Key,
  address: Address | null | undefined,
): { [K in Key]?: Address } =>
  (address === null || address === undefined ? {} : { [key]: address }) as { [K in Key]?: Address };

/** Requires that the wallet holds both authorities of a new stake account without lockup. */
export const demandOwnInitialize = (
  { staker, withdrawer, lockup }: Extract<InstructionFields, { type: 'stake.initialize' }>,
  { wallet, demand }: KindCheckInput,
): void => {
  const { custodian, epoch, unixTimestamp } = lockup;
  demand(staker === wallet, 'STAKE_AUTHORITY_NOT_PAYER');
  demand(withdrawer === wallet, 'WITHDRAW_AUTHORITY_NOT_PAYER');
  demand(unixTimestamp === 0n && epoch === 0n && custodian === SYSTEM_PROGRAM, 'SETS_LOCKUP');
};

export const checkStake = (checking: KindCheckInput): KindFacts => {
  const { fields, wallet, expected, demand } = checking;
  const delegate = first(fields, 'stake.delegateStake')!;
  const create = first(fields, 'system.createAccount');
  const initialize = first(fields, 'stake.initialize');
  const { stakeAccount } = delegate;
  demand(delegate.voteAccount === expected.voteAccount, 'OTHER_VOTE_ACCOUNT');
  demand(delegate.stakeAuthority === wallet, 'DELEGATED_BY_OTHER');
  demand(stakeAccount !== null && stakeAccount !== wallet, 'NO_STAKE_ACCOUNT');
  if (create) {
    demand(create.from === wallet, 'FUNDED_BY_OTHER');
    demand(create.newAccount === stakeAccount, 'CREATES_OTHER_ACCOUNT');
    demand(
      create.owner === STAKE_PROGRAM && create.space === BigInt(STAKE_ACCOUNT_BYTES),
      'NOT_A_STAKE_ACCOUNT',
    );
  }
  if (initialize) {
    demand(initialize.stakeAccount === stakeAccount, 'INITIALIZES_OTHER_ACCOUNT');
    demandOwnInitialize(initialize, checking);
  }
  return {
    ...ifKnown('stakeAccount', stakeAccount),
    ...ifKnown('voteAccount', delegate.voteAccount),
    ...(create ? { lamports: create.lamports } : {}),
    signers: stakeAccount === null ? [] : [stakeAccount],
  };
};

export const checkRestake = ({ fields, wallet, expected, demand }: KindCheckInput): KindFacts => {
  const { stakeAccount, voteAccount, stakeAuthority } = first(fields, 'stake.delegateStake')!;
  demand(voteAccount === expected.voteAccount, 'OTHER_VOTE_ACCOUNT');
  demand(stakeAuthority === wallet, 'DELEGATED_BY_OTHER');
  demand(stakeAccount !== null, 'NO_STAKE_ACCOUNT');
  return { ...ifKnown('stakeAccount', stakeAccount), ...ifKnown('voteAccount', voteAccount), signers: [] };
};

export const checkUnstake = ({ fields, wallet, demand }: KindCheckInput): KindFacts => {
  const { stakeAccount, stakeAuthority } = first(fields, 'stake.deactivate')!;
  demand(stakeAuthority === wallet, 'DEACTIVATED_BY_OTHER');
  demand(stakeAccount !== null, 'NO_STAKE_ACCOUNT');
  return { ...ifKnown('stakeAccount', stakeAccount), signers: [] };
};

export const checkWithdraw = ({ fields, wallet, expected, demand }: KindCheckInput): KindFacts => {
  const { stakeAccount, recipient, withdrawAuthority, custodian, lamports } = first(
    fields,
    'stake.withdraw',
  )!;
  demand(withdrawAuthority === wallet, 'WITHDRAWN_BY_OTHER');
  demand(recipient === (expected.recipient ?? wallet), 'OTHER_RECIPIENT');
  demand(stakeAccount !== null, 'NO_STAKE_ACCOUNT');
  return {
    ...ifKnown('stakeAccount', stakeAccount),
    ...ifKnown('recipient', recipient),
    lamports,
    signers: custodian === null ? [] : [custodian],
  };
};

export const checkDonate = ({ fields, wallet, expected, demand }: KindCheckInput): KindFacts => {
  const transfer = fields.find(isDonation(expected))!;
  demand(transfer.from === wallet, 'DONATED_BY_OTHER');
  return { ...ifKnown('recipient', transfer.to), lamports: transfer.lamports, signers: [] };
};
