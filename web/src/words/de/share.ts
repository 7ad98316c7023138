// German texts of the share dialog.
import type { Translation } from '../define-words.ts';
import type { shareEnglish } from '../en/share.ts';

export const shareGerman: Translation<typeof shareEnglish> = {
  title: 'Diese Seite teilen',
  amount: 'Betrag im Link, SOL',
  none: 'keiner',
  amountHint: 'Füllt den Betrag aus. Wer dem Link folgt, wählt, prüft und signiert weiterhin selbst.',
  amountProblem: 'Schreiben Sie eine Zahl wie 5 oder 2,5.',
  qrCode: 'QR-Code von {link}',
  link: 'Link',
  linkToCopy: 'Link',
  text: 'Text',
  textToCopy: 'Text',
  button: 'Button für Ihre Website',
  buttonText: 'Ein Bild mit einem Link: ohne Skript, ohne Frame.',
  buttonLines: 'Zeilen des Buttons',
  invitation: 'SOL mit {name} staken. Ihre Wallet behält die Kontrolle, kein derivativer Token. {link}',
};
