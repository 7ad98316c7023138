// The steps of a landed transaction in words.
import type { HistoryLeg } from '../../../../client/generated/stake-operations.ts';
import { lamportsOf, shortAddress, solText } from '../../text/format-figures.ts';

interface Parts {
  readonly account: string;
  readonly other: string;
  /** `3 SOL`, or `SOL` if unknown. */
  readonly sol: string;
  /** ` (3 SOL)`, or nothing if unknown. */
  readonly inBrackets: string;
}

const sentences: Readonly<Record<HistoryLeg['type'], (parts: Parts) => string>> = {
  create: ({ account, inBrackets }) => `Opened ${account}${inBrackets}`,
  transfer: ({ account, sol }) => `Put ${sol} into ${account}`,
  delegate: ({ account, inBrackets }) => `Delegated ${account}${inBrackets}`,
  undo: ({ account, inBrackets }) => `Kept ${account} staked${inBrackets}`,
  deactivate: ({ account, inBrackets }) => `Deactivated ${account}${inBrackets}`,
  withdraw: ({ account, sol }) => `Withdrew ${sol} from ${account}`,
  split: ({ account, other, sol }) => `Split ${sol} off ${account} into ${other}`,
  merge: ({ account, other, inBrackets }) => `Merged ${other}${inBrackets} into ${account}`,
  moveStake: ({ account, other, sol }) => `Moved ${sol} of stake from ${account} to ${other}`,
  moveLamports: ({ account, other, sol }) => `Moved ${sol} without stake from ${account} to ${other}`,
  authorize: ({ account, other }) => `Gave an authority of ${account} to ${other}`,
};

const named = (address: string | null): string =>
  address === null ? 'another account' : shortAddress(address);

/** One step as a sentence. */
export const legWords = ({
  type,
  stakeAccountAddress,
  counterAccountAddress,
  amountSol,
}: HistoryLeg): string => {
  const sol = amountSol === null ? null : `${solText(lamportsOf(amountSol))} SOL`;
  return sentences[type]({
    account: named(stakeAccountAddress),
    other: named(counterAccountAddress),
    sol: sol ?? 'SOL',
    inBrackets: sol === null ? '' : ` (${sol})`,
  });
};
