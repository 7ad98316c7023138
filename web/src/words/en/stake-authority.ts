// English texts of the field for another stake authority.

export const stakeAuthorityEnglish = {
  stakeAuthority: 'Stake authority (optional)',
  stakeAuthorityHint:
    'For the key of an agent. It can unstake, split, merge and redelegate this stake, and pass that role on, but it cannot take anything out. Only your wallet can withdraw, and it can take the role back.',
  stakeAuthorityInvalid: 'This is not a Solana address.',
  stakeAuthorityOwn: 'This is your own wallet. Leave the field empty.',
} as const;
