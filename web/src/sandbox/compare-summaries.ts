// Describes what an epoch changed for a wallet by comparing its state before and after.
import type { StakingSummaryAnswer } from '../../../client/generated/stake-operations.ts';
import { lamportsOf, shortAddress, solText } from '../text/format-figures.ts';

/** The compared parts. */
export type Position = Pick<StakingSummaryAnswer, 'accounts' | 'portfolio'>;
type Account = StakingSummaryAnswer['accounts'][number];

const BECAME: Readonly<Record<Account['state'], string>> = {
  initialized: 'is no longer delegated',
  activating: 'is activating',
  active: 'is active and earning',
  deactivating: 'is deactivating',
  inactive: 'is inactive and can be withdrawn',
};

const changesOf = (before: Account | undefined, now: Account): readonly string[] => {
  const name = shortAddress(now.address);
  if (before === undefined) return [`${name} is new: ${solText(lamportsOf(now.sol), 4)} SOL`];
  const gained = BigInt(now.lamports) - BigInt(before.lamports);
  return [
    ...(before.state === now.state ? [] : [`${name} ${BECAME[now.state]}`]),
    ...(gained > 0n && now.state !== 'inactive'
      ? [`${name} was paid ${solText(gained)} SOL of rewards`]
      : []),
    ...(gained > 0n && now.state === 'inactive' ? [`${name} was paid ${solText(gained)} SOL`] : []),
  ];
};

/** One sentence for each change; empty if nothing changed. */
export const compareSummaries = (before: Position, now: Position): readonly string[] => {
  const known = new Map(before.accounts.map((account) => [account.address, account]));
  const present = new Set(now.accounts.map(({ address }) => address));
  return [
    ...now.accounts.flatMap((account) => changesOf(known.get(account.address), account)),
    ...before.accounts
      .filter(({ address }) => !present.has(address))
      .map(({ address }) => `${shortAddress(address)} is closed`),
  ];
};
