// The alert table: the level of each alert for registrations of the affected wallet and for all
// registrations, and the operator's text. Pure.

import { duration } from '../duration.ts';
import { formatSol } from '../lamports.ts';
import { shortAddress } from '../short-address.ts';
import { utcTime } from '../utc-time.ts';
import type { AdmissionOutlook } from '../validator/admission.ts';
import {
  DELINQUENT_SLOTS,
  DESTAKE_EPOCHS,
  RISK_AT_EPOCHS,
  STALE_INDEX_SECONDS,
  VOTING_ANSWERS,
} from './alert-thresholds.ts';
import { shortSol } from './alert-words.ts';
import type { ChangeFact } from './detect-control-changes.ts';

/** Levels from least to most severe. */
export const alertLevels = ['info', 'warning', 'critical'] as const;
export type AlertLevel = (typeof alertLevels)[number];

/** Kinds of validator changes, in the order of the API. */
export const validatorChanges = [
  'delinquent',
  'recovered',
  'commission',
  'collector',
  'absent',
  'destake-possible',
  'limits',
] as const;

/** A change to the validator or to the cluster's limits. */
export interface ValidatorChange {
  readonly epoch: number;
  readonly slot: number;
  /** The changed value: a commission or collector (such as `inflationCommissionBps`), `voting`, `absent` or `destake`. */
  readonly what: string;
  readonly from: string;
  readonly to: string;
  /** True if the change happened in the first or last 2 % of an epoch. */
  readonly nearBoundary: boolean;
  readonly seenByNodes: number;
}

/**
 * The validator's admission to later epochs. For each epoch, the cluster charges the vote account a fee (the
 * ticket). It admits only vote accounts with a BLS key, with which the validator signs its votes.
 */
interface Admission {
  readonly outlook: AdmissionOutlook;
  readonly balanceLamports: bigint;
  /** Fee per epoch. */
  readonly ticketLamports: bigint;
  /** Null if the layout of the vote account has no BLS key. */
  readonly hasBlsKey: boolean | null;
}

interface DelegatorChange {
  readonly wallet: string;
  readonly address: string;
  readonly lamports: bigint;
  readonly epoch: bigint;
  /**
   * Estimated time until which the deactivation can be undone, in ISO 8601. Null if it can no longer be
   * undone.
   */
  readonly undoUntil: string | null;
  /** True if the epoch in which the deactivation could be undone is over. */
  readonly isOver: boolean;
}

/** Totals of an ended epoch. */
export interface EpochDigest {
  readonly epoch: bigint;
  readonly inLamports: bigint;
  readonly outLamports: bigint;
  /** Active stake of the next epoch. */
  readonly activeLamports: bigint;
  /** Null if unknown. */
  readonly rewardsLamports: bigint | null;
  /** Number of wallets with stake after the end of the epoch. */
  readonly wallets: number;
  /** Number of wallets without stake before the epoch ended, or only before: `wallets` grew by the difference. */
  readonly newWallets: number;
  readonly goneWallets: number;
  /**
   * Alarms since the last digest. `lastedMs` is null until the end of an alarm is reported. The list is null if a
   * later digest, sent together with this one, contains the alarms.
   */
  readonly alarms: readonly { readonly title: string; readonly lastedMs: number | null }[] | null;
  /**
   * Titles of all other warnings and critical alerts since the last digest, including those raised together
   * with this digest.
   */
  readonly alerts: readonly string[];
}

/** Parameters of each alert. */
type Changes = Readonly<Record<ChangeFact['type'], ChangeFact>> &
  Readonly<Record<(typeof validatorChanges)[number], ValidatorChange>> &
  Readonly<Record<'admission-at-risk' | 'admission-safe', Admission>> &
  Readonly<Record<'index-stale' | 'index-current', { readonly ageSeconds: number }>> &
  Readonly<Record<'delegator-joined' | 'delegator-leaving' | 'delegator-gone', DelegatorChange>> & {
    readonly 'node-js-vulnerable': { readonly warning: string };
    readonly 'epoch-digest': EpochDigest;
    readonly 'epoch-digest-missing': { readonly epochs: readonly bigint[] };
  };

