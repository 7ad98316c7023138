// Remembers who was paid what at each boundary, as getInflationReward tells it.

/** Epochs kept; as long as StakeHistory. */
const MAX_EPOCHS = 512;

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
  readonly #epochs = new Map<number, Map<string, InflationReward>>();

  /** Begins an epoch and forgets the one that has become too old. */
  open(epoch: number): void {
    this.#epochs.set(epoch, new Map());
    this.#epochs.delete(epoch - MAX_EPOCHS);
  }

  /** Adds a payment; several to one address in one epoch (commissions) count as one. Nothing paid is no entry. */
  add(address: string, reward: InflationReward): void {
    if (reward.amount === 0n) return;
    const rewards = this.#epochs.get(reward.epoch);
    const earlier = rewards?.get(address)?.amount ?? 0n;
    rewards?.set(address, { ...reward, amount: earlier + reward.amount });
  }

  reward(epoch: number, address: string): InflationReward | undefined {
    return this.#epochs.get(epoch)?.get(address);
  }
}
