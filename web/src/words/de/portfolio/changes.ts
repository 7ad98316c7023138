// German texts of the changes in the Portfolio view: to unstake an amount, to withdraw, to add SOL, and to
// move stake from other validators.
import type { Translation } from '../../define-words.ts';
import type { portfolioChangesEnglish } from '../../en/portfolio/changes.ts';

export const portfolioChangesGerman: Translation<typeof portfolioChangesEnglish> = {
  cancel: 'Abbrechen',
  max: 'Max.',
  upTo: 'Bis zu {amount} SOL',
  amountSol: '{amount} SOL',
  moreThanZero: 'Geben Sie mehr als 0 ein.',
  thePlan: 'Der Plan',

  unstakeAmount: 'Betrag auflösen',
  reviewUnstaking: 'Auflösung prüfen',
  unstakeIntro:
    'Löst diesen Betrag an Stake auf. Sie können ihn auszahlen, sobald er inaktiv ist, meist am Ende der Epoche.',
  unstake: 'Auflösen',
  planning: 'Wird geplant …',
  acrossAccounts: 'Aus allen Ihren Konten bei diesem Validator',
  alreadyDeactivating: 'Wird schon deaktiviert',
  withdrawableNow: 'Jetzt auszahlbar',
  possibleAmounts: 'Die möglichen Beträge',
  amountToUnstake: 'Aufzulösender Betrag',
  shadedPossible: 'Die hervorgehobenen Beträge sind genau möglich.',
  moreThanStaked: 'So viel ist nicht gestakt.',
  notReachable:
    'Genau dieser Betrag ist nicht möglich. Der aufgelöste und der verbleibende Teil müssen jeweils aus ganzen Konten bestehen oder mindestens {minimum} SOL betragen.',
  transactions: '{count} Transaktionen: Ihre Wallet bittet Sie nacheinander um jede Signatur.',

  withdraw: 'Auszahlen',
  reviewWithdrawal: 'Auszahlung prüfen',
  howMuch: 'Wie viel',
  everything: 'Alles',
  aPart: 'Einen Teil',
  arrives: 'Kommt sofort in Ihrer Wallet an',
  stays: 'Bleibt im Stake-Konto',
  accountCloses: 'Das Stake-Konto wird geschlossen, und seine Mietkaution (Rent) kommt ebenfalls zurück.',
  stakeStays: 'Ihr Stake bleibt aktiv und bringt weiter Erträge.',
  accountStays: 'Das Konto bleibt bestehen. Was darin bleibt, bringt keine Erträge.',
  onlyNotStaked:
    'Nur {amount} SOL sind nicht gestakt. Um den Rest auszuzahlen, lösen Sie zuerst den Stake auf.',
  accountHolds: 'Das Konto enthält {amount} SOL.',
  rentKeepsOpen:
    'Sie können bis zu {amount} SOL auszahlen: {rent} SOL Mietkaution (Rent) halten das Konto offen. Wählen Sie „Alles“, um auch diese auszuzahlen.',

  undoPart: 'Einen Teil der Auflösung zurücknehmen',
  staysStaked: 'Bleibt gestakt',
  reviewUndo: 'Prüfen',
  stillDeactivates: 'Wird weiter deaktiviert',
  keepPartText:
    'Diesem Teil entgeht kein Ertrag. Der Rest kommt in ein neues Stake-Konto und wird dort weiter deaktiviert.',
  deactivatingIs: 'Nur {amount} SOL werden deaktiviert.',
  addStake: 'Stake aufstocken',
  reviewAdding: 'Aufstockung prüfen',
  add: 'Aufstocken um',
  yourBalance: 'Ihr Guthaben',
  inAccountAfterwards: 'Danach im Stake-Konto',
  allStaked: 'Alles davon wird gestakt und mit dem Ende dieser Epoche aktiv.',
  allStakedRent:
    'Alles davon wird gestakt und mit dem Ende dieser Epoche aktiv. Ein neues Konto hält {rent} SOL Mietkaution (Rent) zurück. Diese können Sie danach auszahlen.',
  walletHas: 'Ihre Wallet hat {amount} SOL zum Staken.',
  walletHasRent:
    'Ihre Wallet hat {amount} SOL zum Staken, und dafür werden zusätzlich {rent} SOL Mietkaution (Rent) gebraucht.',

  bringStake: 'Stake hierher holen',
  stakedElsewhere: '{amount} SOL in Stake-Konten bei anderen Validatoren.',
  bringIntro:
    'Stake, den Ihre Wallet bei anderen Validatoren hat. Er bleibt in Ihren Konten, unter Ihren Schlüsseln.',
  bringAmount: '{amount} SOL hierher holen',
  bringOnlyThis: 'Nur diesen holen',
  bringOnlyThisAccount: 'Nur diesen holen, {address}',
  stakeAccount: 'Stake-Konto',
  voteAccount: 'Vote-Konto',
  atValidator: 'bei {validator}',
  moreAccounts: '{count, plural, one {Und # weiteres Konto.} other {Und # weitere Konten.}}',
  // The service's reasons why a stake cannot be moved.
  'warming up': 'Nicht möglich, solange der Stake aktiviert wird.',
  activating: 'Nicht möglich, solange der Stake aktiviert wird.',
  'cooling down': 'Nicht möglich, solange der Stake deaktiviert wird.',
  'other authorities': 'Nicht möglich: Der Stake hat andere Autoritäten.',
  lockup: 'Nicht möglich, solange der Stake gesperrt ist.',
  'below the minimum': 'Liegt unter dem Mindest-Stake und kann deshalb nicht neu delegiert werden.',
  rewardsTryAgain: 'Erträge werden verteilt. Versuchen Sie es in einigen Minuten erneut.',
  stakeNowInactive: 'Kann jetzt hier gestakt werden und bringt ab Epoche {epoch} Erträge. Derzeit inaktiv.',
  stakeNowActivating:
    'Kann jetzt hier gestakt werden und bringt ab Epoche {epoch} Erträge. Ihnen entgehen keine Erträge.',
  epochNumber: 'Epoche {epoch}',
  deactivates:
    'Wird deaktiviert. Ab {start} können Sie ihn hier staken. In Epoche {epoch} bringt er keine Erträge, ab Epoche {next} bringt er sie hier.',
  deactivatesFirst:
    'Wird zuerst deaktiviert und bringt dort Erträge, bis Epoche {current} endet. Ab {start} können Sie ihn hier staken. In Epoche {epoch} bringt er keine Erträge, ab Epoche {next} bringt er sie hier.',
};
