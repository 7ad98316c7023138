// Watches a wallet's staking live by polling its summary and yielding the changes.
import { type ClientClock, machineClock } from './client-clock.ts';
import type { HoldfastMethods } from './generated/all-operations.ts';
import type { StakingSummaryAnswer, SummarisedStakeAccount } from './generated/stake-operations.ts';
import { type HoldfastError, isHoldfastError } from './holdfast-error.ts';

/** A change. Amounts are in SOL. */
export type WalletChange =
  /** Result of the first poll; always the first change. */
  | { readonly type: 'watching'; readonly summary: StakingSummaryAnswer }
  | { readonly type: 'liquid_changed'; readonly fromSol: number; readonly toSol: number }
  | { readonly type: 'account_added'; readonly account: SummarisedStakeAccount }
  /** The account was withdrawn in full, redelegated elsewhere or merged. */
  | { readonly type: 'account_removed'; readonly account: SummarisedStakeAccount }
  | {
      readonly type: 'account_state_changed';
      readonly account: SummarisedStakeAccount;
      readonly from: SummarisedStakeAccount['state'];
      readonly to: SummarisedStakeAccount['state'];
    }
  | {
      readonly type: 'account_balance_changed';
      readonly account: SummarisedStakeAccount;
      readonly fromSol: number;
      readonly toSol: number;
    }
  | { readonly type: 'withdraw_ready'; readonly account: SummarisedStakeAccount }
  | { readonly type: 'epoch_changed'; readonly from: number; readonly to: number }
  /** The service does not respond; polling continues. Reported once per outage. */
  | { readonly type: 'interrupted'; readonly error: HoldfastError }
  | { readonly type: 'resumed' };

/** Change with the time at which the service observed it. */
export type ObservedChange = WalletChange & { readonly observedAt: string };

export interface WatchOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between two polls. Default: 10,000; minimum 250. */
  readonly intervalMs?: number | undefined;
  readonly clock?: ClientClock | undefined;
}

const MIN_INTERVAL_MS = 250;

const accountChanges = (before: SummarisedStakeAccount, account: SummarisedStakeAccount): WalletChange[] => [
  ...(before.state === account.state
    ? []
    : [{ type: 'account_state_changed' as const, account, from: before.state, to: account.state }]),
  ...(before.lamports === account.lamports
    ? []
    : [{ type: 'account_balance_changed' as const, account, fromSol: before.sol, toSol: account.sol }]),
  ...(account.withdrawReady && !before.withdrawReady ? [{ type: 'withdraw_ready' as const, account }] : []),
];

/** Returns the changes between two summaries, in a fixed order: epoch, wallet, accounts. */
export const changesBetween = (before: StakingSummaryAnswer, now: StakingSummaryAnswer): WalletChange[] => {
  const changes: WalletChange[] = [];
  const [from, to] = [before.epochTiming?.currentEpoch, now.epochTiming?.currentEpoch];
  if (from !== undefined && to !== undefined && from !== to)
    changes.push({ type: 'epoch_changed', from, to });
  const [fromSol, toSol] = [before.portfolio.liquidSol, now.portfolio.liquidSol];
  if (fromSol !== toSol) changes.push({ type: 'liquid_changed', fromSol, toSol });
  const known = new Map(before.accounts.map((account) => [account.address, account]));
  for (const account of now.accounts) {
    const earlier = known.get(account.address);
    known.delete(account.address);
    if (earlier) changes.push(...accountChanges(earlier, account));
    else changes.push({ type: 'account_added', account });
  }
  for (const account of known.values()) changes.push({ type: 'account_removed', account });
  return changes;
};

/**
 * Yields changes, starting with the result of the first poll. Continues after outages. Rejects with
 * `HoldfastError` for failures that a retry cannot fix, such as an invalid wallet.
 */
export async function* watchWallet(
  client: Pick<HoldfastMethods, 'stakingSummary'>,
  walletAddress: string,
  { signal, intervalMs = 10_000, clock = machineClock }: WatchOptions = {},
): AsyncGenerator<ObservedChange, void, undefined> {
  let before: StakingSummaryAnswer | undefined;
  let isInterrupted = false;
  for (;;) {
    try {
      const summary = await client.stakingSummary({ walletAddress }, { signal });
      const observedAt = summary._meta.timestamp;
      if (isInterrupted) yield { type: 'resumed', observedAt };
      isInterrupted = false;
      const changes: readonly WalletChange[] =
        before === undefined ? [{ type: 'watching', summary }] : changesBetween(before, summary);
      for (const change of changes) yield { ...change, observedAt };
      before = summary;
    } catch (error) {
      if (signal?.aborted) return;
      if (!isHoldfastError(error) || !error.retryable) throw error;
      if (!isInterrupted)
        yield { type: 'interrupted', error, observedAt: new Date(clock.now()).toISOString() };
      isInterrupted = true;
    }
    try {
      // This comparison also replaces `NaN`, which would make it poll without pauses.
      await clock.sleep(intervalMs >= MIN_INTERVAL_MS ? intervalMs : MIN_INTERVAL_MS, signal);
    } catch {
      return;
    }
  }
}
