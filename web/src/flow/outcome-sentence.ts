// The outcome of a transaction without a plan, in one sentence.
import type { EpochTiming } from '../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../client/generated/stake-operations.ts';
import type { TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import { boundedTime, solText } from '../text/format-figures.ts';

/** The end of the current epoch. */
type Boundary = Pick<EpochTiming, 'estimatedEpochEnd' | 'earliestEpochEnd' | 'latestEpochEnd'>;

interface OutcomeFacts {
  /** Amount in the bytes; null if they contain none. */
  readonly lamports: bigint | null;
  /** The affected account as last read; null if unknown. */
  readonly account: Pick<StakeAccount, 'state' | 'activeSol' | 'lamports'> | null;
  readonly boundary: Boundary | null;
}

/** Null if the amount is unknown. */
export const outcomeSentence = (
  { kind, change }: Pick<TransactionRecord, 'kind' | 'change'>,
  { lamports, account, boundary }: OutcomeFacts,
  nowMs: number,
): string | null => {
  const time =
    boundary === null
      ? 'the next epoch'
      : boundedTime(boundary.estimatedEpochEnd, [boundary.earliestEpochEnd, boundary.latestEpochEnd], nowMs);
  const whole = account === null ? null : `${solText(BigInt(account.lamports))} SOL`;
  const moved = lamports === null ? null : `${solText(lamports)} SOL`;
  if (change?.goal === 'undo')
    return whole === null ? null : `Your ${whole} stays staked and misses no reward.`;
  switch (kind) {
    case 'stake':
      return moved === null ? null : `${moved} starts earning from ${time}.`;
    case 'withdraw':
      return moved === null ? null : `You get ${moved} now.`;
    case 'restake':
      return whole === null ? null : `${whole} starts earning again from ${time}.`;
    case 'unstake':
      if (whole === null) return null;
      return account?.state === 'activating' && account.activeSol === 0
        ? `You can withdraw ${whole} at once.`
        : `You can withdraw ${whole} from ${time}.`;
    case 'rearrange':
      return null;
  }
};
