// German texts of the review before the wallet signs.
import type { Translation } from '../../define-words.ts';
import type { reviewEnglish } from '../../en/flow/review.ts';

export const reviewGerman: Translation<typeof reviewEnglish> = {
  review: 'Prüfen',
  howItWorks: 'So funktioniert es: {count, plural, one {# Schritt} other {# Schritte}}',
  doNotSign: 'Nicht signieren',
  doNotSignText:
    'Diese Transaktion tut nicht, was Sie angefordert haben; deshalb wurde sie nicht an Ihre Wallet gegeben.',
  isAll:
    '{count, plural, one {Mehr tut die Transaktion} other {Mehr tun die # Transaktionen zusammen}} nicht.',
  isAllButDetails:
    '{count, plural, one {Die Transaktion enthält} other {Die # Transaktionen enthalten zusammen}} keine weitere Aktion.',
  details: 'Diese Einzelheiten hängen von Ihren Konten ab, nicht von der Transaktion',
  changed: 'Die Transaktion hat sich geändert',
  changedText:
    'Ihre Konten haben sich seit Ihrer Zustimmung geändert. Prüfen Sie die Transaktion erneut, bevor Sie signieren.',
  expiredBefore: 'Die Transaktion lief ab, bevor Ihre Wallet signierte',
  renewedStake: 'Hier ist eine neue für dasselbe Stake-Konto. Nur eine der beiden kann wirksam werden.',
  renewedChange: 'Hier ist eine neue. Nur eine der beiden kann wirksam werden.',
  epochEnded: 'Die Epoche ist zu Ende',
  epochEndedText:
    'Die Transaktion wurde für Epoche {epoch} neu erstellt. Prüfen Sie Zeiten und Beträge, bevor Sie signieren.',
  epochEndedBuilding: 'Die Transaktion wird für Epoche {epoch} neu erstellt.',
  epochEndedSigning:
    'Die Zeiten hier gelten nicht mehr. Um eine neue Transaktion zu prüfen, lehnen Sie diese in Ihrer Wallet ab.',
  hardware: 'Eine Hardware-Wallet kann das nicht im Klartext zeigen',
  hardwareText:
    'Liegt Ihr Schlüssel auf einem Ledger, zeigt dieser nur einen Hash und braucht für diese Transaktion Blind Signing. Die Schritte unten hat diese Seite aus der Transaktion gelesen.',
  paying: 'Erträge werden gerade verteilt',
  payingText:
    'Bis das abgeschlossen ist, meist nach wenigen Minuten, nimmt Solana keine Änderungen an Stakes an. Danach öffnet sich die Prüfung von selbst.',
  busy: 'Gerade ausgelastet',
  busyNow: 'Neuer Versuch … Noch ist nichts signiert.',
  busyFor: 'Neuer Versuch in {time}. Noch ist nichts signiert.',
  slow: 'Der Dienst hat noch nicht geantwortet',
  slowText:
    'Noch ist nichts signiert. Die Prüfung öffnet sich, sobald er antwortet. Sie können auch abbrechen und es später erneut versuchen.',
  cancel: 'Abbrechen',
  closed: 'Prüfung geschlossen. Die Transaktion wurde nicht signiert.',
  closedWhileSigning: 'Prüfung geschlossen. Falls Ihre Wallet noch fragt, lehnen Sie dort ab.',
  waitingFor: 'Warten auf {wallet} …',
  yourWallet: 'Ihre Wallet',
  building: 'Wird erstellt …',
  sign: 'In der Wallet signieren',
  signAnyway: 'Trotzdem signieren',
  buildingText: 'Die Transaktion wird erstellt und geprüft …',
  expired: 'Die Transaktion ist abgelaufen',
  expiredStake:
    'Bestätigen Sie sie trotzdem in Ihrer Wallet, oder lehnen Sie sie dort ab. Danach werden Sie gebeten, eine neue Transaktion für dasselbe Konto zu signieren.',
  expiredChange:
    'Bestätigen Sie sie trotzdem in Ihrer Wallet, oder lehnen Sie sie dort ab. Danach werden Sie gebeten, eine neue Transaktion für dieselbe Änderung zu signieren.',
  otherAccount: 'Ein anderes Konto ist verbunden',
  otherAccountText: 'Das ist für {address}. Verbinden Sie dieses Konto, um fortzufahren.',
  part: 'Transaktion {index} von {of}',
  firstPart:
    'Die Tabelle zeigt, was alle zusammen tun. Ihre Wallet bittet Sie nacheinander um jede Signatur.',
  laterPart: 'Sie haben allen zugestimmt. Diese ist die nächste.',
  networkFee: 'Netzwerkgebühr',
  priorityChoice: 'Priorität',
  priorityHint:
    'Bezahlt Validatoren dafür, die Transaktion früher aufzunehmen. Nur nötig, solange das Netzwerk ausgelastet ist.',
  priorityNotNeeded: 'Das Netzwerk ist gerade nicht ausgelastet.',
  priority_none: 'Keine',
  priority_low: 'Niedrig',
  priority_medium: 'Mittel',
  priority_high: 'Hoch',
  validFor: 'Gültig für',
  renewing: 'wird erneuert …',
  feePayer: 'Zahlt und signiert',
  instructions: 'Anweisungen',
  signers: 'Signierende',
  stakeAccount: 'Stake-Konto',
  stakeAuthority: 'Darf auflösen',
  withdrawAuthority: 'Darf auszahlen',
  lockup: 'Sperrfrist',
  validator: 'Delegiert an',
  fundedBy: 'Eingezahlt von',
  recipient: 'Empfänger',
  amount: 'Betrag',
  memo: 'Memo',
  priorityFee: 'Prioritätsgebühr',
  checksPassed: '{count} Prüfungen der Transaktion bestanden',
  checksFailed: '{count} Prüfungen der Transaktion, davon {failed} nicht bestanden',
  wrong: ': falsch',
  none: 'keine',
  alsoInIt: 'Außerdem enthalten',
  fullyDelegated: 'Alles wird an {validator} delegiert.',
  rentAtRisk:
    'Die {amount} SOL Mietkaution des neuen Kontos gehören Ihnen, wenn Sie das aufgeteilte Konto auszahlen dürfen.',
};
