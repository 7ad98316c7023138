// Produces every block and ends every epoch of the sandbox, by timer or on demand. Runs one boundary at a time
// and never shows clients an incomplete one.

import type { AccessGate } from '../gateway/access-gate.ts';
import { PerformanceSamples } from '../gateway/performance-samples.ts';
import type { RuntimeClient } from '../runtime-client.ts';
import { type EpochBoundary, SLOTS_PER_EPOCH } from './apply-epoch-boundary.ts';
import { CLOCK_SYSVAR, encodeClock, SYSVAR_OWNER } from './encode-sysvars.ts';
import { SlotTimeline } from './slot-timeline.ts';

type EpochEngineOptions = {
  /** Block interval, in milliseconds. */
  readonly slotMs: number;
  /** Seconds per epoch of 432,000 slots. With 0, slots advance one by one, and epochs end only on demand. */
  readonly epochSeconds: number;
  readonly startEpoch: number;
  /** Number of blocks for which EpochRewards stays active after a boundary. */
  readonly epochRewardsBlocks: number;
  /** Called inside the gate before a block is completed, to add waiting transactions to it. */
  readonly fillBlock?: () => Promise<void>;
  /** Called with the slot of each complete block. */
  readonly onBlock?: (slot: number) => void;
};

// Maximum number of blocks to catch up. After the machine slept or was busy, the chain skips the lost time
// instead of jumping ahead at once.
const MAX_STEP_IN_BLOCKS = 10;

/**
 * Clock and block producer of the sandbox. All methods may be called at any time, and boundaries are queued.
 */
