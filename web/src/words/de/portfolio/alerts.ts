// German texts of the Portfolio view's ways to stay informed: alerts, changes of control, and the printout.
import type { Translation } from '../../define-words.ts';
import type { portfolioAlertsEnglish } from '../../en/portfolio/alerts.ts';

export const portfolioAlertsGerman: Translation<typeof portfolioAlertsEnglish> = {
  calendar: 'Kalender',
  calendarText:
    'Wann jeder Stake aktiv wird, bis wann sich eine Auflösung zurücknehmen lässt und ab wann der Stake auszahlbar ist. Ein Abonnement hält sich selbst aktuell.',
  subscribe: 'Abonnieren',
  downloadCalendar: '.ics herunterladen',
  notifications: 'Benachrichtigungen',
  notificationsOn:
    'Dieser Browser benachrichtigt Sie, solange das Portfolio in einem Tab geöffnet ist, auch im Hintergrund.',
  notificationsOff:
    'Solange das Portfolio in einem Tab geöffnet ist, kann dieser Browser Sie benachrichtigen, wenn sich die Kontrolle über diese Stakes ändert oder wenn der Validator nicht mehr abstimmt, eine Epoche verpasst oder seine Provision ändert.',
  notificationsDenied:
    'Dieser Browser blockiert Benachrichtigungen dieser Website. Sie können sie in den Website-Einstellungen des Browsers erlauben.',
  notificationsUnsupported:
    'Dieser Browser zeigt hier keine Benachrichtigungen an. Nutzen Sie stattdessen einen Webhook oder „holdfast alerts --watch“.',
  notify: 'Benachrichtigen',
  stopNotifying: 'Nicht mehr benachrichtigen',

  changes: 'Änderungen der Kontrolle',
  changesNote: 'Neue Autoritäten und Sperrfristen, verschobene Stakes und Auflösungen durch andere.',
  showChanges: 'Änderungen anzeigen',
  searching: 'Änderungen der Kontrolle werden gesucht',
  theChanges: 'Die Änderungen',
  noChanges: 'Keine Änderungen der Kontrolle gefunden.',
  noneSoFar: 'Bisher keine gefunden.',
  columnChange: 'Was sich geändert hat',
  columnTime: 'Wann',
  columnAccount: 'Stake-Konto',
  columnTransaction: 'Transaktion',
  slot: 'Slot {slot}',
  stakeAccount: 'Stake-Konto',
  signature: 'Signatur {signature}',
  folded: '{count} weitere zu diesem Konto, das ein Fremder angelegt hat.',
  authorityChanged: 'Die Kontrolle über einen Stake hat sich geändert',
  controlReturned: 'Ihre Wallet hat die Kontrolle zurück',
  lockupChanged: 'Die Sperrfrist eines Stakes hat sich geändert',
  movedAway: 'Ein Stake wurde verschoben',
  unexpectedDeactivation: 'Ein Stake wurde unerwartet aufgelöst',

  validatorChanges: 'Meldungen zum Validator',
  loadingValidatorChanges: 'Die Meldungen zum Validator werden geladen',
  noValidatorChanges: 'Keine seit Epoche {epoch}, in der dieser Dienst mit der Beobachtung begann.',
  notWatched: 'Dieser Dienst beobachtet den Validator noch nicht.',

  onAccount: 'Stake-Konto {address}.',
  validatorDelinquent: 'Der Validator stimmt nicht mehr ab',
  validatorRecovered: 'Der Validator stimmt wieder ab',
  validatorCommission: 'Der Validator hat seine Provision geändert',
  validatorCollector: 'Der Validator hat das Konto geändert, das seine Provision empfängt',
  validatorAbsent: 'Der Validator hat eine Epoche verpasst',
  validatorDestake: 'Jeder darf Stake bei diesem Validator deaktivieren',
  clusterLimits: 'Die Grenzwerte von Solana haben sich geändert',
  inEpoch: 'Epoche {epoch}.',
  fromEpoch: 'Ab Epoche {epoch}.',
  commissionChange: 'Epoche {epoch}. Von {from} auf {to}.',
  commissionChangeAtBoundary: 'Epoche {epoch}. Von {from} auf {to}, genau am Epochenwechsel.',

  theAccounts: 'Die Konten',
  loadingAccounts: 'Konten werden geladen',
  sheetOf: 'Stake von {wallet}, {date}',
  sheetText:
    'Das ist nativer Stake: Die Konten liegen auf der Blockchain, werden von Ihren Schlüsseln kontrolliert und brauchen keinen Dienst. Jede Wallet mit nativem Staking kann den Stake auflösen und auszahlen. Das können auch die Befehle unten; ersetzen Sie darin KEYPAIR durch die Schlüsseldatei der Autorität. Aufgelöster Stake ist auszahlbar, sobald er inaktiv ist, meist am Ende der Epoche.',
  sheetHolds: 'Guthaben',
  sheetAmount:
    '{amount} SOL, {state, select, initialized {nicht delegiert} activating {wird aktiviert} active {aktiv} deactivating {wird deaktiviert} other {inaktiv}}',
  sheetValidator: 'Validator',
  sheetMayUnstake: 'darf auflösen',
  sheetMayWithdraw: 'darf auszahlen',
  sheetLockup: 'Sperrfrist',
  sheetNone: '–',
  sheetThisWallet: '{authority} (diese Wallet)',
  sheetOtherWallet: '{authority} (nicht diese Wallet)',
  sheetLockedUntil: 'bis Epoche {epoch} und {time}, außer {custodian} signiert mit',
  sheetAccount: 'Stake-Konto {address}',
  noAccounts: 'Diese Wallet hat keine Stake-Konten.',
  print: 'Drucken',
};
