// German texts of the service's notices, by code. Their English text comes with the response.
import type { NoticeCode } from '../../../../../src/domain/notice.ts';

/** Notices about rewards have their own texts. */
type RewardsCode = `REWARDS_${string}` | 'ACCOUNTS_LIMITED' | 'CLOSED_ACCOUNTS_UNREAD';

export const serviceNoticesGerman: Readonly<Record<Exclude<NoticeCode, RewardsCode>, string>> = {
  VALIDATOR_CLOSED:
    'Der Cluster führt das Vote-Konto des Validators nicht mehr. Möglicherweise wurde es geschlossen; an ihn delegierter Stake bringt keine Erträge.',
  VALIDATOR_DELINQUENT:
    'Der Validator stimmt nicht ab: Er hängt beim Abstimmen zurück, und solange das andauert, bringt an ihn delegierter Stake keine Erträge.',
  VALIDATOR_NOT_ADMITTED:
    'Der Validator nimmt an dieser Epoche nicht teil: An ihn delegierter Stake bringt keine Erträge, bis er wieder zugelassen wird.',
  COMMISSION_FULL:
    'Die Provision des Validators beträgt 100 %: Solange das so ist, bringt an ihn delegierter Stake keine Inflationserträge.',
  DESTAKE_POSSIBLE:
    'Der Validator hat seit fünf Epochen keine Credits erhalten. Daher darf jeder den an ihn delegierten Stake deaktivieren.',
  FOREIGN_STAKE_AUTHORITY:
    '{stakeAccountAddress, select, none {{stakeAuthority} kann {stakes, plural, one {einen Stake} other {# Stakes}} dieser Wallet auflösen und aufteilen.{collects, select, yes { Diese Adresse kontrolliert auch Stakes von {otherWallets} anderen Wallets.} other {}} Wenn Sie das nicht eingerichtet haben, holen Sie zuerst die Stake-Autorität zurück.} other {Nicht diese Wallet, sondern {stakeAuthority} ist die Stake-Autorität von {stakeAccountAddress} und kann den Stake auflösen oder an einen anderen Validator delegieren.}}',
  VALIDATOR_MOVED:
    'Das Vote-Konto des Validators ist bei laufendem Dienst zu einer anderen Identität gewechselt, von {from} zu {to}.',
  VALIDATOR_STATE_UNKNOWN:
    'Die Provision oder der Zustand des Validators lässt sich derzeit nicht lesen, daher gibt es keine Prognose der Erträge.',
  COMMISSION_RAISED:
    'Die Provision des Validators{what, select, blockRevenueCommissionBps { auf Blockeinnahmen} other {}} ist {epoch, select, none {in den letzten Epochen} other {in Epoche {epoch}}} von {fromPercent} auf {toPercent} gestiegen{nearBoundary, select, yes {, unmittelbar am Epochenwechsel wie bei einem Rug Pull} other {}}.',
  EPOCH_MISSED:
    'Der Validator hat in Epoche {epoch} gefehlt. Wer an ihn delegiert hatte, erhielt für diese Epoche keine Staking-Erträge.',
  BELOW_MINIMUM_STAKE:
    '{amount} SOL liegen unter dem Mindest-Stake von {minimum} SOL: Der Cluster würde das ablehnen.',
  EPOCH_ENDS_SOON:
    'Die Epoche endet in etwa {slots} Slots. Eine Transaktion, die nach dem Epochenwechsel ankommt, zählt für die nächste Epoche und wird abgelehnt, solange Erträge verteilt werden.',
  NEVER_EXPIRES:
    'Nach dem Signieren läuft diese Transaktion nicht ab. Wer sie hat, kann sie senden, bis das Nonce-Konto {nonceAccount} genutzt oder weitergeschaltet wird.',
  SEPARATE_STAKE_AUTHORITY:
    '{stakeAuthority} kann diesen Stake auflösen, neu delegieren, teilen und zusammenführen, aber nichts herausnehmen. Auszahlen kann nur {walletAddress}, und sie kann diese Rolle jederzeit zurückholen.',
  RENT_FOR_OWNER: '{walletAddress} zahlt die Mietkaution neuer Konten. Zurückbekommen kann sie nur {owner}.',
  WALLET_HAS_NO_KEY:
    '{walletAddress} ist eine von einem Programm abgeleitete Adresse, etwa der Tresor einer Multisig. Sie hat keinen Schlüssel: Diese Anweisungen gehören in eine Transaktion ihres Programms, wie die Anleitung „Sign with your wallet“ für Squads zeigt.',
  OTHER_FEE_PAYER:
    '{feePayer} zahlt die Netzwerkgebühr und muss auch signieren. Mehr als die Gebühr kann diese Adresse nicht verlieren.',
  BALANCE_UNCHECKED:
    'Das Guthaben der Wallet ließ sich nicht lesen und wurde nicht geprüft: Ist es zu niedrig, schlägt die Transaktion auf der Blockchain fehl.',
  STAKE_INDIVISIBLE: 'Ein Stake unter {divisibleSol} SOL lässt sich nicht teilen: Auflösen geht nur ganz.',
  FOREIGN_WITHDRAW_AUTHORITY: 'Aus diesem Konto kann nur {withdrawAuthority} auszahlen.',
  YIELD_UNKNOWN:
    'Die Rendite des Validators ist derzeit nicht verfügbar, daher gibt es keine Prognose der Erträge.',
  INTERVAL_NEEDS_EPOCHS:
    'Braucht {needed} Epochen mit gemessenen Erträgen und Jito-Tips bei der jetzigen Provision; bisher {measured}.',
  INTERVAL_NEEDS_YIELD:
    'Die gesamte Rendite lässt sich derzeit nicht von der Blockchain lesen, daher gibt es keine Spanne.',
  INTERVAL_NEEDS_RECORD:
    'Die Aufzeichnung der Epochen durch diesen Dienst ist derzeit nicht verfügbar, daher gibt es keine Spanne.',
  TIPS_UNKNOWN:
    'Die Jito-Tips des Validators sind derzeit nicht verfügbar: Die Prognose enthält keine Jito-Tips und ist eine Untergrenze.',
  PROVIDER_FIELD_MISSING:
    '{provider, select, stakewiz {StakeWiz} other {Jito}}: {entries, plural, =0 {{field} fehlt} one {In # Eintrag fehlt {field}} other {In # Einträgen fehlt {field}}}.',
  PROVIDER_FIELD_INVALID:
    '{provider, select, stakewiz {StakeWiz} other {Jito}}: Unmöglicher Wert für {field}{entries, plural, =0 {} one { in # Eintrag} other { in # Einträgen}}; er wird nicht verwendet.',
  PROVIDER_ENTRIES_INVALID:
    '{provider, select, stakewiz {StakeWiz} other {Jito}}: {entries, plural, one {# Eintrag ist nicht lesbar und wird} other {# Einträge sind nicht lesbar und werden}} nicht verwendet.',
  PROVIDER_ENTRIES_TWICE:
    '{provider, select, stakewiz {StakeWiz} other {Jito}}: {entries, plural, one {# Eintrag ist doppelt; der erste} other {# Einträge sind doppelt; der jeweils erste}} zählt.',
  PROVIDER_LACKS_VALIDATOR:
    '{provider, select, stakewiz {StakeWiz} other {Jito}} führt diesen Validator nicht.',
  PROVIDER_FAILED:
    '{provider, select, stakewiz {StakeWiz} other {Jito}} {failure, select, unreachable {ist nicht erreichbar} timeout {hat nicht rechtzeitig geantwortet} reset {hat die Antwort vorzeitig beendet} rate_limited {begrenzt derzeit unsere Anfragen} not_found {hat die angefragten Daten nicht} too_large {hat eine zu große Antwort gesendet} garbage {hat eine Antwort gesendet, die nicht zur Dokumentation passt} closed {wird nicht mehr abgefragt, weil der Dienst stoppt} other {hat mit einem Fehler geantwortet}}; die Daten fehlen oder sind veraltet.',
  NO_VOTE_CREDITS_YET:
    'Dieser Validator hat in der laufenden Epoche noch keine Vote-Credits erhalten und daher keinen Rang.',
  NO_SKIP_RATE_YET:
    'In der laufenden Epoche sind weniger als 8 Leader-Slots dieses Validators vorbei: zu wenige für eine Auslassquote.',
  NO_VOTE_RATE_YET: 'Die Epoche hat gerade begonnen, daher gibt es noch keine Quote gewerteter Abstimmungen.',
  NO_MEV_PROVIDER: 'Der Betreiber hat keinen Anbieter von MEV-Statistiken eingerichtet.',
  NO_NETWORK_PROVIDER: 'Der Betreiber hat keinen Anbieter von Validator-Statistiken eingerichtet.',
  EPOCH_RECORD_UNAVAILABLE: 'Die Aufzeichnung der Epochen dieses Dienstes ist derzeit nicht verfügbar.',
  EPOCH_UNAVAILABLE: 'Kein RPC-Knoten antwortet: Die Epoche ist nicht verfügbar.',
  RANK_UNAVAILABLE: 'Kein RPC-Knoten listet die Validatoren auf: Der Rang ist nicht verfügbar.',
  YIELD_EXPECTED:
    'Die Staking-Rendite wird aus der Inflation des Clusters geschätzt, bis hier gezahlte Erträge gemessen sind.',
  YIELD_AS_OF: 'Die Rendite lässt sich gerade nicht lesen. Sie wurde zuletzt {at} gelesen.',
  STAKING_YIELD_UNAVAILABLE:
    'Die Staking-Rendite ist derzeit weder von der Blockchain noch von Anbietern verfügbar.',
  TIP_YIELD_UNAVAILABLE:
    'Die Rendite aus Jito-Tips ist derzeit nicht verfügbar; Jito-Tips sind nicht enthalten.',
  REALISED_YIELD_UNAVAILABLE: 'Kein RPC-Knoten antwortet: Die gemessene Rendite lässt sich nicht lesen.',
  PAID_REWARDS_UNAVAILABLE: 'Die auf der Blockchain gezahlten Erträge sind derzeit nicht verfügbar.',
  COMMISSION_UNAVAILABLE: 'Kein RPC-Knoten antwortet: Die Provision ist nicht verfügbar.',
  VOTES_UNAVAILABLE:
    'Kein RPC-Knoten antwortet: Abstimmungen und Stake des Validators lassen sich nicht von der Blockchain lesen.',
  BLOCKS_UNAVAILABLE:
    'Kein RPC-Knoten zählt die Blöcke dieser Epoche: Die Quote gewerteter Abstimmungen lässt sich nicht von der Blockchain lesen.',
  SKIP_RATE_UNAVAILABLE:
    'Kein RPC-Knoten zählt die Leader-Slots dieser Epoche: Die Auslassquote lässt sich nicht von der Blockchain lesen.',
  VOTE_LATENCY_UNAVAILABLE:
    'Kein RPC-Knoten antwortet: Die Verzögerung der Abstimmungen ist nicht verfügbar.',
  UPTIME_UNAVAILABLE: 'Der Speicher lässt sich nicht lesen: Die Verfügbarkeit ist unbekannt.',
  EARLIER_FIGURES_UNAVAILABLE: 'Einige Werte früherer Epochen sind nicht verfügbar und bleiben leer.',
  CURRENT_EPOCH_UNAVAILABLE: 'Kein RPC-Knoten antwortet: Die laufende Epoche ist nicht verfügbar.',
  LEADER_SLOTS_UNAVAILABLE: 'Kein RPC-Knoten zählt die Leader-Slots dieser Epoche: Sie sind nicht verfügbar.',
  PROFILE_UNREADABLE: 'Die Profildatei des Betreibers lässt sich nicht lesen.',
  DELEGATORS_UNCOUNTABLE:
    'Kein RPC-Knoten listet die Stake-Konten auf: Die Stakenden lassen sich nicht zählen.',
  DELEGATORS_BEING_COUNTED: 'Die Stakenden werden noch gezählt.',
  STAKE_AND_COMMISSION_UNAVAILABLE:
    'Kein RPC-Knoten antwortet: Stake und Provision lassen sich nicht von der Blockchain lesen.',
  SOFTWARE_UNAVAILABLE:
    'Kein RPC-Knoten listet die Knoten des Clusters auf: Die Softwareversion lässt sich nicht von der Blockchain lesen.',
  HARDWARE_UNDESCRIBED: 'Der Betreiber hat die Hardware nicht beschrieben.',
  OLDER_CHANGES_MISSING: 'Nicht jede Transaktion ließ sich lesen: Ältere Änderungen können fehlen.',
  WALLET_OF_PROGRAM: 'Das Konto dieser Wallet gehört dem Programm {program}; sie kann daher nicht zahlen.',
  CHAIN_NOT_SEARCHED:
    'Die Blockchain lässt sich derzeit nicht durchsuchen: Transaktionen, die nicht über diesen Dienst gesendet wurden, können fehlen.',
  OLDER_TRANSACTIONS_SEARCHED:
    'Ältere Transaktionen dieser Wallet werden noch gesucht. Fragen Sie später erneut ab.',
  TRANSACTION_FORM_UNKNOWN:
    'Diese Version des Dienstes kann die Form dieser Transaktion nicht lesen; daher ist nichts geprüft.',
  DASHBOARDS_OF_MAINNET:
    'Dieser Dienst läuft auf dem Cluster {cluster}. Diese Dashboards zeigen nur mainnet-beta, wo es dieses Vote-Konto nicht gibt oder es ein anderes ist. Verwenden Sie die Befehle.',
  OTHER_VALIDATOR: 'Dieser Stake war bisher an einen anderen Validator delegiert ({voteAccount}).',
  PRIORITY_FEE_UNKNOWN:
    'Kein RPC-Knoten nennt eine Schätzung der Prioritätsgebühren, daher zahlt diese Transaktion keine. Ist das Netzwerk ausgelastet, kann sie lange brauchen.',
  PRIORITY_FEE_CAPPED:
    'Die geschätzte Prioritätsgebühr liegt über der Obergrenze von {maxFeeSol} SOL. Diese Transaktion zahlt nicht mehr als die Obergrenze und kommt möglicherweise nicht sofort an.',
  PRIORITY_FEE_DISPUTED:
    'Die RPC-Knoten nennen sehr unterschiedliche Prioritätsgebühren. Diese Transaktion zahlt die mittlere.',
  COSTS_MORE_THAN_IT_RETURNS:
    'Das kostet {feesSol} SOL an Gebühren und bringt {returnedSol} SOL in die Wallet.',
  ACCOUNT_CLOSES:
    'Damit wird alles ausgezahlt: Das Stake-Konto wird geschlossen, und seine Adresse wird nicht wieder verwendet.',
};
