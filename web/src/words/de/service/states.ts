// German texts for the service's English sentences about stake, by code.
import type { WalletAlert } from '../../../../../client/generated/stake-operations.ts';

/** Features that a change of control shares with thefts. */
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

/** Sentences about the state of a stake account, and the reasons of recommendations. */
export const serviceStatesGerman = {
  NOT_DELEGATED: 'Nicht delegiert.',
  ACTIVATING_PARTLY:
    'Wird aktiviert: {activeSol} SOL bringen Erträge, {activatingSol} SOL werden noch aktiviert.',
  ACTIVATING:
    'Wird aktiviert: {activatingSol} SOL bringen frühestens ab dem nächsten Epochenwechsel Erträge.',
  ACTIVE: 'Aktiv: {activeSol} SOL bringen Erträge. Zum Auszahlen lösen Sie den Stake zuerst auf.',
  DEACTIVATING:
    'Wird seit Epoche {deactivationEpoch} deaktiviert: {activeSol} SOL sind noch nicht auszahlbar.',
  DEACTIVATING_UNTIL_EPOCH:
    'Wird seit Epoche {deactivationEpoch} deaktiviert: {activeSol} SOL sind vor Epoche {withdrawableAtEpoch} nicht auszahlbar.',
  NEVER_ACTIVE: 'In der Epoche der Aktivierung wieder deaktiviert, also nie aktiv gewesen.',
  INACTIVE: 'Inaktiv.',
  LOCKED_UNTIL_DATE: 'Gesperrt bis {date}: Auszahlungen kann nur der Verwahrer {custodian} genehmigen.',
  LOCKED_UNTIL_EPOCH:
    'Gesperrt bis Epoche {epoch}: Auszahlungen kann nur der Verwahrer {custodian} genehmigen.',
  LOCKED_UNTIL_DATE_AND_EPOCH:
    'Gesperrt bis {date} und Epoche {epoch}: Auszahlungen kann nur der Verwahrer {custodian} genehmigen.',
  LOCKED_FOREVER:
    'Gesperrt ohne absehbares Ende: Auszahlungen kann nur der Verwahrer {custodian} genehmigen.',
  REWARDS_PAID_OUT:
    'Erträge werden verteilt. Bis das abgeschlossen ist, lassen sich Stake-Konten nicht ändern.',
  WITHDRAWABLE: 'Das gesamte Guthaben ist auszahlbar.',

  REWARDS_DISTRIBUTED:
    'Die Erträge der letzten Epoche werden verteilt. Bis das abgeschlossen ist, nehmen Stake-Konten keine Anweisungen an.',
  WITHDRAWABLE_BUT_NO_FEE:
    'Ein Stake-Konto ist auszahlbar, aber die Wallet kann die Transaktionsgebühr nicht zahlen: Es fehlen {amountSol} SOL.',
  WITHDRAW_SEVERAL:
    '{amountSol} SOL in mehreren Konten sind inaktiv und bringen keine Erträge mehr. Alles lässt sich auf einmal auszahlen.',
  WITHDRAW_ONE:
    '{amountSol} SOL sind inaktiv und bringen keine Erträge mehr. Sie lassen sich vollständig auszahlen.',
  STAKE_DEACTIVATING: 'Ein Stake wird deaktiviert und ist auszahlbar, sobald er inaktiv ist.',
  STAKES_CONTROLLED_BY_OTHERS:
    'Eine andere Adresse ist die Stake-Autorität eines Stakes dieser Wallet. Wenn das nicht beabsichtigt ist, holen Sie ihn zurück, bevor Sie etwas anderes tun.',
  STAKE_BALANCE:
    '{amountSol} SOL über der Gebührenreserve bringen in der Wallet keine Erträge und reichen für einen Stake.',
  WITHDRAW_EXCESS_TO_STAKE:
    '{amountSol} SOL in Stake-Konten sind nicht gestakt und bringen keine Erträge. Zahlen Sie sie aus, um sie mit dem Guthaben der Wallet neu zu staken.',
  STAKE_ACTIVATING: 'Ein Stake wird aktiviert.',
  STAKE_EARNS_NEXT_EPOCH: 'Ein Stake wird aktiviert und bringt ab der nächsten Epoche Erträge.',
  STAKE_ACTIVE: 'Der Stake ist aktiv.',
  STAKE_EARNS: 'Der Stake ist aktiv und bringt Erträge. Es ist nichts zu tun.',
  STAKE_LOCKED_UP: 'Ein Stake ist inaktiv, aber bis zum Ende einer Sperrfrist gesperrt.',
  NOTHING_STAKED: 'Nichts ist gestakt. Für einen Stake und die Gebührenreserve fehlen {amountSol} SOL.',
  NOT_A_WALLET:
    'Diese Adresse gehört einem Programm. Sie ist keine Wallet und kann weder staken noch Gebühren zahlen.',
};
