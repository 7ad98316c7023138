// Selects the nodes that take calls: failing ones are suspended, probed and resumed; nodes of another cluster are quarantined and never asked.
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { missingMethodEffects } from './missing-rpc-methods.ts';
import { NodeFailure, type NodeFailureWord, RpcError, rpcErrorCodes } from './rpc-error.ts';
import type { RpcNode } from './rpc-node.ts';

/** A node this many slots behind what another one has just answered is put aside (about 14 s at 214 ms a slot). */
export const SLOTS_BEHIND = 64n;
const FIRST_COOL_OFF_MS = 250;
const LONGEST_COOL_OFF_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;
/** Least pause after failures that do not pass in a moment, ms. */
const leastCoolOffMs: Partial<Record<NodeFailureWord, number>> = { 'rate-limited': 1_000, behind: 2_000 };
/** After these another process may be listening at the same address. */
const mayBeAnother = new Set<NodeFailureWord | null>(['unreachable', 'reset', 'http-error']);
/** A node whose answers fall back this far, about two minutes, may have begun anew from genesis; its confirmed and finalized slots lie closer together. */
const SLOTS_BACK = 512n;

const failureOf = (error: unknown): NodeFailure =>
  error instanceof NodeFailure ? error : new NodeFailure('rpc-error', { mayHaveArrived: true, cause: error });

/** What a selection needs. */
interface NodeSelectionOptions {
  /** The nodes that are read from. */
  readonly readers: readonly RpcNode[];
  /** Of a probe, ms; at most 2 s are used. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the probes. */
  readonly signal: AbortSignal;
}

/** Keeps the record of every node. */
export class NodeSelection {
  readonly #options: NodeSelectionOptions;
  readonly #clock: Clock;
  #genesisHash: string | undefined;
  #highestSlot = -1n;
  #highestSlotAtMs = 0;
  #slotReadAtMs = 0;

  constructor(options: NodeSelectionOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** Usable nodes first by expected wait; suspended ones after them, the one that returns first leading; quarantined ones never. */
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

  /** From now on a node that comes back must be of this cluster; the `unverified` ones take no calls until they have shown it. */
  requireGenesisHash(genesisHash: string, unverified: readonly number[]): void {
    this.#genesisHash = genesisHash;
    for (const node of this.#options.readers) {
      if (!unverified.includes(node.index)) continue;
      node.isQuarantined = true;
      this.#suspend(node, new NodeFailure('unverified', { mayHaveArrived: true }));
    }
  }

  /** Before a call to a node that was cut off and has not been probed yet: is it still of this cluster? Throws `NodeFailure` if not. */
  async recognise(node: RpcNode, signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.#genesisHash === undefined || node.role === 'send') return;
    const wasCutOff = node.suspendedUntilMs !== null && mayBeAnother.has(node.lastError);
    if (!wasCutOff && !node.hasFallenBack) return;
    await this.#identify(node, signal, timeoutMs);
  }

  /**
   * Notes an answer's slot, where it has one. Throws `NodeFailure` when other nodes are far ahead, by their latest answers, or when this node itself
   * was and has not shown since that it is of our cluster: answers that were under way meanwhile are not believed either.
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

  /** The newest slot of any answer, and for how long answers have come with no newer one, ms. */
  get newestSlot(): { readonly slot: bigint; readonly unchangedMs: number } {
    return { slot: this.#highestSlot, unchangedMs: this.#slotReadAtMs - this.#highestSlotAtMs };
  }

  /** Methods that every node says it does not offer, in the order in which they were found missing. */
  get missingMethods(): readonly string[] {
    const [first, ...others] = this.#options.readers;
    return [...(first?.refusedMethods ?? [])].filter((method) =>
      others.every((node) => node.refusedMethods.has(method)),
    );
  }

  /** True when every node of this service's RPC URLs has become one of another cluster. */
  get isOtherCluster(): boolean {
    return this.#options.readers.every((node) => node.isQuarantined && node.lastError === 'other-cluster');
  }

  /** A useful answer: the node is well. */
  noteAnswer(node: RpcNode, method: string): void {
    node.failures = 0;
    if (node.refusedMethods.delete(method))
      this.#options.logger.info({ node: node.index, method }, 'RPC node offers the method again');
    this.#takeBack(node);
  }

  /** What a call failed with; JSON-RPC errors are answers, but for a node that calls itself unhealthy. */
  noteError(node: RpcNode, error: unknown, method: string): void {
    if (error instanceof NodeFailure) this.#suspend(node, error);
    else if (!(error instanceof RpcError)) return;
    else if (error.code === rpcErrorCodes.nodeUnhealthy)
      this.#suspend(node, new NodeFailure('behind', { mayHaveArrived: true }));
    else if (error.code === rpcErrorCodes.methodNotFound) this.#noteRefusal(node, method);
  }

  /** A provider that refuses one method may have withdrawn the key for all of them: the node shows that it still answers. */
  #noteRefusal(node: RpcNode, method: string): void {
    if (node.role === 'send' || node.refusedMethods.has(method)) return;
    const { logger, signal, timeoutMs } = this.#options;
    node.refusedMethods.add(method);
    logger.warn(
      { node: node.index, method, lost: missingMethodEffects(method) },
      'RPC node does not offer the method',
    );
    this.#identify(node, signal, Math.min(PROBE_TIMEOUT_MS, timeoutMs)).catch((error: unknown) => {
      if (!signal.aborted) this.#suspend(node, failureOf(error));
    });
  }

  #takeBack(node: RpcNode): void {
    if (node.suspendedUntilMs === null || node.hasFallenBack) return;
    node.suspendedUntilMs = null;
    this.#options.logger.info({ node: node.index }, 'RPC node is back');
  }

  #suspend(node: RpcNode, failure: NodeFailure): void {
    const { logger, signal } = this.#options;
    // What fails because the service stops says nothing of the node.
    if (signal.aborted) return;
    const wasAside = node.suspendedUntilMs !== null;
    node.failures += 1;
    node.lastError = failure.word;
    const growing = Math.min(FIRST_COOL_OFF_MS * 2 ** (node.failures - 1), LONGEST_COOL_OFF_MS);
    // A `Retry-After` of 0 would have the probe ask again without a pause.
    const coolOffMs = Math.max(failure.retryAfterMs ?? growing, leastCoolOffMs[failure.word] ?? 0);
    node.suspendedUntilMs = this.#clock.steadyNow() + coolOffMs;
    if (wasAside || node.role === 'send') return;
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
        'RPC node serves another cluster than at the start: another genesis hash. It is not used; nothing of this service is lost.',
      );
    node.isQuarantined = true;
    throw new NodeFailure('other-cluster', { mayHaveArrived: true });
  }

  /** Asks a node that was put aside who it is until it answers rightly, so that no caller's read has to find out. */
  async #probeUntilBack(node: RpcNode): Promise<void> {
    const { signal, timeoutMs } = this.#options;
    while (node.suspendedUntilMs !== null && !signal.aborted) {
      try {
        await this.#clock.sleep(Math.max(0, node.suspendedUntilMs - this.#clock.steadyNow()), signal);
        if (node.suspendedUntilMs === null) return;
        if (node.suspendedUntilMs > this.#clock.steadyNow()) continue;
        await this.#identify(node, signal, Math.min(PROBE_TIMEOUT_MS, timeoutMs));
        this.#takeBack(node);
      } catch (error) {
        if (signal.aborted) return;
        this.#suspend(node, failureOf(error));
      }
    }
  }
}