export class EpochEngine {
  readonly timeline = new SlotTimeline();
  readonly #client: RuntimeClient;
  readonly #gate: AccessGate;
  readonly #boundary: EpochBoundary;
  readonly #options: EpochEngineOptions;
  readonly #samples: PerformanceSamples;
  readonly #blockWaiters = new Set<() => void>();
  #slot: number;
  #blockHeight = 0;
  #epochStartSeconds = 0;
  #positionMs = 0;
  #lastTickMs = 0;
  #windowBlocks = 0;
  #holding = false;
  #changes = 0;
  #changesBeforeBlock = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(client: RuntimeClient, gate: AccessGate, boundary: EpochBoundary, options: EpochEngineOptions) {
    this.#client = client;
    this.#gate = gate;
    this.#boundary = boundary;
    this.#options = options;
    this.#slot = options.startEpoch * SLOTS_PER_EPOCH - 1;
    const { epochSeconds, slotMs } = options;
    this.#samples = new PerformanceSamples(
      epochSeconds > 0 ? SLOTS_PER_EPOCH / epochSeconds : 1_000 / slotMs,
    );
  }

  get slot(): number {
    return this.#slot;
  }
  get epoch(): number {
    return Math.floor(this.#slot / SLOTS_PER_EPOCH);
  }
  get slotIndex(): number {
    return this.#slot % SLOTS_PER_EPOCH;
  }
  /**
   * Returns the absolute slot of `slotInEpoch`: in the current epoch if that slot has been reached, otherwise
   * in the previous one. Returns absolute slots unchanged.
   */
  absoluteSlot(slotInEpoch: number): number {
    if (slotInEpoch >= SLOTS_PER_EPOCH) return slotInEpoch;
    const epoch = slotInEpoch <= this.slotIndex ? this.epoch : this.epoch - 1;
    return Math.max(0, epoch) * SLOTS_PER_EPOCH + slotInEpoch;
  }
  /**
   * Slot of the newest complete block. Complete blocks are final immediately. `slot` is the block being filled.
   */
  get finalizedSlot(): number {
    return this.#slot - 1;
  }
  /** Number of account changes since startup: transactions, writes on demand, and boundaries. */
  get changes(): number {
    return this.#changes;
  }
  /**
   * True while no account has changed in the block being filled, so the runtime's state is that of the
   * finalized slot.
   */
  get isAtFinalizedState(): boolean {
    return this.#changes === this.#changesBeforeBlock;
  }
  /** Records that accounts are about to change. Must be called inside the gate, before the change. */
  noteChange(): void {
    this.#changes += 1;
  }
  get blockHeight(): number {
    return this.#blockHeight;
  }
  get epochRewardsActive(): boolean {
    return this.#windowBlocks > 0 || this.#holding;
  }

  recentPerformanceSamples(limit: number): ReturnType<PerformanceSamples['recent']> {
    return this.#samples.recent(this.#slot, limit);
  }

  /**
   * Produces a block immediately, independently of the timer. For use during startup, before clients connect.
   */
  async produceBlock(): Promise<void> {
    await this.#moveTo(this.#slot + 1);
  }

  start(): void {
    this.#lastTickMs = performance.now();
    this.#schedule();
  }

  /** Resolves when the next block is produced. @throws when the signal is aborted or the engine is closed. */
  async nextBlock(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const settle = (finish: () => void): void => {
        this.#blockWaiters.delete(onBlock);
        signal.removeEventListener('abort', onAbort);
        finish();
      };
      const onBlock = (): void =>
        settle(() => (this.#closed ? reject(new Error('The sandbox is closed.')) : resolve()));
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      this.#blockWaiters.add(onBlock);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Produces `count` blocks now instead of waiting for the timer. */
  async advanceBlocks(count: number): Promise<void> {
    return this.#enqueue(async () => {
      for (let done = 0; done < count; done += 1)
        await this.#gate.exclusive(() => this.#produceAfter(this.#options.slotMs));
    });
  }

  /**
   * Ends `count` epochs, each including its EpochRewards window (unless the window is held). Returns the new
   * epoch.
   */
  async advanceEpochs(count: number): Promise<number> {
    return this.#enqueue(async () => {
      await this.#gate.exclusive(() => this.#finishWindow());
      for (let done = 0; done < count; done += 1) {
        await this.#gate.exclusive(async () => {
          await this.#endEpoch();
          await this.#finishWindow();
        });
      }
      return this.epoch;
    });
  }

  /**
   * Opens and holds the EpochRewards window, even across boundaries (`true`), or closes it immediately
   * (`false`).
   */
  async holdEpochRewards(hold: boolean): Promise<void> {
    await this.#enqueue(() =>
      this.#gate.exclusive(async () => {
        if (!hold) await this.#boundary.payAll();
        this.#holding = hold;
        this.#windowBlocks = 0;
        await this.#boundary.setEpochRewardsActive(hold, BigInt(this.#blockHeight));
        // In the last slot of an epoch, ends the epoch first. The boundary writes a StakeHistory entry without
        // which the Stake program crashes.
        if (this.slotIndex < SLOTS_PER_EPOCH - 1) return this.#completeBlock(this.#slot + 1);
        await this.#endEpoch();
        await this.#finishWindow();
      }),
    );
  }

  /** Stops the timer and waits until a running boundary has finished. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#queue;
    for (const wake of [...this.#blockWaiters]) wake();
  }

  async #enqueue<T>(job: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('The sandbox is closed.');
    const result = this.#queue.then(job);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #schedule(): void {
    if (this.#closed) return;
    const { slotMs } = this.#options;
    const lateMs = (performance.now() - this.#lastTickMs) % slotMs;
    this.#timer = setTimeout(() => {
      // Queued like every other boundary, so a tick never overlaps with an epoch that ends on demand.
      void this.#enqueue(() => this.#gate.exclusive(() => this.#tick()))
        .catch((cause: unknown) => {
          if (!this.#closed) process.stderr.write(`sandbox: a block failed: ${String(cause)}\n`);
        })
        .finally(() => this.#schedule());
    }, slotMs - lateMs);
  }

  async #tick(): Promise<void> {
    const nowMs = performance.now();
    const elapsedMs = Math.min(nowMs - this.#lastTickMs, MAX_STEP_IN_BLOCKS * this.#options.slotMs);
    this.#lastTickMs = nowMs;
    await this.#produceAfter(elapsedMs);
  }

  /** Produces the block that is due `elapsedMs` after the previous one. */
  async #produceAfter(elapsedMs: number): Promise<void> {
    const { epochSeconds } = this.#options;
    const before = this.#slot;
    if (this.#boundary.isPaying) await this.#boundary.payBlock();
    if (epochSeconds === 0) {
      if (this.slotIndex === SLOTS_PER_EPOCH - 1) await this.#endEpoch();
      else await this.#completeBlock(before + 1);
    } else {
      this.#positionMs += elapsedMs;
      const epochMs = epochSeconds * 1_000;
      const index = Math.floor((this.#positionMs / epochMs) * SLOTS_PER_EPOCH);
      if (index >= SLOTS_PER_EPOCH || this.slotIndex === SLOTS_PER_EPOCH - 1) {
        const overshootMs = Math.max(0, this.#positionMs - epochMs);
        await this.#endEpoch();
        this.#positionMs = overshootMs;
      } else {
        await this.#completeBlock(Math.max(before + 1, this.epoch * SLOTS_PER_EPOCH + index));
      }
    }
    this.#samples.note(this.#slot, this.#slot - before, elapsedMs);
    await this.#countWindowBlock();
    await this.#boundary.own.voteOn(this.#slot, this.#changes);
  }

  async #countWindowBlock(): Promise<void> {
    if (this.#holding || this.#windowBlocks === 0) return;
    // The window stays open until the last payment has been made.
    if (this.#windowBlocks === 1 && this.#boundary.isPaying) return;
    this.#windowBlocks -= 1;
    if (this.#windowBlocks === 0)
      await this.#boundary.setEpochRewardsActive(false, BigInt(this.#blockHeight));
  }

  async #finishWindow(): Promise<void> {
    await this.#boundary.payAll();
    while (this.#windowBlocks > 0 && !this.#holding) {
      await this.#completeBlock(this.#slot + 1);
      await this.#countWindowBlock();
    }
  }

  async #endEpoch(): Promise<void> {
    await this.#options.fillBlock?.();
    const ended = this.epoch;
    this.timeline.note(this.#slot, Date.now(), true);
    await this.#boundary.end({ epoch: ended, lastSlot: this.#slot, blockHeight: this.#blockHeight });
    this.#windowBlocks = this.#options.epochRewardsBlocks + 1;
    this.#positionMs = 0;
    await this.#moveTo((ended + 1) * SLOTS_PER_EPOCH);
  }

  async #completeBlock(nextSlot: number): Promise<void> {
    await this.#options.fillBlock?.();
    await this.#moveTo(nextSlot);
  }

  /**
   * Confirms the open block and opens a new one at `slot`. The block height rises by one, however far the
   * slot jumps.
   */
  async #moveTo(slot: number): Promise<void> {
    const nowMs = Date.now();
    const newEpoch = Math.floor(slot / SLOTS_PER_EPOCH) !== this.epoch || this.#epochStartSeconds === 0;
    this.#blockHeight = await this.#client.timeTravelToSlot(slot);
    this.#options.onBlock?.(this.#slot);
    this.#slot = slot;
    if (newEpoch) this.#epochStartSeconds = Math.floor(nowMs / 1_000);
    const clock = encodeClock({
      slot: BigInt(slot),
      epochStartTimestamp: BigInt(this.#epochStartSeconds),
      epoch: BigInt(this.epoch),
      unixTimestamp: BigInt(Math.floor(nowMs / 1_000)),
    });
    // After the jump, the Clock contains a slot within the epoch and a date far in the future. Corrects both
    // before clients can read them.
    await this.#client.setAccount({ address: CLOCK_SYSVAR, lamports: 1n, data: clock }, SYSVAR_OWNER);
    this.timeline.note(slot, nowMs, newEpoch);
    this.#changesBeforeBlock = this.#changes;
    // A boundary's changes belong to the first block of the new epoch, which is now being filled.
    if (newEpoch) this.noteChange();
    for (const wake of [...this.#blockWaiters]) wake();
  }
}
