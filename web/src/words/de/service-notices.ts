// German texts of the service's notices, by code. Their English text comes with the answer.
import type { NoticeCode } from '../../../../src/domain/notice.ts';

/** Those of the rewards have texts of their own. */
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
    '{stakeAccountAddress, select, none {{stakeAuthority} kann {stakes, plural, one {einen Stake} other {# Stakes}} dieser Wallet auflösen und aufteilen.{collects, select, yes { Diese Adresse kontrolliert auch Stakes von {otherWallets} anderen Wallets.} other {}} Wenn Sie das nicht eingerichtet haben, holen Sie zuerst die Stake-Autorität zurück.} other {Nicht diese Wallet, sondern {stakeAuthority} ist die Stake-Autorität von {stakeAccountAddress} und kann den Stake auflösen oder anders delegieren.}}',
  VALIDATOR_MOVED:
    'Das Vote-Konto des Validators ist bei laufendem Dienst zu einer anderen Identität gewechselt, von {from} zu {to}.',
  VALIDATOR_STATE_UNKNOWN:
    'Die Provision oder der Zustand des Validators lässt sich derzeit nicht lesen, daher gibt es keine Prognose der Erträge.',
  COMMISSION_RAISED:
    'Die Provision des Validators{what, select, blockRevenueCommissionBps { auf Blockeinnahmen} other {}} ist {epoch, select, none {in den letzten Epochen} other {in Epoche {epoch}}} von {fromPercent} auf {toPercent} gestiegen{nearBoundary, select, yes {, unmittelbar am Epochenwechsel wie bei einem Rug Pull} other {}}.',
  EPOCH_MISSED:
    'Der Validator hat in Epoche {epoch} gefehlt. Wer an ihn delegiert, hat in ihr keine Erträge erhalten.',
  BELOW_MINIMUM_STAKE:
    '{amount} SOL liegen unter dem Mindest-Stake von {minimum} SOL: Der Cluster würde das ablehnen.',
  EPOCH_ENDS_SOON:
    'Die Epoche endet in etwa {slots} Slots. Eine Transaktion, die nach dem Epochenwechsel ankommt, zählt für die nächste Epoche und wird abgelehnt, solange Erträge verteilt werden.',
  BALANCE_UNCHECKED:
    'Das Guthaben der Wallet ließ sich nicht lesen und wurde nicht geprüft: Ist es zu niedrig, schlägt die Transaktion auf der Chain fehl.',
  FOREIGN_WITHDRAW_AUTHORITY: 'Aus diesem Konto kann nur {withdrawAuthority} auszahlen.',
  YIELD_UNKNOWN:
    'Die Rendite des Validators ist derzeit nicht verfügbar, daher gibt es keine Prognose der Erträge.',
  TIPS_UNKNOWN:
    'Die Trinkgelder des Validators sind derzeit nicht verfügbar: Die Prognose enthält keine Trinkgelder und ist eine Untergrenze.',
  DATA_LIMITED: '{sentence}',
  OTHER_VALIDATOR: 'Dieser Stake war bisher an einen anderen Validator delegiert ({voteAccount}).',
  ACCOUNT_CLOSES:
    'Damit wird alles ausgezahlt: Das Stake-Konto wird geschlossen, und seine Adresse wird nicht wieder verwendet.',
};
