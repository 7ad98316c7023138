// The field-by-field checks of each kind of transaction: whose authority, whose account, how much, to whom.
import type { Address } from '@solana/kit';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from './instruction-programs.ts';
import type { InstructionFields } from './instruction-types.ts';
import { STAKE_ACCOUNT_BYTES } from './stake-account.ts';
import type { Expectations, Recognised, VerifierProblem } from './stake-verifier.ts';

type Fields<Type extends InstructionFields['type']> = Extract<InstructionFields, { type: Type }>;
type Check = VerifierProblem['check'];

/** What a kind's own check found. */
export interface Found {
  readonly stakeAccount?: Address;
  readonly voteAccount?: Address;
  readonly lamports?: bigint;
  readonly recipient?: Address;
  /** Who must sign beside the wallet. */
  readonly signers: readonly Address[];
}

/** What a kind's own check is given. */
export interface Checking {
  readonly fields: readonly InstructionFields[];
  readonly wallet: Address;
  readonly expected: Expectations;
  readonly demand: (holds: boolean, check: Check, text: string) => void;
}

const first = <Type extends InstructionFields['type']>(
  fields: readonly InstructionFields[],
  type: Type,
): Fields<Type> | undefined => fields.find((data): data is Fields<Type> => data.type === type);

const known = <Key extends string>(key: Key, address: Address | null | undefined): { [K in Key]?: Address } =>
  (address === null || address === undefined ? {} : { [key]: address }) as { [K in Key]?: Address };

const checkStake = ({ fields, wallet, expected, demand }: Checking): Found => {
  const delegate = first(fields, 'stake.delegateStake')!;
  const create = first(fields, 'system.createAccount');
  const initialize = first(fields, 'stake.initialize');
  const { stakeAccount } = delegate;
  demand(
    delegate.voteAccount === expected.voteAccount,
    'vote-account',
    'It delegates to another vote account.',
  );
  demand(
    delegate.stakeAuthority === wallet,
    'stake-authority',
    'Another authority than the fee payer delegates.',
  );
  demand(stakeAccount !== null && stakeAccount !== wallet, 'stake-account', 'It names no stake account.');
  if (create) {
    demand(create.from === wallet, 'sender', 'Another account than the fee payer funds the stake account.');
    demand(
      create.newAccount === stakeAccount,
      'stake-account',
      'It creates another account than it delegates.',
    );
    demand(
      create.owner === STAKE_PROGRAM && create.space === BigInt(STAKE_ACCOUNT_BYTES),
      'create-account',
      'The new account is no stake account.',
    );
  }
  if (initialize) {
    const { custodian, epoch, unixTimestamp } = initialize.lockup;
    demand(
      initialize.stakeAccount === stakeAccount,
      'stake-account',
      'It initializes another account than it delegates.',
    );
    demand(initialize.staker === wallet, 'stake-authority', 'The stake authority is not the fee payer.');
    demand(
      initialize.withdrawer === wallet,
      'withdraw-authority',
      'The withdraw authority is not the fee payer.',
    );
    demand(
      unixTimestamp === 0n && epoch === 0n && custodian === SYSTEM_PROGRAM,
      'lockup',
      'It sets a lockup or a custodian.',
    );
  }
  return {
    ...known('stakeAccount', stakeAccount),
    ...known('voteAccount', delegate.voteAccount),
    ...(create ? { lamports: create.lamports } : {}),
    signers: stakeAccount === null ? [] : [stakeAccount],
  };
};

const checkUnstake = ({ fields, wallet, demand }: Checking): Found => {
  const { stakeAccount, stakeAuthority } = first(fields, 'stake.deactivate')!;
  demand(stakeAuthority === wallet, 'stake-authority', 'Another authority than the fee payer deactivates.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return { ...known('stakeAccount', stakeAccount), signers: [] };
};

const checkWithdraw = ({ fields, wallet, expected, demand }: Checking): Found => {
  const { stakeAccount, recipient, withdrawAuthority, custodian, lamports } = first(
    fields,
    'stake.withdraw',
  )!;
  demand(
    withdrawAuthority === wallet,
    'withdraw-authority',
    'Another authority than the fee payer withdraws.',
  );
  demand(recipient === (expected.recipient ?? wallet), 'recipient', 'The lamports go to somebody else.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return {
    ...known('stakeAccount', stakeAccount),
    ...known('recipient', recipient),
    lamports,
    signers: custodian === null ? [] : [custodian],
  };
};

const checkDonate = ({ fields, wallet, expected, demand }: Checking): Found => {
  const transfer = fields.find(
    (data): data is Fields<'system.transfer'> =>
      data.type === 'system.transfer' && data.to === expected.donationAddress,
  )!;
  demand(transfer.from === wallet, 'sender', 'Another account than the fee payer donates.');
  return { ...known('recipient', transfer.to), lamports: transfer.lamports, signers: [] };
};

/** The check of each kind. */
export const checkKind: Record<Recognised['kind'], (checking: Checking) => Found> = {
  stake: checkStake,
  unstake: checkUnstake,
  withdraw: checkWithdraw,
  donate: checkDonate,
  other: () => ({ signers: [] }),
};
