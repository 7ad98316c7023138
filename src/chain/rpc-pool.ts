// Reads that survive any node: failover by health, one request per identical read under way, and an answer within the timeout.
import type { z } from 'zod';
import { AppError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { NodeFailure, type NodeFailureWord, RpcError, rpcErrorCodes } from './rpc-error.ts';
import { MAX_RESPONSE_BYTES, type NodeHealth, type RpcLane, RpcNode } from './rpc-node.ts';
import { RpcSharedCalls } from './rpc-shared-calls.ts';

export type { NodeHealth } from './rpc-node.ts';

/** What a pool needs. */
export interface RpcPoolOptions {
  /** HTTP(S) URLs of nodes of one cluster, at least one. They may hold secrets and are never shown. */
  readonly urls: readonly string[];
  /** A URL that only sends transactions; it is never read from. */
  readonly sendUrl?: string;
  /** How long a read may take in all, failover included, ms. */
  readonly timeoutMs: number;
  /** Requests under way per node, reads and sends counted apart. */
  readonly maxConcurrent: number;
  /** Bytes of one answer that are read before the node counts as broken. Default 64 MiB. */
  readonly maxResponseBytes?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One JSON-RPC call and how its answer is judged. */
export interface RpcCall<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly schema: z.ZodType<T>;
  /** Where the answer carries the slot it was made at; such answers are checked against `minContextSlot` and other nodes. */
  readonly slotOf?: (answer: T) => bigint;
  /** Answers of nodes below this slot are asked again elsewhere, also where a node ignores the parameter. */
  readonly minContextSlot?: bigint;
}

/** Options of one call. */
export interface RpcCallOptions {
  readonly signal: AbortSignal;
  /** Default the pool's. */
  readonly timeoutMs?: number;
}

/** The nodes of a cluster as one. */
export interface RpcPool {
  /** Reads from whichever node answers. Throws `AppError('UPSTREAM_UNAVAILABLE')`, or `RpcError` when nodes agree that the request is wrong. */
  readonly call: <T>(call: RpcCall<T>, options: RpcCallOptions) => Promise<T>;
  /** Asks one node once. Throws `NodeFailure` or `RpcError`; nothing is retried. */
  readonly ask: <T>(
    node: number,
    call: RpcCall<T>,
    options: RpcCallOptions & { lane?: RpcLane },
  ) => Promise<T>;
  /** Indexes of the nodes that are read, best first. */
  readonly readNodes: () => readonly number[];
  /** Indexes of the nodes to send to: the sending URL if there is one, else `readNodes()`. */
  readonly sendNodes: () => readonly number[];
  /** True when a separate URL does the sending, so that preflight must be asked elsewhere. */
  readonly sendsApart: boolean;
  readonly timeoutMs: number;
  /** From now on a node that comes back must be of this cluster; nodes in `unverified` are put aside until they have shown it. */
  readonly requireGenesisHash: (genesisHash: string, unverified: readonly number[]) => void;
  readonly health: () => readonly NodeHealth[];
  readonly close: () => Promise<void>;
}

/** A node this many slots behind what another one has just answered is put aside (about 14 s at 214 ms a slot). */
const SLOTS_BEHIND = 64n;
const FIRST_COOL_OFF_MS = 250;
const LONGEST_COOL_OFF_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;
const FIRST_PAUSE_MS = 50;

const unavailable = (cause: unknown): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'The Solana RPC did not answer in time or answered with something unusable.',
    {
      suggestedAction: 'Try again in a few seconds.',
      retryAfterSeconds: 2,
      cause,
    },
  );

