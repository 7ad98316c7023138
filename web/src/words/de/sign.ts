// German texts of the Sign view.
import type { Translation } from '../define-words.ts';
import type { signEnglish } from '../en/sign.ts';

export const signGerman: Translation<typeof signEnglish> = {
  stake: 'Staken',
  unstake: 'Stake auflösen',
  withdraw: 'Auszahlen',
  stakeAgain: 'Erneut staken',
  undoUnstake: 'Auflösung zurücknehmen',
  addStake: 'Stake aufstocken',
  tidyUp: 'Konten zusammenführen',
  sweep: 'Ungenutzte SOL verschieben',
  bringStake: 'Stake hierher holen',
  takeBack: 'Zurückholen',
  withdrawAll: 'Alles auszahlen',
  amountTitle: '{verb}: {amount} SOL',
  reviewRequest: 'Anfrage prüfen',
  openPortfolio: 'Mein Portfolio öffnen',
  portfolio: 'Portfolio',
  explorer: 'Explorer',
  invalid: 'Dieser Link funktioniert hier nicht',
  invalidText:
    'Er wurde unterwegs verändert oder stammt von einem anderen Dienst. Es gibt nichts zu signieren. Bitten Sie um einen neuen Link.',
  expired: 'Dieser Link ist abgelaufen',
  expiredText:
    'Links lassen sich 24 Stunden lang öffnen. Es wurde nichts signiert. Bitten Sie um einen neuen Link.',
  pending: 'Bereits signiert und unterwegs',
  done: 'Bereits früher signiert',
  usedText:
    'Jetzt ist nichts geschehen. Signiert wurde schon früher ({time}){done, select, none {} other {: {done}}}. Dieser Link bittet um: {asked}. Ein Link gilt nur einmal. Es gibt also nichts mehr zu signieren.',
  wallet: 'Wallet',
  walletAddress: 'Wallet-Adresse',
  stakeAccountLabel: 'Stake-Konto',
  stakeAccount: 'Stake-Konto',
  signUntil: 'Signierbar bis',
  requested: 'Über diesen Dienst angefragt',
  requestedText:
    'Ein Programm hat darum gebeten. Solche Links kann jeder erstellen; signieren Sie daher nur, was Sie erwarten. Bevor sich Ihre Wallet öffnet, zeigt die Prüfung, was die Transaktion wirklich tut.',
  otherWallet: 'Diese Anfrage ist für eine andere Wallet',
  otherWalletText: '{connected} ist verbunden. Wechseln Sie zu {owner}, um fortzufahren.',
  switchWallet: 'Wallet wechseln',
  connectWallet: 'Wallet verbinden',
  review: 'Prüfen',
  checkingLink: 'Link wird geprüft',
  thisLink: 'Dieser Link',
};
