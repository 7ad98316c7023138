// English texts of the stake accounts: the list, one account, its epochs and warnings, the table, and
// suggested changes.
export const portfolioAccountsEnglish = {
  // The card.
  title: 'Stake accounts',
  total: '{count} in total',
  includeOthers: 'Include other validators and undelegated',
  noAccounts: 'No stake accounts',
  noStakeHere: 'No stake here',
  stakeSol: 'Stake SOL',
  stakeEarns: 'A stake earns from the next epoch and stays yours.',
  noneWithValidator: 'This wallet has no stake with this validator.',
  lookingForOthers: 'Looking for other stake accounts',
  otherAccounts: 'Other stake accounts',
  noOthers: 'No stake accounts with other validators, and none undelegated.',

  // One account. `accountName` is part of labels.
  accountName: 'stake account {address}',
  accountHeading: 'Stake account',
  stakeAccount: 'stake account',
  unstakeOnly: 'Unstake only',
  otherValidator: 'Other validator',
  rewardsBeingPaid: 'Rewards are being paid. Changes are possible again in a few minutes.',
  amountSol: '{amount} SOL',
  detailsOf: 'Details of {name}',

  // The next date, in a column and standing alone.
  withdrawNow: 'Withdraw now',
  withdrawNowSentence: 'Ready to withdraw',
  activeAt: 'Active {time}',
  activeAtSentence: 'Starts earning {time}',
  nextEpoch: 'next epoch',
  earning: 'Earning',
  withdrawAt: 'Withdraw {time}',
  withdrawAtSentence: 'Ready to withdraw {time}',

  // Its actions and what to expect.
  addSol: 'Add SOL',
  keepStaked: 'Keep it staked',
  keepStakedHint:
    'Free until this epoch ends, in about {duration}, at {time}. After that you can withdraw it.',
  hintNotActive: 'Not active yet. If you unstake now, you can withdraw at once.',
  hintUnstake:
    'If you unstake now, it earns until the epoch ends and can be withdrawn when this epoch ends, at the earliest.',
  hintUnstakeIn:
    'If you unstake now, it earns until the epoch ends and can be withdrawn when this epoch ends, in about {duration}, at the earliest.',
  hintWithdraw: 'Withdraw all or part. It arrives at once.',
  hintDeactivating: 'It can be withdrawn when this epoch ends, at the earliest. There is nothing more to do.',
  hintDeactivatingIn:
    'It can be withdrawn when this epoch ends, in about {duration}, at the earliest. There is nothing more to do.',
  hintLocked: 'It is inactive but locked.',
  hintOnlyAuthority: 'Only its stake authority can unstake it.',
  hintRewards:
    'Last epoch’s rewards are being paid out. The Stake program accepts no instructions until that is done, usually within minutes.',

  // Authorities and amounts.
  details: 'Authorities and amounts',
  mayUnstake: 'May unstake',
  mayWithdraw: 'May withdraw',
  delegatedTo: 'Delegated to',
  thisWallet: 'this wallet, ',
  stakeAuthority: 'stake authority',
  withdrawAuthority: 'withdraw authority',
  voteAccount: 'vote account',
  effectiveStake: 'Effective stake',
  activating: 'Activating',
  deactivating: 'Deactivating',
  withdrawableNow: 'Withdrawable now',
  notStaked: 'Not staked',
  rent: 'Rent, returned on closing',

  // Other wallets with rights.
  ownedBy: 'Owned by {owner}, the only wallet that can withdraw. This wallet can only unstake it.',
  foreignAuthority:
    'Another wallet, {authority}, can unstake it or delegate it elsewhere, but cannot withdraw.',
  lockedUntil: 'Locked until {end}. Until then only its custodian {custodian} can allow withdrawals.',
  lockedUntilBoth:
    'Locked until {date} and epoch {epoch}. Until then only its custodian {custodian} can allow withdrawals.',

  // Its epochs.
  epochsOf: 'Epochs of {name}',
  phaseUndelegated: 'Not delegated',
  phaseActivating: 'Activating',
  phaseActive: 'Active',
  phaseCooling: 'Deactivating',
  phaseLocked: 'Locked',
  phaseWithdrawable: 'Withdrawable',
  phasePast: 'over',
  phaseNow: 'now',
  phaseNext: 'upcoming',
  epochEnds: 'Epoch {epoch} ends {when}',
  anyMoment: 'any moment now, at {time}',
  anyMomentBetween: 'any moment now, at {time} (between {earliest} and {latest})',
  inAbout: 'in about {duration}, at {time}',
  inAboutBetween: 'in about {duration}, at {time} (between {earliest} and {latest})',
  untilEpoch: 'until epoch {epoch}',
  oneEpoch: 'epoch {epoch}',
  severalEpochs: 'epochs {first} to {last}',
  fromEpoch: 'from epoch {epoch} at the earliest, {when}',
  fromLaterEpoch: 'from epoch {epoch} at the earliest, {count} epoch ends from now',
  inEpoch: 'in epoch {epoch}',
  sinceEpoch: 'since epoch {epoch}',
  untilUnlocked: '{since}, until its lockup ends',

  // The table and the selection.
  columnAccount: 'Account',
  columnState: 'State',
  columnSol: 'SOL',
  columnSince: 'Staked in epoch',
  columnNext: 'Next',
  columnDetails: 'Details',
  opensExplorer: '{address} (opens the explorer)',
  selectAll: 'Select all accounts',
  select: 'Select {name}',
  selectedAccounts: 'Selected accounts',
  selected: '{count} selected, {amount} SOL',
  clear: 'Clear',
  rewardsTryAgain: 'Rewards are being paid out. Try again in a few minutes.',
  nothingPossible: 'Nothing can be done with these accounts now.',
  withdrawSelected: 'Withdraw {count} ({amount} SOL)',
  restakeSelected: 'Stake {count} again',
  undoSelected: 'Keep {count} staked',
  unstakeSelected: 'Unstake {count} ({amount} SOL)',
  tidySelected: 'Merge {count} into one',
  unstake: 'Unstake',
  stakeAgain: 'Stake again',
  withdrawEach: 'Withdraw all',
  tooMany: '{action}: at most {most} accounts at once.',

  // Suggested changes.
  suggestions: 'Suggestions',
  allInactive: '{count} accounts are inactive.',
  allInactiveSignatures:
    '{count} accounts are inactive. {signatures, plural, one {One signature is enough for all of them.} other {It takes # signatures.}}',
  withdrawAll: 'Withdraw all {amount} SOL',
  idle: '{amount} SOL idle. It earns nothing beside its stake.',
  withdrawIt: 'Withdraw it',
  canMerge: '{count} active accounts can become one.',
  tidyUp: 'Tidy up',
  merges: '{before} accounts → {after}.',
  mergesRent: '{before} accounts → {after}, {amount} SOL rent back.',
  stakeIt: 'Stake it',
  stakeItWith: 'Stake it with {amount} SOL more',
} as const;