/** Opens a pool. Nothing is sent before the first call. Throws `TypeError` for a URL that is not one. */
export const createRpcPool = (options: RpcPoolOptions): RpcPool => {
  const { clock, logger } = options;
  const shared = new RpcSharedCalls();
  const closing = new AbortController();
  let genesisHash: string | undefined;

  const { timeoutMs, maxConcurrent, maxResponseBytes = MAX_RESPONSE_BYTES } = options;
  const node = (url: string, index: number, role: 'read' | 'send') =>
    new RpcNode({ index, url, role, timeoutMs, maxConcurrent, maxResponseBytes, clock });
  const readers = options.urls.map((url, index) => node(url, index, 'read'));
  const sender = options.sendUrl === undefined ? undefined : node(options.sendUrl, readers.length, 'send');
  const nodes = sender ? [...readers, sender] : readers;

  const verified = (n: RpcNode) => n.lastError !== 'unverified' && n.lastError !== 'other-cluster';

  /** Usable nodes first by expected wait; those put aside after them, the one that returns first leading; strangers never. */
  const ordered = (): readonly RpcNode[] =>
    readers.filter(verified).sort((a, b) => {
      if ((a.asideUntilMs === null) !== (b.asideUntilMs === null)) return a.asideUntilMs === null ? -1 : 1;
      if (a.asideUntilMs !== null && b.asideUntilMs !== null) return a.asideUntilMs - b.asideUntilMs;
      return a.expectedWaitMs - b.expectedWaitMs;
    });

  const restore = (n: RpcNode) => {
    n.failures = 0;
    if (n.asideUntilMs === null) return;
    n.asideUntilMs = null;
    logger.info({ node: n.index }, 'RPC node is back');
  };

  const coolOffMs = (n: RpcNode, failure: NodeFailure) =>
    failure.retryAfterMs ?? Math.min(FIRST_COOL_OFF_MS * 2 ** (n.failures - 1), LONGEST_COOL_OFF_MS);

  const putAside = (n: RpcNode, failure: NodeFailure) => {
    n.failures += 1;
    n.lastError = failure.word;
    const wasAside = n.asideUntilMs !== null;
    const waitMs = coolOffMs(n, failure);
    n.asideUntilMs = clock.now() + waitMs;
    if (wasAside || n.role === 'send') return;
    logger.warn({ node: n.index, reason: failure.word }, 'RPC node put aside');
    void probeUntilBack(n);
  };

  /** Asks a node that was put aside whether it is well again and still of this cluster, so that no caller's read has to find out. */
  const probeUntilBack = async (n: RpcNode): Promise<void> => {
    while (n.asideUntilMs !== null && !closing.signal.aborted) {
      try {
        await clock.sleep(Math.max(0, n.asideUntilMs - clock.now()), closing.signal);
        if (n.asideUntilMs === null) return;
        const found = await n.ask('getGenesisHash', [], {
          signal: closing.signal,
          timeoutMs: Math.min(PROBE_TIMEOUT_MS, options.timeoutMs),
          lane: 'read',
        });
        if (genesisHash !== undefined && found !== genesisHash) {
          putAside(n, new NodeFailure('other-cluster', { mayHaveArrived: true }));
        } else {
          if (!verified(n)) n.lastError = null;
          restore(n);
        }
      } catch (error) {
        if (closing.signal.aborted) return;
        const word = verified(n) ? (error instanceof NodeFailure ? error.word : 'rpc-error') : n.lastError!;
        putAside(n, new NodeFailure(word, { mayHaveArrived: true }));
      }
    }
  };

  /** A node that answers from far behind the others is lagging; measured against their latest answers, so a cluster that starts over is no trap. */
  const isBehind = (n: RpcNode, slot: bigint) =>
    readers.some(
      (other) => other !== n && other.asideUntilMs === null && (other.lastSlot ?? 0n) > slot + SLOTS_BEHIND,
    );

  const askOnce = async <T>(
    n: RpcNode,
    call: RpcCall<T>,
    o: { signal: AbortSignal; timeoutMs: number; lane: RpcLane },
  ): Promise<T> => {
    const parsed = call.schema.safeParse(await n.ask(call.method, call.params, o));
    if (!parsed.success) throw new NodeFailure('garbage', { mayHaveArrived: true, cause: parsed.error });
    const slot = call.slotOf?.(parsed.data);
    if (slot !== undefined) {
      n.lastSlot = slot;
      if (isBehind(n, slot)) throw new NodeFailure('behind', { mayHaveArrived: true });
      if (call.minContextSlot !== undefined && slot < call.minContextSlot) {
        throw new RpcError(
          rpcErrorCodes.minContextSlotNotReached,
          'Minimum context slot has not been reached',
          undefined,
        );
      }
    }
    return parsed.data;
  };

  /** Asks and keeps the node's record. */
  const tryNode = async <T>(
    n: RpcNode,
    call: RpcCall<T>,
    o: { signal: AbortSignal; timeoutMs: number; lane: RpcLane },
  ): Promise<T> => {
    try {
      const answer = await askOnce(n, call, o);
      restore(n);
      return answer;
    } catch (error) {
      if (error instanceof NodeFailure) putAside(n, error);
      else if (error instanceof RpcError && error.code === rpcErrorCodes.nodeUnhealthy) {
        putAside(n, new NodeFailure('behind', { mayHaveArrived: true }));
      }
      throw error;
    }
  };

  /**
   * Every node gets two chances, a lone one three, within one deadline. Each attempt gets half of what is left, the last all of it.
   * Waiting for a slot is not counted: a node that answers is asked again until the deadline.
   */
  const readFromAny = async <T>(call: RpcCall<T>, timeoutMs: number, signal: AbortSignal): Promise<T> => {
    const deadlineMs = clock.now() + timeoutMs;
    let chances = Math.max(3, readers.length * 2);
    let pauseMs = FIRST_PAUSE_MS;
    let tried = new Set<RpcNode>();
    const unfit = new Set<RpcNode>();
    let lastError: unknown = new NodeFailure('unverified', { mayHaveArrived: false });
    for (;;) {
      const next = ordered().find((n) => !tried.has(n) && !unfit.has(n));
      const leftMs = deadlineMs - clock.now();
      if (next === undefined && ordered().every((n) => unfit.has(n))) throw unavailable(lastError);
      if (next === undefined) {
        await clock.sleep(Math.min(pauseMs, Math.max(0, leftMs)), signal);
        pauseMs = Math.min(pauseMs * 2, 400);
        tried = new Set();
        continue;
      }
      tried.add(next);
      try {
        const attemptMs = chances <= 1 ? leftMs : Math.max(leftMs / 2, Math.min(leftMs, 250));
        return await tryNode(next, call, { signal, timeoutMs: Math.max(1, attemptMs), lane: 'read' });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof NodeFailure || error instanceof RpcError)) throw error;
        lastError = error;
        if (error instanceof RpcError && error.lasting) unfit.add(next);
        const waitsForSlot =
          error instanceof RpcError && error.code === rpcErrorCodes.minContextSlotNotReached;
        if (!waitsForSlot) chances -= 1;
        if (error instanceof RpcError && !error.worthAnotherNode) throw error;
        if (chances <= 0 || clock.now() >= deadlineMs) throw unavailable(error);
      }
    }
  };

  return {
    timeoutMs: options.timeoutMs,
    sendsApart: sender !== undefined,
    call: (call, { signal, timeoutMs = options.timeoutMs }) =>
      shared.run(
        `${call.method}${JSON.stringify(call.params)}${call.minContextSlot ?? ''}`,
        signal,
        (sharedSignal) => readFromAny(call, timeoutMs, sharedSignal),
      ),
    ask: (index, call, { signal, timeoutMs = options.timeoutMs, lane = 'read' }) =>
      tryNode(nodes[index]!, call, { signal, timeoutMs, lane }),
    readNodes: () => ordered().map((n) => n.index),
    sendNodes: () => (sender ? [sender.index] : ordered().map((n) => n.index)),
    requireGenesisHash: (hash, unverified) => {
      genesisHash = hash;
      for (const n of readers.filter((r) => unverified.includes(r.index))) {
        const probing = n.asideUntilMs !== null;
        n.lastError = 'unverified';
        n.asideUntilMs = clock.now() + FIRST_COOL_OFF_MS;
        if (!probing) void probeUntilBack(n);
      }
    },
    health: () => nodes.map((n) => n.health()),
    close: async () => {
      const reason = new Error('RPC pool closed');
      closing.abort(reason);
      shared.abortAll(reason);
      await Promise.all(nodes.map((n) => n.close()));
    },
  };
};

/** Turns what is left of an `RpcError` into `UPSTREAM_UNAVAILABLE`, for reads whose request is known to be right. */
export const asUnavailable = (error: unknown): unknown =>
  error instanceof RpcError ? unavailable(error) : error;

/** The words a node can be put aside with. */
export type { NodeFailureWord };
