// The RPC pool: failover by health, shared identical reads, and a time limit for every response.
import type { z } from 'zod';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { noteUpstreamCall } from '../../kernel/network/count-upstream-calls.ts';
import { NodeAvailability, type RpcOutage } from './node-availability.ts';
import { NodeFailure, RpcError, rpcErrorCodes } from './rpc-error.ts';
import {
  type LargeRpcOptions,
  MAX_RESPONSE_BYTES,
  type NodeHealth,
  type RpcLane,
  RpcNode,
} from './rpc-node.ts';
import { RpcSharedCalls } from './rpc-shared-calls.ts';

export type { NodeHealth } from './rpc-node.ts';

export interface RpcPoolOptions {
  /** HTTP(S) URLs of nodes of one cluster, at least one. They may contain secrets and are never shown. */
  readonly urls: readonly string[];
  /** URL used only for sending transactions. */
  readonly sendUrl?: string;
  /** Total time limit of a read, in ms, including failover. */
  readonly timeoutMs: number;
  /** Maximum number of concurrent requests per node, counted separately for reads and sends. */
  readonly maxConcurrent: number;
  /** Maximum size of one response; a larger one counts as broken. Default: 64 MiB. */
  readonly maxResponseBytes?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One JSON-RPC call and the checks of its response. */
export interface RpcCall<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Create this once, not per call: building a zod schema takes about 80 µs, longer than the whole request. */
  readonly schema: z.ZodType<T>;
  /** Checks beyond the schema, for example the number of results. Returns false for a broken response. */
  readonly accepts?: (response: T) => boolean;
  /** Returns the slot of the response, which is checked against `minContextSlot` and other nodes. */
  readonly slotOf?: (response: T) => bigint;
  /**
   * A response below this slot is rejected and the call is sent to another node, even if the node ignores
   * `minContextSlot`.
   */
  readonly minContextSlot?: bigint;
  /** True for a method that only some providers offer, so its absence is not reported. Default: false. */
  readonly isOptional?: true;
}

/** A call with a large response, such as a program scan; see `RpcNode.askForLarge`. */
interface LargeRpcCall<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  /**
   * Reads the body of the response to request `id` as it arrives. A `NodeFailure` sends the call to another
   * node.
   */
  readonly read: (body: AsyncIterable<string>, id: number) => Promise<T>;
}

interface RpcCallOptions {
  readonly signal: AbortSignal;
  /** Default: the pool's timeout. */
  readonly timeoutMs?: number;
}

/** The nodes of a cluster behind one interface. */
export interface RpcPool {
  /**
   * Reads from any node. Throws `AppError('UPSTREAM_UNAVAILABLE')`, or `RpcError` if nodes agree that the
   * request is wrong.
   */
  readonly call: <T>(call: RpcCall<T>, options: RpcCallOptions) => Promise<T>;
  /**
   * Requests a response of up to 2 GiB and parses it as it streams in. Tries each node once, best first;
   * `timeoutMs` applies to each attempt separately. Throws `AppError('UPSTREAM_UNAVAILABLE')`, or `RpcError`
   * if the request is wrong for every node.
   */
  readonly askForLarge: <T>(call: LargeRpcCall<T>, options: LargeRpcOptions) => Promise<T>;
  /** Queries one node once, without retries. Throws `NodeFailure` or `RpcError`. */
  readonly ask: <T>(
    node: number,
    call: RpcCall<T>,
    options: RpcCallOptions & { lane?: RpcLane },
  ) => Promise<T>;
  /** Indexes of the nodes for reads, best first. */
  readonly readNodes: () => readonly number[];
  /** Indexes of the nodes for sends: the sending URL if there is one, otherwise `readNodes()`. */
  readonly sendNodes: () => readonly number[];
  /** True if a separate URL is used for sends. Preflight must then run on another node. */
  readonly sendsApart: boolean;
  readonly timeoutMs: number;
  /**
   * Sets the genesis hash of this cluster, which returning nodes must have. Nodes in `unverified` get no calls
   * until they return it.
   */
  readonly requireGenesisHash: (genesisHash: string, unverified: readonly number[]) => void;
  readonly health: () => readonly NodeHealth[];
  /**
   * The newest slot of any response, how long no newer one has been seen, and the age of the last response
   * with a slot, in ms.
   */
  readonly newestSlot: () => {
    readonly slot: bigint;
    readonly unchangedMs: number;
    readonly ageMs: number;
  };
  /** The current or the last outage of all nodes for reads; null before the first one. */
  readonly outage: () => RpcOutage | null;
  /** Methods that no node offers. */
  readonly missingMethods: () => readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * A read that has taken this many times as long as usual, and at least this many ms, is also sent to another
 * node.
 */
const SPARE_AFTER_USUAL = 4;
const SPARE_AFTER_MS = 250;
/** First pause between two rounds through the nodes, in ms. It doubles each time. */
const FIRST_PAUSE_MS = 50;

/**
 * By default, the cause states that no node was usable. It is a default parameter so that the error is
 * created only when needed, because creating it takes a twentieth of the time of a read.
 */
const unavailable = (cause: unknown = new NodeFailure('unverified', { mayHaveArrived: false })): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'The Solana RPC did not respond in time or sent an unusable response.',
    {
      reason: 'RPC_UNAVAILABLE',
      suggestedAction: 'Try again in a few seconds.',
      retryAfterSeconds: 2,
      cause,
    },
  );

