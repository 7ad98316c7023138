// Decides which RPC nodes may be used. Failing nodes are suspended, probed and resumed; nodes of another cluster are
// quarantined.
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { missingMethodEffects } from './missing-rpc-methods.ts';
import { NodeFailure, type NodeFailureWord, RpcError, rpcErrorCodes } from './rpc-error.ts';
import type { RpcNode } from './rpc-node.ts';

/**
 * A node more than this many slots behind the latest response of another one is suspended (about 14 s at
 * 214 ms per slot).
 */
export const SLOTS_BEHIND = 64n;
const FIRST_COOL_OFF_MS = 250;
const MAX_COOL_OFF_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;
/** Number of failures since the last response after which a node that timed out counts as hanging. */
const HANGS_AFTER = 3;
/** Maximum pause before a hanging node is probed again, because no read finds out that it is back. */
const HANGING_COOL_OFF_MS = 2_000;
/** Minimum pauses, in ms, after kinds of failure that usually last longer. */
const leastCoolOffMs: Partial<Record<NodeFailureWord, number>> = { 'rate-limited': 1_000, behind: 2_000 };
/** Failures after which another process may be listening at the node's address. */
const mayBeAnother = new Set<NodeFailureWord | null>(['unreachable', 'reset', 'http-error']);
/**
 * Number of slots (about two minutes) by which a node's slot may go backwards before the node counts as
 * restarted from genesis. The gap between confirmed and finalized slots is smaller.
 */
const SLOTS_BACK = 512n;

const failureOf = (error: unknown): NodeFailure =>
  error instanceof NodeFailure ? error : new NodeFailure('rpc-error', { mayHaveArrived: true, cause: error });

/** A period in which no read node was usable, in ms since the Unix epoch. */
export interface RpcOutage {
  /** Time of the last useful response before the outage. */
  readonly sinceMs: number;
  /** Time of the first response after the outage; null while it lasts. */
  readonly untilMs: number | null;
}

interface NodeAvailabilityOptions {
  /** Nodes for reads. */
  readonly readers: readonly RpcNode[];
  /** Timeout of a probe, in ms; at most 2 s are used. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the probes when aborted. */
  readonly signal: AbortSignal;
}

const isHanging = ({ suspendedUntilMs, lastError, failures }: RpcNode): boolean =>
  suspendedUntilMs !== null && lastError === 'timeout' && failures >= HANGS_AFTER;

export class NodeAvailability {
  readonly #options: NodeAvailabilityOptions;
  readonly #clock: Clock;
  #genesisHash: string | undefined;
  #highestSlot = -1n;
  #highestSlotAtMs = 0;
  #slotReadAtMs = 0;
  #respondedAtMs: number | null = null;
  #outage: RpcOutage | null = null;

