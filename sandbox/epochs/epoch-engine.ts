// Makes every block and ends every epoch of the sandbox; one boundary at a time, whole to every client, by timer or on demand.

import type { AccessGate } from '../gateway/access-gate.ts';
import { PerformanceSamples } from '../gateway/performance-samples.ts';
import type { Surfnet } from '../surfnet.ts';
import { type EpochBoundary, SLOTS_PER_EPOCH } from './epoch-boundary.ts';
import { SlotTimeline } from './slot-timeline.ts';
import { CLOCK_SYSVAR, encodeClock, SYSVAR_OWNER } from './sysvars.ts';

/** How time passes. */
type EpochEngineOptions = {
  /** Milliseconds between two blocks. */
  readonly slotMs: number;
  /** Seconds that an epoch of 432,000 slots lasts; 0: slots pass one by one and epochs end on demand only. */
  readonly epochSeconds: number;
  /** Epoch that the chain starts in. */
  readonly startEpoch: number;
  /** Blocks for which EpochRewards stays active after a boundary. */
  readonly epochRewardsBlocks: number;
};

// A sleeping or busy machine loses time instead of catching up in one leap.
const MAX_STEP_IN_BLOCKS = 10;

/** The clock and leader of the sandbox. All methods may be called at any time; boundaries queue. */
export class EpochEngine {
  readonly timeline = new SlotTimeline();
  readonly #surfnet: Surfnet;
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

