// English texts of the Portfolio view's ways to stay informed: alerts, changes of control, and the printout.
export const portfolioAlertsEnglish = {
  // Calendar and notifications.
  calendar: 'Calendar',
  calendarText:
    'Shows when each stake becomes active, how long an unstake can be canceled, and when you can withdraw. A subscription stays up to date automatically.',
  subscribe: 'Subscribe',
  downloadCalendar: 'Download .ics',
  notifications: 'Notifications',
  notificationsOn: 'This browser notifies you while the portfolio is open in a tab, even in the background.',
  notificationsOff:
    'While the portfolio is open in a tab, this browser can notify you when control of these stakes changes, or when the validator stops voting, misses an epoch or changes its commission.',
  notificationsDenied:
    'This browser blocks notifications from this site. You can allow them in its settings for this site.',
  notificationsUnsupported:
    'This browser cannot show notifications here. Use a webhook or “holdfast alerts --watch” instead.',
  notify: 'Notify me',
  stopNotifying: 'Stop notifying me',

  // Changes of control.
  changes: 'Changes of control',
  changesNote: 'New authorities and lockups, moved stakes, and unstakes by others.',
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
  folded: '{count} more for this account, which was created by an outsider.',
  authorityChanged: 'Control of a stake changed',
  controlReturned: 'Control returned to your wallet',
  lockupChanged: 'The lockup of a stake changed',
  movedAway: 'A stake was moved away',
  unexpectedDeactivation: 'A stake was unstaked unexpectedly',

  // Changes of the validator.
  validatorChanges: 'Alerts about the validator',
  loadingValidatorChanges: 'Loading the alerts about the validator',
  noValidatorChanges: 'None since epoch {epoch}, when this service began to watch.',
  notWatched: 'This service has not begun to watch the validator yet.',

  // Notifications. `patterns` follow `onAccount`.
  onAccount: 'Stake account {address}.',
  validatorDelinquent: 'The validator stopped voting',
  validatorRecovered: 'The validator is voting again',
  validatorCommission: 'The validator changed its commission',
  validatorCollector: 'The validator changed the account that receives its commission',
  validatorAbsent: 'The validator missed an epoch',
  validatorDestake: 'Anyone may deactivate the validator’s stake',
  clusterLimits: 'Solana’s limits changed',
  inEpoch: 'Epoch {epoch}.',
  fromEpoch: 'From epoch {epoch}.',
  commissionChange: 'Epoch {epoch}. From {from} to {to}.',
  commissionChangeAtBoundary: 'Epoch {epoch}. From {from} to {to}, right at the epoch boundary.',

  // The printout.
  theAccounts: 'The accounts',
  loadingAccounts: 'Loading the accounts',
  sheetOf: 'Stake of {wallet}, {date}',
  sheetText:
    "This is native stake: the accounts are on chain, controlled by your keys, and need no service. Any wallet that supports native staking can unstake and withdraw them. So can the commands below; replace KEYPAIR with the authority's keypair file. You can withdraw unstaked SOL once it is inactive, usually when the epoch ends.",
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
