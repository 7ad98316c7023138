// German texts about wallets: connecting, signing, and errors.
import type { Translation } from '../define-words.ts';
import type { walletEnglish } from '../en/wallet.ts';

export const walletGerman: Translation<typeof walletEnglish> = {
  connect: 'Verbinden',
  connectWallet: 'Wallet verbinden',
  connecting: 'Wird verbunden …',
  wallet: 'Wallet {address}',
  notSolana: 'Keine Solana-Wallet',
  cannotConnect: 'Kann sich nicht mit Seiten verbinden',
  cannotSign: 'Kann keine Transaktionen signieren',
  lacksChain: 'Bietet {chain} nicht an',
  unusable: '{wallet} ist hier nicht nutzbar',
  chooseAnother: '{reason}. Wählen Sie eine andere Wallet oder in dieser ein anderes Netzwerk.',
  noAccount: 'Kein Konto gewählt',
  noAccountText: '{wallet} hat kein Konto mit dieser Seite geteilt.',
  notConnected: 'Keine Wallet verbunden',
  notConnectedText: 'Verbinden Sie eine Wallet, und fahren Sie dann fort.',
  otherAccount: 'Ein anderes Konto ist ausgewählt',
  otherAccountText: 'Wählen Sie {address} in {wallet}, und fahren Sie dann fort.',
  signatureRefused: 'In Ihrer Wallet abgelehnt',
  signatureRefusedText: '{wallet} hat nicht signiert, und es wurde nichts gesendet.',
  signatureFailed: '{wallet} konnte nicht signieren',
  signatureSilent: 'Die Wallet nannte keinen Grund. Es wurde nichts gesendet.',
  connectionRefused: 'Verbindung abgelehnt',
  connectionRefusedText: '{wallet} hat nichts mit dieser Seite geteilt.',
  connectionFailed: '{wallet} konnte sich nicht verbinden',
  connectionSilent: 'Die Wallet nannte keinen Grund. Es wurde nichts geteilt.',
  walletSays: 'Die Wallet meldet: {text}',
  insecure: 'Eine sichere Adresse ist nötig',
  insecureText:
    'Browser erzeugen Schlüssel nur auf localhost oder über HTTPS. Öffnen Sie http://localhost oder http://127.0.0.1 auf diesem Gerät.',
  changed: 'Ihre Wallet hat die Transaktion geändert',
  changedText:
    'Sie hat etwas anderes signiert, als Sie geprüft haben; deshalb wurde nichts gesendet. Schalten Sie in der Wallet Funktionen aus, die Transaktionen ändern, oder nutzen Sie eine andere.',
  discarded: 'Abgebrochen. Was Sie danach signiert haben, wurde nicht gesendet.',
  unsigned: 'Die Wallet hat nicht signiert',
  unsignedText: 'Sie gab die Transaktion ohne Signatur zurück. Es wurde nichts gesendet.',
};
