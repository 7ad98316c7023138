// Describes the outcome of a transaction without a plan in one sentence.
import type { StakePlan } from '../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../client/generated/stake-operations.ts';
import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import type { FollowingTransaction } from '../../../../client/staking/prepared-transaction.ts';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { boundaryTime, type CurrentEpoch, type EpochBoundary } from '../../text/epoch-boundary.ts';
import { exactSol as format, lamportsOf } from '../../text/format-figures.ts';
import { otherOwner } from '../../text/other-owner.ts';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';
import { planFacts, whenSentence } from '../plan-facts.ts';

const { say } = defineWords('outcome', outcomeEnglish);

/**
 * Names the accounts whose stake authority the wallet takes back, and the addresses that control them until then.
 * Null if there are none.
 */
export const rescueSentence = (
  transactions: readonly Pick<FollowingTransaction, 'record' | 'verdict'>[],
  accounts: readonly Pick<StakeAccount, 'address' | 'stakeAuthority'>[],
): string | null => {
  const rescued = transactions.flatMap(({ verdict }) =>
    verdict.message.instructions.flatMap(({ data }) =>
      data.type === 'stake.authorize' && data.stakeAccount !== null ? [data.stakeAccount as string] : [],
    ),
  );
  if (rescued.length === 0) return null;
  const others = accounts.flatMap(({ address, stakeAuthority }) =>
    rescued.includes(address) && stakeAuthority !== transactions[0]?.record.walletAddress
      ? [shortAddress(stakeAuthority)]
      : [],
  );
  return say('controlsAgain', {
    accounts: rescued.map(shortAddress).join(', '),
    others: [...new Set(others)].join(', ') || 'none',
    count: rescued.length,
  });
};

/**
 * Describes a move from another validator: the stake that these transactions delegate here, and the stake that
 * can be delegated later. Omits statements that no longer apply. Null if none applies.
 */
export const moveSentence = (
  transactions: readonly Pick<FollowingTransaction, 'verdict'>[],
  plan: StakePlan,
  {
    epoch,
    isActive = () => false,
  }: {
    readonly epoch: CurrentEpoch | null;
    readonly isActive?: ((address: string) => boolean) | undefined;
  },
  nowMs: number,
): string | null => {
  const delegated = transactions.flatMap(({ verdict }) =>
    verdict.message.instructions.flatMap(({ data }) =>
      data.type === 'stake.delegateStake' && data.stakeAccount !== null ? [data.stakeAccount as string] : [],
    ),
  );
  const lamports = plan.accounts
    .filter(({ stakeAccountAddress: one }) => delegated.includes(one) && !isActive(one))
    .reduce((sum, { after }) => sum + lamportsOf(after?.stakedSol ?? 0), 0n);
  const staked =
    lamports === 0n
      ? null
      : say('stakedHere', {
          amount: format(lamports),
          time: epoch === null ? say('nextEpoch') : boundaryTime(epoch, nowMs),
        });
  const facts = planFacts(plan);
  const stakedLater = facts.stakedLater.filter((one) => epoch === null || one.epoch > epoch.currentEpoch);
  return [staked, whenSentence({ ...facts, stakedLater }, epoch, nowMs)].filter(Boolean).join(' ') || null;
};

interface OutcomeFacts {
  /** Amount in the transaction; null if there is none. */
  readonly lamports: bigint | null;
  /** The affected account as last read; null if unknown. */
  readonly account: Pick<
    StakeAccount,
    'state' | 'activeSol' | 'activatingSol' | 'rentReserveSol' | 'lamports' | 'role' | 'withdrawAuthority'
  > | null;
  readonly boundary: EpochBoundary | null;
}

/**
 * Returns null if the amount is unknown. An unstaked amount is the account's balance, all of which its owner
 * gets back. An amount that stays staked excludes rent.
 */
export const outcomeSentence = (
  {
    kind,
    change,
    amountLamports,
  }: Pick<TransactionRecord, 'kind' | 'change'> & Partial<Pick<TransactionRecord, 'amountLamports'>>,
  { lamports, account, boundary }: OutcomeFacts,
  nowMs: number,
): string | null => {
  const time = boundary === null ? say('nextEpoch') : boundaryTime(boundary, nowMs);
  const moved = lamports === null ? null : format(lamports);
  const balance = account === null ? null : format(BigInt(account.lamports));
  if (change?.goal === 'undo') {
    if (amountLamports !== undefined) return say('staysStaked', { amount: format(BigInt(amountLamports)) });
    return account === null
      ? null
      : say('staysStaked', {
          amount: format(lamportsOf(account.activeSol) + lamportsOf(account.activatingSol)),
        });
  }
  switch (kind) {
    case 'stake':
      return moved === null ? null : say('stakedFrom', { amount: moved, time });
    case 'withdraw':
      return moved === null ? null : say('youGet', { amount: moved });
    case 'restake':
      return account === null
        ? null
        : say('restakedFrom', {
            amount: format(BigInt(account.lamports) - lamportsOf(account.rentReserveSol)),
            time,
          });
    case 'unstake': {
      if (account === null || balance === null) return null;
      const { state, activeSol } = account;
      const owner = otherOwner(account);
      return state === 'inactive' || (state === 'activating' && activeSol === 0)
        ? say('withdrawAtOnce', { amount: balance, owner })
        : say('withdrawFrom', { amount: balance, owner, time });
    }
    case 'rearrange':
      return null;
  }
};
