// Remembers who was paid what at each boundary, as getInflationReward tells it.

/** Epochs kept at most; as long as StakeHistory. */
const MAX_EPOCHS = 512;
/** Rewards kept at most, but for those of the newest epochs: about 200 bytes each. */
const MAX_REWARDS = 1_000_000;
const LEAST_EPOCHS = 10;

/** One reward; lamports. `commission` is the vote account's percentage at the time. */
export type InflationReward = {
  readonly epoch: number;
  readonly effectiveSlot: number;
  readonly amount: bigint;
  readonly postBalance: bigint;
  readonly commission: number;
};

/** Rewards by epoch and address. */
export class RewardLedger {
  /** In their order. */
  readonly #epochs = new Map<number, Map<string, InflationReward>>();
  #count = 0;
  #droppedThrough = -1;

  /** Begins an epoch and drops those that are too many. */
  open(epoch: number): void {
    this.#epochs.set(epoch, new Map());
    for (const [oldest, rewards] of this.#epochs) {
      const isTooMany = this.#count > MAX_REWARDS && this.#epochs.size > LEAST_EPOCHS;
      if (!isTooMany && oldest > epoch - MAX_EPOCHS) break;
      this.#count -= rewards.size;
      this.#epochs.delete(oldest);
      this.#droppedThrough = oldest;
    }
  }

  /** What was paid in this epoch is not known any more. */
  isDropped(epoch: number): boolean {
    return epoch <= this.#droppedThrough;
  }

  /** Adds a payment; several to one address in one epoch (commissions) count as one. Nothing paid is no entry. */
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
