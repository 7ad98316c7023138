// German texts for the service's English texts: titles and texts of errors, by error code and reason.

export const serviceTitlesGerman: Readonly<Record<string, string>> = {
  INTERNAL: 'Fehler im Dienst',
  VALIDATION_ERROR: 'Ungültige Anfrage',
  STAKE_NOT_WITHDRAWABLE: 'Nicht auszahlbar',
  STAKE_LOCKED: 'Stake gesperrt',
  STAKE_NOT_DELEGATED: 'Nicht delegiert',
  STAKE_ALREADY_DEACTIVATED: 'Schon aufgelöst',
  WITHDRAW_LEAVES_BELOW_RENT: 'Mietkaution unterschritten',
  INSUFFICIENT_STAKE_BALANCE: 'Zu wenig im Stake-Konto',
  STAKE_BALANCE_CHANGED: 'Stake hat sich geändert',
  NOT_A_STAKE_ACCOUNT: 'Kein Stake-Konto',
  STAKE_ACCOUNT_ADDRESS_PROVIDED: 'Adresse eines Stake-Kontos',
  AUTHORITY_MISMATCH: 'Andere Autorität',
  INVALID_TRANSACTION: 'Ungültige Transaktion',
  FOREIGN_TRANSACTION: 'Fremde Transaktion',
  IDEMPOTENCY_KEY_REUSED: 'Schon ausgeführt',
  STAKE_ADDRESS_OCCUPIED: 'Stake gibt es schon',
  TRANSACTION_ALREADY_SUBMITTED: 'Schon gesendet',
  STILL_ALIVE: 'Noch gültig',
  NONCE_UNUSABLE: 'Nonce-Konto nicht nutzbar',
  NONCE_LIMIT: 'Grenze erreicht',
  INVALID_SIGNATURE: 'Ungültige Signatur',
  WEBHOOK_LIMIT: 'Grenze erreicht',
  WEBHOOK_DISABLED: 'Webhook deaktiviert',
  SIGN_LINK_INVALID: 'Ungültiger Link',
  SIGN_LINK_EXPIRED: 'Abgelaufener Link',
  NOT_FOUND: 'Nicht gefunden',
  NOT_READY: 'Noch nicht bereit',
  STAKE_NOT_INACTIVE: 'Stake nicht inaktiv',
  AMOUNT_NOT_REACHABLE: 'Betrag nicht möglich',
  PLAN_NEEDS_SEVERAL: 'Mehrere Transaktionen nötig',
  NOTHING_TO_DO: 'Nichts zu tun',
  UNDO_TOO_LATE: 'Zu spät',
  UNDO_IMPOSSIBLE: 'Nicht möglich',
  NOTHING_TO_UNDO: 'Nichts zurückzunehmen',
  EPOCH_BOUNDARY_NEAR: 'Epochenwechsel steht bevor',
  STAKE_NOT_ACTIVATING: 'Kein Stake in Aktivierung',
  INSECURE_TRANSPORT: 'Unsichere Verbindung',
  HOST_NOT_ALLOWED: 'Unbekannter Name',
  ORIGIN_NOT_ALLOWED: 'Fremde Herkunft',
  BODY_TOO_LARGE: 'Anfrage zu groß',
  REQUEST_TIMEOUT: 'Zeit überschritten',
  METHOD_NOT_ALLOWED: 'Nicht erlaubt',
  UNSUPPORTED_MEDIA_TYPE: 'Unbekanntes Format',
  INVALID_SECRET_KEY: 'Ungültiger Schlüssel',
  SECRET_KEY_MISMATCH: 'Anderer Schlüssel',
  HEADERS_TOO_LARGE: 'Anfrage zu groß',
  MISSING_WALLET_ADDRESS: 'Wallet-Adresse fehlt',
  OPERATOR_TOKEN_REQUIRED: 'Nur für den Betreiber',
};

/**
 * A code without a reason covers all reasons without their own text, and missing params of an older service.
 */
