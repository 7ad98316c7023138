// Asks every node about the validator. Records changes as events for registrations, and the latest changes in a
// checkpoint of the store.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { ClusterState } from '../chain/ports.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import type { VoteState } from '../chain/validator/validator-vote-state.ts';
import { readVoteAccountOfNode } from '../chain/validator/vote-account-of-node.ts';
import { alertLevels, validatorChanges } from '../domain/alerts/alert-table.ts';
import { type ValidatorAlert, ValidatorWatch } from '../domain/alerts/detect-validator-changes.ts';
import { epochOfSlot, firstSlotOf } from '../domain/epoch-of-slot.ts';
import type { Clock } from '../kernel/clock.ts';
import type { NewEvent, Outbox } from '../store/outbox/outbox.ts';
import type { Webhooks } from '../store/webhooks.ts';
import type { ValidatorChangedData } from './event-data.ts';
import { eventIdOf } from './watcher/event-of-fact.ts';

const CHECKPOINT = 'validator';
/**
 * Returns the pause between two polls of every node, in ms. It is shorter in a sandbox, whose epochs last
 * minutes.
 */
export const validatorPollMs = (isSandbox: boolean): number => (isSandbox ? 1_000 : 20_000);
/** Number of alerts kept, newest first; each takes about 250 bytes. */
const MAX_KEPT = 200;
const PAGE = 500;

const alertSchema = z.object({
  number: z.int(),
  change: z.enum(validatorChanges),
  level: z.enum(alertLevels),
  epoch: z.int(),
  slot: z.int(),
  what: z.string(),
  from: z.string(),
  to: z.string(),
  nearBoundary: z.boolean(),
  seenByNodes: z.int(),
  atMs: z.int(),
});
const recordSchema = z.object({
  state: z
    .object({ firstEpoch: z.string(), values: z.record(z.string(), z.string()), reported: z.int() })
    .nullable(),
  alerts: z.array(alertSchema),
});

/** The stored alerts, newest first, and the reported values. */
export type ValidatorRecord = z.output<typeof recordSchema>;

/**
 * Loads the validator's reported changes. Throws `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
 */
export const readValidatorRecord = async (outbox: Pick<Outbox, 'checkpoint'>): Promise<ValidatorRecord> => {
  const text = await outbox.checkpoint(CHECKPOINT);
  return text === null ? { state: null, alerts: [] } : recordSchema.parse(JSON.parse(text));
};

interface ValidatorChangesOptions {
  readonly pool: Pick<RpcPool, 'ask' | 'readNodes'>;
  readonly cluster: Pick<ClusterState, 'genesisHash' | 'epochPosition' | 'lastEpochPosition' | 'limits'>;
  readonly outbox: Pick<Outbox, 'record' | 'checkpoint'>;
  readonly webhooks: Pick<Webhooks, 'page'>;
  readonly voteAccount: Address;
  readonly onRecorded: () => void;
  readonly clock: Clock;
}

const termsOf = ({ inflationCommissionBps, layout4 }: VoteState): Record<string, string> => ({
  inflationCommissionBps: `${inflationCommissionBps}`,
  ...(layout4 && {
    blockRevenueCommissionBps: `${layout4.blockRevenueCommissionBps}`,
    inflationCollector: layout4.inflationCollector,
    blockRevenueCollector: layout4.blockRevenueCollector,
  }),
});

