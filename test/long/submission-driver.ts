// The interface of TX-1's drivers, which submit transactions through faulty proxies and report the result of
// each.
import type { Sandbox } from '../../sandbox/sandbox-options.ts';

/**
 * The result of an attempt: an outcome of `SubmissionOutcome`, or `not-sent` if no RPC node was reachable and
 * nothing was sent.
 */
type Ending = 'confirmed' | 'failed' | 'refused' | 'expired' | 'unresolved' | 'not-sent';

/** One attempt: the claimed result, and where to find the actual one on the chain. */
export interface Attempt {
  readonly ending: Ending;
  /** Absent if the attempt ended before anything was signed. */
  readonly signature?: string;
  /** Address that holds exactly `lamports` if the transaction landed once, and nothing otherwise. */
  readonly effect?: { readonly address: string; readonly lamports: bigint };
  /**
   * For an expired submission: the last block height at which it could land, and the finalized height when it
   * was reported as expired.
   */
  readonly expiry?: { readonly lastValidBlockHeight: bigint; readonly finalizedHeight: bigint };
}

/** The environment of a driver, which reaches the chain only through the proxies. */
interface DriverPlace {
  readonly sandbox: Sandbox;
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  /** Time in ms without any RPC node after which an attempt may end as `unresolved`. */
  readonly absenceMs: number;
}

/** Submits transactions and records how each ended. */
export interface Driver {
  readonly attempt: (index: number, signal: AbortSignal) => Promise<Attempt>;
  /** Checks an attempt that ended as `unresolved` again. Returns null while it is still open. */
  readonly settle: (attempt: Attempt, signal: AbortSignal) => Promise<Ending | null>;
  readonly close: () => Promise<void>;
}

/** Starts a driver. The proxies may be faulty from the first request on. */
export type StartDriver = (place: DriverPlace, signal: AbortSignal) => Promise<Driver>;
