// Shows the accounts that a transaction changes, according to the service, if its response contains no plan.
import type { ListStakeAccountsAnswer } from '../../client/generated/stake-operations.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import { formatPairs, formatTable } from '../show/align-columns.ts';
import { readyAt, sol, timeZone } from '../show/format-cells.ts';
import { plain } from '../show/plain-text.ts';

type Account = ListStakeAccountsAnswer['accounts'][number];

/** Describes the state after the change. */
const stateAfter = (kind: Prepared['record']['kind'], { state, activeSol }: Account): string => {
  if (kind === 'unstake') return activeSol > 0 ? 'deactivating' : 'inactive';
  return state === 'inactive' || state === 'initialized' ? 'activating' : 'staked again';
};

/** Formats the account of an unstake or a restake, or the stake authorities that a rescue removes. */
export const accountsBeforeLines = (
  { record: { kind, change, walletAddress }, verdict, following }: Prepared,
  accounts: readonly Account[],
  nowMs: number,
): readonly string[] => {
  if (change?.goal === 'rescue') {
    const recovered = [verdict, ...following.map((one) => one.verdict)].flatMap(({ message }) =>
      message.instructions.flatMap(({ data }) =>
        data.type === 'stake.authorize' ? [data.stakeAccount] : [],
      ),
    );
    const removed = accounts.filter(
      ({ address, stakeAuthority }) =>
        recovered.some((one) => one === address) && stakeAuthority !== walletAddress,
    );
    return removed.length === 0
      ? []
      : [
          '',
          'The stake authorities that are removed, according to the service:',
          ...formatPairs(
            removed.map((one) => [`  ${plain(one.address)}`, plain(one.stakeAuthority)] as const),
          ),
        ];
  }
  const account = accounts.find(({ address }) => address === verdict.recognized.stakeAccount);
  if (account === undefined) return [];
  const after = stateAfter(kind, account);
  const ready = kind === 'unstake' && after === 'deactivating' ? account.ifUnstakedNow : null;
  return [
    '',
    `Your account before and after, according to the service${ready ? ` (times in ${timeZone()})` : ''}:`,
    ...formatTable(
      [{ title: '  STAKE ACCOUNT' }, { title: 'BEFORE', align: 'right' }, { title: 'AFTER', align: 'right' }],
      [
        [
          `  ${plain(account.address)}`,
          `${sol(account.sol)} ${plain(account.state)}`,
          `${sol(account.sol)} ${after}`,
        ],
      ],
    ),
    ...(ready
      ? formatPairs([
          [
            '  later',
            `${sol(account.sol)} SOL ready ${readyAt({ estimatedAt: ready.at, earliestAt: ready.earliest, latestAt: ready.latest }, nowMs)}`,
          ],
        ])
      : []),
  ];
};