/** Builds one event per alert and matching registration that is older than the change. */
const eventsFor = async (
  alerts: readonly (ValidatorAlert & { readonly atMs: number })[],
  { webhooks, voteAccount, cluster }: ValidatorChangesOptions,
): Promise<readonly NewEvent[]> => {
  const events: NewEvent[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Webhooks['page']>> = await webhooks.page(after, PAGE);
    for (const { id: registrationId, events: names, walletAddress, createdSlot } of page)
      for (const { number, atMs, ...alert } of alerts) {
        if (!names.includes('validator_changed') || createdSlot >= BigInt(alert.slot)) continue;
        const data: ValidatorChangedData = { walletAddress, validatorVoteAccount: voteAccount, ...alert };
        const type = 'validator_changed';
        // A restored store counts from an earlier number again, so the number alone would repeat ids.
        const { change, epoch, what, from, to } = alert;
        const fact = [number, change, epoch, what, from, to].join(' ');
        events.push({
          id: eventIdOf({ genesisHash: cluster.genesisHash, registrationId, type, fact }),
          registrationId,
          type,
          atMs,
          data: JSON.stringify(data),
          expiresAtMs: null,
        });
      }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return events;
    after = last.id;
  }
};

/**
 * Queries every node once. Throws `AppError('UPSTREAM_UNAVAILABLE')` or `AppError('STORE_UNAVAILABLE')` if
 * the chain or the store cannot be read.
 */
const pollNodes = async (
  watch: ValidatorWatch,
  options: ValidatorChangesOptions,
  signal: AbortSignal,
): Promise<readonly ValidatorAlert[]> => {
  const { pool, cluster, voteAccount } = options;
  const limits = await cluster.limits(signal);
  // Only epoch boundaries matter here, so the last known position is enough.
  const position = cluster.lastEpochPosition() ?? (await cluster.epochPosition(signal));
  const grid = { ...position, firstSlot: position.absoluteSlot - position.slotIndex };
  const nodes = pool.readNodes();
  const alerts: ValidatorAlert[] = [];
  for (const node of nodes) {
    const found = await readVoteAccountOfNode(pool, node, voteAccount, signal).catch(() => null);
    if (found === null) continue;
    const { slot, state } = found;
    const epoch = epochOfSlot(slot, grid);
    alerts.push(
      ...watch.take({
        node,
        slot,
        epoch,
        nodes: nodes.length,
        slotIndex: slot - firstSlotOf(epoch, grid),
        slotsInEpoch: grid.slotsInEpoch,
        lastVoteSlot: state.lastVoteSlot,
        earnedEpochs: state.epochCredits
          .filter(({ credits, previousCredits }) => credits > previousCredits)
          .map((one) => one.epoch),
        terms: {
          ...termsOf(state),
          minimumDelegationLamports: `${limits.minimumDelegationLamports}`,
          stakeRentLamports: `${limits.stakeRentLamports}`,
        },
      }),
    );
  }
  return alerts;
};

/**
 * Starts a term of watching and returns its poll function. After a failed poll, the next one starts again
 * from the stored record.
 */
export const beginWatchingValidator = (
  options: ValidatorChangesOptions,
  signal: AbortSignal,
): (() => Promise<void>) => {
  const { outbox, clock, onRecorded } = options;
  let current: { readonly watch: ValidatorWatch; readonly record: ValidatorRecord } | null = null;
  return async () => {
    if (current === null) {
      const record = await readValidatorRecord(outbox);
      current = { watch: new ValidatorWatch(record.state), record };
    }
    const { watch, record } = current;
    current = null;
    const before = watch.state;
    const atMs = clock.now();
    const alerts = (await pollNodes(watch, options, signal)).map((alert) => ({ ...alert, atMs }));
    const { state } = watch;
    if (state === before) {
      current = { watch, record };
      return;
    }
    const next: ValidatorRecord = {
      state: state && { ...state, values: { ...state.values } },
      alerts: [...alerts.toReversed(), ...record.alerts].slice(0, MAX_KEPT),
    };
    const events = alerts.length === 0 ? [] : await eventsFor(alerts, options);
    for (let at = 0; at === 0 || at < events.length; at += PAGE) {
      const isLast = at + PAGE >= events.length;
      const marks = isLast ? [{ name: CHECKPOINT, value: JSON.stringify(next) }] : [];
      await outbox.record(events.slice(at, at + PAGE), marks);
    }
    current = { watch, record: next };
    if (events.length > 0) onRecorded();
  };
};
