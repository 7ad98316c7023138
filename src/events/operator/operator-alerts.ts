// Evaluates operator alerts in one elected process. Stores new alerts and their state in one transaction.

import type { Address } from '@solana/kit';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import type { ClusterLimits, ClusterState } from '../../chain/ports.ts';
import type { ValidatorReads } from '../../chain/validator/validator-reads.ts';
import {
  alertTable,
  type EpochDigest,
  type OperatorAlert,
  operatorAlert,
} from '../../domain/alerts/alert-table.ts';
import { serviceAlarms, serviceAlarmTable } from '../../domain/alerts/service-alarm-table.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { DelegatorChange, Delegators } from '../../store/delegators.ts';
import type { NewEvent, Outbox } from '../../store/outbox/outbox.ts';
import { withoutMovedStake } from '../delegators/exclude-moved-stake.ts';
import { epochRewards } from '../delegators/stake-totals.ts';
import { readValidatorRecord } from '../poll-validator-changes.ts';
import { readReportedAlarms } from './alarm-watch.ts';
import {
  type AlertState,
  emptyAlertState,
  evaluateAlerts,
  type OperatorObservation,
  type VoteAccountFacts,
} from './alert-state.ts';
import { operatorEvents } from './operator-sinks.ts';

interface OperatorAlertsOptions {
  readonly index: Pick<StakeIndex, 'health'>;
  readonly cluster: Pick<ClusterState, 'genesisHash' | 'epochPosition' | 'limits'>;
  readonly validator: Pick<ValidatorReads, 'voteState'>;
  readonly voteAccount: Address;
  readonly delegators: Pick<Delegators, 'changesBetween' | 'epochs' | 'countWallets'>;
  readonly outbox: Pick<Outbox, 'record' | 'checkpoint' | 'deliveries'>;
  /** Ids of the operator's registrations. */
  readonly registrations: readonly string[];
  readonly ticketLamports: bigint | null;
  /** Minimum stake for an alert about a movement; the digest covers smaller ones. */
  readonly minLamports: bigint;
  readonly nodeWarning: string | null;
  readonly onRecorded: () => void;
  readonly clock: Clock;
}

const CHECKPOINT = 'operator alerts';

/**
 * Returns the number of remaining admission epochs at the last evaluation; null if nothing has been evaluated
 * or no ticket price is known.
 */
export const admissionEpochsLeft = async (outbox: Pick<Outbox, 'checkpoint'>): Promise<number | null> => {
  const stored = await outbox.checkpoint(CHECKPOINT);
  return stored === null ? null : (JSON.parse(stored) as AlertState).epochsLeft;
};

/** Interval of complete evaluations, in ms. Each one makes two RPC calls. */
const EVALUATE_EVERY_MS = 20_000;
const MIN_PAUSE_MS = 1_000;
const READ_WITHIN_MS = 15_000;
const CHANGES_AT_ONCE = 500;
/** Time that the index has for a scan after an outage of all nodes before it is reported as stale. */
const CATCH_UP_MS = 120_000;
/** Maximum number of ended epochs of which a digest is sent at once. */
const MAX_DIGESTS = 60;
const UNREPORTED = { alarms: null, alerts: [] };
const OVERLAP_MS = 60_000;
/** Number of sent alerts read at once for a digest. */
const SENT_AT_ONCE = 500;
const COUNTED_ELSEWHERE: readonly string[] = serviceAlarms;
const VOTE_ACCOUNT_BYTES = 3_762n;
const STAKE_ACCOUNT_BYTES = 200n;

/** An alert about ended epochs. `fact` is its identity. */
interface DigestAlert {
  readonly fact: string;
  readonly alert: OperatorAlert;
}

const digestFact = (epoch: bigint): string => `digest ${epoch}`;

