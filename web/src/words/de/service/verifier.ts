// German texts of the verifier's sentences, by code: effects of an instruction, problems, effects that the
// bytes do not show, and how to check the service.
import type { UnknownCode } from '../../../../../src/domain/transaction/effects/approval-effects.ts';
import type { InstructionCode } from '../../../../../src/domain/transaction/instruction-summary.ts';
import type { ProblemCode } from '../../../../../src/domain/transaction/verifier-problems.ts';

const instructions: Readonly<Record<InstructionCode, string>> = {
  CREATE_ACCOUNT:
    'Erstellt das Konto {account} mit {space} Bytes im Besitz von {owner}, mit {amountSol} SOL von {from}.',
  TRANSFER: 'Überträgt {amountSol} SOL von {from} an {to}.',
  CREATE_WITH_SEED:
    'Erstellt das Konto {account}, abgeleitet von {base} und {seed}, mit {space} Bytes im Besitz von {owner}, mit {amountSol} SOL von {from}.',
  WITHDRAW_NONCE: 'Zahlt {amountSol} SOL aus dem Nonce-Konto {account} an {to} aus.',
  INITIALIZE_NONCE: 'Macht {account} zu einem Nonce-Konto, das nur {authority} nutzen kann.',
  ADVANCE_NONCE: 'Schaltet die dauerhafte Nonce {account} weiter.',
  INITIALIZE:
    'Macht {staker} zur Stake-Autorität und {withdrawer} zur Auszahlungs-Autorität von {account}, ohne Sperrfrist.',
  INITIALIZE_LOCKED:
    'Macht {staker} zur Stake-Autorität und {withdrawer} zur Auszahlungs-Autorität von {account}, gesperrt bis zur Unix-Zeit {unixTime} und Epoche {epoch}.',
  DELEGATE: 'Delegiert das Stake-Konto {account} an das Vote-Konto {voteAccount}.',
  DEACTIVATE: 'Deaktiviert das Stake-Konto {account}.',
  WITHDRAW: 'Zahlt {amountSol} SOL aus dem Stake-Konto {account} an {to} aus.',
  SPLIT: 'Trennt {amountSol} SOL vom Stake-Konto {account} in {into} ab.',
  MOVE_STAKE: 'Verschiebt {amountSol} SOL Stake von {account} nach {into}.',
  MOVE_LAMPORTS: 'Verschiebt {amountSol} ungenutzte SOL aus dem Stake-Konto {account} nach {into}.',
  MERGE: 'Führt das Stake-Konto {from} in {account} zusammen.',
  AUTHORIZE_STAKER: 'Macht {authority} zur Stake-Autorität von {account}.',
  AUTHORIZE_WITHDRAWER: 'Macht {authority} zur Auszahlungs-Autorität von {account}.',
  MEMO_UNREADABLE: 'Trägt ein Memo, das kein Text ist.',
  MEMO: 'Trägt das Memo {memo}.',
  COMPUTE_LIMIT: 'Begrenzt die Transaktion auf {units} Compute Units.',
  PRIORITY_FEE: 'Bietet eine Prioritätsgebühr von {price} Mikro-Lamports je Compute Unit.',
  WALLET_GUARD:
    'Lässt die Transaktion fehlschlagen, wenn ein Konto nicht so ist, wie die Wallet es erwartet; ändert nichts.',
  SIGNATURE_CHECK: 'Lässt das Netzwerk {signatures} Signaturen prüfen, jede zum Preis von einer.',
  UNKNOWN_INSTRUCTION: 'Führt eine Anweisung des Programms {program} aus.',
  OTHER_INSTRUCTION: 'Führt {name} des Programms {program} aus.',
};