const otherCluster = (): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'The Solana RPC is on a different cluster than when this service started: its genesis hash changed.',
    {
      reason: 'OTHER_CLUSTER',
      suggestedAction:
        'The operator must point HOLDFAST_RPC_URL back to this service’s cluster, or start a service for the new cluster with its own HOLDFAST_DATA_DIR.',
      retryAfterSeconds: 30,
      cause: new NodeFailure('other-cluster', { mayHaveArrived: false }),
    },
  );

interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly lane: RpcLane;
}

/** Opens a pool without sending a request. Throws `TypeError` for an invalid URL. */
export const createRpcPool = (options: RpcPoolOptions): RpcPool => {
  const { clock, logger } = options;
  const shared = new RpcSharedCalls();
  const closing = new AbortController();
  const { timeoutMs, maxConcurrent, maxResponseBytes = MAX_RESPONSE_BYTES } = options;
  const node = (url: string, index: number, role: 'read' | 'send') =>
    new RpcNode({ index, url, role, timeoutMs, maxConcurrent, maxResponseBytes, clock });
  const readers = options.urls.map((url, index) => node(url, index, 'read'));
  const sender = options.sendUrl === undefined ? undefined : node(options.sendUrl, readers.length, 'send');
  const nodes = sender ? [...readers, sender] : readers;

  const availability = new NodeAvailability({ readers, timeoutMs, clock, logger, signal: closing.signal });

  const askOnce = async <T>(n: RpcNode, call: RpcCall<T>, o: AskOptions): Promise<T> => {
    await availability.recognize(n, o.signal, o.timeoutMs);
    const parsed = call.schema.safeParse(await n.ask(call.method, call.params, o));
    if (!parsed.success) throw new NodeFailure('garbage', { mayHaveArrived: true, cause: parsed.error });
    if (call.accepts?.(parsed.data) === false) throw new NodeFailure('garbage', { mayHaveArrived: true });
    const slot = call.slotOf?.(parsed.data);
    availability.noteSlot(n, slot);
    if (slot === undefined || call.minContextSlot === undefined || slot >= call.minContextSlot)
      return parsed.data;
    throw new RpcError(
      rpcErrorCodes.minContextSlotNotReached,
      'Minimum context slot has not been reached',
      undefined,
    );
  };

  /** Queries a node and records the result in its health. */
  const tryNode = async <T>(n: RpcNode, call: RpcCall<T>, o: AskOptions): Promise<T> => {
    try {
      const response = await askOnce(n, call, o);
      availability.noteResponse(n, call.method);
      return response;
    } catch (error) {
      if (call.isOptional !== true || !(error instanceof RpcError))
        availability.noteError(n, error, call.method);
      throw error;
    }
  };

  /**
   * Like `tryNode`, but also queries `spare` once `n` takes much longer than usual for this method. The first
   * response counts. The other request goes on, so that its timeout suspends a node that hangs.
   */
  const tryWithSpare = <T>(
    n: RpcNode,
    spare: RpcNode | undefined,
    call: RpcCall<T>,
    o: AskOptions,
  ): Promise<T> => {
    if (spare === undefined) return tryNode(n, call, o);
    return new Promise((resolve, reject) => {
      let running = 1;
      let reason: unknown;
      const fail = () => {
        running -= 1;
        if (running === 0) reject(reason);
      };
      const timer = setTimeout(
        () => {
          running += 1;
          noteUpstreamCall(call.method);
          tryNode(spare, call, o).then(resolve, fail);
        },
        Math.max(SPARE_AFTER_MS, SPARE_AFTER_USUAL * (n.usualMs(call.method) ?? SPARE_AFTER_MS)),
      );
      tryNode(n, call, o)
        .finally(() => clearTimeout(timer))
        .then(resolve, (error: unknown) => {
          reason = error;
          fail();
        });
    });
  };

  /**
   * Makes two attempts per node (three if there is only one node) within one deadline. Each attempt gets half
   * of the remaining time, the last one all of it. If a node responds that it has not reached the slot yet,
   * this does not count as an attempt, and the node is queried again until the deadline. Fails at once if every
   * node hangs.
   */
  const readFromAny = async <T>(call: RpcCall<T>, withinMs: number, signal: AbortSignal): Promise<T> => {
    const deadlineMs = clock.steadyNow() + withinMs;
    let chances = Math.max(3, readers.length * 2);
    let pauseMs = FIRST_PAUSE_MS;
    let tried = new Set<RpcNode>();
    const unfit = new Set<RpcNode>();
    let lastError: unknown;
    for (;;) {
      const nodesByWait = availability.ordered();
      const next = nodesByWait.find((n) => !tried.has(n) && !unfit.has(n));
      const leftMs = deadlineMs - clock.steadyNow();
      if (availability.areAllHanging) {
        // A caller that repeats its read must not spin.
        await clock.sleep(FIRST_PAUSE_MS, signal);
        throw unavailable(lastError ?? new NodeFailure('timeout', { mayHaveArrived: false }));
      }
      if (next === undefined && availability.isOtherCluster) throw otherCluster();
      if (next === undefined && nodesByWait.every((n) => unfit.has(n))) throw unavailable(lastError);
      if (next === undefined) {
        await clock.sleep(Math.min(pauseMs, Math.max(0, leftMs)), signal);
        pauseMs = Math.min(pauseMs * 2, 400);
        tried = new Set();
        continue;
      }
      tried.add(next);
      try {
        const attemptMs = chances <= 1 ? leftMs : Math.max(leftMs / 2, Math.min(leftMs, 250));
        // Scans, which get more time, are not sent twice: they are slow on every node, and providers charge more.
        const spare =
          withinMs > timeoutMs
            ? undefined
            : nodesByWait.find((n) => n !== next && !unfit.has(n) && n.suspendedUntilMs === null);
        noteUpstreamCall(call.method);
        return await tryWithSpare(next, spare, call, {
          signal,
          timeoutMs: Math.max(1, attemptMs),
          lane: 'read',
        });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof NodeFailure || error instanceof RpcError)) throw error;
        lastError = error;
        if (error instanceof RpcError && error.lasting) unfit.add(next);
        const waitsForSlot =
          error instanceof RpcError && error.code === rpcErrorCodes.minContextSlotNotReached;
        if (!waitsForSlot) chances -= 1;
        if (error instanceof RpcError && !error.worthAnotherNode) throw error;
        if (chances <= 0 || clock.steadyNow() >= deadlineMs) throw unavailable(error);
      }
    }
  };

  /**
   * A caller that joined an earlier read does not inherit its failure, because the RPC may have recovered
   * since. The read is then repeated once in the caller's remaining time.
   */
  const readShared: RpcPool['call'] = async (call, { signal, timeoutMs: withinMs = timeoutMs }) => {
    const key = `${call.method}${JSON.stringify(call.params)}${call.minContextSlot ?? ''}`;
    const deadlineMs = clock.steadyNow() + withinMs;
    const joined = shared.has(key);
    const read = (leftMs: number) =>
      shared.run(key, signal, (sharedSignal) => readFromAny(call, leftMs, sharedSignal));
    try {
      return await read(withinMs);
    } catch (error) {
      const leftMs = deadlineMs - clock.steadyNow();
      const mayAskAgain = joined && leftMs > 0 && !closing.signal.aborted;
      if (!mayAskAgain || !isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
      signal.throwIfAborted();
      return read(leftMs);
    }
  };

  const askAnyForLarge = async <T>(
    { method, params, read }: LargeRpcCall<T>,
    o: LargeRpcOptions,
  ): Promise<T> => {
    let lastError: unknown;
    for (const n of availability.ordered()) {
      try {
        await availability.recognize(n, o.signal, timeoutMs);
        noteUpstreamCall(method);
        const response = await n.askForLarge(method, params, o, read);
        availability.noteResponse(n, method);
        return response;
      } catch (error) {
        availability.noteError(n, error, method);
        if (!(error instanceof NodeFailure || (error instanceof RpcError && error.worthAnotherNode)))
          throw error;
        lastError = error;
      }
    }
    throw unavailable(lastError);
  };

  return {
    timeoutMs: options.timeoutMs,
    sendsApart: sender !== undefined,
    call: readShared,
    ask: (index, call, { signal, timeoutMs = options.timeoutMs, lane = 'read' }) =>
      tryNode(nodes[index]!, call, { signal, timeoutMs, lane }),
    askForLarge: askAnyForLarge,
    readNodes: () => availability.ordered().map((n) => n.index),
    sendNodes: () => (sender ? [sender.index] : availability.ordered().map((n) => n.index)),
    requireGenesisHash: (hash, unverified) => availability.requireGenesisHash(hash, unverified),
    health: () => nodes.map((n) => n.health()),
    newestSlot: () => availability.newestSlot,
    outage: () => availability.outage,
    missingMethods: () => availability.missingMethods,
    close: async () => {
      const reason = new Error('RPC pool closed');
      closing.abort(reason);
      shared.abortAll(reason);
      await Promise.all(nodes.map((n) => n.close()));
    },
  };
};

/** Converts an `RpcError` into `UPSTREAM_UNAVAILABLE`, for requests that are known to be valid. */
export const asUnavailable = (error: unknown): unknown =>
  error instanceof RpcError ? unavailable(error) : error;
