// Waits until the changed stake is active or inactive, and meanwhile shows the progress of the epoch.
import type { EpochTiming } from '../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../client/generated/stake-operations.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { CommandCall } from '../command.ts';
import { epochBar } from '../show/epoch-bar.ts';

const REDRAW_MS = 1_000;
/** Minimum and maximum poll interval: short enough for a sandbox, long enough for epochs of days. */
const [MIN_POLL_MS, MAX_POLL_MS] = [1_000, 10_000];
const POLL_SHARE = 0.02;

/** Describes the resulting balances as withdrawable and active SOL. Omits closed accounts. */
export const outcomeText = (
  accounts: readonly Pick<StakeAccount, 'activeSol' | 'withdrawableSol' | 'withdrawReady'>[],
): string => {
  const total = (pick: (account: (typeof accounts)[number]) => number): bigint =>
    accounts.reduce((sum, account) => sum + BigInt(Math.round(pick(account) * 1e9)), 0n);
  const ready = total(({ withdrawReady, withdrawableSol }) => (withdrawReady ? withdrawableSol : 0));
  const active = total(({ activeSol }) => activeSol);
  const parts = [
    ...(ready > 0n ? [`${lamportsToSol(ready)} SOL can be withdrawn`] : []),
    ...(active > 0n ? [`${lamportsToSol(active)} SOL is active`] : []),
  ];
  return parts.length === 0 ? 'settled' : parts.join(', ');
};

/** Lists the stake accounts that a request changes. */
export const touchedAccounts = ({ verdict, built }: Prepared): readonly string[] => [
  ...(verdict.recognized.stakeAccount ? [verdict.recognized.stakeAccount] : []),
  ...(built.plan?.accounts ?? [])
    .filter(({ before, after }) => before?.state !== after?.state)
    .map(({ stakeAccountAddress }) => stakeAccountAddress),
];

/** True while the account is activating or deactivating, or is inactive while rewards are being paid, when nothing can be withdrawn. */
export const isSettling = (
  { state }: Pick<StakeAccount, 'state'>,
  { epochRewardsActive }: Pick<EpochTiming, 'epochRewardsActive'>,
): boolean =>
  state === 'activating' || state === 'deactivating' || (state === 'inactive' && epochRewardsActive);

/**
 * Resolves once none of `accounts` is settling. Retries while the service does not respond.
 * Rejects when the signal is aborted.
 */
export const waitUntilStakeChanged = async (
  { client, terminal, json, signal }: CommandCall,
  walletAddress: string,
  accounts: readonly string[],
): Promise<void> => {
  const isDrawn = terminal.isScreen && !json;
  const clear = (): void => {
    if (isDrawn) terminal.out('\r\u001b[K');
  };
  let outcome = '';
  const changing = async () => {
    const asked = { walletAddress, scope: 'all' } as const;
    const { accounts: found, epochTiming } = await client.listStakeAccounts(asked, { signal });
    const touched = found.filter(({ address }) => accounts.includes(address));
    const isChanging = touched.some((account) => isSettling(account, epochTiming));
    outcome = outcomeText(touched);
    return isChanging ? epochTiming : null;
  };
  for (let isFirst = true; ; isFirst = false) {
    const timing = await changing().catch((error: unknown) => {
      if (isHoldfastError(error) && error.retryable) return undefined;
      throw error;
    });
    if (timing === null) break;
    const pollMs = Math.min(
      MAX_POLL_MS,
      Math.max(MIN_POLL_MS, (timing?.estimatedSecondsRemaining ?? 0) * 1_000 * POLL_SHARE),
    );
    if (isFirst && !isDrawn && !json && timing) terminal.out(`  waiting: ${epochBar(timing, 0)}\n`);
    for (let agoMs = 0; agoMs < pollMs; agoMs += REDRAW_MS) {
      if (isDrawn && timing) terminal.out(`\r\u001b[K  ${epochBar(timing, agoMs)}`);
      await terminal.clock.sleep(Math.min(REDRAW_MS, pollMs - agoMs), signal);
    }
  }
  clear();
  if (!json) terminal.out(`${terminal.paintOut('green', '✓')} ${outcome}\n`);
};
