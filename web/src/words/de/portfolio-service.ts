// German texts for what the service says about stake in English, by code.
import type { WalletAlert } from '../../../../client/generated/stake-operations.ts';

/** What a change of control has in common with thefts. */
export const servicePatternsGerman: Readonly<Record<WalletAlert['data']['patterns'][number], string>> = {
  'withdraw-authority-gone': 'Die Wallet kann diesen Stake nicht mehr auszahlen.',
  'both-authorities-at-once':
    'Eine einzige Transaktion hat Stake-Autorität und Auszahlungs-Autorität geändert.',
  'while-activating': 'Die Autorität wurde in der Epoche geändert, in der der Stake delegiert wurde.',
  'first-separate-stake-authority':
    'Eine andere Adresse als die des Eigentümers darf diesen Stake jetzt auflösen und aufteilen. Der Eigentümer kann ihn zurückholen.',
  'unknown-custodian':
    'Eine Sperrfrist nennt einen Verwahrer, der vorher keine Autorität über diesen Stake hatte. Nur er kann ihn freigeben.',
  'all-deactivated-at-once': 'Alle Stakes der Wallet wurden innerhalb einer Minute deaktiviert.',
  'authority-collects-stakes':
    'Die neue Autorität kontrolliert bereits Stakes von drei oder mehr anderen Wallets.',
};
