// English texts of the Sign view.

export const signEnglish = {
  // Kinds of requests; `amountTitle` adds the amount.
  stake: 'Stake',
  unstake: 'Unstake',
  withdraw: 'Withdraw',
  stakeAgain: 'Stake again',
  undoUnstake: 'Undo unstake',
  addStake: 'Add stake',
  tidyUp: 'Merge accounts',
  sweep: 'Sweep',
  bringStake: 'Bring stake',
  takeBack: 'Take back',
  withdrawAll: 'Withdraw all',
  amountTitle: '{verb} {amount} SOL',
  reviewRequest: 'Review a request',
  openPortfolio: 'Open my portfolio',
  portfolio: 'Portfolio',
  explorer: 'Explorer',
  invalid: 'This link does not work here',
  invalidText:
    'The link was altered, or another service created it. There is nothing to sign. Ask the sender for a new link.',
  expired: 'This link has expired',
  expiredText: 'Links are valid for 24 hours. Nothing was signed. Ask the sender for a new link.',
  pending: 'Already signed and submitted',
  done: 'Already signed earlier',
  // `done` is `none` if unknown.
  usedText:
    'Nothing was done now. It was signed earlier ({time}){done, select, none {} other {: {done}}}. This link asks for: {asked}. A link works only once, so there is nothing more to sign.',
  wallet: 'Wallet',
  walletAddress: 'wallet address',
  stakeAccountLabel: 'Stake account',
  stakeAccount: 'stake account',
  signUntil: 'Sign by',
  requested: 'Requested through this service',
  requestedText:
    'A program requested this. Anyone can create such a link, so sign only what you expect. Before your wallet opens, the review shows what the transaction really does.',
  otherWallet: 'This request is for another wallet',
  otherWalletText: '{connected} is connected. Switch to {owner} to continue.',
  switchWallet: 'Switch wallet',
  connectWallet: 'Connect your wallet',
  review: 'Review',
  checkingLink: 'Checking the link',
  thisLink: 'This link',
} as const;
