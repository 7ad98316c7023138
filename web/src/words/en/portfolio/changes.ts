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
  alreadyDeactivating: 'Already deactivating',
  withdrawableNow: 'Can be withdrawn now',
  possibleAmounts: 'Possible amounts',
  amountToUnstake: 'Amount to unstake',
  shadedPossible: 'You can unstake exactly the amounts that are highlighted.',
  moreThanStaked: 'That is more than you have staked.',
  notReachable:
    'This exact amount is not possible. Both the part you unstake and the part that stays must be whole accounts or at least {minimum} SOL.',
  transactions: '{count} transactions: your wallet will ask you to sign them one after the other.',

  // Withdraw.
  withdraw: 'Withdraw',
  reviewWithdrawal: 'Review withdrawal',
  howMuch: 'How much',
  everything: 'Everything',
  aPart: 'A part',
  arrives: 'Arrives in your wallet right away',
  stays: 'Stays in the stake account',
  accountCloses: 'The stake account closes and its rent is returned too.',
  stakeStays: 'Your stake stays active and keeps earning.',
  accountStays: 'The account stays open. The SOL left in it earns nothing.',
  onlyNotStaked: 'Only {amount} SOL is not staked. Unstake to withdraw the rest.',
  accountHolds: 'The account holds {amount} SOL.',
  rentKeepsOpen:
    'You can withdraw up to {amount} SOL: {rent} SOL of rent keeps the account open. Choose Everything to withdraw the rent too.',

  // Add SOL to an activating stake.
  undoPart: 'Undo a part of the unstake',
  staysStaked: 'Stays staked',
  reviewUndo: 'Review',
  stillDeactivates: 'Still deactivating',
  keepPartText:
    'This part misses no rewards. The rest moves to a new stake account, where it stays deactivating.',
  deactivatingIs: 'Only {amount} SOL is deactivating.',
  addStake: 'Add stake',
  reviewAdding: 'Review adding stake',
  add: 'Add',
  yourBalance: 'Your balance',
  inAccountAfterwards: 'Stake account balance after',
  allStaked: 'All of it is staked and becomes active when this epoch ends.',
  allStakedRent:
    'All of it is staked and becomes active when this epoch ends. A new account holds {rent} SOL of rent, which you can withdraw afterwards.',
  walletHas: 'You can stake up to {amount} SOL from your wallet.',
  walletHasRent: 'You can stake up to {amount} SOL from your wallet. This also requires {rent} SOL of rent.',

  // Move stake from other validators.
  bringStake: 'Move your stake here',
  stakedElsewhere: '{amount} SOL in stake accounts with other validators.',
  bringIntro: 'Your wallet’s stake with other validators. It stays in your accounts, under your control.',
  bringAmount: 'Move {amount} SOL',
  bringOnlyThis: 'Move only this',
  bringOnlyThisAccount: 'Move only this, {address}',
  stakeAccount: 'stake account',
  voteAccount: 'vote account',
  atValidator: 'with {validator}',
  moreAccounts: '{count, plural, one {And # more account.} other {And # more accounts.}}',
  // The reasons of the service why a stake cannot be moved.
  'warming up': 'Not possible while it is activating.',
  activating: 'Not possible while it is activating.',
  'cooling down': 'Not possible while it is deactivating.',
  'other authorities': 'Not possible: its authorities differ.',
  lockup: 'Not possible while it is locked.',
  'below the minimum': 'This is below the minimum stake, so it cannot be delegated again.',
  rewardsTryAgain: 'Rewards are being paid out. Try again in a few minutes.',
  stakeNowInactive: 'Inactive. Can be staked here now and earns from epoch {epoch}.',
  stakeNowActivating: 'Can be staked here now and earns from epoch {epoch}. You lose no rewards.',
  epochNumber: 'epoch {epoch}',
  deactivates:
    'Deactivating. You can stake it here from {start}. It earns nothing in epoch {epoch} and earns here from epoch {next}.',
  deactivatesFirst:
    'Deactivated first; it still earns there until epoch {current} ends. You can stake it here from {start}. It earns nothing in epoch {epoch} and earns here from epoch {next}.',
} as const;
