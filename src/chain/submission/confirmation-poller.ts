// Polls the statuses of all submissions in shared batches, proves expiry, and detects when every RPC node is
// down or the chain has halted.
import type { Signature } from '@solana/kit';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { SignatureStatus, SubmissionOutcome } from '../ports.ts';
import { blockHeightCall, signatureStatusesCall } from '../rpc/rpc-calls.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { checkExpiry, type ExpiringTransaction } from './prove-never-landed.ts';
import type { SignatureFeed } from './signature-feed.ts';

/** Number of signatures per `getSignatureStatuses`. */
const BATCH = 256;
/** Poll interval, in ms: longer while the feed provides hints; without them, about two slots. */
const INTERVAL_WITH_FEED_MS = 1_000;
const INTERVAL_MS = 500;
/** Poll interval of the finalized height, in ms. */
const HEIGHT_INTERVAL_MS = 1_000;
/** Number of fast polls after a hint, because the polled node may lag behind the node that gave the hint. */
const HINT_POLLS = 8;
const HINT_PAUSE_MS = 25;
/**
 * Number of consecutive failed polls, across all nodes, before the RPCs count as unavailable, however short
 * the deadline is.
 */
const FAILED_POLLS = 3;

/**
 * Dependencies of the poller. If no RPC responds for `absenceMs`, or none has a new block, the submissions in
 * flight become `unresolved`.
 */
interface PollerDeps {
  readonly pool: RpcPool;
  readonly feed: SignatureFeed;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly absenceMs: number;
}

interface Watch {
  readonly expiring: ExpiringTransaction;
  readonly sinceMs: number;
  readonly settle: (outcome: SubmissionOutcome) => void;
  hintedPasses: number;
}

/** Returns the outcome that a status proves, or null while its fork may still be dropped. */
export const outcomeOf = (status: SignatureStatus): SubmissionOutcome | null => {
  if (status.confirmationStatus === 'processed') return null;
  return status.error === null
    ? { kind: 'confirmed', slot: status.slot }
    : { kind: 'failed', slot: status.slot, error: status.error };
};

/** Watches signatures until the chain shows their outcome. The loop only runs while something is watched. */
export class ConfirmationPoller {
  readonly #deps: PollerDeps;
  readonly #watches = new Map<Signature, Watch>();
  readonly #closing = new AbortController();
  #wake = new AbortController();
  #running = false;
  #lastResponseAtMs = 0;
  #failedPasses = 0;
  #lastPollAtMs = 0;
  #lastHeightAtMs = 0;
  #highestHeight = 0n;
  #highestHeightAtMs = 0;
  #heightReadAtMs = 0;

  constructor(deps: PollerDeps) {
    this.#deps = deps;
  }

  /** Records that an RPC node has responded to a request made elsewhere. */
  noteResponse(): void {
    this.#lastResponseAtMs = this.#deps.clock.steadyNow();
    this.#failedPasses = 0;
  }

