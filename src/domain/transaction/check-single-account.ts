// Checks the authority, account, amount and destination of transactions that change one account.
import type { Address } from '@solana/kit';
import { addressWithSeed } from '../address-with-seed.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../instruction-programs.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { STAKE_ACCOUNT_BYTES } from '../stake/stake-account.ts';
import type { Expectations, Fields, InstructionType, KindCheckInput, KindFacts } from './kind-record.ts';

const first = <Type extends InstructionType>(
  fields: readonly InstructionFields[],
  type: Type,
): Fields<Type> | undefined => fields.find((data): data is Fields<Type> => data.type === type);

/** Returns true for a transfer to the donation address. */
export const isDonation =
  ({ donationAddress }: Expectations) =>
  (data: InstructionFields): data is Fields<'system.transfer'> =>
    donationAddress !== undefined && data.type === 'system.transfer' && data.to === donationAddress;

/** Returns an object with the field, or an empty object if the address is unknown. */
export const fieldIfKnown = <Key extends string>(
  key: Key,
  address: Address | null | undefined,
): { [K in Key]?: Address } =>
  (address === null || address === undefined ? {} : { [key]: address }) as { [K in Key]?: Address };

/** Requires that the wallet holds both authorities of a new stake account without lockup. */
export const requireOwnInitialize = (
  { staker, withdrawer, lockup }: Extract<InstructionFields, { type: 'stake.initialize' }>,
  { wallet, demand }: KindCheckInput,
): void => {
  const { custodian, epoch, unixTimestamp } = lockup;
  demand(staker === wallet, 'STAKE_AUTHORITY_NOT_PAYER');
  demand(withdrawer === wallet, 'WITHDRAW_AUTHORITY_NOT_PAYER');
  demand(unixTimestamp === 0n && epoch === 0n && custodian === SYSTEM_PROGRAM, 'SETS_LOCKUP');
};

/** Requires a new stake account that the wallet funds, at an address that signs or that is derived from the wallet. */
export const requireOwnCreate = (
  { from, newAccount, owner, space, derivedFrom }: Fields<'system.createAccount'>,
  { wallet, demand }: KindCheckInput,
): void => {
  demand(owner === STAKE_PROGRAM && space === BigInt(STAKE_ACCOUNT_BYTES), 'NOT_A_STAKE_ACCOUNT');
  demand(from === wallet, 'FUNDED_BY_OTHER');
  if (derivedFrom === undefined) return;
  const { base, seed } = derivedFrom;
  demand(base === wallet, 'DERIVED_FROM_OTHER');
  demand(newAccount === addressWithSeed(base, seed, owner), 'NOT_ITS_SEEDS_ADDRESS');
};

export const checkStake = (checking: KindCheckInput): KindFacts => {
  const { fields, wallet, expected, demand } = checking;
  const delegate = first(fields, 'stake.delegateStake')!;
  const create = first(fields, 'system.createAccount');
  const initialize = first(fields, 'stake.initialize');
  const authorize = first(fields, 'stake.authorize');
  const { stakeAccount } = delegate;
  demand(delegate.voteAccount === expected.voteAccount, 'OTHER_VOTE_ACCOUNT');
  demand(delegate.stakeAuthority === wallet, 'DELEGATED_BY_OTHER');
  demand(stakeAccount !== null && stakeAccount !== wallet, 'NO_STAKE_ACCOUNT');
  if (create) {
    demand(create.newAccount === stakeAccount, 'CREATES_OTHER_ACCOUNT');
    requireOwnCreate(create, checking);
  }
  if (initialize) {
    demand(initialize.stakeAccount === stakeAccount, 'INITIALIZES_OTHER_ACCOUNT');
    requireOwnInitialize(initialize, checking);
  }
  const { stakeAuthority } = expected;
  if (authorize) {
    demand(
      stakeAuthority !== undefined && (stakeAuthority === 'any' || authorize.newAuthority === stakeAuthority),
      'GIVES_AUTHORITY_AWAY',
    );
    demand(
      authorize.role === 'staker' &&
        authorize.stakeAccount === stakeAccount &&
        authorize.authority === wallet &&
        authorize.custodian === null,
      'GIVES_OTHER_AUTHORITY',
    );
  } else
    demand(
      stakeAuthority === undefined || stakeAuthority === 'any' || stakeAuthority === wallet,
      'STAKE_AUTHORITY_NOT_SET',
    );
  return {
    ...fieldIfKnown('stakeAuthority', authorize?.newAuthority === wallet ? null : authorize?.newAuthority),
    ...fieldIfKnown('stakeAccount', stakeAccount),
    ...fieldIfKnown('voteAccount', delegate.voteAccount),
    ...(create ? { lamports: create.lamports } : {}),
    signers: stakeAccount === null || create?.derivedFrom !== undefined ? [] : [stakeAccount],
  };
};

export const checkRestake = ({ fields, wallet, expected, demand }: KindCheckInput): KindFacts => {
  const { stakeAccount, voteAccount, stakeAuthority } = first(fields, 'stake.delegateStake')!;
  demand(voteAccount === expected.voteAccount, 'OTHER_VOTE_ACCOUNT');
  demand(stakeAuthority === wallet, 'DELEGATED_BY_OTHER');
  demand(stakeAccount !== null, 'NO_STAKE_ACCOUNT');
  return {
    ...fieldIfKnown('stakeAccount', stakeAccount),
    ...fieldIfKnown('voteAccount', voteAccount),
    signers: [],
  };
};

export const checkUnstake = ({ fields, wallet, demand }: KindCheckInput): KindFacts => {
  const { stakeAccount, stakeAuthority } = first(fields, 'stake.deactivate')!;
  demand(stakeAuthority === wallet, 'DEACTIVATED_BY_OTHER');
  demand(stakeAccount !== null, 'NO_STAKE_ACCOUNT');
  return { ...fieldIfKnown('stakeAccount', stakeAccount), signers: [] };
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
    ...fieldIfKnown('stakeAccount', stakeAccount),
    ...fieldIfKnown('recipient', recipient),
    lamports,
    signers: custodian === null ? [] : [custodian],
  };
};

export const checkDonate = ({ fields, wallet, expected, demand }: KindCheckInput): KindFacts => {
  const transfer = fields.find(isDonation(expected))!;
  demand(transfer.from === wallet, 'DONATED_BY_OTHER');
  return { ...fieldIfKnown('recipient', transfer.to), lamports: transfer.lamports, signers: [] };
};
