// German texts of the service's sentences that have no code, by their English text. Names in braces are the parts that vary.

export const serviceSentencesGerman: Readonly<Record<string, string>> = {
  // The validator's figures.
  'No RPC node answers: the current epoch is unavailable.':
    'Kein RPC-Knoten antwortet: Die laufende Epoche ist nicht verfügbar.',
  'No RPC node answers: the epoch is unavailable.':
    'Kein RPC-Knoten antwortet: Die Epoche ist nicht verfügbar.',
  'No RPC node answers: the commission is unavailable.':
    'Kein RPC-Knoten antwortet: Die Provision ist nicht verfügbar.',
  'No RPC node answers: stake and commission are unavailable.':
    'Kein RPC-Knoten antwortet: Stake und Provision sind nicht verfügbar.',
  'No RPC node answers: the realised yield cannot be read.':
    'Kein RPC-Knoten antwortet: Die gemessene Rendite lässt sich nicht lesen.',
  "No RPC node answers: the validator's votes and stake cannot be read from the chain.":
    'Kein RPC-Knoten antwortet: Abstimmungen und Stake des Validators lassen sich nicht von der Blockchain lesen.',
  'No RPC node lists the validators: the rank is unavailable.':
    'Kein RPC-Knoten listet die Validatoren auf: Der Rang ist nicht verfügbar.',
  'No RPC node lists the cluster nodes: the software version cannot be read from the chain.':
    'Kein RPC-Knoten listet die Knoten des Clusters auf: Die Softwareversion lässt sich nicht von der Blockchain lesen.',
  'No RPC node lists the stake accounts: delegators cannot be counted.':
    'Kein RPC-Knoten listet die Stake-Konten auf: Delegierende lassen sich nicht zählen.',
  'No RPC node counts the blocks of this epoch: the vote success rate is unavailable.':
    'Kein RPC-Knoten zählt die Blöcke dieser Epoche: Die Quote gewerteter Abstimmungen ist nicht verfügbar.',
  'No RPC node counts the leader slots of this epoch: the skip rate is unavailable.':
    'Kein RPC-Knoten zählt die Leader-Slots dieser Epoche: Die Auslassquote ist nicht verfügbar.',
  'No RPC node counts the leader slots of this epoch: they are unavailable.':
    'Kein RPC-Knoten zählt die Leader-Slots dieser Epoche: Sie sind nicht verfügbar.',
  'The store cannot be read: the uptime is unavailable.':
    'Der Speicher lässt sich nicht lesen: Die Verfügbarkeit ist unbekannt.',
  'The delegators are still being counted.': 'Die Delegierenden werden noch gezählt.',
  "The operator's profile file cannot be read.": 'Die Profildatei des Betreibers lässt sich nicht lesen.',
  'The operator has not described the hardware.': 'Der Betreiber hat die Hardware nicht beschrieben.',
  'This validator has not earned vote credits in the current epoch yet, so it has no credit rank.':
    'Dieser Validator hat in der laufenden Epoche noch keine Vote-Credits erhalten und daher keinen Rang.',
  'Fewer than 8 leader slots of this validator have passed in the current epoch: too few for a skip rate.':
    'In der laufenden Epoche sind weniger als 8 Leader-Slots dieses Validators vorbei: zu wenige für eine Auslassquote.',
  'The epoch has just begun, so there is no vote success rate yet.':
    'Die Epoche hat gerade begonnen, daher gibt es noch keine Quote gewerteter Abstimmungen.',
  'Some figures for earlier epochs are unavailable and left blank.':
    'Einige Werte früherer Epochen sind nicht verfügbar und bleiben leer.',
  'This service’s record of epochs is currently unavailable.':
    'Die Aufzeichnung der Epochen dieses Dienstes ist derzeit nicht verfügbar.',
  'The staking yield is estimated from the cluster’s issuance until rewards paid here are measured.':
    'Die Staking-Rendite wird aus der Inflation des Clusters geschätzt, bis hier gezahlte Erträge gemessen sind.',
  'The staking yield is currently unavailable from the chain and from providers.':
    'Die Staking-Rendite ist derzeit weder von der Blockchain noch von Anbietern verfügbar.',
  'The tip yield is currently unavailable; tips are not included.':
    'Die Rendite aus Trinkgeldern ist derzeit nicht verfügbar; Trinkgelder sind nicht enthalten.',
  'Rewards paid on chain are currently unavailable.':
    'Die auf der Blockchain gezahlten Erträge sind derzeit nicht verfügbar.',
  // Providers of statistics.
  'The operator has not configured a provider of MEV statistics.':
    'Der Betreiber hat keinen Anbieter von MEV-Statistiken eingerichtet.',
  'The operator has not configured a provider of validator statistics.':
    'Der Betreiber hat keinen Anbieter von Validator-Statistiken eingerichtet.',
  '{provider} cannot be reached; its data is missing or outdated.':
    '{provider} ist nicht erreichbar; die Daten fehlen oder sind veraltet.',
  '{provider} did not answer in time; its data is missing or outdated.':
    '{provider} hat nicht rechtzeitig geantwortet; die Daten fehlen oder sind veraltet.',
  '{provider} ended its answer too early; its data is missing or outdated.':
    '{provider} hat die Antwort vorzeitig beendet; die Daten fehlen oder sind veraltet.',
  '{provider} answered with an error; its data is missing or outdated.':
    '{provider} hat mit einem Fehler geantwortet; die Daten fehlen oder sind veraltet.',
  '{provider} rate-limits us at the moment; its data is missing or outdated.':
    '{provider} begrenzt derzeit unsere Anfragen; die Daten fehlen oder sind veraltet.',
  '{provider} does not have the requested data; its data is missing or outdated.':
    '{provider} hat die angefragten Daten nicht; sie fehlen oder sind veraltet.',
  '{provider} sent an answer above the size limit; its data is missing or outdated.':
    '{provider} hat eine zu große Antwort gesendet; die Daten fehlen oder sind veraltet.',
  '{provider} sent an answer that does not match its documentation; its data is missing or outdated.':
    '{provider} hat eine Antwort gesendet, die nicht zur Dokumentation passt; die Daten fehlen oder sind veraltet.',
  '{provider} is no longer used: the service is stopping; its data is missing or outdated.':
    '{provider} wird nicht mehr abgefragt, weil der Dienst stoppt; die Daten fehlen oder sind veraltet.',
  '{provider} does not list this validator.': '{provider} führt diesen Validator nicht.',
  '{provider} lacks {field} in {count} entries.': '{provider}: In {count} Einträgen fehlt {field}.',
  '{provider} lacks {field} in 1 entry.': '{provider}: In 1 Eintrag fehlt {field}.',
  '{provider} lacks {field}.': '{provider}: {field} fehlt.',
  '{provider} has an impossible value for {field} in {count} entries, which is ignored.':
    '{provider}: Unmöglicher Wert für {field} in {count} Einträgen; er wird nicht verwendet.',
  '{provider} has an impossible value for {field} in 1 entry, which is ignored.':
    '{provider}: Unmöglicher Wert für {field} in 1 Eintrag; er wird nicht verwendet.',
  '{provider} has an impossible value for {field}, which is ignored.':
    '{provider}: Unmöglicher Wert für {field}; er wird nicht verwendet.',
  '{provider} sent 1 entry that cannot be read and are ignored.':
    '{provider}: 1 Eintrag ist nicht lesbar und wird nicht verwendet.',
  '{provider} sent {count} entries that cannot be read and are ignored.':
    '{provider}: {count} Einträge sind nicht lesbar und werden nicht verwendet.',
  '{provider} sent 1 entry twice; the first counts.': '{provider}: 1 Eintrag ist doppelt; der erste zählt.',
  '{provider} sent {count} entries twice; the first counts.':
    '{provider}: {count} Einträge sind doppelt; der jeweils erste zählt.',
  // Checking the service.
  'This service runs on the cluster {cluster}. These dashboards show only mainnet-beta, where this vote account does not exist or is a different one. Use the commands.':
    'Dieser Dienst läuft auf dem Cluster {cluster}. Diese Dashboards zeigen nur mainnet-beta, wo es dieses Vote-Konto nicht gibt oder es ein anderes ist. Verwenden Sie die Befehle.',
  'Ask an RPC node of your choice; you need not trust this service. Every transaction of this service ends with the same memo, and both authorities of a stake account it creates are the wallet.':
    'Fragen Sie einen RPC-Knoten Ihrer Wahl; Sie müssen diesem Dienst nicht vertrauen. Jede Transaktion dieses Dienstes endet mit demselben Memo, und beide Autoritäten eines Stake-Kontos, das er anlegt, sind die Wallet.',
  'This version of the service cannot read the form of this transaction, so nothing is verified.':
    'Diese Version des Dienstes kann die Form dieser Transaktion nicht lesen; daher ist nichts geprüft.',
  'This endpoint is self-reported. A dishonest service could answer the same, so trust transactions, not hashes.':
    'Das ist die eigene Angabe des Dienstes. Ein unehrlicher Dienst könnte dasselbe antworten; vertrauen Sie daher Transaktionen, nicht Hashes.',
  'Get the code from a source you trust, and check out gitCommit.':
    'Holen Sie den Code aus einer Quelle, der Sie vertrauen, und checken Sie gitCommit aus.',
  'Get the code from a source you trust, for instance {source}, and check out gitCommit.':
    'Holen Sie den Code aus einer Quelle, der Sie vertrauen, zum Beispiel {source}, und checken Sie gitCommit aus.',
  'Compare: sha256sum of each file with sourceHashes, and `find src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum` with treeSha256.':
    'Vergleichen Sie: sha256sum jeder Datei mit sourceHashes und `find src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum` mit treeSha256.',
  'Build transactions unsigned ({operation} and its siblings), so that your key never leaves your machine.':
    'Erstellen Sie Transaktionen unsigniert ({operation} und verwandte Operationen), damit Ihr Schlüssel Ihren Rechner nie verlässt.',
  'Before you sign, check the transaction with the stand-alone verifier of that code on your machine: node scripts/run.mjs scripts/verify-transaction.ts <base64> --wallet <WALLET_ADDRESS> --vote <VOTE_ACCOUNT>. This is the proof.':
    'Prüfen Sie die Transaktion vor dem Signieren auf Ihrem Rechner mit dem eigenständigen Prüfprogramm dieses Codes: node scripts/run.mjs scripts/verify-transaction.ts <base64> --wallet <WALLET_ADDRESS> --vote <VOTE_ACCOUNT>. Das ist der Beweis.',
  'After it landed, read the stake account from an RPC node of your own choice: both authorities must be your wallet, and the delegation must be to the vote account.':
    'Lesen Sie danach das Stake-Konto über einen RPC-Knoten Ihrer Wahl: Beide Autoritäten müssen Ihre Wallet sein, und delegiert sein muss es an das Vote-Konto.',

  // The changes of control.
  'The account of this wallet belongs to the program {owner}: it cannot pay.':
    'Das Konto dieser Wallet gehört dem Programm {owner}; sie kann daher nicht zahlen.',
  'Not every transaction could be read: older changes may be missing.':
    'Nicht jede Transaktion ließ sich lesen: Ältere Änderungen können fehlen.',
  // The instructions of a transaction. The memo is quoted, so that it cannot be mistaken for a part of the sentence.
  'Creates account {account} of {space} bytes owned by {owner}, with {amount} SOL from {from}.':
    'Erstellt das Konto {account} mit {space} Bytes im Besitz von {owner}, mit {amount} SOL von {from}.',
  'Transfers {amount} SOL from {from} to {to}.': 'Überträgt {amount} SOL von {from} an {to}.',
  'Advances the durable nonce {nonce}.': 'Schaltet die dauerhafte Nonce {nonce} weiter.',
  'Makes {staker} the stake authority and {withdrawer} the withdraw authority of {account}, with no lockup.':
    'Macht {staker} zur Stake-Autorität und {withdrawer} zur Auszahlungs-Autorität von {account}, ohne Sperrfrist.',
  'Makes {staker} the stake authority and {withdrawer} the withdraw authority of {account}, locked until Unix time {time} and epoch {epoch}.':
    'Macht {staker} zur Stake-Autorität und {withdrawer} zur Auszahlungs-Autorität von {account}, gesperrt bis zur Unix-Zeit {time} und Epoche {epoch}.',
  'Delegates stake account {account} to vote account {vote}.':
    'Delegiert das Stake-Konto {account} an das Vote-Konto {vote}.',
  'Deactivates stake account {account}.': 'Deaktiviert das Stake-Konto {account}.',
  'Withdraws {amount} SOL from stake account {account} to {to}.':
    'Zahlt {amount} SOL aus dem Stake-Konto {account} an {to} aus.',
  'Splits {amount} SOL of stake account {account} into {into}.':
    'Trennt {amount} SOL vom Stake-Konto {account} in {into} ab.',
  'Moves {amount} SOL of stake from {from} to {into}.':
    'Verschiebt {amount} SOL Stake von {from} nach {into}.',
  'Moves {amount} idle SOL from stake account {from} to {into}.':
    'Verschiebt {amount} ungenutzte SOL aus dem Stake-Konto {from} nach {into}.',
  'Merges stake account {from} into {into}.': 'Führt das Stake-Konto {from} in {into} zusammen.',
  'Makes {authority} the stake authority of {account}.':
    'Macht {authority} zur Stake-Autorität von {account}.',
  'Makes {authority} the withdraw authority of {account}.':
    'Macht {authority} zur Auszahlungs-Autorität von {account}.',
  'Carries a memo that is not text.': 'Trägt ein Memo, das kein Text ist.',
  'Carries the memo {memo}.': 'Trägt das Memo {memo}.',
  'Limits the transaction to {units} compute units.': 'Begrenzt die Transaktion auf {units} Compute Units.',
  'Offers a priority fee of {price} micro-lamports per compute unit.':
    'Bietet eine Prioritätsgebühr von {price} Mikro-Lamports je Compute Unit.',
  'Makes the transaction fail if an account is not as the wallet expects it; changes nothing.':
    'Lässt die Transaktion fehlschlagen, wenn ein Konto nicht so ist, wie die Wallet es erwartet; ändert nichts.',
  'Has the network check {signatures} signatures, each for the price of one.':
    'Lässt das Netzwerk {signatures} Signaturen prüfen, jede zum Preis von einer.',
  'Runs an instruction of program {program}.': 'Führt eine Anweisung des Programms {program} aus.',
  'Runs {name} of program {program}.': 'Führt {name} des Programms {program} aus.',
  // What the bytes of a transaction do not show.
  'A part of its stake is taken. The transaction does not show with which validator it is staked.':
    'Ein Teil seines Stakes wird genommen. Die Transaktion zeigt nicht, bei welchem Validator er gestakt ist.',
  'All of its stake is deactivated. The transaction does not show how much that is, and with which validator.':
    'Sein ganzer Stake wird deaktiviert. Die Transaktion zeigt nicht, wie viel das ist und bei welchem Validator er gestakt war.',
  'All of it will be delegated to {voteAccount}. The transaction does not show how much that is.':
    'Alles wird an {voteAccount} delegiert. Die Transaktion zeigt nicht, wie viel das ist.',
  '{from} is merged into it. The transaction does not show their states and validators.':
    '{from} wird damit zusammengeführt. Die Transaktion zeigt nicht, in welchem Zustand und bei welchen Validatoren beide sind.',
  '{amount} SOL of new stake is merged into it. The transaction does not show that it is activating.':
    '{amount} SOL neuer Stake werden damit zusammengeführt. Die Transaktion zeigt nicht, dass es gerade aktiviert wird.',
  'SOL that is withdrawn from it is staked. The transaction does not show whether it lay idle beside stake.':
    'Daraus ausgezahlte SOL werden gestakt. Die Transaktion zeigt nicht, ob sie ungenutzt neben dem Stake lagen.',
  'SOL that is withdrawn from it is staked. The transaction does not show whether it had cooled down.':
    'Daraus ausgezahlte SOL werden gestakt. Die Transaktion zeigt nicht, ob die Deaktivierung beendet war.',
};
