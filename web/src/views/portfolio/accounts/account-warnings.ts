// Warnings about stake accounts that other addresses can control.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../text/format-figures.ts';

/** The account fields needed. */
export type WarnedAccount = Pick<
  StakeAccount,
  'role' | 'stakeAuthority' | 'withdrawAuthority' | 'lockup' | 'state'
>;

const lockupWords = ({ unixTimestamp, epoch, custodian }: NonNullable<StakeAccount['lockup']>): string => {
  const ends = [
    ...(unixTimestamp > 0
      ? new Date(Math.min(unixTimestamp * 1000, 8.64e15)).toISOString().split('T', 1)
      : []),
    ...(epoch > 0 ? [`epoch ${epoch}`] : []),
  ];
  return `Locked until ${ends.join(' and ')}. Until then only its custodian ${shortAddress(custodian)} can allow withdrawals.`;
};

/** Sentences; empty if the wallet alone controls the account. */
export const accountWarnings = (account: WarnedAccount, walletAddress: string): readonly string[] => [
  ...(account.role === 'staker'
    ? [
        `Owned by ${shortAddress(account.withdrawAuthority)}, the only wallet that can withdraw. This wallet can only unstake it.`,
      ]
    : account.stakeAuthority === walletAddress
      ? []
      : [
          `Another wallet, ${shortAddress(account.stakeAuthority)}, can unstake it or delegate it elsewhere, but cannot withdraw.`,
        ]),
  ...(account.lockup === null ? [] : [lockupWords(account.lockup)]),
];
