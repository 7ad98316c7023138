// Describes the changes of a wallet in an epoch by comparing its state before and after.
import type { StakingSummaryAnswer } from '../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { solShort, solText } from '../text/format-figures.ts';
import { defineWords } from '../words/define-words.ts';
import { sandboxEnglish } from '../words/en/sandbox.ts';

const { say } = defineWords('sandbox', sandboxEnglish);

/** Compared parts. */
export type Position = Pick<StakingSummaryAnswer, 'accounts' | 'portfolio'>;
type Account = StakingSummaryAnswer['accounts'][number];

const changesOf = (before: Account | undefined, now: Account): readonly string[] => {
  const account = shortAddress(now.address);
  if (before === undefined) return [say('isNew', { account, amount: solShort(now.sol) })];
  const gained = BigInt(now.lamports) - BigInt(before.lamports);
  return [
    ...(before.state === now.state ? [] : [say(now.state, { account })]),
    ...(gained > 0n
      ? [say(now.state === 'inactive' ? 'paid' : 'paidRewards', { account, amount: solText(gained) })]
      : []),
  ];
};

/** Builds one sentence for each change; empty if nothing changed. */
export const compareSummaries = (before: Position, now: Position): readonly string[] => {
  const known = new Map(before.accounts.map((account) => [account.address, account]));
  const present = new Set(now.accounts.map(({ address }) => address));
  return [
    ...now.accounts.flatMap((account) => changesOf(known.get(account.address), account)),
    ...before.accounts
      .filter(({ address }) => !present.has(address))
      .map(({ address }) => say('closed', { account: shortAddress(address) })),
  ];
};