const problems: Readonly<Record<ProblemCode, string>> = {
  KIND_UNKNOWN: 'Das ist keine bekannte Art von Staking-Transaktion.',
  LOOKUP_TABLES: 'Sie nutzt Adresstabellen, die sich nicht prüfen lassen.',
  NOT_ITS_LAYOUT: 'Sie besteht nicht aus {layout}, in dieser Reihenfolge.',
  INSTRUCTIONS_NOT_NEEDED: 'Sie enthält Anweisungen, die dafür nicht nötig sind.',
  FOREIGN_INSTRUCTIONS: 'Sie enthält zusätzliche Anweisungen, die keine Wallet hinzufügt.',
  EARLY_WALLET_GUARDS: 'Sie enthält Sicherungen einer Wallet, obwohl noch keine Wallet sie signiert hat.',
  FOREIGN_ACCOUNTS:
    'Eine zusätzliche Anweisung nutzt eine Signatur oder ein veränderbares Konto, das die geprüften Anweisungen nicht brauchen.',
  TOO_MANY_TRANSACTIONS: 'Es sind {transactions} Transaktionen, mehr als dafür nötig.',
  NONCE_NOT_ASKED: 'Sie läuft nie ab, weil sie eine Nonce nutzt, die nicht verlangt wurde.',
  NONCE_MISSING: 'Sie nutzt die verlangte Nonce nicht.',
  OTHER_NONCE: 'Sie nutzt ein anderes Nonce-Konto als verlangt.',
  NONCE_OF_OTHER: 'Jemand anderes kontrolliert das Nonce-Konto.',
  NOT_A_NONCE_ACCOUNT: 'Das neue Konto ist kein Nonce-Konto.',
  NONCE_RENT_TOO_HIGH: 'Sie zahlt mehr als die Mietkaution in ein Nonce-Konto.',
  NOT_APPROVED: 'Sie tut etwas anderes als das, dem Sie zugestimmt haben.',
  OTHER_PAYER: 'Eine andere Wallet zahlt und signiert.',
  FEE_PAYER_USED:
    'Wer die Gebühr zahlt, kommt in einer Anweisung vor und könnte also mehr als die Gebühr verlieren.',
  UNEXPECTED_SIGNERS: 'Sie verlangt unerwartete Signaturen.',
  MEMO_MISSING: 'Sie trägt nicht das Memo dieses Dienstes.',
  MEMO_TOO_LONG: 'Das Memo hat mehr als {mostBytes} Bytes.',
  PRIORITY_FEE_NOT_ANNOUNCED:
    'Sie zahlt eine Prioritätsgebühr von {feeSol} SOL, angekündigt waren {announcedSol} SOL.',
  LIMITS_NOT_ANNOUNCED: 'Die Grenzen im Header der Transaktion sind nicht die angekündigten.',
  HEADER_LIMIT_MISSING:
    'Der Header der Transaktion setzt keine Grenze für Compute Units oder Kontodaten; sie würde also fehlschlagen und trotzdem die Gebühr kosten.',
  PRIORITY_FEE_TOO_HIGH: 'Ihre Prioritätsgebühr von {feeSol} SOL liegt über {mostSol} SOL.',
  STAKE_AUTHORITY_NOT_PAYER: 'Die Stake-Autorität ist nicht die zahlende Wallet.',
  DELEGATED_BY_OTHER: 'Nicht die zahlende Wallet delegiert.',
  DEACTIVATED_BY_OTHER: 'Nicht die zahlende Wallet deaktiviert.',
  ACTED_ON_BY_OTHER: 'Eine andere Autorität als die zahlende Wallet handelt.',
  GIVES_AUTHORITY_AWAY: 'Sie gibt eine Autorität ab.',
  GIVES_OTHER_AUTHORITY: 'Sie ändert mehr als die Stake-Autorität des neuen Stake-Kontos.',
  STAKE_AUTHORITY_NOT_SET: 'Sie setzt nicht die verlangte Stake-Autorität.',
  NEEDS_OWNER:
    'Sie tut mehr, als eine Stake-Autorität kann: Auszahlen oder eine Autorität ändern kann nur {owner}.',
  WITHDRAW_AUTHORITY_NOT_PAYER: 'Die Auszahlungs-Autorität ist nicht die zahlende Wallet.',
  WITHDRAWN_BY_OTHER: 'Nicht die zahlende Wallet zahlt aus.',
  WITHDRAWABLE_BY_OTHER: 'Jemand anderes kann {account} auszahlen.',
  SETS_LOCKUP: 'Sie setzt eine Sperrfrist oder einen Verwahrer.',
  CUSTODIAN_SIGNS: 'Ein Verwahrer signiert.',
  OTHER_CUSTODIAN_SIGNS: 'Ein anderer Verwahrer signiert.',
  FUNDED_BY_OTHER: 'Ein neues Konto wird nicht von der zahlenden Wallet gefüllt.',
  TRANSFERRED_BY_OTHER: 'Ein anderes Konto als die zahlende Wallet überträgt Lamports.',
  DONATED_BY_OTHER: 'Nicht die zahlende Wallet spendet.',
  OTHER_RECIPIENT: 'Die Lamports gehen an eine andere Adresse.',
  LOAN_NOT_RETURNED: 'Sie überträgt Lamports und holt sie nicht in derselben Transaktion zurück.',
  OTHER_VOTE_ACCOUNT: 'Sie delegiert an ein anderes Vote-Konto.',
  CHANGES_OTHER_VALIDATOR: 'Sie ändert {account}, das an einen anderen Validator delegiert ist.',
  MERGE_INTO_OTHER_VALIDATOR:
    'Sie führt ein Konto in {account} zusammen, das an ein anderes Vote-Konto delegiert ist.',
  MERGE_NOT_DELEGATED:
    'Sie führt {from} in {into} zusammen und delegiert dieses Konto nicht in derselben Transaktion.',
  NO_STAKE_ACCOUNT: 'Sie nennt kein Stake-Konto.',
  OTHER_STAKE_ACCOUNT: 'Sie betrifft ein anderes Stake-Konto.',
  MORE_STAKE_ACCOUNTS: 'Sie betrifft noch andere Stake-Konten.',
  STAKE_ACCOUNTS_NOT_NAMED: 'Sie betrifft Stake-Konten, die Sie nicht gewählt haben.',
  CREATES_OTHER_ACCOUNT: 'Sie erstellt ein anderes Konto, als sie delegiert.',
  INITIALIZES_OTHER_ACCOUNT: 'Sie richtet ein anderes Konto ein, als sie delegiert.',
  DELEGATES_NOT_ACTIVATING: 'Sie delegiert {account}, das bei diesem Validator nicht gerade aktiviert wird.',
  DELEGATES_NOT_UNDONE: 'Sie delegiert {account}, das nicht in dieser Epoche deaktiviert wurde.',
  DELEGATES_NOT_INACTIVE: 'Sie delegiert {account}, dessen Deaktivierung noch nicht beendet ist.',
  DELEGATES_NOT_MIGRATED:
    'Sie delegiert {account}. Das ist kein Stake eines anderen Validators, der sich jetzt ändern lässt.',
  DELEGATES_NOT_ASKED: 'Sie delegiert {account}, das nicht delegiert werden soll.',
  DEACTIVATES_OWN: 'Sie deaktiviert {account}, das hier gestakt ist.',
  DEACTIVATES_NOT_ASKED: 'Sie deaktiviert {account}.',
  WITHDRAWS_WITHOUT_STAKE: 'Sie zahlt aus {account} aus, das keinen Stake enthält.',
  MERGE_NOT_NEW: 'Sie führt {from} zusammen. Das ist kein Stake, den eine frühere Transaktion anlegt.',
  NOT_A_STAKE_ACCOUNT: 'Ein neues Konto ist kein Stake-Konto.',
  DERIVED_FROM_OTHER:
    'Die Adresse eines neuen Kontos ist von einer anderen Adresse als der Wallet abgeleitet.',
  NOT_ITS_SEEDS_ADDRESS: 'Die Adresse eines neuen Kontos ergibt sich nicht aus seinem Seed.',
  INITIALIZES_FOREIGN: 'Sie richtet ein Konto ein, das sie nicht erstellt hat.',
  SPLITS_INTO_FOREIGN: 'Sie teilt in ein Konto auf, das sie nicht erstellt hat.',
  SPLIT_ABOVE_RENT: 'Sie füllt ein abgetrenntes Konto mit mehr als der Mietkaution.',
  EMPTIED_BEYOND_RENT: 'Sie lässt etwas anderes als die Mietkaution in einem neuen Konto.',
  CREATED_ONLY: 'Sie erstellt ein Konto und macht es nicht zum Stake-Konto.',
  CREATED_IDLE: 'Sie erstellt ein Stake-Konto, das sie weder delegiert noch zusammenführt.',
  CREATED_TWICE: 'Sie erstellt {account} mehr als einmal.',
  TOO_MANY_ACCOUNTS: 'Sie erstellt mehr Konten ({accounts}), als dafür nötig sind.',
  TOO_MANY_SPLITS:
    'Sie teilt Stake {splits}-mal auf; nötig sind höchstens {most}, jedes Mal ein anderes Konto.',
  TOO_MUCH_RENT: 'Sie legt {rentSol} SOL Mietkaution in neue Konten, mehr als {mostSol} SOL.',
  LATER_TRANSACTION: 'Transaktion {transaction}: {problem}',
  OTHER_KIND: 'Sie ist von anderer Art als angefordert: {kind}.',
  GOAL_NOT_NAMED:
    'Sie ändert mehrere Konten. Nennen Sie das Ziel und gegebenenfalls den Betrag, damit sich ihre Wirkung damit vergleichen lässt.',
  NO_GOAL: 'Die Anfrage nennt kein Ziel, mit dem sich die Änderung vergleichen ließe.',
  MERGE_NOT_ASKED: 'Sie führt {from} in {into} zusammen.',
  MERGE_NOT_MOVED:
    'Sie führt {from} in {into} zusammen, und danach wird kein Stake von diesem oder in dieses Konto verschoben. Führen Sie Ihre Konten zuerst in einem eigenen Schritt zusammen, oder prüfen Sie mit einem RPC-Knoten.',
  MERGE_CANCELS_ACTIVATION:
    'Sie führt {from}, das gerade aktiviert wird, in ein Konto zusammen, das nicht delegiert ist: Das beendet die Aktivierung.',
  MERGE_OF_DIFFERENT:
    'Sie führt {from} in {into} zusammen, obwohl beide nicht im selben Zustand sind ({fromState, select, inactive {inaktiv} activating {wird aktiviert} active {aktiv} other {im Übergang}}, {intoState, select, inactive {inaktiv} activating {wird aktiviert} active {aktiv} other {im Übergang}}).',
  PROGRAM_REFUSES:
    'Mit den Konten, die Ihr Knoten zeigt, lehnt das Stake-Programm Transaktion {transaction} ab ({refusal}).',
  OTHER_AMOUNT: 'Sie bewegt einen anderen Betrag.',
  STAKES_OTHER_AMOUNT: 'Sie stakt einen anderen Betrag.',
  WITHDRAWS_AND_STAKES: 'Sie zahlt {withdrawnSol} SOL aus und stakt {stakedSol} SOL der Wallet.',
  STAKES_NOT_ASKED: 'Sie stakt {stakedSol} SOL der Wallet.',
  STAKES_ABOVE: 'Sie stakt {stakedSol} SOL der Wallet, nicht {askedSol} SOL.',
  STAKES_DIFFERENT: 'Sie stakt {stakedSol} SOL, nicht {askedSol} SOL.',
  WITHDRAWS_NOT_ASKED: 'Sie zahlt {withdrawnSol} SOL aus.',
  TAKES_OUT_DIFFERENT: 'Sie nimmt {totalSol} SOL heraus, nicht {askedSol} SOL.',
  DEACTIVATES_DIFFERENT: 'Sie deaktiviert {totalSol} SOL, nicht {askedSol} SOL.',
};

