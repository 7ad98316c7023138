// The outcome of a transaction without a plan, in one sentence.
import type { StakeAccount } from '../../../client/generated/stake-operations.ts';
import type { TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import { boundaryTime, type EpochBoundary, lamportsOf, solText } from '../text/format-figures.ts';

interface OutcomeFacts {
  /** Amount in the bytes; null if they contain none. */
  readonly lamports: bigint | null;
  /** The affected account as last read; null if unknown. */
  readonly account: Pick<
    StakeAccount,
    'state' | 'activeSol' | 'deactivatingSol' | 'rentReserveSol' | 'lamports'
  > | null;
  readonly boundary: EpochBoundary | null;
}

/** Null if the amount is unknown. */
export const outcomeSentence = (
  { kind, change }: Pick<TransactionRecord, 'kind' | 'change'>,
  { lamports, account, boundary }: OutcomeFacts,
  nowMs: number,
): string | null => {
  const time = boundary === null ? 'the next epoch' : boundaryTime(boundary, nowMs);
  const sol = (amount: bigint): string => `${solText(amount)} SOL`;
  const moved = lamports === null ? null : sol(lamports);
  if (change?.goal === 'undo')
    return account === null
      ? null
      : `Your ${sol(lamportsOf(account.deactivatingSol))} stays staked and misses no reward.`;
  switch (kind) {
    case 'stake':
      return moved === null ? null : `${moved} staked, earning from ${time}.`;
    case 'withdraw':
      return moved === null ? null : `You get ${moved} now.`;
    case 'restake':
      // Everything but the rent is delegated.
      return account === null
        ? null
        : `${sol(BigInt(account.lamports) - lamportsOf(account.rentReserveSol))} staked again, earning from ${time}.`;
    case 'unstake':
      if (account === null) return null;
      return `You can withdraw ${sol(BigInt(account.lamports))} ${account.state === 'activating' && account.activeSol === 0 ? 'at once' : `from ${time}`}.`;
    case 'rearrange':
      return null;
  }
};
