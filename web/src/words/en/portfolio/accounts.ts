// English texts of the stake accounts: the list, one account, its epochs and warnings, the table, and
// suggested changes.
export const portfolioAccountsEnglish = {
  // The card.
  title: 'Stake accounts',
  total: '{count} in total',
  includeOthers: 'Include undelegated stake and other validators',
  noAccounts: 'No stake accounts',
  noStakeHere: 'No stake here',
  stakeSol: 'Stake SOL',
  stakeEarns: 'A stake starts earning in the next epoch and stays yours.',
  noneWithValidator: 'This wallet has no stake with this validator.',
  lookingForOthers: 'Looking for other stake accounts',
  otherAccounts: 'Other stake accounts',
  noOthers: 'No undelegated stake accounts, and none with other validators.',

  // One account. `accountName` is part of labels.
  accountName: 'stake account {address}',
  accountHeading: 'Stake account',
  stakeAccount: 'stake account',
  unstakeOnly: 'Unstake only',
  otherValidator: 'Other validator',
  controlledByOther: 'Controlled by another address',
  rewardsBeingPaid: 'Rewards are being paid out. You can make changes again in a few minutes.',
  detailsOf: 'Details of {name}',

  // The next date, in a column and standing alone.
  withdrawNow: '{owner, select, none {Withdraw now} other {{owner} can withdraw now}}',
  withdrawNowSentence: '{owner, select, none {Ready to withdraw} other {{owner} can withdraw now}}',
  activeAt: 'Active {time}',
  activeAtSentence: 'Starts earning {time}',
  nextEpoch: 'next epoch',
  earning: 'Earning',
  withdrawAt: '{owner, select, none {Withdraw} other {{owner} can withdraw from}} {time}',
  withdrawAtSentence: '{owner, select, none {Ready to withdraw} other {{owner} can withdraw from}} {time}',

  // Its actions and what to expect.
  addSol: 'Add SOL',
  undoUnstake: 'Undo unstake',
  undoPart: 'Undo a part',
  keepStakedHint:
    'Costs nothing until this epoch ends, in about {duration}, at {time}. After that, you can withdraw it.',
  hintNotActive:
    'Not active yet. If you unstake now, {owner, select, none {you} other {{owner}}} can withdraw right away.',
  hintUnstake:
    'If you unstake now, it keeps earning until this epoch ends. {owner, select, none {You} other {{owner}}} can withdraw it then at the earliest.',
  hintUnstakeIn:
    'If you unstake now, it keeps earning until this epoch ends, in about {duration}. {owner, select, none {You} other {{owner}}} can withdraw it then at the earliest.',
  hintWithdraw: 'Withdraw all or part of it. It arrives right away.',
  hintDeactivating:
    '{owner, select, none {You} other {{owner}}} can withdraw it when this epoch ends, at the earliest. There is nothing more to do.',
  hintDeactivatingIn:
    '{owner, select, none {You} other {{owner}}} can withdraw it when this epoch ends, in about {duration}, at the earliest. There is nothing more to do.',
  hintDeactivatingElsewhere:
    'When this epoch ends, at the earliest, it is inactive and earns nothing until you choose Stake here. You can withdraw it instead. Both buttons will be on this account.',
  stakeHere: 'Stake here',
  hintLocked: 'This stake is inactive but locked.',
  hintOnlyAuthority:
    'Another address is the stake authority. The withdraw authority can take that role back and unstake.',
  hintRewards:
    'Last epoch’s rewards are being paid out. Stake cannot be changed until that is done, usually within minutes.',

  // Authorities and amounts.
  details: 'Authorities and amounts',
  mayUnstake: 'May unstake',
  mayWithdraw: 'May withdraw',
  delegatedTo: 'Delegated to',
  thisWallet: 'this wallet, ',
  stakeAuthority: 'stake authority',
  withdrawAuthority: 'withdraw authority',
  voteAccount: 'vote account',
  balance: 'Balance',
  effectiveStake: 'Active stake, without rent',
  activating: 'Activating stake, without rent',
  deactivating: 'Deactivating stake, without rent',
  withdrawableNow: 'Withdrawable now',
  idleNow: 'Withdrawable now: tips and other SOL that is not staked',
  notStaked: 'Not staked',
  rent: 'Rent, included in the balance and returned with it',

  // Other wallets with rights.
  ownedBy: 'Owned by {owner}, the only wallet that can withdraw. This wallet can only unstake it.',
  foreignAuthority:
    'Another wallet, {authority}, can unstake it or delegate it elsewhere, but cannot withdraw.',
  lockedUntil: 'Locked until {end}. Until then, only its custodian {custodian} can allow withdrawals.',
  lockedUntilBoth:
    'Locked until {date} and epoch {epoch}. Until then, only its custodian {custodian} can allow withdrawals.',

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
  fromEpoch: 'from epoch {epoch} at the earliest, {when}',
  fromLaterEpoch: 'from epoch {epoch} at the earliest, {count} epochs from now',
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
  nothingPossible: 'No action is possible for these accounts right now.',
  withdrawSelected: 'Withdraw {count} ({amount} SOL)',
  restakeSelected: 'Stake {count} again',
  undoSelected: 'Undo unstake of {count}',
  unstakeSelected: 'Unstake {count} ({amount} SOL)',
  tidySelected: 'Merge {count} into one',
  unstake: 'Unstake',
  stakeAgain: 'Stake again',
  withdrawEach: 'Withdraw all',
  tooMany: '{action}: up to {most} accounts at a time.',

  // Suggested changes.
  suggestions: 'Suggestions',
  allInactive: '{count} accounts are inactive.',
  allInactiveSignatures:
    '{count} accounts are inactive. {signatures, plural, one {One signature is enough for all of them.} other {You need to sign # times.}}',
  withdrawAll: 'Withdraw all {amount} SOL',
  idle: '{amount} SOL in stake accounts is not staked and earns nothing.',
  withdrawIt: 'Withdraw it',
  canMerge: '{count} active accounts can be merged into one.',
  tidyUp: 'Merge accounts',
  merges: '{before} accounts → {after}.',
  mergesRent: '{before} accounts → {after}, {amount} SOL of rent returned.',
  stakeIt: 'Stake it',
  stakeItWith: 'Stake it with {amount} more SOL',
} as const;