const unknowns: Readonly<Record<UnknownCode, string>> = {
  PART_TAKEN:
    'Ein Teil seines Stakes wird abgetrennt und aufgelöst. Die Transaktion zeigt nicht, bei welchem Validator er gestakt ist.',
  ALL_DEACTIVATED:
    'Sein ganzer Stake wird deaktiviert. Die Transaktion zeigt nicht, wie viel das ist und bei welchem Validator er gestakt war.',
  ALL_DELEGATED: 'Alles wird an {voteAccount} delegiert. Die Transaktion zeigt nicht, wie viel das ist.',
  ACCOUNT_MERGED:
    '{from} wird damit zusammengeführt. Die Transaktion zeigt nicht, in welchem Zustand und bei welchen Validatoren beide sind.',
  NEW_STAKE_MERGED:
    '{amountSol} SOL neuer Stake werden damit zusammengeführt. Die Transaktion zeigt nicht, dass das Konto gerade aktiviert wird.',
  IDLE_STAKED:
    'Daraus ausgezahlte SOL werden gestakt. Die Transaktion zeigt nicht, ob sie ungenutzt neben dem Stake lagen.',
  INACTIVE_STAKED:
    'Daraus ausgezahlte SOL werden gestakt. Die Transaktion zeigt nicht, ob die Deaktivierung beendet war.',
  TAKES_OUT_ROUNDED:
    'Sie nimmt {totalSol} SOL heraus, nicht {askedSol} SOL. Vielleicht ist ein kleinerer Betrag möglich.',
  DEACTIVATES_ROUNDED:
    'Sie deaktiviert {totalSol} SOL, nicht {askedSol} SOL. Vielleicht ist ein kleinerer Betrag möglich.',
  RENT_AT_RISK:
    '{rentSol} SOL Mietkaution gehen in Konten, die von diesem und anderen abgetrennt werden. Jemand anderes kann sie vielleicht auszahlen oder sperren.',
};

