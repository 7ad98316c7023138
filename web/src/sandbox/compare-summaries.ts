// Describes the changes of a wallet in an epoch by comparing its state before and after.
import type { StakeAccount } from '../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { solShort, solText } from '../text/format-figures.ts';
import { defineWords } from '../words/define-words.ts';
import { sandboxEnglish } from '../words/en/sandbox.ts';

const { say } = defineWords('sandbox', sandboxEnglish);

/** Compared parts. */
export interface Position {
  readonly accounts: readonly StakeAccount[];
}

/** A change, and the account state that it describes. */
export interface Change {
  readonly text: string;
  readonly says?: Pick<StakeAccount, 'address' | 'state'>;
}

/** Text about a stake that became inactive. */
type InactiveWords = 'inactive' | 'inactiveElsewhere';

const changesOf = (
  before: StakeAccount | undefined,
  now: StakeAccount,
  inactiveWords: InactiveWords,
): readonly Change[] => {
  const { address, state } = now;
  const account = shortAddress(address);
  if (before === undefined) return [{ text: say('isNew', { account, amount: solShort(now.sol) }) }];
  const gained = BigInt(now.lamports) - BigInt(before.lamports);
  return [
    ...(before.state === state
      ? []
      : [
          {
            text: say(state === 'inactive' ? inactiveWords : state, { account }),
            says: { address, state },
          },
        ]),
    ...(gained > 0n
      ? [{ text: say(state === 'inactive' ? 'paid' : 'paidRewards', { account, amount: solText(gained) }) }]
      : []),
  ];
};

/** Returns the changes that still hold. For example, a stake that has been withdrawn since is no longer withdrawable. */
export const stillTrue = (changes: readonly Change[], { accounts }: Position): readonly Change[] =>
  changes.filter(
    ({ says }) =>
      says === undefined ||
      accounts.some(({ address, state }) => address === says.address && state === says.state),
  );

/** Builds one sentence for each change; empty if nothing changed. */
export const compareSummaries = (
  before: Position,
  now: Position,
  inactiveWords: InactiveWords = 'inactive',
): readonly Change[] => {
  const known = new Map(before.accounts.map((account) => [account.address, account]));
  const present = new Set(now.accounts.map(({ address }) => address));
  return [
    ...now.accounts.flatMap((account) => changesOf(known.get(account.address), account, inactiveWords)),
    ...before.accounts
      .filter(({ address }) => !present.has(address))
      .map(({ address }) => ({ text: say('closed', { account: shortAddress(address) }) })),
  ];
};
