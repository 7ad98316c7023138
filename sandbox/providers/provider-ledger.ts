// Records each validator's stake and its stakers' tips per epoch, for the statistics providers.

/** Number of stored epochs. Jito's public API returns fewer. */
const MAX_EPOCHS = 200;

type Totals = ReadonlyMap<string, bigint>;

/** Lamports by finished epoch and vote address. */
export class ProviderLedger {
  readonly #epochs = new Map<number, { readonly stake: Totals; readonly tips: Totals }>();

  /** Records a finished epoch, and drops the oldest one above the limit. */
  note(epoch: number, totals: { readonly stake: Totals; readonly tips: Totals }): void {
    this.#epochs.set(epoch, totals);
    this.#epochs.delete(epoch - MAX_EPOCHS);
  }

  /** Lists finished epochs in which the validator had stake, newest first. */
  history(
    voteAccount: string,
  ): { readonly epoch: number; readonly stakeLamports: bigint; readonly tipLamports: bigint }[] {
    return [...this.#epochs]
      .flatMap(([epoch, { stake, tips }]) => {
        const stakeLamports = stake.get(voteAccount) ?? 0n;
        return stakeLamports === 0n
          ? []
          : [{ epoch, stakeLamports, tipLamports: tips.get(voteAccount) ?? 0n }];
      })
      .sort((a, b) => b.epoch - a.epoch);
  }
}