/** An alert for the operator, as text and as exact values. */
export interface OperatorAlert {
  readonly alert: string;
  readonly level: AlertLevel;
  readonly title: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** A row with one field per audience. An audience without a field gets no alert. */
export interface AlertRow<Change> {
  /**
   * Level for registrations of the wallet that held the withdraw authority before the change. Theft patterns
   * may raise it.
   */
  readonly wallet?: (change: Change) => AlertLevel;
  /** Level for all registrations that subscribe to `validator_changed`. */
  readonly everybody?: (change: Change) => AlertLevel;
  readonly operator?: {
    readonly alert: string;
    readonly level: AlertLevel;
    readonly report: (change: Change) => Pick<OperatorAlert, 'title' | 'message' | 'facts'>;
  };
  /** Condition and threshold, for the operator's list of alerts. */
  readonly when: string;
  /** Name of the setting that changes the threshold. Default: the threshold is fixed. */
  readonly setting?: string;
}

/** Builds the alert for the operator. */
export const operatorAlert = <Change>(
  { alert, level, report }: NonNullable<AlertRow<Change>['operator']>,
  change: Change,
): OperatorAlert => ({ alert, level, ...report(change) });

const seen = ({ epoch, slot, seenByNodes }: ValidatorChange) => ({ epoch, slot, seenByNodes });

const admissionFacts = ({ outlook, balanceLamports, ticketLamports, hasBlsKey }: Admission) => ({
  epochsLeft: Number(outlook.epochsLeft),
  excludedFromEpoch: Number(outlook.excludedFromEpoch),
  balanceSol: formatSol(balanceLamports),
  ticketSol: formatSol(ticketLamports),
  blsKey: hasBlsKey === null ? null : String(hasBlsKey),
});

const delegatorFacts = ({ wallet, address, lamports, epoch }: DelegatorChange) => ({
  walletAddress: wallet,
  stakeAccountAddress: address,
  stakeSol: formatSol(lamports),
  epoch: Number(epoch),
});

export const alertTable = {
  // The alert is merely informational if the wallet holds both authorities again.
  stake_authority_changed: {
    when: 'A transaction changed the stake authority or the withdraw authority.',
    wallet: ({ after, wallet }) =>
      after.stakeAuthority === wallet && after.withdrawAuthority === wallet ? 'info' : 'warning',
  },
  stake_lockup_changed: { when: 'A transaction changed the lockup.', wallet: () => 'warning' },
  stake_moved_away: {
    when: 'The stake was delegated to another validator, or the account was closed to an address other than the wallet.',
    wallet: ({ signers, wallet }) => (signers.includes(wallet) ? 'info' : 'warning'),
  },
  unexpected_deactivation: {
    when: 'The stake was deactivated by a transaction that the wallet did not sign.',
    wallet: () => 'warning',
  },

  delinquent: {
    when: `The last finalized vote is more than ${DELINQUENT_SLOTS} slots old (about a minute) in ${VOTING_ANSWERS} responses.`,
    everybody: () => 'warning',
    operator: {
      alert: 'validator_delinquent',
      level: 'critical',
      report: (change) => ({
        title: 'Validator delinquent',
        message: `The validator is delinquent: at slot ${change.slot} its last vote was more than ${DELINQUENT_SLOTS} slots old. Its delegators earn nothing until it recovers.`,
        facts: seen(change),
      }),
    },
  },
  recovered: {
    when: `The last finalized vote is recent again in ${VOTING_ANSWERS} responses.`,
    everybody: () => 'info',
    operator: {
      alert: 'validator_recovered',
      level: 'info',
      report: (change) => ({
        title: 'Validator votes again',
        message: 'The validator is no longer delinquent.',
        facts: seen(change),
      }),
    },
  },
  commission: {
    when: 'A commission on inflation or block revenue changed, by any amount.',
    everybody: ({ from, to, nearBoundary }) =>
      Number(to) < Number(from) ? 'info' : nearBoundary ? 'critical' : 'warning',
    operator: {
      alert: 'commission_changed',
      level: 'critical',
      report: (change) => {
        const kind = change.what === 'inflationCommissionBps' ? 'inflation' : 'block revenue';
        const [fromBps, toBps] = [Number(change.from), Number(change.to)];
        return {
          title: `Commission changed: ${kind}`,
          message: `The ${kind} commission changed from ${fromBps / 100}% to ${toBps / 100}%. Check that you made this change.`,
          facts: { ...seen(change), kind, fromBps, toBps },
        };
      },
    },
  },
  collector: {
    when: 'A commission is paid to another account.',
    everybody: () => 'warning',
    operator: {
      alert: 'collector_changed',
      level: 'critical',
      report: (change) => ({
        title: 'Collector changed',
        message: `The ${change.what === 'inflationCollector' ? 'inflation' : 'block revenue'} commission is now paid to ${shortAddress(change.to)} instead of ${shortAddress(change.from)}. Check that you made this change.`,
        facts: { ...seen(change), from: change.from, to: change.to },
      }),
    },
  },
  absent: {
    when: 'The validator earned no credits in an epoch.',
    everybody: () => 'critical',
    operator: {
      alert: 'validator_absent',
      level: 'critical',
      report: (change) => ({
        title: `No credits in epoch ${change.to}`,
        message: `The validator earned no credits in epoch ${change.to}, so its delegators were not paid.`,
        facts: { ...seen(change), epoch: Number(change.to) },
      }),
    },
  },
  'destake-possible': {
    when: `The validator earned no credits for ${DESTAKE_EPOCHS} epochs, so anyone may deactivate its stake.`,
    everybody: () => 'critical',
    operator: {
      alert: 'destake_possible',
      level: 'critical',
      report: (change) => ({
        title: 'Anyone may deactivate its stake',
        message: `The validator has earned no credits for so long that anyone may deactivate its stake from epoch ${change.to}.`,
        facts: seen(change),
      }),
    },
  },
  limits: { when: 'A limit of the cluster changed.', everybody: () => 'info' },

  'admission-at-risk': {
    when: `The vote account can pay for ${RISK_AT_EPOCHS} more epochs of admission or fewer, or has no BLS key. Repeated whenever one epoch fewer remains.`,
    setting: 'HOLDFAST_ADMISSION_TICKET_SOL',
    operator: {
      alert: 'admission_at_risk',
      level: 'critical',
      report: (admission) => {
        const { outlook, balanceLamports, ticketLamports, hasBlsKey } = admission;
        return {
          title: 'Admission at risk',
          message:
            hasBlsKey === false
              ? `The vote account has no BLS key. From epoch ${outlook.excludedFromEpoch}, it is not admitted and its delegators earn nothing.`
              : `The vote account has ${shortSol(balanceLamports)} SOL and pays ${shortSol(ticketLamports)} SOL per epoch, which is enough for ${outlook.epochsLeft} more. Top it up, or its delegators earn nothing from epoch ${outlook.excludedFromEpoch}.`,
          facts: admissionFacts(admission),
        };
      },
    },
  },
  'admission-safe': {
    when: `The vote account can pay for more than ${RISK_AT_EPOCHS} epochs of admission again.`,
    setting: 'HOLDFAST_ADMISSION_TICKET_SOL',
    operator: {
      alert: 'admission_safe',
      level: 'info',
      report: (admission) => ({
        title: 'Admission paid for',
        message: `The vote account can pay for ${admission.outlook.epochsLeft} more epochs.`,
        facts: admissionFacts(admission),
      }),
    },
  },
  'index-stale': {
    when: `The stake index is more than ${duration(STALE_INDEX_SECONDS)} behind, although RPC nodes respond.`,
    operator: {
      alert: 'index_stale',
      level: 'warning',
      report: ({ ageSeconds }) => ({
        title: 'Index not up to date',
        message: `The index of stake accounts was last complete ${duration(ageSeconds)} ago, because RPC nodes do not serve it. Wallets are read one by one.`,
        facts: { ageSeconds },
      }),
    },
  },
  'index-current': {
    when: 'The stake index is up to date again.',
    operator: {
      alert: 'index_current',
      level: 'info',
      report: ({ ageSeconds }) => ({
        title: 'Index up to date again',
        message: 'The index of stake accounts is up to date again.',
        facts: { ageSeconds },
      }),
    },
  },
  'node-js-vulnerable': {
    when: 'Node.js lacks known security fixes.',
    operator: {
      alert: 'node_known_holes',
      level: 'warning',
      report: ({ warning }) => ({
        title: 'Node.js with known vulnerabilities',
        message: warning,
        facts: {},
      }),
    },
  },
  'delegator-joined': {
    when: 'An account with at least the minimum amount joined.',
    setting: 'HOLDFAST_OPERATOR_ALERT_MIN_SOL',
    operator: {
      alert: 'delegator_joined',
      level: 'info',
      report: (change) => {
        const sol = shortSol(change.lamports);
        return {
          title: `${sol} SOL joined`,
          message: `${shortAddress(change.wallet)} delegated ${sol} SOL in account ${shortAddress(change.address)}.`,
          facts: delegatorFacts(change),
        };
      },
    },
  },
  'delegator-leaving': {
    when: 'An account with at least the minimum amount started to deactivate.',
    setting: 'HOLDFAST_OPERATOR_ALERT_MIN_SOL',
    operator: {
      alert: 'delegator_leaving',
      level: 'warning',
      report: (change) => {
        const sol = shortSol(change.lamports);
        const { undoUntil, isOver, epoch } = change;
        const late = isOver ? ` It is too late to undo this, because epoch ${epoch} is over.` : '';
        const undo =
          undoUntil === null
            ? late
            : ` This can be undone until the end of epoch ${epoch}, about ${utcTime(Date.parse(undoUntil))}.`;
        return {
          title: `${sol} SOL is leaving`,
          message: `${shortAddress(change.wallet)} deactivated ${sol} SOL in account ${shortAddress(change.address)}.${undo}`,
          facts: { ...delegatorFacts(change), undoUntil },
        };
      },
    },
  },
  'delegator-gone': {
    when: 'An account with at least the minimum amount was closed or delegated elsewhere.',
    setting: 'HOLDFAST_OPERATOR_ALERT_MIN_SOL',
    operator: {
      alert: 'delegator_gone',
      level: 'info',
      report: (change) => {
        const sol = shortSol(change.lamports);
        return {
          title: `${sol} SOL is gone`,
          message: `${shortAddress(change.address)} of ${shortAddress(change.wallet)}, last seen with ${sol} SOL, was closed or delegated elsewhere.`,
          facts: delegatorFacts(change),
        };
      },
    },
  },
  'epoch-digest': {
    when: 'An epoch ended that the service watched from its beginning to its end. The first digest follows the first such epoch.',
    operator: {
      alert: 'epoch_digest',
      level: 'info',
      report: (digest) => {
        const { epoch, inLamports, outLamports, activeLamports, rewardsLamports } = digest;
        const { wallets, newWallets, goneWallets, alarms, alerts } = digest;
        const reported = alarms && [
          ...alarms.map(
            ({ title, lastedMs }) =>
              `${title} (${lastedMs === null ? 'no end reported yet' : duration(lastedMs / 1_000)})`,
          ),
          ...alerts,
        ];
        return {
          title: `Epoch ${epoch}: ${shortSol(inLamports)} SOL in, ${shortSol(outLamports)} SOL out`,
          message: [
            `At the end of epoch ${epoch}, ${shortSol(inLamports)} SOL became active and ${shortSol(outLamports)} SOL became inactive.`,
            ` Since then, ${wallets} ${wallets === 1 ? 'wallet has' : 'wallets have'} ${shortSol(activeLamports)} SOL active.`,
            ` Wallets that joined: ${newWallets}. Wallets that left: ${goneWallets}.`,
            rewardsLamports === null
              ? ' The rewards are unknown.'
              : ` Rewards: ${shortSol(rewardsLamports)} SOL.`,
            reported === null
              ? ''
              : ` Alarms and warnings since the last digest: ${reported.join(', ') || 'none'}.`,
          ].join(''),
          facts: {
            epoch: Number(epoch),
            inSol: formatSol(inLamports),
            outSol: formatSol(outLamports),
            activeSol: formatSol(activeLamports),
            rewardsSol: rewardsLamports === null ? null : formatSol(rewardsLamports),
            wallets,
            newWallets,
            goneWallets,
            alarms: reported?.length ?? null,
          },
        };
      },
    },
  },
  'epoch-digest-missing': {
    when: 'Epochs ended that the service did not watch from their beginning to their end. They have no digest.',
    operator: {
      alert: 'epoch_digest_missing',
      level: 'info',
      report: ({ epochs }) => {
        const [from, to] = [Number(epochs[0]), Number(epochs.at(-1))];
        const isOne = from === to;
        const named = isOne ? `epoch ${from}` : `epochs ${from} to ${to}`;
        return {
          title: `No digest for ${named}`,
          message: `There is no digest for ${named}, because the service did not watch ${isOne ? 'it from its beginning to its end' : 'them from beginning to end'}: it was stopped, or could not read the chain.`,
          facts: { fromEpoch: from, toEpoch: to },
        };
      },
    },
  },
} as const satisfies { readonly [Name in keyof Changes]: AlertRow<Changes[Name]> };
