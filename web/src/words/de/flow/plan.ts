// German texts of a plan: its accounts before and after, its amounts over time, and its costs.
import type { Translation } from '../../define-words.ts';
import type { planEnglish } from '../../en/flow/plan.ts';

export const planGerman: Translation<typeof planEnglish> = {
  caption: 'Guthaben Ihrer Stake-Konten, mit ihrer Mietkaution (Rent)',
  account: 'Konto',
  before: 'Vorher',
  after: 'Nachher',
  new: 'Neu',
  closed: 'Geschlossen',
  others:
    '{count, plural, one {# weiteres Konto bleibt, wie es ist.} other {# weitere Konten bleiben, wie sie sind.}}',
  unstaked: 'Aufgelöst',
  included: 'Mietkaution (Rent) und ungenutzte SOL der Konten (enthalten)',
  counted: 'Wird schon deaktiviert, angerechnet',
  forgone: 'Entgangener Ertrag der Epoche dazwischen',
  unknown: 'Unbekannt',
  about: 'etwa {amount} SOL',
  networkFee: 'Netzwerkgebühr',
  rent: 'Mietkaution (Rent) des neuen Kontos: jetzt bezahlt, kommt mit der Auszahlung zurück',
  solFrom: '{amount} SOL ab {time}',
  and: ' und ',
  getNow: 'erhalten {amount} SOL sofort',
  solNow: '{amount} SOL sofort',
  canWithdraw: 'können {amounts} auszahlen',
  canStake: 'können {amounts} staken',
  you: 'Sie {parts}.',
};
