// German texts about failed calls. A text of the service itself is in `service.ts`.
import type { Translation } from '../define-words.ts';
import type { errorsEnglish } from '../en/errors.ts';

export const errorsGerman: Translation<typeof errorsEnglish> = {
  NETWORK: 'Der Dienst antwortet nicht',
  TIMEOUT: 'Der Dienst brauchte zu lange',
  BAD_ANSWER: 'Die Antwort war nicht lesbar',
  RATE_LIMITED: 'Gerade ausgelastet',
  NOT_CONFIGURED: 'Nicht eingerichtet',
  UPSTREAM_UNAVAILABLE: 'Der Dienst erreicht Solana nicht',
  EPOCH_REWARDS_ACTIVE: 'Erträge werden gerade verteilt',
  INSUFFICIENT_BALANCE: 'Nicht genug SOL',
  BELOW_MINIMUM_STAKE: 'Unter dem Mindestbetrag',
  WALLET_CANNOT_PAY: 'Diese Wallet kann keine Gebühren zahlen',
  BLOCKHASH_EXPIRED: 'Die Transaktion ist abgelaufen',
  STILL_POSSIBLE: 'Die erste Transaktion kann noch ankommen',
  SUBMISSION_FAILED: 'Von Solana abgelehnt',
  SUBMISSION_UNRESOLVED: 'Ergebnis noch nicht bekannt',
  STALE_NONCE: 'Diese Wallet hat schon eine neuere Fassung signiert',
  STORE_UNAVAILABLE: 'Die Datenbank des Dienstes antwortet nicht',
  SHUTTING_DOWN: 'Der Dienst startet neu',
  upstreamText:
    'Stake auf der Blockchain ist nicht betroffen. Er lässt sich von hier gerade nicht lesen oder ändern.',
  networkText: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es dann erneut.',
  storeText:
    'Nichts ist verloren, und Stake auf der Blockchain ist nicht betroffen. Versuchen Sie es in einer Minute erneut.',
  stillPossibleText:
    'Der Dienst meldet, dass die erste Transaktion abgelaufen ist. Stimmt das nicht, kommen beide an. Suchen Sie sie in einem Explorer, bevor Sie erneut signieren.',
  rateLimited: 'Aus Ihrem Netzwerk kamen zu viele Anfragen. Versuchen Sie es in {seconds} s erneut.',
  rateLimitedMinute: 'Aus Ihrem Netzwerk kamen zu viele Anfragen. Versuchen Sie es in einer Minute erneut.',
  provider: 'Der Statistikanbieter antwortet nicht',
  unknown: 'Etwas ist schiefgelaufen',
  noReason: 'Es wurde kein Grund genannt.',
  unreadable: '{what}: Laden nicht möglich. {problem}',
  tryAgain: 'Erneut versuchen',
};