const service = {
  ASK_ANY_NODE:
    'Fragen Sie einen RPC-Knoten Ihrer Wahl; Sie müssen diesem Dienst nicht vertrauen. Jede Transaktion dieses Dienstes endet mit demselben Memo, und beide Autoritäten eines Stake-Kontos, das er anlegt, sind die Wallet.',
  TRUST_TRANSACTIONS:
    'Das ist die eigene Angabe des Dienstes. Ein unehrlicher Dienst könnte dasselbe antworten; vertrauen Sie daher Transaktionen, nicht Hashes.',
  GET_CODE: 'Holen Sie den Code aus einer Quelle, der Sie vertrauen, und checken Sie gitCommit aus.',
  GET_CODE_FROM:
    'Holen Sie den Code aus einer Quelle, der Sie vertrauen, zum Beispiel {source}, und checken Sie gitCommit aus.',
  COMPARE_HASHES:
    'Vergleichen Sie: sha256sum jeder Datei mit sourceHashes und `find src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum` mit treeSha256.',
  BUILD_UNSIGNED:
    'Erstellen Sie Transaktionen unsigniert (POST /api/v1/stake/transaction und verwandte Operationen), damit Ihr Schlüssel Ihren Rechner nie verlässt.',
  VERIFY_BEFORE_SIGNING:
    'Prüfen Sie die Transaktion vor dem Signieren auf Ihrem Rechner mit dem eigenständigen Prüfprogramm dieses Codes: node scripts/run.mjs scripts/verify-transaction.ts <base64> --wallet <WALLET_ADDRESS> --vote <VOTE_ACCOUNT>. Das ist der Beweis.',
  READ_AFTERWARDS:
    'Lesen Sie danach das Stake-Konto über einen RPC-Knoten Ihrer Wahl: Beide Autoritäten müssen Ihre Wallet sein, und delegiert sein muss es an das Vote-Konto.',
};

export const serviceVerifierGerman = {
  ...instructions,
  ...problems,
  ...unknowns,
  ...service,
  /** For an address that is `unknown` because it is in a lookup table. */
  HIDDEN_ADDRESS: 'ein Konto aus einer Adresstabelle',
};
