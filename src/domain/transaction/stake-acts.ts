// Describes a landed transaction based on its legs: a stable name, and a short title and a confirmation with
// amounts.
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { formatSol } from '../lamports.ts';
import { kinds, type TransactionKind } from './transaction-kinds.ts';
import { remainingDeactivations, type TransactionLeg } from './transaction-legs.ts';

/** All changes to stake. If a transaction makes several, the first in this list is its main change. */
export const STAKE_ACTS = [
  'rescue',
  'authorize',
  'stake',
  'topUp',
  'restake',
  'undo',
  'unstake',
  'merge',
  'withdraw',
  'split',
  'move',
  'donate',
  'change',
] as const;

/** Name of an act. */
export type StakeActName = (typeof STAKE_ACTS)[number];

/** A landed transaction as stored in a history. */
interface Landed {
  readonly type: TransactionKind;
  readonly wallet: string;
  readonly stakeAccountAddress: string | null;
  readonly amountLamports: bigint;
  readonly legs: readonly TransactionLeg[];
}

/** One act. */
interface Act {
  readonly act: StakeActName;
  /** Null if unknown, and for changes without an amount. */
  readonly lamports: bigint | null;
  /** Number of accounts that were merged or whose authority changed; null for other changes. */
  readonly accounts: number | null;
  /** Number of accounts after a merge; null for other changes. */
  readonly accountsLeft: number | null;
}

/** The changes made by a transaction, main change first, as data and as text. */
export interface DescribedActs {
  readonly acts: readonly [Act, ...Act[]];
  /** Title of all changes, such as `Unstake 5 SOL, withdraw 3 SOL`. */
  readonly title: string;
}

interface Part extends Act {
  /** Title of the main change, such as `Unstake 5 SOL`. */
  readonly words: string;
  /** Noun phrase of the main change, such as `Unstake of 5 SOL`. */
  readonly noun: string;
}

interface ActWords {
  readonly verb: string;
  readonly noun: string;
  /** The state after confirmation. */
  readonly afterwards: string;
}

const WORDS: Readonly<Record<StakeActName, ActWords>> = {
  rescue: {
    verb: 'Took back control',
    noun: 'Rescue',
    afterwards: 'Your wallet is the stake authority again.',
  },
  authorize: {
    verb: 'Change an authority',
    noun: 'Change of an authority',
    afterwards: 'The new authority is in effect.',
  },
  stake: { verb: 'Stake', noun: 'Stake', afterwards: kinds.stake.afterwards },
  topUp: {
    verb: 'Add',
    noun: 'Top-up',
    afterwards: 'The added SOL becomes active together with the rest of the stake.',
  },
  // An undo whose unstake is not recorded looks like a restake, so this text must be true for both.
  restake: { verb: 'Stake again', noun: 'Delegation', afterwards: kinds.restake.afterwards },
  undo: {
    verb: 'Undo unstake',
    noun: 'Undo of the unstake',
    afterwards: 'It stays staked and misses no rewards.',
  },
  unstake: { verb: 'Unstake', noun: 'Unstake', afterwards: kinds.unstake.afterwards },
  merge: {
    verb: 'Merge',
    noun: 'Merge',
    afterwards: 'The stake is now in fewer accounts; its state has not changed.',
  },
  withdraw: { verb: 'Withdraw', noun: 'Withdrawal', afterwards: kinds.withdraw.afterwards },
  split: { verb: 'Split off', noun: 'Split', afterwards: 'Both parts keep their state.' },
  move: { verb: 'Move', noun: 'Move', afterwards: 'It is in the other stake account.' },
  donate: { verb: 'Donate', noun: 'Donation', afterwards: kinds.donate.afterwards },
  change: { verb: 'Change stake', noun: 'Stake change', afterwards: kinds.rearrange.afterwards },
};

