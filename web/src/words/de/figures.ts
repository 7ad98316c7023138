// German texts around figures, and about typed amounts.
import type { Translation } from '../define-words.ts';
import type { figuresEnglish } from '../en/figures.ts';

export const figuresGerman: Translation<typeof figuresEnglish> = {
  epoch: 'Epoche {epoch}',
  epochs: 'Epochen {from} bis {to}',
  // After "in" and "von".
  d: '{amount, plural, one {# Tag} other {# Tagen}}',
  h: '{amount} h',
  min: '{amount} min',
  s: '{amount} s',
  atTime: 'um {time}',
  onDate: 'am {time}',
  percent: '{value}\u00a0%',
  atLeast: 'mindestens {yield}',
  yieldUnknown: 'unbekannt',
  noYield: 'Keine',
  yieldWithTips: 'davon Jito-Tips {tips}',
  yieldWithoutTips: 'ohne Jito-Tips',
  eitherAmount: '{small} oder {large} SOL?',
  tooManyDecimals: 'SOL hat 9 Nachkommastellen. Der kleinste Betrag ist 0,000000001.',
  invalidAmount: 'Geben Sie einen gültigen Betrag ein.',
};
