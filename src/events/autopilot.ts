// Autopilot: offers to stake liquid SOL above a signed policy's limit, at most once per epoch and wallet. Signs
// and sends nothing.

import type { Address } from '@solana/kit';
import { MAX_SNAPSHOT_ACCOUNTS } from '../chain/cluster/chain-snapshot.ts';
import { minimumStakeLamports } from '../chain/cluster/minimum-delegation.ts';
import type { ChainAccount, ClusterState, EpochPosition } from '../chain/ports.ts';
import { decideAutopilotAmount, type SweepFacts } from '../domain/autopilot/decide-autopilot-offer.ts';
import { epochTiming } from '../domain/epoch-clock.ts';
import { SYSTEM_PROGRAM } from '../domain/instruction-programs.ts';
import { solNumber } from '../domain/lamports.ts';
import { criticalNotice, type Notice } from '../domain/notice.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import type { NewEvent, Outbox } from '../store/outbox/outbox.ts';
import type { Policies, PolicyRecord } from '../store/policies.ts';
import { eventIdOf } from './watcher/event-of-fact.ts';

export interface AutopilotOptions {
  readonly policies: Policies;
  readonly outbox: Pick<Outbox, 'record' | 'states'>;
  readonly cluster: Pick<ClusterState, 'genesisHash' | 'limits' | 'epochPosition' | 'readChainSnapshot'>;
  /** Reads the validator again and returns the notices about it. */
  readonly noticesNow: (signal: AbortSignal) => Promise<readonly Notice[]>;
  readonly feeReserveLamports: bigint;
  /** Called after new events have been recorded. */
  readonly wakeDelivery: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Autopilot {
  /**
   * Checks all active policies and returns the number of offers. Rejects if the chain or the store cannot be
   * read; the next poll catches up.
   */
  readonly poll: (signal: AbortSignal) => Promise<number>;
}

/** Recorded `data` of an `autopilot_sweep` event. Each delivery attempt adds the transaction. */
export interface SweepData {
  readonly walletAddress: Address;
  readonly epoch: number;
  /** Amount computed when the offer was made. Each attempt contains the current amount. */
  readonly sol: number;
}

/** Number of ended offers to remember. A forgotten offer is checked again, which is harmless. */
const REMEMBERED_OFFERS = 100_000;

/**
 * Reason why an offer failed. `ADDRESS_UNUSABLE`: no address could be used. `NOT_DELIVERED`: no attempt got a
 * 2xx response in time.
 */
type OfferFailure = 'ADDRESS_UNUSABLE' | 'NOT_DELIVERED';

/**
 * Builds the event that reports an offer that ended without being accepted. Its id allows one such event per
 * wallet and epoch.
 */
export const offerFailedEvent = (
  genesisHash: string,
  offer: {
    readonly registrationId: string;
    readonly walletAddress: Address;
    readonly epoch: bigint;
    /** Id of the offer's event. */
    readonly eventId: string;
  },
  reason: OfferFailure,
  nowMs: number,
): NewEvent => {
  const { registrationId, walletAddress, epoch, eventId } = offer;
  const type = 'autopilot_failed';
  return {
    id: eventIdOf({ genesisHash, registrationId, type, fact: `${walletAddress} ${epoch}` }),
    registrationId,
    type,
    atMs: nowMs,
    data: JSON.stringify({ walletAddress, epoch: Number(epoch), offerId: eventId, reason }),
    expiresAtMs: null,
  };
};

/** Collects the inputs of `decideAutopilotAmount` from a wallet's account and the notices about the validator. */
export const sweepFacts = (
  account: ChainAccount | null,
  limits: Parameters<typeof minimumStakeLamports>[0],
  position: Pick<EpochPosition, 'epochRewardsActive'>,
  notices: readonly Notice[],
  feeReserveLamports: bigint,
): SweepFacts => ({
  balanceLamports: account?.lamports ?? 0n,
  canPay: account === null || (account.owner === SYSTEM_PROGRAM && account.data.length === 0),
  feeReserveLamports,
  minimumStakeLamports: minimumStakeLamports(limits),
  validatorFailing: criticalNotice(notices) !== undefined,
  epochRewardsActive: position.epochRewardsActive,
});

/** Creates the autopilot without starting it. */
export const createAutopilot = (options: AutopilotOptions): Autopilot => {
  const { policies, outbox, cluster, clock } = options;

  const offerIdOf = (walletAddress: Address, registrationId: string, epoch: bigint): string =>
    eventIdOf({
      genesisHash: cluster.genesisHash,
      registrationId,
      type: 'autopilot_sweep',
      fact: `${walletAddress} ${epoch}`,
    });

  const offer = async (policy: PolicyRecord, lamports: bigint, position: EpochPosition): Promise<boolean> => {
    const { walletAddress, registrationId } = policy;
    const { epoch } = position;
    const data: SweepData = { walletAddress, epoch: Number(epoch), sol: solNumber(lamports) };
    const atMs = clock.now();
    const id = offerIdOf(walletAddress, registrationId, epoch);
    // Records the event first. If updating the policy then fails, the next poll derives the same event id.
    const news = await outbox.record([
      {
        id,
        registrationId,
        type: 'autopilot_sweep',
        atMs,
        data: JSON.stringify(data),
        expiresAtMs: Date.parse(epochTiming(position, atMs).latestEpochEnd),
      },
    ]);
    await policies.noteSweep(walletAddress, { epoch, lamports, eventId: id, atMs });
    return news.length > 0;
  };

  /** Earlier offers whose outcome this process has already checked. */
  const checked = new BoundedMap<string, true>(REMEMBERED_OFFERS);

  /** Reports offers of earlier epochs that ended without a 2xx response. Returns the number of reports. */
  const emitFailures = async (page: readonly PolicyRecord[], { epoch }: EpochPosition): Promise<number> => {
    const ended = page.flatMap(({ walletAddress, registrationId, lastSweep }) =>
      lastSweep !== null &&
      lastSweep.epoch < epoch &&
      !checked.has(lastSweep.eventId) &&
      // A different id means that the offer belongs to an earlier policy and went to another receiver.
      lastSweep.eventId === offerIdOf(walletAddress, registrationId, lastSweep.epoch)
        ? [{ walletAddress, registrationId, ...lastSweep }]
        : [],
    );
    if (ended.length === 0) return 0;
    const states = await outbox.states(ended.map(({ eventId }) => eventId));
    const failures = ended
      .filter(({ eventId }) => states.get(eventId) === 'dead')
      .map((offer) => offerFailedEvent(cluster.genesisHash, offer, 'NOT_DELIVERED', clock.now()));
    const recorded = failures.length === 0 ? [] : await outbox.record(failures);
    for (const { eventId } of ended) if (states.get(eventId) !== 'pending') checked.set(eventId, true);
    return recorded.length;
  };

  const pollPage = async (
    page: readonly PolicyRecord[],
    { epoch }: EpochPosition,
    signal: AbortSignal,
  ): Promise<number> => {
    const due = page.filter(({ lastSweep }) => lastSweep === null || lastSweep.epoch < epoch);
    if (due.length === 0) return 0;
    const snapshot = await cluster.readChainSnapshot(
      due.map(({ walletAddress }) => walletAddress),
      { signal },
    );
    const { position, accounts } = snapshot;
    const limits = await cluster.limits(signal, snapshot);
    // Read after the snapshot, so that it is not older than the epoch of the offer.
    const notices = await options.noticesNow(signal);
    let offered = 0;
    for (const [at, policy] of due.entries()) {
      const facts = sweepFacts(accounts[at] ?? null, limits, position, notices, options.feeReserveLamports);
      const decision = decideAutopilotAmount(policy, facts);
      if (decision.kind === 'sweep') {
        if (await offer(policy, decision.lamports, position)) offered += 1;
        continue;
      }
      const { reason } = decision;
      // Written only when the reason or epoch changes, to avoid a write per poll.
      if (policy.lastSkip?.reason === reason && policy.lastSkip.epoch === position.epoch) continue;
      await policies.noteSkip(policy.walletAddress, { epoch: position.epoch, reason, atMs: clock.now() });
    }
    return offered;
  };

  return {
    poll: async (signal) => {
      let offered = 0;
      let failed = 0;
      let position: EpochPosition | undefined;
      let after: string | null = null;
      for (;;) {
        const page = await policies.active(after, MAX_SNAPSHOT_ACCOUNTS);
        if (page.length === 0) break;
        position ??= await cluster.epochPosition(signal);
        failed += await emitFailures(page, position);
        offered += await pollPage(page, position, signal);
        if (page.length < MAX_SNAPSHOT_ACCOUNTS) break;
        after = page.at(-1)!.walletAddress;
      }
      if (offered + failed > 0) options.wakeDelivery();
      if (offered > 0) options.logger.info({ offered }, 'the autopilot made offers to stake');
      return offered;
    },
  };
};

/** Pause between two polls, in ms. Short, because a funded wallet should not wait a minute for its offer. */
export const AUTOPILOT_POLL_MS = 15_000;
