// Remembers per epoch what each validator had at stake and what tips its stakers got, as statistics providers tell it afterwards.

/** Epochs kept, more than Jito's public API gives. */
const MAX_EPOCHS = 200;

type Totals = ReadonlyMap<string, bigint>;

/** Lamports by finished epoch and vote address. */
export class ProviderLedger {
  readonly #epochs = new Map<number, { readonly stake: Totals; readonly tips: Totals }>();

  /** Notes a finished epoch and forgets the one that has become too old. */
  note(epoch: number, totals: { readonly stake: Totals; readonly tips: Totals }): void {
    this.#epochs.set(epoch, totals);
    this.#epochs.delete(epoch - MAX_EPOCHS);
  }

  /** Finished epochs in which the validator had stake, newest first. */
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
