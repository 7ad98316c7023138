// The interface of TX-1's drivers, which make transactions through faulty proxies and report the result of
// each.
import type { Sandbox } from '../../sandbox/sandbox-options.ts';

/**
 * The result of an attempt, in the words of `SubmissionOutcome`, and `not-sent` for "nothing was sent, no RPC
 * reachable".
 */
type Ending = 'confirmed' | 'failed' | 'refused' | 'expired' | 'unresolved' | 'not-sent';

/** One attempt: the claim, and where the chain shows its real outcome. */
export interface Attempt {
  readonly ending: Ending;
  /** Absent if the attempt ended before anything was signed. */
  readonly signature?: string;
  /** This address holds exactly `lamports` if the transaction landed once, and nothing otherwise. */
  readonly effect?: { readonly address: string; readonly lamports: bigint };
  /**
   * For an expired submission: the last block height at which it could land, and the finalized height when it
   * was reported as expired.
   */
  readonly expiry?: { readonly lastValidBlockHeight: bigint; readonly finalizedHeight: bigint };
}

/** The environment of a driver, which uses the proxies only. */
interface DriverPlace {
  readonly sandbox: Sandbox;
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  /** Time without any RPC after which an attempt may end `unresolved`, in ms. */
  readonly absenceMs: number;
}

/** Makes submissions and records how each ended. */
export interface Driver {
  readonly attempt: (index: number, signal: AbortSignal) => Promise<Attempt>;
  /** Queries an attempt that ended `unresolved` again; null while it is still open. */
  readonly settle: (attempt: Attempt, signal: AbortSignal) => Promise<Ending | null>;
  readonly close: () => Promise<void>;
}

/** Starts a driver; the proxies may be faulty from the first request on. */
export type StartDriver = (place: DriverPlace, signal: AbortSignal) => Promise<Driver>;
