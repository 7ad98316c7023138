// One row per alert: the level for the wallet concerned or for every registration, and the operator's words. Pure.
import { formatSol } from '../lamports.ts';
import type { AdmissionOutlook } from '../validator/admission.ts';
import type { ChangeFact } from './change-facts.ts';

/** From the least to the most severe. */
export const alertLevels = ['info', 'warning', 'critical'] as const;
export type AlertLevel = (typeof alertLevels)[number];

/** Changes of the validator, in the order in which the interface lists them. */
export const validatorChanges = [
  'delinquent',
  'recovered',
  'commission',
  'collector',
  'absent',
  'destake-possible',
  'limits',
] as const;

/** A change of the validator or of the cluster's limits. */
export interface ValidatorChange {
  readonly epoch: number;
  readonly slot: number;
  /** The term that changed, or `voting`, `absent`, `destake`. */
  readonly what: string;
  readonly from: string;
  readonly to: string;
  /** Changed in the first or last 2 % of an epoch. */
  readonly nearBoundary: boolean;
  /** Nodes that agreed. */
  readonly seenByNodes: number;
}

interface Admission {
  readonly outlook: AdmissionOutlook;
  readonly balanceLamports: bigint;
  readonly ticketLamports: bigint;
  /** Null where the layout of the vote account has none. */
  readonly hasBlsKey: boolean | null;
}

interface DelegatorChange {
  readonly wallet: string;
  readonly address: string;
  readonly lamports: bigint;
  readonly epoch: bigint;
  /** ISO 8601: a deactivation can be undone until then; null where that is over. */
  readonly undoUntil: string | null;
}

/** Parameters of each change. */
type Changes = Readonly<Record<ChangeFact['type'], ChangeFact>> &
  Readonly<Record<(typeof validatorChanges)[number], ValidatorChange>> &
  Readonly<Record<'admission-at-risk' | 'admission-safe', Admission>> &
  Readonly<Record<'index-stale' | 'index-current', { readonly ageSeconds: number }>> &
  Readonly<Record<'outbox-behind' | 'outbox-current', { readonly oldestDueSeconds: number }>> &
  Readonly<Record<'delegator-joined' | 'delegator-leaving' | 'delegator-gone', DelegatorChange>> & {
    readonly 'node-known-holes': { readonly warning: string };
  };

/** An alert in the operator's words, with its facts. */
export interface OperatorAlert {
  readonly alert: string;
  readonly level: AlertLevel;
  readonly title: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** A row names its audiences: one without a member is not alerted. */
export interface AlertRow<Change> {
  /** Registrations of the wallet that could withdraw before the change. Patterns of thefts may raise the level. */
  readonly wallet?: (change: Change) => AlertLevel;
  /** All registrations for `validator_changed`. */
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

/** The table. */
export const alertTable = {
  // An authority that was taken back is no reason to worry.
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
      message: `The validator is delinquent: at slot ${change.slot} its last vote was more than 128 slots old. Its delegators earn nothing meanwhile.`,
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
        message: `The ${kind} commission changed from ${fromBps / 100} % to ${toBps / 100} %. Was it you?`,
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
      message: `The ${change.what === 'inflationCollector' ? 'inflation' : 'block revenue'} commission is now paid to ${change.to}, before to ${change.from}. Was it you?`,
      facts: { ...seen(change), from: change.from, to: change.to },
    }),
  },
  absent: {
    everybody: () => 'critical',
    operator: (change) => ({
      alert: 'validator_absent',
      level: 'critical',
      title: `Absent from epoch ${change.to}`,
      message: `The validator earned no credits in epoch ${change.to}: its delegators were not paid.`,
      facts: seen(change),
    }),
  },
  'destake-possible': {
    everybody: () => 'critical',
    operator: (change) => ({
      alert: 'destake_possible',
      level: 'critical',
      title: 'Anybody may deactivate its stake',
      message: `The validator has earned no credits for so long that anybody may deactivate its stake from epoch ${change.to} on.`,
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
            ? `The vote account holds no BLS key: it is not admitted from epoch ${outlook.excludedFromEpoch} on, and its delegators earn nothing from then on.`
            : `The vote account holds ${formatSol(balanceLamports)} SOL and pays ${formatSol(ticketLamports)} SOL an epoch: enough for ${outlook.epochsLeft} more. Top it up, or its delegators earn nothing from epoch ${outlook.excludedFromEpoch} on.`,
        facts: admissionFacts(admission),
      };
    },
  },
  'admission-safe': {
    operator: (admission) => ({
      alert: 'admission_safe',
      level: 'info',
      title: 'Admission paid for',
      message: `The vote account pays for ${admission.outlook.epochsLeft} more epochs.`,
      facts: admissionFacts(admission),
    }),
  },
  'index-stale': {
    operator: ({ ageSeconds }) => ({
      alert: 'index_stale',
      level: 'warning',
      title: 'Index not kept up',
      message: `The index of stake accounts was last known to be complete ${ageSeconds} s ago: RPC nodes do not serve it. Wallets are read one by one.`,
      facts: { ageSeconds },
    }),
  },
  'index-current': {
    operator: ({ ageSeconds }) => ({
      alert: 'index_current',
      level: 'info',
      title: 'Index kept up again',
      message: 'The index of stake accounts is kept up again.',
      facts: { ageSeconds },
    }),
  },
  'outbox-behind': {
    operator: ({ oldestDueSeconds }) => ({
      alert: 'outbox_behind',
      level: 'warning',
      title: 'Webhooks are late',
      message: `The longest due webhook has waited for ${oldestDueSeconds} s.`,
      facts: { oldestDueSeconds },
    }),
  },
  'outbox-current': {
    operator: ({ oldestDueSeconds }) => ({
      alert: 'outbox_current',
      level: 'info',
      title: 'Webhooks on time again',
      message: 'No due webhook is waiting any more.',
      facts: { oldestDueSeconds },
    }),
  },
  'node-known-holes': {
    operator: ({ warning }) => ({
      alert: 'node_known_holes',
      level: 'warning',
      title: 'Node with known holes',
      message: warning,
      facts: {},
    }),
  },
  'delegator-joined': {
    operator: (change) => {
      const sol = formatSol(change.lamports);
      return {
        alert: 'delegator_joined',
        level: 'info',
        title: `${sol} SOL joined`,
        message: `${change.wallet} delegated ${sol} SOL in account ${change.address}.`,
        facts: delegatorFacts(change),
      };
    },
  },
  'delegator-leaving': {
    operator: (change) => {
      const sol = formatSol(change.lamports);
      const { undoUntil, epoch } = change;
      const undo =
        undoUntil === null
          ? ''
          : ` It can be undone until the end of epoch ${epoch}, about ${undoUntil}: time to ask why.`;
      return {
        alert: 'delegator_leaving',
        level: 'warning',
        title: `${sol} SOL is leaving`,
        message: `${change.wallet} deactivated ${sol} SOL in account ${change.address}.${undo}`,
        facts: { ...delegatorFacts(change), undoUntil },
      };
    },
  },
  'delegator-gone': {
    operator: (change) => {
      const sol = formatSol(change.lamports);
      return {
        alert: 'delegator_gone',
        level: 'info',
        title: `${sol} SOL is gone`,
        message: `${change.address} of ${change.wallet}, last seen with ${sol} SOL, is closed or delegated elsewhere.`,
        facts: delegatorFacts(change),
      };
    },
  },
} as const satisfies { readonly [Name in keyof Changes]: AlertRow<Changes[Name]> };