  constructor(surfnet: Surfnet, gate: AccessGate, boundary: EpochBoundary, options: EpochEngineOptions) {
    this.#surfnet = surfnet;
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
  /** The latest slot at `slotInEpoch`: in this epoch, or the last one where this one has not come so far. Absolute slots stay. */
  absoluteSlot(slotInEpoch: number): number {
    if (slotInEpoch >= SLOTS_PER_EPOCH) return slotInEpoch;
    const epoch = slotInEpoch <= this.slotIndex ? this.epoch : this.epoch - 1;
    return Math.max(0, epoch) * SLOTS_PER_EPOCH + slotInEpoch;
  }
  /** The slot of the newest block that is complete. Every complete block is final at once; `slot` is that of the block being filled. */
  get finalizedSlot(): number {
    return this.#slot - 1;
  }
  /** Counts what has changed accounts since the start: transactions, writes on demand, and boundaries. */
  get changes(): number {
    return this.#changes;
  }
  /** True while the block being filled has changed no account: the runtime's state is then that of the finalized slot. */
  get isAtFinalizedState(): boolean {
    return this.#changes === this.#changesBeforeBlock;
  }
  /** Call before changing accounts, inside the gate. */
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

  /** Makes a block now, outside the rhythm; for start-up, before any client is there. */
  produceBlock(): void {
    this.#moveTo(this.#slot + 1);
  }

  /** Lets time pass. */
  start(): void {
    this.#lastTickMs = performance.now();
    this.#schedule();
  }

  /** Resolves when the next block is made. @throws when the signal aborts or the engine closes. */
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

  /** Ends `count` epochs, each with its whole EpochRewards window (unless held), and gives the new epoch. */
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

  /** `true` makes EpochRewards active and keeps it so, over boundaries too; `false` ends the window at once. */
  async holdEpochRewards(hold: boolean): Promise<void> {
    await this.#enqueue(() =>
      this.#gate.exclusive(async () => {
        if (!hold) await this.#boundary.payAll();
        this.#holding = hold;
        this.#windowBlocks = 0;
        this.#boundary.setEpochRewardsActive(hold, BigInt(this.#blockHeight));
        // Behind an epoch's last slot lies a boundary: without its entry of StakeHistory the Stake program crashes.
        if (this.slotIndex < SLOTS_PER_EPOCH - 1) return this.#moveTo(this.#slot + 1);
        await this.#endEpoch();
        await this.#finishWindow();
      }),
    );
  }

  /** Stops time and waits for a boundary under way. */
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
      // Queued like every other boundary: a tick never interleaves with epochs ended on demand.
      void this.#enqueue(() => this.#gate.exclusive(() => this.#tick()))
        .catch((cause: unknown) => {
          if (!this.#closed) process.stderr.write(`sandbox: a block failed: ${String(cause)}\n`);
        })
        .finally(() => this.#schedule());
    }, slotMs - lateMs);
  }

  async #tick(): Promise<void> {
    const { slotMs, epochSeconds } = this.#options;
    const nowMs = performance.now();
    const elapsedMs = Math.min(nowMs - this.#lastTickMs, MAX_STEP_IN_BLOCKS * slotMs);
    this.#lastTickMs = nowMs;
    const before = this.#slot;
    if (this.#boundary.isPaying) await this.#boundary.payBlock();
    if (epochSeconds === 0) {
      if (this.slotIndex === SLOTS_PER_EPOCH - 1) await this.#endEpoch();
      else this.#moveTo(before + 1);
    } else {
      this.#positionMs += elapsedMs;
      const epochMs = epochSeconds * 1_000;
      const index = Math.floor((this.#positionMs / epochMs) * SLOTS_PER_EPOCH);
      if (index >= SLOTS_PER_EPOCH || this.slotIndex === SLOTS_PER_EPOCH - 1) {
        const overshootMs = Math.max(0, this.#positionMs - epochMs);
        await this.#endEpoch();
        this.#positionMs = overshootMs;
      } else {
        this.#moveTo(Math.max(before + 1, this.epoch * SLOTS_PER_EPOCH + index));
      }
    }
    this.#samples.note(this.#slot, this.#slot - before, elapsedMs);
    this.#countWindowBlock();
    await this.#boundary.own.voteOn(this.#slot);
  }

  #countWindowBlock(): void {
    if (this.#holding || this.#windowBlocks === 0) return;
    // The last block of the window waits for the last payment.
    if (this.#windowBlocks === 1 && this.#boundary.isPaying) return;
    this.#windowBlocks -= 1;
    if (this.#windowBlocks === 0) this.#boundary.setEpochRewardsActive(false, BigInt(this.#blockHeight));
  }

  async #finishWindow(): Promise<void> {
    await this.#boundary.payAll();
    while (this.#windowBlocks > 0 && !this.#holding) {
      this.#moveTo(this.#slot + 1);
      this.#countWindowBlock();
    }
  }

  async #endEpoch(): Promise<void> {
    const ended = this.epoch;
    this.timeline.note(this.#slot, Date.now(), true);
    await this.#boundary.end({ epoch: ended, lastSlot: this.#slot, blockHeight: this.#blockHeight });
    this.#windowBlocks = this.#options.epochRewardsBlocks + 1;
    this.#positionMs = 0;
    this.#moveTo((ended + 1) * SLOTS_PER_EPOCH);
  }

  /** Confirms the open block and opens one at `slot`; block height rises by one however far the slot jumps. */
  #moveTo(slot: number): void {
    const nowMs = Date.now();
    const newEpoch = Math.floor(slot / SLOTS_PER_EPOCH) !== this.epoch || this.#epochStartSeconds === 0;
    this.#blockHeight = this.#surfnet.timeTravelToSlot(slot).blockHeight;
    this.#slot = slot;
    if (newEpoch) this.#epochStartSeconds = Math.floor(nowMs / 1_000);
    const clock = encodeClock({
      slot: BigInt(slot),
      epochStartTimestamp: BigInt(this.#epochStartSeconds),
      epoch: BigInt(this.epoch),
      unixTimestamp: BigInt(Math.floor(nowMs / 1_000)),
    });
    // A jump leaves the slot within the epoch and a date far ahead in the Clock; both are put right before anybody looks.
    this.#surfnet.setAccount(CLOCK_SYSVAR, 1, [...clock], SYSVAR_OWNER);
    this.timeline.note(slot, nowMs, newEpoch);
    this.#changesBeforeBlock = this.#changes;
    // A boundary belongs to the first block of the new epoch, and that block is being filled.
    if (newEpoch) this.noteChange();
    for (const wake of [...this.#blockWaiters]) wake();
  }
}
