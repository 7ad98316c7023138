// English texts of the changes in the Portfolio view: unstaking an amount, withdrawing, adding SOL, and
// moving stake from other validators.
export const portfolioChangesEnglish = {
  cancel: 'Cancel',
  max: 'Max',
  upTo: 'Up to {amount} SOL',
  amountSol: '{amount} SOL',
  moreThanZero: 'Enter more than 0.',
  thePlan: 'The plan',

  // Unstake an amount.
  unstakeAmount: 'Unstake an amount',
  reviewUnstaking: 'Review unstaking',
  unstakeIntro: 'Unstakes this amount. You can withdraw it once it is inactive, usually when the epoch ends.',
  unstake: 'Unstake',
  planning: 'Planning…',
  acrossAccounts: 'Across all your accounts with this validator',
  allArrives: 'All of it: {amount} SOL arrives',
  alreadyDeactivating: 'Already deactivating',
  withdrawableNow: 'Can be withdrawn now',
  possibleAmounts: 'The possible amounts',
  amountToUnstake: 'Amount to unstake',
  shadedPossible: 'Shaded amounts are possible exactly.',
  moreThanStaked: 'That is more than is staked.',
  notReachable:
    'This exact amount is not possible. What leaves and what stays must each be whole accounts or at least the minimum stake.',
  transactions: '{count} transactions: your wallet asks for each, one after the other.',

  // Withdraw.
  withdraw: 'Withdraw',
  reviewWithdrawal: 'Review withdrawal',
  howMuch: 'How much',
  everything: 'Everything',
  aPart: 'A part',
  arrives: 'Arrives in your wallet at once',
  stays: 'Stays in the stake account',
  accountCloses: 'The stake account closes and its rent is returned too.',
  stakeStays: 'Your stake stays staked and keeps earning.',
  accountStays: 'The account stays open. What remains in it earns nothing.',
  onlyNotStaked: 'Only {amount} SOL is not staked. Unstake to withdraw the rest.',
  accountHolds: 'The account holds {amount} SOL.',
  rentKeepsOpen:
    'You can withdraw up to {amount} SOL: {rent} SOL of rent keeps the account open. Choose Everything to withdraw that too.',

  // Add SOL to an activating stake.
  addStake: 'Add stake',
  reviewAdding: 'Review adding stake',
  add: 'Add',
  yourBalance: 'Your balance',
  inAccountAfterwards: 'In the stake account afterwards',
  allStaked: 'All of it is staked and becomes active when this epoch ends.',
  allStakedRent:
    'All of it is staked and becomes active when this epoch ends. A new account keeps {rent} SOL of rent. You can withdraw that afterwards.',
  walletHas: 'Your wallet has {amount} SOL to stake.',
  walletHasRent: 'Your wallet has {amount} SOL to stake, and this takes {rent} SOL of rent as well.',

  // Move stake from other validators.
  bringStake: 'Bring your stake',
  stakedElsewhere: '{amount} SOL staked with other validators.',
  bringIntro: 'Stake that your wallet has with other validators. It stays in your accounts, under your keys.',
  bringAmount: 'Bring {amount} SOL',
  bringOnlyThis: 'Bring only this',
  bringOnlyThisAccount: 'Bring only this, {address}',
  stakeAccount: 'stake account',
  voteAccount: 'vote account',
  atValidator: 'at {validator}',
  moreAccounts: 'And {count} more accounts.',
  // The reasons of the service why a stake cannot be moved.
  'warming up': 'Not possible while it is activating.',
  activating: 'Not possible while it is activating.',
  'cooling down': 'Not possible while it is deactivating.',
  'other authorities': 'Not possible: its authorities differ.',
  lockup: 'Not possible while it is locked.',
  'below the minimum': 'It is below the minimum stake, so it cannot be delegated again.',
  rewardsTryAgain: 'Rewards are being paid out. Try again in a few minutes.',
  stakeNowInactive: 'Can be staked here now and earns from epoch {epoch}. It is inactive.',
  stakeNowActivating: 'Can be staked here now and earns from epoch {epoch}. Nothing is lost.',
  epochNumber: 'epoch {epoch}',
  deactivates:
    'Deactivates. Stake it here from {start}. Epoch {epoch} earns nothing, from epoch {next} it earns here.',
  deactivatesFirst:
    'Deactivates first and earns there until epoch {current} ends. Stake it here from {start}. Epoch {epoch} earns nothing, from epoch {next} it earns here.',
} as const;
