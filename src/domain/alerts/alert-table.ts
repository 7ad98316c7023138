// The alert table: the level of each alert for registrations of the affected wallet and for all
// registrations, and the operator's text. Pure.

import { duration } from '../duration.ts';
import { formatSol } from '../lamports.ts';
import { shortAddress } from '../short-address.ts';
import { utcTime } from '../utc-time.ts';
import type { AdmissionOutlook } from '../validator/admission.ts';
import { shortSol } from './alert-words.ts';
import type { ChangeFact } from './stake-change-facts.ts';

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
  readonly wallets: number;
  /** Number of wallets that staked for the first time, and of wallets whose last account left. */
  readonly newWallets: number;
  readonly goneWallets: number;
  /** Alarms since the last digest. `lastedMs` is null while an alarm is still active. */
  readonly alarms: readonly { readonly title: string; readonly lastedMs: number | null }[];
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
  readonly operator?: (change: Change) => OperatorAlert;
}

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
    wallet: ({ after, wallet }) =>
      after.stakeAuthority === wallet && after.withdrawAuthority === wallet ? 'info' : 'warning',
  },
  stake_lockup_changed: { wallet: () => 'warning' },
  stake_moved_away: {
    wallet: ({ signers, wallet }) => (signers.includes(wallet) ? 'info' : 'warning'),
  },
  unexpected_deactivation: { wallet: () => 'warning' },

  delinquent: {
    everybody: () => 'warning',
    operator: (change) => ({
      alert: 'validator_delinquent',
      level: 'critical',
      title: 'Validator delinquent',
      message: `The validator is delinquent: at slot ${change.slot} its last vote was more than 128 slots old. Its delegators earn nothing until it recovers.`,
      facts: seen(change),
    }),
  },
  recovered: {
    everybody: () => 'info',
    operator: (change) => ({
      alert: 'validator_recovered',
      level: 'info',
      title: 'Validator votes again',
      message: 'The validator is no longer delinquent.',
      facts: seen(change),
    }),
  },
  commission: {
    everybody: ({ from, to, nearBoundary }) =>
      Number(to) < Number(from) ? 'info' : nearBoundary ? 'critical' : 'warning',
    operator: (change) => {
      const kind = change.what === 'inflationCommissionBps' ? 'inflation' : 'block revenue';
      const [fromBps, toBps] = [Number(change.from), Number(change.to)];
      return {
        alert: 'commission_changed',
        level: 'critical',
        title: `Commission changed: ${kind}`,
        message: `The ${kind} commission changed from ${fromBps / 100}% to ${toBps / 100}%. Check that you made this change.`,
        facts: { ...seen(change), kind, fromBps, toBps },
      };
    },
  },
  collector: {
    everybody: () => 'warning',
    operator: (change) => ({
      alert: 'collector_changed',
      level: 'critical',
      title: 'Collector changed',
      message: `The ${change.what === 'inflationCollector' ? 'inflation' : 'block revenue'} commission is now paid to ${shortAddress(change.to)} instead of ${shortAddress(change.from)}. Check that you made this change.`,
      facts: { ...seen(change), from: change.from, to: change.to },
    }),
  },
  absent: {
    everybody: () => 'critical',
    operator: (change) => ({
      alert: 'validator_absent',
      level: 'critical',
      title: `No credits in epoch ${change.to}`,
      message: `The validator earned no credits in epoch ${change.to}, so its delegators were not paid.`,
      facts: { ...seen(change), epoch: Number(change.to) },
    }),
  },
  'destake-possible': {
    everybody: () => 'critical',
    operator: (change) => ({
      alert: 'destake_possible',
      level: 'critical',
      title: 'Anyone may deactivate its stake',
      message: `The validator has earned no credits for so long that anyone may deactivate its stake from epoch ${change.to}.`,
      facts: seen(change),
    }),
  },
  limits: { everybody: () => 'info' },

  'admission-at-risk': {
    operator: (admission) => {
      const { outlook, balanceLamports, ticketLamports, hasBlsKey } = admission;
      return {
        alert: 'admission_at_risk',
        level: 'critical',
        title: 'Admission at risk',
        message:
          hasBlsKey === false
            ? `The vote account has no BLS key. From epoch ${outlook.excludedFromEpoch}, it is not admitted and its delegators earn nothing.`
            : `The vote account has ${shortSol(balanceLamports)} SOL and pays ${shortSol(ticketLamports)} SOL per epoch, which is enough for ${outlook.epochsLeft} more. Top it up, or its delegators earn nothing from epoch ${outlook.excludedFromEpoch}.`,
        facts: admissionFacts(admission),
      };
    },
  },
  'admission-safe': {
    operator: (admission) => ({
      alert: 'admission_safe',
      level: 'info',
      title: 'Admission paid for',
      message: `The vote account can pay for ${admission.outlook.epochsLeft} more epochs.`,
      facts: admissionFacts(admission),
    }),
  },
  'index-stale': {
    operator: ({ ageSeconds }) => ({
      alert: 'index_stale',
      level: 'warning',
      title: 'Index not up to date',
      message: `The index of stake accounts was last complete ${duration(ageSeconds)} ago, because RPC nodes do not serve it. Wallets are read one by one.`,
      facts: { ageSeconds },
    }),
  },
  'index-current': {
    operator: ({ ageSeconds }) => ({
      alert: 'index_current',
      level: 'info',
      title: 'Index up to date again',
      message: 'The index of stake accounts is up to date again.',
      facts: { ageSeconds },
    }),
  },
  'node-js-vulnerable': {
    operator: ({ warning }) => ({
      alert: 'node_known_holes',
      level: 'warning',
      title: 'Node.js with known vulnerabilities',
      message: warning,
      facts: {},
    }),
  },
  'delegator-joined': {
    operator: (change) => {
      const sol = shortSol(change.lamports);
      return {
        alert: 'delegator_joined',
        level: 'info',
        title: `${sol} SOL joined`,
        message: `${shortAddress(change.wallet)} delegated ${sol} SOL in account ${shortAddress(change.address)}.`,
        facts: delegatorFacts(change),
      };
    },
  },
  'delegator-leaving': {
    operator: (change) => {
      const sol = shortSol(change.lamports);
      const { undoUntil, epoch } = change;
      const undo =
        undoUntil === null
          ? ''
          : ` This can be undone until the end of epoch ${epoch}, about ${utcTime(Date.parse(undoUntil))}.`;
      return {
        alert: 'delegator_leaving',
        level: 'warning',
        title: `${sol} SOL is leaving`,
        message: `${shortAddress(change.wallet)} deactivated ${sol} SOL in account ${shortAddress(change.address)}.${undo}`,
        facts: { ...delegatorFacts(change), undoUntil },
      };
    },
  },
  'delegator-gone': {
    operator: (change) => {
      const sol = shortSol(change.lamports);
      return {
        alert: 'delegator_gone',
        level: 'info',
        title: `${sol} SOL is gone`,
        message: `${shortAddress(change.address)} of ${shortAddress(change.wallet)}, last seen with ${sol} SOL, was closed or delegated elsewhere.`,
        facts: delegatorFacts(change),
      };
    },
  },
  'epoch-digest': {
    operator: (digest) => {
      const { epoch, inLamports, outLamports, activeLamports, rewardsLamports } = digest;
      const { wallets, newWallets, goneWallets, alarms, alerts } = digest;
      const alarmText = alarms.map(
        ({ title, lastedMs }) => `${title} (${lastedMs === null ? 'still on' : duration(lastedMs / 1_000)})`,
      );
      return {
        alert: 'epoch_digest',
        level: 'info',
        title: `Epoch ${epoch}: ${shortSol(inLamports)} SOL in, ${shortSol(outLamports)} SOL out`,
        message: [
          `${shortSol(inLamports)} SOL became active and ${shortSol(outLamports)} SOL became inactive.`,
          ` New wallets: ${newWallets}. Wallets gone: ${goneWallets}.`,
          ` ${wallets} ${wallets === 1 ? 'wallet now stakes' : 'wallets now stake'}, with ${shortSol(activeLamports)} SOL active.`,
          rewardsLamports === null ? '' : ` Rewards: ${shortSol(rewardsLamports)} SOL.`,
          ` Alarms since the last digest: ${[...alarmText, ...alerts].join(', ') || 'none'}.`,
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
          alarms: alarms.length + alerts.length,
        },
      };
    },
  },
} as const satisfies { readonly [Name in keyof Changes]: AlertRow<Changes[Name]> };