export const serviceErrorsGerman: Readonly<Record<string, string>> = {
  BAD_ANSWER:
    'Etwas anderes als dieser Dienst hat geantwortet. Prüfen Sie Ihre Verbindung, und versuchen Sie es dann erneut.',
  INTERNAL: 'Das ist ein Fehler des Dienstes. Versuchen Sie es später erneut.',
  UPSTREAM_UNAVAILABLE:
    'Ein Solana-Knoten oder ein anderer Dienst antwortet nicht. Versuchen Sie es in einer Minute erneut.',
  'UPSTREAM_UNAVAILABLE NOT_SENT':
    'Kein Solana-Knoten war erreichbar; die Transaktion wurde nicht gesendet. Versuchen Sie es in einigen Sekunden erneut.',
  'UPSTREAM_UNAVAILABLE NO_NEW_BLOCKHASH':
    'Seit der letzten Transaktion dieser Wallet gibt es keinen neuen Blockhash. Es wurde nichts erstellt. Versuchen Sie es in einigen Sekunden erneut.',
  'UPSTREAM_UNAVAILABLE OTHER_CLUSTER':
    'Der Solana-Knoten gehört jetzt zu einem anderen Cluster als dieser Dienst. Nur der Betreiber kann das beheben.',
  'UPSTREAM_UNAVAILABLE OUTCOME_UNREAD':
    'Die Transaktion {signature} ist hier gespeichert und kann ausgeführt sein, aber kein Solana-Knoten antwortet; ihr Ergebnis ist noch offen. Prüfen Sie in 15 Sekunden erneut. Signieren Sie dafür keine weitere Transaktion.',
  'UPSTREAM_UNAVAILABLE VALIDATOR_DATA':
    'Angaben zum Validator sind gerade nicht verfügbar. Versuchen Sie es in einer Minute erneut.',
  'UPSTREAM_UNAVAILABLE NETWORK_PROVIDER':
    'Die Städte kennt nur der Statistikanbieter, und er antwortet nicht. Versuchen Sie es in einer Minute erneut.',
  VALIDATION_ERROR: 'Die Anfrage ist ungültig.',
  INSUFFICIENT_BALANCE: 'Die Wallet hat dafür nicht genug SOL.',
  'INSUFFICIENT_BALANCE WALLET_SHORT':
    'Die Wallet hat {balanceSol} SOL. Dafür fehlen {shortfallSol} SOL. Zahlen Sie mindestens {shortfallSol} SOL ein, und versuchen Sie es dann erneut.',
  'INSUFFICIENT_BALANCE WALLET_SHORT_OF_AMOUNT':
    'Die Wallet hat {balanceSol} SOL. Dafür fehlen {shortfallSol} SOL. Staken Sie höchstens {availableSol} SOL, oder zahlen Sie mindestens {shortfallSol} SOL ein.',
  'INSUFFICIENT_BALANCE WALLET_SHORT_OF_MINIMUM':
    'Die Wallet hat {balanceSol} SOL. Dafür fehlen {shortfallSol} SOL. Zahlen Sie mindestens {shortfallSol} SOL ein, und versuchen Sie es dann erneut. Der kleinste Stake, {minimumSol} SOL, braucht {neededSol} SOL in der Wallet.',
  'INSUFFICIENT_BALANCE FEES_AND_RENT':
    'Der Wallet fehlen {shortfallSol} SOL für Gebühren und Mietkaution. Zahlen Sie mindestens {shortfallSol} SOL ein, und versuchen Sie es dann erneut.',
  'INSUFFICIENT_BALANCE PAYER_ABSENT':
    'Die zahlende Wallet gibt es auf diesem Cluster nicht: Sie hat keine SOL. Zahlen Sie zuerst ein.',
  'INSUFFICIENT_BALANCE PAYER_SHORT_OF_FEE':
    'Die Wallet kann die Netzwerkgebühr nicht zahlen. Zahlen Sie zuerst ein.',
  'INSUFFICIENT_BALANCE LEAVES_BELOW_RENT':
    'Danach hätte ein Konto weniger als die Mietkaution (Rent). Es muss mindestens diese behalten oder ganz geleert werden.',
  'INSUFFICIENT_BALANCE FAUCET':
    'Der Faucet der Sandbox hat noch {availableSol} SOL. Jede neu gestartete Sandbox beginnt mit einem vollen Faucet.',
  BELOW_MINIMUM_STAKE: 'Das ist weniger als der Mindestbetrag des Clusters.',
  'BELOW_MINIMUM_STAKE STAKE':
    '{amountSol} SOL liegen {shortfallSol} SOL unter dem Mindestbetrag von {minimumStakeSol} SOL ({minimumDelegationSol} SOL Mindestdelegation und {rentSol} SOL Mietkaution). Staken Sie mindestens {minimumStakeSol} SOL.',
  'BELOW_MINIMUM_STAKE SIMULATION':
    '{amountSol} SOL decken die Mietkaution eines Stake-Kontos nicht; staken Sie mindestens {minimumStakeSol} SOL.',
  'BELOW_MINIMUM_STAKE PLAN':
    'Zusammen fehlen {shortfallSol} SOL bis zum Mindestbetrag. Zahlen Sie den Stake aus, oder legen Sie so viel dazu.',
  'BELOW_MINIMUM_STAKE RESTAKE':
    'Das Stake-Konto {address} hat {balanceSol} SOL; zum erneuten Staken fehlen {shortfallSol} SOL. Zahlen Sie es aus, und staken Sie es zusammen mit mehr.',
  STAKE_NOT_WITHDRAWABLE: '{amountSol} SOL sind jetzt nicht auszahlbar. Frei sind {freeSol} SOL.',
  STAKE_LOCKED: 'Dieser Stake ist gesperrt. Warten Sie, bis die Sperrfrist endet.',
  STAKE_NOT_DELEGATED:
    'Das Stake-Konto {address} ist nicht delegiert; es gibt nichts aufzulösen. Sein Guthaben ist auszahlbar.',
  STAKE_ALREADY_DEACTIVATED: 'Dieses Stake-Konto wird schon deaktiviert, oder es ist schon auszahlbar.',
  WITHDRAW_LEAVES_BELOW_RENT:
    'Danach blieben {leftSol} SOL im Stake-Konto, {shortfallSol} SOL weniger als seine Mietkaution von {rentSol} SOL. Zahlen Sie alles aus, oder lassen Sie mehr darin.',
  INSUFFICIENT_STAKE_BALANCE: 'Im Stake-Konto ist weniger als dieser Betrag.',
  'INSUFFICIENT_STAKE_BALANCE WITHDRAW':
    'Das Stake-Konto {address} hat {balanceSol} SOL, {shortfallSol} SOL weniger als gewünscht.',
  STAKE_BALANCE_CHANGED: 'Die Stake-Konten haben sich seither geändert. Beginnen Sie noch einmal.',
  NOT_A_STAKE_ACCOUNT:
    'Unter dieser Adresse gibt es kein Stake-Konto. Ein Stake-Konto verschwindet, wenn alles ausgezahlt ist.',
  STAKE_ACCOUNT_ADDRESS_PROVIDED: '{address} ist ein Stake-Konto, keine Wallet.',
  WALLET_CANNOT_PAY:
    'Diese Adresse ist keine gewöhnliche Wallet und kann deshalb keine Gebühren zahlen. Nutzen Sie die Adresse der Wallet selbst.',
  AUTHORITY_MISMATCH:
    'Diese Wallet hat dafür nicht die Autorität über das Stake-Konto. Nutzen Sie die Wallet, die sie hat.',
  EPOCH_REWARDS_ACTIVE:
    'Die Erträge der letzten Epoche werden verteilt; bis dahin nimmt der Cluster keine Änderung an. Versuchen Sie es in einer Minute erneut.',
  BLOCKHASH_EXPIRED: 'Der Blockhash lief ab, bevor die Transaktion ankam. Sie kann nicht mehr ankommen.',
  INVALID_TRANSACTION: 'Die Transaktion oder ihre Signatur ist ungültig. Es wurde nichts gesendet.',
  FOREIGN_TRANSACTION: 'Diese Transaktion hat nicht dieser Dienst erstellt. Es wurde nichts gesendet.',
  SUBMISSION_FAILED: 'Der Cluster hat die Transaktion abgelehnt.',
  'SUBMISSION_FAILED VERSION_NOT_SUPPORTED':
    'Der Cluster nimmt Transaktionen dieser Version nicht an. Die Transaktion wurde nicht gesendet.',
  'SUBMISSION_FAILED LANDED_DURING_REWARDS':
    'Die Transaktion kam an, während Erträge verteilt wurden; sie hat nur ihre Gebühr gekostet. Versuchen Sie es danach erneut.',
  SUBMISSION_UNRESOLVED:
    'Die Transaktion wurde signiert und vielleicht gesendet; ihr Ausgang ist noch nicht bekannt. Signieren Sie keine andere dafür.',
  IDEMPOTENCY_KEY_REUSED: 'Das wurde schon ausgeführt oder läuft noch. Laden Sie die Seite neu.',
  STAKE_ADDRESS_OCCUPIED: 'Dieser Stake wurde schon angelegt. Ihr Portfolio zeigt ihn.',
  'STAKE_ADDRESS_OCCUPIED OTHER_AMOUNT_STAKED':
    'Unter diesem Schlüssel wurden schon {stakedSol} SOL gestakt. Für {amountSol} SOL wurde nichts erstellt.',
  TRANSACTION_ALREADY_SUBMITTED: 'Genau diese Transaktion wurde schon gesendet.',
  'TRANSACTION_ALREADY_SUBMITTED MAY_HAVE_LANDED':
    'Zu viele Transaktionen nennen {address}, um zu erkennen, ob diese ankam. Daher wurde nichts erstellt.',
  STILL_ALIVE:
    'Diese Transaktion kann noch ankommen, daher wurde nichts erstellt. Signieren und senden Sie sie jetzt, oder erneuern Sie sie in {expiresInSeconds} s.',
  NONCE_UNUSABLE: 'Die Wallet kann das Nonce-Konto {nonce} nicht nutzen.',
  NONCE_LIMIT: 'Alle {most} Adressen für Nonce-Konten dieser Wallet sind belegt.',
  'STILL_ALIVE NONCE':
    'Diese Transaktion kann ankommen, bis das Nonce-Konto {nonceAccount} genutzt oder weitergeschaltet wird, daher wurde nichts erstellt.',
  'SUBMISSION_UNRESOLVED NONCE':
    'Die Transaktion wurde gesendet, ist aber noch nicht angekommen. Sie läuft nicht ab: Sie kann ankommen, bis das Nonce-Konto {nonceAccount} genutzt oder weitergeschaltet wird.',
  'BLOCKHASH_EXPIRED NONCE_MOVED':
    'Die Nonce wurde genutzt oder weitergeschaltet, bevor die Transaktion ankam. Sie kann nie mehr ankommen.',
  STALE_NONCE:
    'Diese Wallet hat schon eine neuere Fassung signiert; es wurde nichts geändert. Signieren Sie erneut.',
  INVALID_SIGNATURE: 'Die Anfrage hat keine gültige Signatur dieser Wallet über ihren Text.',
  WEBHOOK_LIMIT:
    'Hier gibt es schon so viele, wie erlaubt sind. Löschen Sie einen Eintrag, den Sie nicht mehr brauchen.',
  WEBHOOK_DISABLED:
    'Dieser Webhook ist deaktiviert und erhält nur Pings. Ein beantworteter Ping aktiviert ihn wieder.',
  STORE_UNAVAILABLE: 'Der Dienst kann gerade nichts speichern. Versuchen Sie es in einer Minute erneut.',
  SHUTTING_DOWN: 'Der Dienst startet neu. Versuchen Sie es in einer Minute erneut.',
  SIGN_LINK_INVALID:
    'Diesen Link hat nicht dieser Dienst erstellt, oder er wurde verändert. Bitten Sie um einen neuen.',
  SIGN_LINK_EXPIRED: 'Dieser Link ist älter als 24 Stunden. Bitten Sie um einen neuen.',
  NOT_FOUND: 'Das gibt es hier nicht.',
  NOT_READY: 'Der Dienst ist noch nicht bereit. Versuchen Sie es in einer Minute erneut.',
  NOT_CONFIGURED: 'Das ist auf diesem Dienst nicht eingerichtet.',
  STAKE_NOT_INACTIVE: 'Nur ein inaktiver Stake kann erneut delegiert werden.',
  AMOUNT_NOT_REACHABLE: 'Genau dieser Betrag ist nicht möglich.',
  'AMOUNT_NOT_REACHABLE NO_STAKE': 'Die Wallet hat keinen Stake, der dafür nutzbar ist.',
  'AMOUNT_NOT_REACHABLE NO_CONTROLLED_STAKE':
    'Eine andere Adresse ({stakeAuthority}) ist die Stake-Autorität von {excludedSol} SOL dieser Wallet; diese Wallet kann sie deshalb nicht auflösen. Weiteren Stake, der dafür nutzbar ist, hat sie nicht.',
  'AMOUNT_NOT_REACHABLE MORE_THAN_CONTROLLED':
    'Eine andere Adresse ({stakeAuthority}) ist die Stake-Autorität von {excludedSol} SOL dieser Wallet; diese Wallet kann sie deshalb nicht auflösen. Ohne sie sind höchstens {nearestBelowSol} SOL möglich.',
  'AMOUNT_NOT_REACHABLE MORE_THAN_AVAILABLE':
    'Das ist mehr, als diese Stakes außer ihrer Mietkaution enthalten: Höchstens {nearestBelowSol} SOL sind möglich.',
  'AMOUNT_NOT_REACHABLE MORE_THAN_STAKED':
    'Gestakt sind höchstens {nearestBelowSol} SOL. Die Konten enthalten außerdem {rentSol} SOL Mietkaution; sie kommt zurück, wenn alles aufgelöst und ausgezahlt ist.',
  PLAN_NEEDS_SEVERAL: 'Das braucht {transactionCount} Transaktionen.',
  NOTHING_TO_DO: 'Es gibt nichts zu tun.',
  'NOTHING_TO_DO WITHDRAW_AMOUNT': 'Stake, der gerade deaktiviert wird, deckt diesen Betrag schon.',
  UNDO_TOO_LATE:
    'Die Epoche der Deaktivierung ist vorbei; sie lässt sich nicht mehr zurücknehmen. Sobald das Konto inaktiv ist, können Sie es erneut staken.',
  UNDO_IMPOSSIBLE: 'Das lässt sich nicht zurücknehmen.',
  'UNDO_IMPOSSIBLE BALANCE':
    'Dem Konto fehlen {missingSol} SOL: Der ausgezahlte Betrag müsste zurück und darin bleiben.',
  'UNDO_IMPOSSIBLE OTHER_VALIDATOR':
    'Es ist an einen anderen Validator delegiert ({voteAccount}); dieser Dienst delegiert nur an seinen eigenen.',
  NOTHING_TO_UNDO: 'Kein Stake der Wallet wurde deaktiviert.',
  EPOCH_BOUNDARY_NEAR:
    'Die Epoche endet in etwa {slotsRemaining} Slots: Eine jetzt signierte Transaktion könnte nach dem Epochenwechsel ankommen. Die Aktivierung begänne von vorn, und Sie verlören die Erträge einer Epoche.',
  STAKE_NOT_ACTIVATING: 'Kein Stake der Wallet wird bei diesem Validator gerade aktiviert.',
  INSECURE_TRANSPORT: 'Diese Verbindung ist nicht sicher. Nutzen Sie HTTPS.',
  HOST_NOT_ALLOWED: 'Unter diesem Namen antwortet der Dienst nicht. Nutzen Sie die veröffentlichte Adresse.',
  ORIGIN_NOT_ALLOWED: 'Seiten anderer Herkunft dürfen das nicht nutzen.',
};