const part = (act: StakeActName, lamports: bigint | null): Part => {
  const { verb, noun } = WORDS[act];
  const sol = lamports === null ? null : `${formatSol(lamports)} SOL`;
  return {
    act,
    lamports,
    accounts: null,
    accountsLeft: null,
    words: sol === null ? verb : `${verb} ${sol}`,
    noun: sol === null ? noun : `${noun} of ${sol}`,
  };
};

/** Sums the amounts; null if any is unknown. */
const total = (amounts: readonly (bigint | null)[]): bigint | null =>
  amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n);

const amounts = (legs: readonly TransactionLeg[]): bigint | null =>
  total(legs.map(({ lamports }) => lamports));

/** Builds one change from all of `legs`. Returns an empty list if there are none. */
const partOf = (
  act: StakeActName,
  legs: readonly TransactionLeg[],
  lamports: bigint | null = amounts(legs),
): readonly Part[] => (legs.length === 0 ? [] : [part(act, lamports)]);

/**
 * Sums the lamports withdrawn from stake accounts, minus a loan that an undo returns within the transaction.
 */
const withdrawnLamports = (legs: readonly TransactionLeg[]): bigint => {
  const accounts = new Set(legs.map(({ stakeAccount }) => stakeAccount));
  let sum = 0n;
  for (const account of accounts) {
    const of = (type: TransactionLeg['type']): bigint =>
      amounts(legs.filter((leg) => leg.type === type && leg.stakeAccount === account)) ?? 0n;
    const left = of('withdraw') - of('transfer');
    if (left > 0n) sum += left;
  }
  return sum;
};

const mergePart = (legs: readonly TransactionLeg[]): readonly Part[] => {
  if (legs.length === 0) return [];
  const sources = new Set(legs.map(({ counterAccount }) => counterAccount));
  const all = new Set(legs.flatMap(({ stakeAccount, counterAccount }) => [stakeAccount, counterAccount]));
  const left = all.size - sources.size;
  return [
    {
      act: 'merge',
      lamports: null,
      accounts: all.size,
      accountsLeft: left,
      words: `Merge ${all.size} → ${left}`,
      noun: `Merge of ${all.size} accounts into ${left}`,
    },
  ];
};

/** Counts the authorities that the wallet took back, and those that were given to other addresses. */
const authorityParts = (changed: readonly TransactionLeg[], wallet: Landed['wallet']): readonly Part[] => [
  ...countedPart(
    'rescue',
    changed.filter(({ counterAccount }) => counterAccount === wallet),
  ),
  ...countedPart(
    'authorize',
    changed.filter(({ counterAccount }) => counterAccount !== wallet),
  ),
];

const countedPart = (act: 'rescue' | 'authorize', legs: readonly TransactionLeg[]): readonly Part[] => {
  const { size } = new Set(legs.map(({ stakeAccount }) => stakeAccount));
  if (size === 0) return [];
  const counted = part(act, null);
  const of = size > 1 ? ` of ${size} stakes` : '';
  return [{ ...counted, accounts: size, words: `${counted.words}${of}`, noun: `${counted.noun}${of}` }];
};

