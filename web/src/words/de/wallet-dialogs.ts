// German texts of the wallet list and of the connected wallet's menu.
import type { Translation } from '../define-words.ts';
import type { walletDialogsEnglish } from '../en/wallet-dialogs.ts';

export const walletDialogsGerman: Translation<typeof walletDialogsEnglish> = {
  yourWallet: 'Ihre Wallet',
  walletAddress: 'Wallet-Adresse',
  changeWallet: 'Wallet wechseln',
  disconnect: 'Trennen',
  inWallet: 'In der Wallet',
  freeToStake: 'Frei zum Staken',
  connectAWallet: 'Wallet verbinden',
  localWallet: 'Nur Sandbox. Der Schlüssel bleibt in diesem Browser.',
  waiting: 'Warten auf die Wallet …',
  detected: 'Erkannt',
  openOnPhone:
    'Auf dem Telefon ist die Wallet eine App. Öffnen Sie diese Seite in Ihrer App, und verbinden Sie sich dort.',
  openIn: 'In {name} öffnen',
  inAppBrowser: 'Öffnet diese Seite im Browser der App',
  noWallet: 'Keine Wallet gefunden',
  installWallet:
    'Installieren Sie eine Solana-Wallet wie Phantom, Solflare oder Backpack. Sie erscheint dann hier von selbst.',
  connectPromise:
    'Beim Verbinden wird nur Ihre Adresse geteilt. Jede Transaktion wird hier geprüft, bevor Ihre Wallet sie signieren soll.',
};
