// German texts of the rewards in the portfolio.
import type { Translation } from '../../define-words.ts';
import type { rewardsEnglish } from '../../en/portfolio/rewards.ts';

export const rewardsGerman: Translation<typeof rewardsEnglish> = {
  perEpoch: 'Je Epoche',
  total: 'Gesamt',
  paidInEpochs: 'Bei diesem Validator gezahlt',
  knownInEpochs: 'Bei diesem Validator bekannt',
  stake: 'Stake',
  perEpochCaption: 'Erträge je Epoche, Inflation und Jito-Tips',
  totalCaption: 'Gesamte Erträge seit der ersten gezeigten Epoche',
  stakeCaption: 'Guthaben der Stake-Konten mit Ertrag, nach den Erträgen jeder Epoche',
  inflation: 'Inflation',
  inflationNote: 'von Solana gezahlt',
  tips: 'Jito-Tips',
  tipsNote: 'vom Validator weitergegeben',
  epoch: 'Epoche {epoch}',
  sol: '{amount} SOL',
  unknown: 'Unbekannt',
  distributing:
    'Die Erträge der letzten Epoche werden gerade verteilt und sind in wenigen Minuten verfügbar.',
  notRetained: 'Kein RPC-Knoten hat die Erträge einiger älterer Epochen. Sie bleiben leer.',
  limited: 'Zu viele Epochen auf einmal; einige bleiben leer. Versuchen Sie es in einer Minute erneut.',
  someUnknown:
    '{part, select, inflation {Einige Inflationserträge} other {Einige Jito-Tips}} sind nicht verfügbar ({unknown} von {count}) und fehlen in der Summe.',
  accountsLimited: 'Nur die ersten {shown} von {count} Konten sind aufgeführt, die größten zuerst.',
  closedUnread: 'Der Speicher ist gerade nicht lesbar: Geschlossene Konten können fehlen.',
  notKnownYet: 'Noch nicht bekannt',
  notKnownYetWhy: 'Der Verlauf erscheint, sobald eine Zahlung dieser Epochen bekannt ist.',
  chart: 'Diagramm',
  period: 'Zeitraum',
  epochs: '{count} Epochen',
  csv: 'CSV',
  source: 'Bei diesem Validator gezahlte Erträge, aus endgültigen Blöcken',
  what: 'Erträge',
  noneYet: 'Noch keine Erträge',
  noneYetWhy:
    'Ein Stake bringt Erträge ab der Epoche nach seiner Delegation. Gezahlt wird, wenn diese Epoche endet.',
  none: 'Keine Erträge',
  noneWhy: 'Keine Erträge bei diesem Validator in diesen Epochen.',
};
