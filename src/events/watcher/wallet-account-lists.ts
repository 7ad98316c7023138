// Lists a wallet's current stake accounts: from the index, or from the chain while the index lags.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import type { SolanaReads } from '../../chain/ports.ts';
import type { Clock } from '../../kernel/clock.ts';

/** Maximum wait for the index before each wallet is queried individually. */
const INDEX_WAIT_MS = 60_000;

export interface WalletAccountListsOptions {
  readonly reads: Pick<SolanaReads, 'stakeAccountsOf'>;
  readonly index: Pick<StakeIndex, 'walletRows'>;
  readonly voteAccount: Address;
  readonly clock: Clock;
}

/** Lists the accounts of wallets. Remembers how long it has been waiting for the index. */
export class WalletAccountLists {
  readonly #options: WalletAccountListsOptions;
  readonly #clock: Clock;
  #waitingSinceMs: number | null = null;

  constructor(options: WalletAccountListsOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /**
   * Lists the accounts that each wallet currently owns; null while the index does not list them yet. Throws
   * `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response.
   */
  async of(
    wallets: readonly Address[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, readonly Address[]> | null> {
    const { index, reads, voteAccount } = this.#options;
    const listed = new Map<Address, readonly Address[]>();
    const missing: Address[] = [];
    for (const wallet of wallets) {
      const rows = index.walletRows(wallet)?.rows.filter(({ role }) => role === 'owner');
      if (rows)
        listed.set(
          wallet,
          rows.map(({ account }) => account.address),
        );
      else missing.push(wallet);
    }
    if (missing.length === 0) {
      this.#waitingSinceMs = null;
      return listed;
    }
    this.#waitingSinceMs ??= this.#clock.steadyNow();
    if (this.#clock.steadyNow() < this.#waitingSinceMs + INDEX_WAIT_MS) return null;
    for (const wallet of missing) {
      const { accounts } = await reads.stakeAccountsOf(wallet, voteAccount, {
        signal,
        commitment: 'finalized',
      });
      listed.set(
        wallet,
        accounts.map(({ address }) => address),
      );
    }
    return listed;
  }
}
