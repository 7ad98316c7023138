// German texts of the history in the portfolio.
import type { Translation } from '../../define-words.ts';
import type { historyEnglish } from '../../en/portfolio/history.ts';

export const historyGerman: Translation<typeof historyEnglish> = {
  what: 'Was',
  epoch: 'Epoche',
  when: 'Wann',
  stakeAccount: 'Stake-Konto',
  transaction: 'Transaktion',
  aStakeAccount: 'Stake-Konto',
  aSignature: 'Signatur {signature}',
  steps: '{count} Schritte',
  notSearched:
    'Die Blockchain kann gerade nicht durchsucht werden: Transaktionen, die nicht über diesen Dienst gesendet wurden, können fehlen.',
  notWhole: 'Ältere Transaktionen dieser Wallet werden noch gesucht. Sie erscheinen nach und nach.',
  onlyHere:
    'Nur Transaktionen, die über diesen Dienst gesendet wurden. Die Blockchain wurde für diese Wallet noch nicht durchsucht.',
  completeFrom: 'Vollständig ab Slot {slot}. Ältere Transaktionen werden noch gesucht.',
  searchFurther: 'Weiter suchen',
  theHistory: 'Verlauf',
  loading: 'Verlauf wird geladen',
  awaited:
    'Ihre letzte Transaktion ist bestätigt. Sie erscheint hier, sobald sie endgültig ist, in wenigen Sekunden.',
  none: 'Noch keine Transaktionen',
  noneWhy: 'Hier erscheint, was mit dieser Wallet gestakt, aufgelöst und ausgezahlt wird.',
  caption: 'Verlauf',
  loadMore: 'Mehr laden',
  anotherAccount: 'ein anderes Konto',
  titleRescue: 'Kontrolle zurückgeholt{stakes, plural, =1 {} other { über # Stakes}}',
  titleStake: '{amount, select, none {Gestakt} other {{amount} SOL gestakt}}',
  titleTopUp: '{amount, select, none {Aufgestockt} other {Um {amount} SOL aufgestockt}}',
  titleRestake: '{amount, select, none {Wieder gestakt} other {{amount} SOL wieder gestakt}}',
  titleUndo: 'Auflösung zurückgenommen{amount, select, none {} other { ({amount} SOL)}}',
  titleUnstake: '{amount, select, none {Aufgelöst} other {{amount} SOL aufgelöst}}',
  titleWithdraw: '{amount, select, none {Ausgezahlt} other {{amount} SOL ausgezahlt}}',
  titleSplit: '{amount, select, none {Abgetrennt} other {{amount} SOL abgetrennt}}',
  titleMove: '{amount, select, none {Verschoben} other {{amount} SOL verschoben}}',
  titleDonate: '{amount, select, none {Gespendet} other {{amount} SOL gespendet}}',
  titleMerge: 'Konten zusammengeführt: {accounts} → {left}',
  titleChange: 'Stake geändert',
  create: '{account} eröffnet{amount, select, none {} other { ({amount} SOL)}}',
  transfer: '{amount, select, none {SOL} other {{amount} SOL}} auf {account} eingezahlt',
  delegate: '{account} delegiert{amount, select, none {} other { ({amount} SOL)}}',
  undo: '{account} gestakt gelassen{amount, select, none {} other { ({amount} SOL)}}',
  deactivate: '{account} deaktiviert{amount, select, none {} other { ({amount} SOL)}}',
  withdraw: '{amount, select, none {SOL} other {{amount} SOL}} von {account} ausgezahlt',
  split: '{amount, select, none {SOL} other {{amount} SOL}} von {account} in {other} abgetrennt',
  merge: '{other}{amount, select, none {} other { ({amount} SOL)}} in {account} zusammengeführt',
  moveStake: '{amount, select, none {Stake} other {{amount} SOL Stake}} von {account} auf {other} verschoben',
  moveLamports:
    '{amount, select, none {SOL} other {{amount} SOL}} ohne Stake von {account} auf {other} verschoben',
  authorize: 'Eine Autorität von {account} an {other} übertragen',
};