  constructor(options: NodeAvailabilityOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /**
   * Returns usable nodes by expected wait, then suspended ones by the end of their suspension. Omits
   * quarantined nodes.
   */
  ordered(): readonly RpcNode[] {
    return this.#options.readers
      .filter((node) => !node.isQuarantined)
      .sort((a, b) => {
        if (a.suspendedUntilMs === null && b.suspendedUntilMs === null)
          return a.expectedWaitMs - b.expectedWaitMs;
        if (a.suspendedUntilMs !== null && b.suspendedUntilMs !== null)
          return a.suspendedUntilMs - b.suspendedUntilMs;
        return a.suspendedUntilMs === null ? -1 : 1;
      });
  }

  /**
   * Sets the genesis hash that returning nodes must have. Nodes in `unverified` get no calls until they return
   * it.
   */
  requireGenesisHash(genesisHash: string, unverified: readonly number[]): void {
    this.#genesisHash = genesisHash;
    for (const node of this.#options.readers) {
      if (!unverified.includes(node.index)) continue;
      node.isQuarantined = true;
      this.#suspend(node, new NodeFailure('unverified', { mayHaveArrived: true }));
    }
  }

  /**
   * Verifies before a call that a reconnected node still belongs to this cluster. Throws `NodeFailure` if it
   * does not.
   */
  async recognize(node: RpcNode, signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.#genesisHash === undefined || node.role === 'send') return;
    const wasCutOff = node.suspendedUntilMs !== null && mayBeAnother.has(node.lastError);
    if (!wasCutOff && !node.hasFallenBack) return;
    await this.#identify(node, signal, timeoutMs);
  }

  /**
   * Records a response's slot, if it has one. Throws `NodeFailure` if other nodes are far ahead, or if this
   * node's slot went far backwards and the node has not been verified since. After going backwards, responses
   * that were already in flight are refused too.
   */
  noteSlot(node: RpcNode, slot?: bigint): void {
    if (slot !== undefined) this.#noteSlot(node, slot);
    if (node.hasFallenBack) throw new NodeFailure('restarted', { mayHaveArrived: true });
  }

  #noteSlot(node: RpcNode, slot: bigint): void {
    if (slot + SLOTS_BACK < (node.lastSlot ?? 0n)) {
      node.hasFallenBack = this.#genesisHash !== undefined;
      this.#highestSlot = -1n;
    }
    node.lastSlot = slot;
    this.#slotReadAtMs = this.#clock.steadyNow();
    if (slot > this.#highestSlot) {
      this.#highestSlot = slot;
      this.#highestSlotAtMs = this.#slotReadAtMs;
    }
    const isAhead = (other: RpcNode) =>
      other !== node && other.suspendedUntilMs === null && (other.lastSlot ?? 0n) > slot + SLOTS_BEHIND;
    if (this.#options.readers.some(isAhead)) throw new NodeFailure('behind', { mayHaveArrived: true });
  }

  /**
   * The newest slot of any response, how long it had been unchanged at the last response with a slot, and the
   * age of that response, in ms.
   */
  get newestSlot(): { readonly slot: bigint; readonly unchangedMs: number; readonly ageMs: number } {
    return {
      slot: this.#highestSlot,
      unchangedMs: this.#slotReadAtMs - this.#highestSlotAtMs,
      ageMs: this.#clock.steadyNow() - this.#slotReadAtMs,
    };
  }

  /** Methods that no node offers, in the order of discovery. */
  get missingMethods(): readonly string[] {
    const [first, ...others] = this.#options.readers;
    return [...(first?.refusedMethods ?? [])].filter((method) =>
      others.every((node) => node.refusedMethods.has(method)),
    );
  }

  /** The current or the last outage of all nodes for reads; null before the first one. */
  get outage(): RpcOutage | null {
    return this.#outage;
  }

  /** True if every node of this service's RPC URLs now serves another cluster. */
  get isOtherCluster(): boolean {
    return this.#options.readers.every((node) => node.isQuarantined && node.lastError === 'other-cluster');
  }

  /** True if every node timed out repeatedly just now, so a read would only wait. The probes continue. */
  get areAllHanging(): boolean {
    return this.#options.readers.every(isHanging);
  }

  /** Records a useful response, so the node counts as healthy. */
  noteResponse(node: RpcNode, method: string): void {
    node.failures = 0;
    if (node.role === 'read') this.#respondedAtMs = this.#clock.now();
    if (node.refusedMethods.delete(method))
      this.#options.logger.info({ node: node.index, method }, 'RPC node supports the method again');
    this.#takeBack(node);
  }

  /**
   * Records a failed call. Ignores JSON-RPC errors, except that a node that reports itself as unhealthy is
   * suspended, and one that lacks a method is probed.
   */
  noteError(node: RpcNode, error: unknown, method: string): void {
    if (error instanceof NodeFailure) this.#suspend(node, error);
    else if (!(error instanceof RpcError)) return;
    else if (error.code === rpcErrorCodes.nodeUnhealthy)
      this.#suspend(node, new NodeFailure('behind', { mayHaveArrived: true }));
    else if (error.code === rpcErrorCodes.methodNotFound) this.#noteRefusal(node, method);
  }

  /** A provider that refuses one method may have revoked the key for all methods, so the node is probed. */
  #noteRefusal(node: RpcNode, method: string): void {
    if (node.role === 'send' || node.refusedMethods.has(method)) return;
    const { logger, signal, timeoutMs } = this.#options;
    node.refusedMethods.add(method);
    logger.warn(
      { node: node.index, method, lost: missingMethodEffects(method) },
      'RPC node does not support the method',
    );
    this.#identify(node, signal, Math.min(PROBE_TIMEOUT_MS, timeoutMs)).catch((error: unknown) => {
      if (!signal.aborted) this.#suspend(node, failureOf(error));
    });
  }

  #takeBack(node: RpcNode): void {
    if (node.suspendedUntilMs === null || node.hasFallenBack) return;
    node.suspendedUntilMs = null;
    if (node.role === 'read') this.#respondedAtMs = this.#clock.now();
    if (node.role === 'read' && this.#outage?.untilMs === null)
      this.#outage = { ...this.#outage, untilMs: this.#clock.now() };
    this.#options.logger.info({ node: node.index }, 'RPC node is back');
  }

  #suspend(node: RpcNode, failure: NodeFailure): void {
    const { logger, signal } = this.#options;
    // Failures caused by shutdown do not count.
    if (signal.aborted) return;
    const wasAside = node.suspendedUntilMs !== null;
    node.failures += 1;
    node.lastError = failure.word;
    const maxMs = failure.word === 'timeout' ? HANGING_COOL_OFF_MS : MAX_COOL_OFF_MS;
    const growing = Math.min(FIRST_COOL_OFF_MS * 2 ** (node.failures - 1), maxMs);
    // Only rate limits have a `retryAfterMs`. A `Retry-After` of 0 would make the probe loop without a pause.
    const coolOffMs = Math.max(failure.retryAfterMs ?? growing, leastCoolOffMs[failure.word] ?? 0);
    node.suspendedUntilMs = this.#clock.steadyNow() + coolOffMs;
    if (wasAside || node.role === 'send') return;
    if (this.#options.readers.every(({ suspendedUntilMs }) => suspendedUntilMs !== null))
      this.#outage = { sinceMs: this.#respondedAtMs ?? this.#clock.now(), untilMs: null };
    logger.warn({ node: node.index, reason: failure.word }, 'RPC node suspended');
    void this.#probeUntilBack(node);
  }

  async #identify(node: RpcNode, signal: AbortSignal, timeoutMs: number): Promise<void> {
    const found = await node.ask('getGenesisHash', [], { signal, timeoutMs, lane: 'read' });
    if (this.#genesisHash === undefined || found === this.#genesisHash) {
      node.isQuarantined = false;
      node.hasFallenBack = false;
      return;
    }
    if (!node.isQuarantined)
      this.#options.logger.error(
        { node: node.index },
        'RPC node is now on a different cluster (its genesis hash changed). It is no longer used, and no data is lost.',
      );
    node.isQuarantined = true;
    throw new NodeFailure('other-cluster', { mayHaveArrived: true });
  }

  /** Probes a suspended node until it responds correctly, so that callers' reads do not have to. */
  async #probeUntilBack(node: RpcNode): Promise<void> {
    const { signal, timeoutMs } = this.#options;
    while (node.suspendedUntilMs !== null && !signal.aborted) {
      try {
        await this.#clock.sleep(Math.max(0, node.suspendedUntilMs - this.#clock.steadyNow()), signal);
        if (node.suspendedUntilMs === null) return;
        if (node.suspendedUntilMs > this.#clock.steadyNow()) continue;
        // A slow node that still answers reads in time must not be lost.
        const withinMs = isHanging(node) ? timeoutMs : Math.min(PROBE_TIMEOUT_MS, timeoutMs);
        await this.#identify(node, signal, withinMs);
        this.#takeBack(node);
      } catch (error) {
        if (signal.aborted) return;
        this.#suspend(node, failureOf(error));
      }
    }
  }
}