export class OperatorAlerts {
  readonly #options: OperatorAlertsOptions;
  #evaluateAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: OperatorAlertsOptions) {
    this.#options = options;
  }

  /** Returns the time until the next complete evaluation, in ms. */
  readonly pauseMs = (): number =>
    Math.max(MIN_PAUSE_MS, this.#evaluateAtMs - this.#options.clock.steadyNow());

  /** Evaluates everything every 20 s. If woken earlier, evaluates only changes of delegators. */
  async poll(signal: AbortSignal): Promise<void> {
    const nowMs = this.#options.clock.steadyNow();
    const isWhole = nowMs >= this.#evaluateAtMs;
    if (isWhole) this.#evaluateAtMs = nowMs + EVALUATE_EVERY_MS;
    await this.evaluate(isWhole, signal);
  }

  /**
   * Evaluates changes of delegators and, if `isWhole`, everything else. Stores alerts and state together or not
   * at all.
   */
  async evaluate(isWhole: boolean, signal: AbortSignal): Promise<void> {
    const { outbox, clock, onRecorded } = this.#options;
    const nowMs = clock.now();
    const stored = await outbox.checkpoint(CHECKPOINT);
    const empty = emptyAlertState(nowMs);
    const before: AlertState = stored === null ? empty : { ...empty, ...JSON.parse(stored) };
    const { state, alerts } = isWhole
      ? evaluateAlerts(before, await this.#observe(nowMs, signal))
      : { state: before, alerts: [] };
    const changes = withoutMovedStake(await this.#newChanges(state.changesBeforeMs, nowMs)).filter(
      ({ lamports }) => lamports >= this.#options.minLamports,
    );
    const deadline = changes.some(({ kind }) => kind === 'leaving') ? await this.#deadline(signal) : null;
    const news = [
      // A restored store counts from an earlier number again, so the number alone would repeat ids.
      ...alerts.map((alert, at) => ({
        fact: `${before.reported + at} ${JSON.stringify(alert)}`,
        alert,
        atMs: nowMs,
      })),
      ...changes.flatMap((change) => {
        const alert = alertOfChange(change, deadline);
        return alert === null
          ? []
          : [{ fact: `${change.address} ${change.slot} ${change.kind}`, alert, atMs: change.atMs }];
      }),
    ].flatMap(({ fact, alert, atMs }) => this.#eventsOf(fact, alert, atMs));
    const digest = isWhole ? await this.#digest(state, news, nowMs) : null;
    const digests = (digest?.alerts ?? []).flatMap(({ fact, alert }) => this.#eventsOf(fact, alert, nowMs));
    const next: AlertState = {
      ...state,
      // A digest of the last ended epoch contains the alerts of this evaluation, so the next one starts after them.
      ...(digest && { digestEpoch: String(digest.epoch) }),
      // The first digest does not report what happened before its epoch was watched.
      ...(digest && state.digestEpoch === null && { digestAtMs: nowMs }),
      ...(digest?.alerts.some(({ fact }) => fact === digestFact(digest.epoch)) && { digestAtMs: nowMs + 1 }),
      reported: before.reported + alerts.length,
      changesBeforeMs: Math.max(state.changesBeforeMs, nowMs),
    };
    const added = await outbox.record(
      [...news, ...digests],
      [{ name: CHECKPOINT, value: JSON.stringify(next) }],
    );
    if (added.length > 0) onRecorded();
  }

  /**
   * Builds the digests of the epochs that ended since the last one, once their numbers are final, and an alert
   * that names the epochs that were not watched. Returns null if there is nothing new.
   */
  async #digest(
    { digestEpoch, digestAtMs }: AlertState,
    news: readonly NewEvent[],
    nowMs: number,
  ): Promise<{ readonly epoch: bigint; readonly alerts: readonly DigestAlert[] } | null> {
    const recorded = await this.#options.delegators.epochs(MAX_DIGESTS + 1);
    // The first stake totals of an epoch complete those of the previous epoch.
    const epoch = recorded[0] && recorded[0].epoch - 1n;
    if (epoch === undefined) return null;
    // The current epoch is not watched from its beginning, so it gets no digest.
    if (digestEpoch === null) return { epoch: epoch + 1n, alerts: [] };
    if (epoch <= BigInt(digestEpoch)) return null;
    const byEpoch = new Map(recorded.map((one) => [one.epoch, one]));
    const alerts: DigestAlert[] = [];
    const missing: bigint[] = [];
    for (let at = BigInt(digestEpoch) + 1n; at <= epoch; at += 1n) {
      const [ended, next] = [byEpoch.get(at), byEpoch.get(at + 1n)];
      const [inLamports, outLamports] = [
        ended?.activatingLamports ?? null,
        ended?.deactivatingLamports ?? null,
      ];
      if (ended === undefined || next === undefined || inLamports === null || outLamports === null) {
        missing.push(at);
        continue;
      }
      const reported = at === epoch ? await this.#reportedBetween(digestAtMs, nowMs, news) : UNREPORTED;
      const { staked, joined, gone } = await this.#options.delegators.countWallets(at);
      const alert = operatorAlert(alertTable['epoch-digest'].operator, {
        epoch: at,
        inLamports,
        outLamports,
        activeLamports: next.activeLamports,
        rewardsLamports: epochRewards(ended, next),
        wallets: staked,
        newWallets: joined,
        goneWallets: gone,
        ...reported,
      });
      alerts.push({ fact: digestFact(at), alert });
    }
    if (missing.length > 0)
      alerts.push({
        fact: `no digest ${missing.at(-1)}`,
        alert: operatorAlert(alertTable['epoch-digest-missing'].operator, { epochs: missing }),
      });
    return { epoch, alerts };
  }

  /** Returns the alarms and the other alerts of this period. */
  async #reportedBetween(
    fromMs: number,
    toMs: number,
    news: readonly NewEvent[],
  ): Promise<Pick<EpochDigest, 'alarms' | 'alerts'>> {
    const { alarms, past } = await readReportedAlarms(this.#options.outbox);
    return {
      alarms: [
        ...past
          .filter(({ endedMs }) => endedMs >= fromMs && endedMs <= toMs)
          .map(({ alarm, sinceMs, endedMs }) => ({
            title: serviceAlarmTable[alarm].title,
            lastedMs: endedMs - sinceMs,
          })),
        ...serviceAlarms
          .filter((alarm) => alarms[alarm]?.isOn)
          .map((alarm) => ({ title: serviceAlarmTable[alarm].title, lastedMs: null })),
      ],
      alerts: titlesOf(await this.#sentBetween(fromMs, toMs, news)),
    };
  }

  /** Returns the alerts that were sent in this period, and those in `news`, oldest first. */
  async #sentBetween(
    fromMs: number,
    toMs: number,
    news: readonly NewEvent[],
  ): Promise<readonly OperatorAlert[]> {
    const { outbox, registrations } = this.#options;
    // Some of `news` may have been sent already, even before this period.
    const sinceMs = news.reduce((earliestMs, { atMs }) => Math.min(earliestMs, atMs), fromMs);
    const sent: Awaited<ReturnType<Outbox['deliveries']>>[number][] = [];
    let before: (typeof sent)[number] | null = null;
    do {
      // Every destination gets every alert, so one of them is enough.
      const page = await outbox.deliveries(registrations[0]!, { limit: SENT_AT_ONCE, before, state: null });
      sent.push(...page);
      before = page.length < SENT_AT_ONCE ? null : page.at(-1)!;
    } while (before !== null && before.atMs >= sinceMs);
    const known = new Set(sent.map(({ id }) => id));
    return [
      ...sent.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).toReversed(),
      ...news.filter(({ id, registrationId }) => registrationId === registrations[0] && !known.has(id)),
    ].map(({ data }) => JSON.parse(data) as OperatorAlert);
  }

  /**
   * Returns the changes since the last evaluation, plus those of the minute before, which may have been stored
   * late. A change that was already reported gets the same event id again.
   */
  async #newChanges(sinceMs: number, nowMs: number): Promise<readonly DelegatorChange[]> {
    const changes: DelegatorChange[] = [];
    let fromMs = sinceMs - OVERLAP_MS;
    for (;;) {
      const page = await this.#options.delegators.changesBetween(fromMs, nowMs, CHANGES_AT_ONCE);
      changes.push(...page);
      const last = page.at(-1)?.atMs;
      if (page.length < CHANGES_AT_ONCE || last === undefined) return changes;
      // The next page may hold more changes with the same timestamp.
      fromMs = last > fromMs ? last : last + 1;
    }
  }

  #eventsOf(fact: string, alert: OperatorAlert, atMs: number): readonly NewEvent[] {
    const { registrations, cluster } = this.#options;
    return operatorEvents({ registrations, genesisHash: cluster.genesisHash, fact, alert, atMs });
  }

  async #observe(nowMs: number, signal: AbortSignal): Promise<OperatorObservation> {
    const { index, outbox, ticketLamports, nodeWarning } = this.#options;
    const within = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)]);
    let isOutage = false;
    const vote = await this.#readVote(within).catch((error: unknown) => {
      if (signal.aborted || !(isAppError(error) || within.aborted)) throw error;
      isOutage = true;
      return null;
    });
    const { ageSeconds } = index.health();
    const { state, alerts } = await readValidatorRecord(outbox);
    return {
      validator: { reported: state?.reported ?? 0, alerts },
      vote,
      isOutage: isOutage || (await this.#hadOutage(nowMs)),
      ticketLamports,
      nodeWarning,
      indexAgeSeconds: ageSeconds,
    };
  }

  /** True while the alarm about an outage of all nodes is active, and until the index had time for a scan. */
  async #hadOutage(nowMs: number): Promise<boolean> {
    const { alarms, past } = await readReportedAlarms(this.#options.outbox);
    const ended = past.findLast(({ alarm }) => alarm === 'rpc_unreachable');
    return (
      alarms.rpc_unreachable?.isOn === true || (ended !== undefined && nowMs - ended.endedMs < CATCH_UP_MS)
    );
  }

  async #readVote(signal: AbortSignal): Promise<VoteAccountFacts | null> {
    const { validator, voteAccount, cluster } = this.#options;
    const [state, limits, { epoch, epochRewardsActive }] = await Promise.all([
      validator.voteState(voteAccount, { signal }),
      cluster.limits(signal),
      cluster.epochPosition(signal),
    ]);
    // The balance changes while rewards are being paid.
    if (state === null || epochRewardsActive) return null;
    return {
      epoch,
      rentLamports: voteRentOf(limits),
      balanceLamports: state.balanceLamports,
      hasBlsKey: state.layout4?.hasBlsKey ?? null,
    };
  }

  async #deadline(signal: AbortSignal): Promise<Deadline> {
    const { cluster, clock } = this.#options;
    const position = await cluster.epochPosition(signal);
    return { epoch: position.epoch, at: epochTiming(position, clock.now()).estimatedEpochEnd };
  }
}

