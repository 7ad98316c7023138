// What TX-1 drives: something that makes transactions through faulty proxies and says how each ended.
import type { Sandbox } from '../../sandbox/sandbox-options.ts';

/** How an attempt ended, in the words of `SubmissionOutcome`, and `not-sent` for "nothing was sent, no RPC in reach". */
type Ending = 'confirmed' | 'failed' | 'refused' | 'expired' | 'unresolved' | 'not-sent';

/** One attempt: what was claimed, and where the chain shows what is true. */
export interface Attempt {
  readonly ending: Ending;
  /** Absent when the attempt ended before anything was signed. */
  readonly signature?: string;
  /** This address holds exactly `lamports` if the transaction landed once, and nothing if it did not. */
  readonly effect?: { readonly address: string; readonly lamports: bigint };
  /** Of one that expired: the last block height at which it could land, and the finalized one once it was said to have expired. */
  readonly expiry?: { readonly lastValidBlockHeight: bigint; readonly finalizedHeight: bigint };
}

/** Where a driver works: it talks to the proxies only. */
interface DriverPlace {
  readonly sandbox: Sandbox;
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  /** After this long without any RPC an attempt may end `unresolved`, ms. */
  readonly absenceMs: number;
}

/** The thing under test. */
export interface Driver {
  readonly attempt: (index: number, signal: AbortSignal) => Promise<Attempt>;
  /** Asks again about an attempt that ended `unresolved`; null while it is still open. */
  readonly settle: (attempt: Attempt, signal: AbortSignal) => Promise<Ending | null>;
  readonly close: () => Promise<void>;
}

/** Starts a driver; the proxies may be faulty from the first request on. */
export type StartDriver = (place: DriverPlace, signal: AbortSignal) => Promise<Driver>;
