// English texts of a plan: its accounts before and after, its amounts over time, and its costs.

export const planEnglish = {
  caption: 'Stake accounts before and after',
  account: 'Account',
  before: 'Before',
  after: 'After',
  new: 'New',
  closed: 'Closed',
  others: '{count, plural, one {# other account stays as it is.} other {# other accounts stay as they are.}}',
  included: 'Included: rent and idle SOL in the accounts',
  counted: 'Already deactivating (included)',
  forgone: 'Rewards lost for the epoch in between',
  unknown: 'Unknown',
  about: 'about {amount} SOL',
  networkFee: 'Network fee',
  rent: 'Rent for the new account (refundable)',
  solFrom: '{amount} SOL from {time}',
  and: ' and ',
  getNow: 'get {amount} SOL now',
  canWithdraw: 'can withdraw {amounts}',
  canStake: 'can stake {amounts}',
  you: 'You {parts}.',
} as const;
