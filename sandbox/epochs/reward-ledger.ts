// Records the payments of each boundary for getInflationReward.

/** Maximum number of stored epochs, the same as in StakeHistory. */
const MAX_EPOCHS = 512;
/**
 * Maximum number of stored rewards, about 200 bytes each. The newest 10 epochs are kept even if they exceed
 * this limit.
 */
const MAX_REWARDS = 1_000_000;
const MIN_EPOCHS = 10;

/** One reward in lamports. `commissionBps` is the vote account's commission at the time of the payment, in basis points. */
export type InflationReward = {
  readonly epoch: number;
  readonly effectiveSlot: number;
  readonly amount: bigint;
  readonly postBalance: bigint;
  readonly commissionBps: number;
};

export class RewardLedger {
  /** In ascending order of epoch. */
  readonly #epochs = new Map<number, Map<string, InflationReward>>();
  #count = 0;
  #droppedThrough = -1;

  /** Opens an epoch and drops the oldest ones that exceed the limits. */
  open(epoch: number): void {
    this.#epochs.set(epoch, new Map());
    for (const [oldest, rewards] of this.#epochs) {
      const isTooMany = this.#count > MAX_REWARDS && this.#epochs.size > MIN_EPOCHS;
      if (!isTooMany && oldest > epoch - MAX_EPOCHS) break;
      this.#count -= rewards.size;
      this.#epochs.delete(oldest);
      this.#droppedThrough = oldest;
    }
  }

  /** True if the rewards of `epoch` are no longer stored. */
  isDropped(epoch: number): boolean {
    return epoch <= this.#droppedThrough;
  }

  /**
   * Adds a payment. Several payments to one address in one epoch, such as commissions, are added up. Zero
   * payments are not recorded.
   */
  add(address: string, reward: InflationReward): void {
    if (reward.amount === 0n) return;
    const rewards = this.#epochs.get(reward.epoch);
    const known = rewards?.get(address);
    if (known === undefined) this.#count += 1;
    const earlier = known?.amount ?? 0n;
    rewards?.set(address, { ...reward, amount: earlier + reward.amount });
  }

  reward(epoch: number, address: string): InflationReward | undefined {
    return this.#epochs.get(epoch)?.get(address);
  }
}