const partsOf = (landed: Landed): readonly Part[] => {
  const { type, stakeAccountAddress, amountLamports, legs } = landed;
  const of = (...types: readonly TransactionLeg['type'][]) => legs.filter((leg) => types.includes(leg.type));
  if (type === 'donate') return [part('donate', amountLamports)];
  const created = new Map(of('create').map(({ stakeAccount, lamports }) => [stakeAccount, lamports]));
  const splitOff = new Set(of('split').map(({ counterAccount }) => counterAccount));
  const isNew = ({ stakeAccount }: TransactionLeg): boolean =>
    (created.has(stakeAccount) && !splitOff.has(stakeAccount)) ||
    (type === 'stake' && stakeAccount === stakeAccountAddress);
  const added = ({ stakeAccount }: TransactionLeg): readonly TransactionLeg[] =>
    of('moveLamports').filter(({ counterAccount }) => counterAccount === stakeAccount);

  const delegated = of('delegate');
  const fresh = delegated.filter(isNew);
  const others = delegated.filter((leg) => !isNew(leg));
  const topUps = others.filter((leg) => added(leg).length > 0);
  const staked = total(fresh.map((leg) => created.get(leg.stakeAccount) ?? leg.lamports));
  const withdrawn = withdrawnLamports(legs);
  // Lamports that are withdrawn from stake accounts in the same transaction to pay for a new stake.
  const isPaidByStake = staked !== null && staked > 0n && withdrawn >= staked;
  const left = withdrawn - (staked ?? 0n);
  const deactivated = remainingDeactivations(legs);

  // Setting the stake authority of a new stake is part of staking and not a change of its own.
  const changed = [...of('authorize').filter((leg) => !isNew(leg)), ...of('authorizeWithdrawer')];

  const main = [
    ...authorityParts(changed, landed.wallet),
    ...partOf(isPaidByStake ? 'restake' : 'stake', fresh, staked),
    ...partOf('topUp', topUps, amounts(topUps.flatMap(added))),
    ...partOf(
      'restake',
      others.filter((leg) => !topUps.includes(leg)),
    ),
    ...partOf('undo', of('undo')),
    ...partOf('unstake', deactivated),
  ];
  const parts = [
    ...main,
    ...(main.length === 0 ? mergePart(of('merge')) : []),
    ...(left > 0n ? [part('withdraw', left)] : []),
  ];
  if (parts.length > 0) return parts;
  return [...partOf('split', of('split')), ...partOf('move', of('moveStake', 'moveLamports'))];
};

const lowerFirst = (text: string): string => `${text[0]!.toLowerCase()}${text.slice(1)}`;

const allParts = (landed: Landed): readonly [Part, ...Part[]] => {
  const { type, amountLamports } = landed;
  const [first, ...more] = partsOf(landed);
  if (first !== undefined) return [first, ...more];
  const known = amountLamports === 0n ? null : amountLamports;
  return [type === 'rearrange' ? part('change', null) : part(type, known)];
};

const joined = (words: readonly string[]): string =>
  words.map((one, index) => (index === 0 ? one : lowerFirst(one))).join(', ');

/** Describes the effect of the transaction. */
export const actsOf = (landed: Landed): DescribedActs => {
  const acts = allParts(landed);
  return { acts, title: joined(acts.map(({ words }) => words)) };
};

/** Names the transaction's changes without amounts, such as `Unstake, withdraw`. */
export const actNames = (landed: Landed): string =>
  joined([...new Set(allParts(landed).map(({ act }) => WORDS[act].verb))]);

/** Names the changes with amounts as a noun phrase, such as `Unstake of 5 SOL`, and by their stable names. */
export const actNounPhrases = (landed: Landed): { readonly shown: string; readonly value: string } => {
  const parts = allParts(landed);
  return {
    shown: joined(parts.map(({ noun }) => noun)),
    value: parts.map(({ act }) => act).join(', '),
  };
};

/**
 * Confirms the effect of the transaction to a person: `Unstake of 5 SOL confirmed. …`. `unstaked` says when
 * an unstake can be withdrawn, if known.
 */
export const confirmationOf = (landed: Landed, unstaked?: Sentence): readonly Sentence[] => {
  const parts = allParts(landed);
  const done = actNounPhrases(landed);
  const afterwards = new Map(parts.map(({ act }) => [WORDS[act].afterwards, act]));
  return [
    sentence('CONFIRMED', '{done} confirmed.', {
      done,
      ...(parts.length === 1 && parts[0]!.lamports !== null && { amountSol: formatSol(parts[0]!.lamports) }),
    }),
    ...[...afterwards].map(([text, act]) =>
      act === 'unstake' && unstaked ? unstaked : sentence(`AFTER_${codeOf(act)}`, text),
    ),
  ];
};

/** Converts a name such as `topUp` to `TOP_UP`. */
const codeOf = (act: StakeActName): string => act.replace(/[A-Z]/, '_$&').toUpperCase();