  /** Resolves with the outcome, which is never `refused`. Rejects if `signal` is aborted. */
  watch(expiring: ExpiringTransaction, signal: AbortSignal): Promise<SubmissionOutcome> {
    signal.throwIfAborted();
    const { signature } = expiring;
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#watches.delete(signature);
        unwatch();
        signal.removeEventListener('abort', abort);
      };
      const abort = () => {
        end();
        reject(signal.reason);
      };
      const watch: Watch = {
        expiring,
        sinceMs: this.#deps.clock.steadyNow(),
        hintedPasses: 0,
        settle: (outcome) => {
          end();
          resolve(outcome);
        },
      };
      const unwatch = this.#deps.feed.watch(signature, () => {
        watch.hintedPasses = HINT_POLLS;
        this.#wake.abort();
      });
      signal.addEventListener('abort', abort, { once: true });
      this.#watches.set(signature, watch);
      if (!this.#running) void this.#run();
    });
  }

  /** Stops the loop. Each watch ends through its own signal. */
  close(): void {
    this.#closing.abort(new Error('confirmation poller closed'));
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#lastPollAtMs = this.#deps.clock.steadyNow();
    this.#lastHeightAtMs = this.#lastPollAtMs;
    this.#highestHeightAtMs = this.#lastPollAtMs;
    try {
      while (this.#watches.size > 0 && !this.#closing.signal.aborted) {
        await this.#pause();
        await this.#poll();
      }
    } catch (error) {
      if (!this.#closing.signal.aborted)
        this.#deps.logger.error({ err: error }, 'confirmation poller stopped');
    } finally {
      this.#running = false;
    }
  }

  /** Sleeps until the next poll is due or a hint arrives. */
  async #pause(): Promise<void> {
    const hinted = [...this.#watches.values()].some((w) => w.hintedPasses > 0 && w.hintedPasses < HINT_POLLS);
    const fresh = [...this.#watches.values()].some((w) => w.hintedPasses === HINT_POLLS);
    this.#wake = new AbortController();
    if (fresh) return;
    const dueInMs = this.#lastPollAtMs + this.#intervalMs - this.#deps.clock.steadyNow();
    const ms = hinted ? HINT_PAUSE_MS : Math.max(1, dueInMs);
    try {
      await this.#deps.clock.sleep(ms, AbortSignal.any([this.#wake.signal, this.#closing.signal]));
    } catch {
      this.#closing.signal.throwIfAborted();
    }
  }

  get #intervalMs(): number {
    return this.#deps.feed.connected && this.#failedPasses === 0 ? INTERVAL_WITH_FEED_MS : INTERVAL_MS;
  }

  async #poll(): Promise<void> {
    const { clock, logger } = this.#deps;
    const nowMs = clock.steadyNow();
    const all = nowMs - this.#lastPollAtMs >= this.#intervalMs;
    const polled = [...this.#watches.values()].filter((w) => all || w.hintedPasses > 0);
    for (const w of polled) if (w.hintedPasses > 0) w.hintedPasses -= 1;
    try {
      if (all) this.#lastPollAtMs = nowMs;
      await this.#pollStatuses(polled);
      if (nowMs - this.#lastHeightAtMs >= HEIGHT_INTERVAL_MS) {
        this.#lastHeightAtMs = nowMs;
        await this.#pollExpiry();
      }
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      this.#failedPasses += 1;
      logger.debug({ err: error }, 'confirmation poll failed');
    }
    this.#giveUpIfStalled();
  }

  async #pollStatuses(watches: readonly Watch[]): Promise<void> {
    for (let i = 0; i < watches.length; i += BATCH) {
      const batch = watches.slice(i, i + BATCH);
      const signatures = batch.map((w) => w.expiring.signature);
      const { statuses } = await this.#deps.pool.call(signatureStatusesCall(signatures, false), {
        signal: this.#closing.signal,
      });
      this.noteResponse();
      batch.forEach((w, k) => {
        const status = statuses[k];
        const outcome = status ? outcomeOf(status) : null;
        if (outcome !== null) w.settle(outcome);
      });
    }
  }

  /**
   * Checks expiry for nonce transactions, and for transactions whose last valid height one node has finalized.
   * The check itself queries every node.
   */
  async #pollExpiry(): Promise<void> {
    const { pool } = this.#deps;
    const signal = this.#closing.signal;
    const watches = [...this.#watches.values()];
    const height = await pool.call(blockHeightCall('finalized'), { signal });
    this.noteResponse();
    this.#heightReadAtMs = this.#deps.clock.steadyNow();
    if (height > this.#highestHeight) {
      this.#highestHeight = height;
      this.#highestHeightAtMs = this.#heightReadAtMs;
    }
    const late = watches.filter(
      ({ expiring: e }) => e.nonce !== undefined || e.lastValidBlockHeight < height,
    );
    for (let i = 0; i < late.length; i += BATCH) {
      const batch = late.slice(i, i + BATCH);
      const results = await checkExpiry(
        pool,
        batch.map((w) => w.expiring),
        signal,
      );
      for (const w of batch) {
        const result = results.get(w.expiring.signature);
        const outcome =
          result === 'never-landed' ? ({ kind: 'expired' } as const) : result && outcomeOf(result);
        if (outcome) w.settle(outcome);
        // Such a transaction may still land much later, but it is not resent forever. If a caller asks again,
        // the nonce decides the outcome.
        else if (w.expiring.nonce !== undefined && w.expiring.lastValidBlockHeight < height)
          w.settle({ kind: 'unresolved' });
      }
    }
  }

  /**
   * Ends submissions as `unresolved` if no RPC responds or the chain has halted. Without new blocks, nothing
   * lands or expires, so they would wait until the chain resumes.
   */
  #giveUpIfStalled(): void {
    const nowMs = this.#deps.clock.steadyNow();
    const isUnavailable = this.#failedPasses >= FAILED_POLLS;
    for (const w of [...this.#watches.values()]) {
      const awayMs = isUnavailable ? nowMs - Math.max(w.sinceMs, this.#lastResponseAtMs) : 0;
      const stillMs = this.#heightReadAtMs - Math.max(w.sinceMs, this.#highestHeightAtMs);
      if (Math.max(awayMs, stillMs) >= this.#deps.absenceMs) w.settle({ kind: 'unresolved' });
    }
  }
}