/**
 * Returns the titles of these warnings and critical alerts, except service alarms, which the digest lists
 * itself. Accounts that are leaving share one title without the amount.
 */
const titlesOf = (alerts: readonly OperatorAlert[]): readonly string[] => {
  const titles = alerts
    .filter(({ alert, level }) => level !== 'info' && !COUNTED_ELSEWHERE.includes(alert))
    .map(({ alert, title }) => (alert === 'delegator_leaving' ? 'Stake is leaving' : title));
  return [...new Set(titles)].map((title) => {
    const times = titles.filter((other) => other === title).length;
    return times === 1 ? title : `${title} (${times} times)`;
  });
};

/**
 * Computes the rent-exempt minimum of a vote account. The minimum grows linearly with size, so it follows
 * from those of an empty account and of a 200-byte account.
 */
const voteRentOf = ({ stakeRentLamports, walletRentLamports }: ClusterLimits): bigint =>
  walletRentLamports + ((stakeRentLamports - walletRentLamports) * VOTE_ACCOUNT_BYTES) / STAKE_ACCOUNT_BYTES;

interface Deadline {
  readonly epoch: bigint;
  /** Timestamp in ISO 8601. */
  readonly at: string;
}

const DELEGATOR_ALERTS = {
  joined: 'delegator-joined',
  leaving: 'delegator-leaving',
  left: 'delegator-gone',
} as const;

const alertOfChange = (change: DelegatorChange, deadline: Deadline | null): OperatorAlert | null => {
  const { kind, address, wallet, lamports, epoch } = change;
  if (!Object.hasOwn(DELEGATOR_ALERTS, kind)) return null;
  const undoUntil = deadline?.epoch === epoch ? deadline.at : null;
  const isOver = deadline !== null && epoch < deadline.epoch;
  const { operator } = alertTable[DELEGATOR_ALERTS[kind as keyof typeof DELEGATOR_ALERTS]];
  return operatorAlert(operator, { wallet, address, lamports, epoch, undoUntil, isOver });
};
