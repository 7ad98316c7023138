// English texts of the Portfolio view's ways to stay informed: alerts, changes of control, and the printout.
export const portfolioAlertsEnglish = {
  // Calendar and notifications.
  calendar: 'Calendar',
  calendarText:
    'When each stake becomes active, until when an unstake can be undone, and when it can be withdrawn. A subscription keeps itself up to date.',
  subscribe: 'Subscribe',
  downloadCalendar: 'Download .ics',
  notifications: 'Notifications',
  notificationsOn: 'This browser notifies you while the portfolio is open in a tab, even in the background.',
  notificationsOff:
    'Get notified by this browser, while the portfolio is open in a tab, when the control of these stakes changes, or the validator stops voting, misses an epoch or changes its commission.',
  notificationsDenied:
    'This browser blocks notifications from this site. You can allow them in its settings for this site.',
  notificationsUnsupported:
    'This browser shows no notifications here. Use a webhook or “holdfast alerts --watch” instead.',
  notify: 'Notify me',
  stopNotifying: 'Stop notifying me',

  // Changes of control.
  changes: 'Changes of control',
  changesNote: 'Authorities, lockups, moved stakes, and unstakes by others.',
  showChanges: 'Show changes',
  searching: 'Searching for changes of control',
  theChanges: 'The changes',
  noChanges: 'No changes of control found.',
  noneSoFar: 'None found so far.',
  columnChange: 'What changed',
  columnTime: 'When',
  columnAccount: 'Stake account',
  columnTransaction: 'Transaction',
  slot: 'Slot {slot}',
  stakeAccount: 'stake account',
  signature: 'signature {signature}',
  folded: '{count} more of this account, which an outsider made.',
  authorityChanged: 'The control of a stake changed',
  lockupChanged: 'The lockup of a stake changed',
  movedAway: 'A stake moved away',
  unexpectedDeactivation: 'A stake was unstaked unexpectedly',

  // Notifications. `patterns` follow `onAccount`.
  onAccount: 'Stake account {address}.',
  validatorDelinquent: 'The validator stopped voting',
  validatorRecovered: 'The validator votes again',
  validatorCommission: 'The validator changed its commission',
  validatorCollector: 'The validator changed the account that receives its commission',
  validatorAbsent: 'The validator missed an epoch',
  validatorDestake: 'Anyone may deactivate stake of the validator',
  clusterLimits: 'The limits of the cluster changed',
  inEpoch: 'Epoch {epoch}.',
  commissionChange: 'Epoch {epoch}. From {from} to {to}.',
  commissionChangeAtBoundary: 'Epoch {epoch}. From {from} to {to}, right at the boundary.',

  // The printout.
  theAccounts: 'The accounts',
  loadingAccounts: 'Loading the accounts',
  sheetOf: 'Stake of {wallet}, {date}',
  sheetText:
    'This is native stake: these accounts are on the chain, under your keys, and need no service. Any wallet with native staking can unstake and withdraw them, and so can the commands below, with the keypair file of the authority in place of KEYPAIR. What was unstaked can be withdrawn once it has cooled down, usually when the epoch ends.',
  sheetHolds: 'holds',
  sheetAmount:
    '{amount} SOL, {state, select, initialized {initialized} activating {activating} active {active} deactivating {deactivating} other {inactive}}',
  sheetValidator: 'validator',
  sheetMayUnstake: 'may unstake',
  sheetMayWithdraw: 'may withdraw',
  sheetLockup: 'lockup',
  sheetNone: 'none',
  sheetThisWallet: '{authority} (this wallet)',
  sheetOtherWallet: '{authority} (not this wallet)',
  sheetLockedUntil: 'until epoch {epoch} and {time}, unless {custodian} signs too',
  sheetAccount: 'Stake account {address}',
  noAccounts: 'This wallet has no stake accounts.',
  print: 'Print',
} as const;
