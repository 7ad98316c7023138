// Separates exactly the amount to unstake into accounts of its own: with whole accounts, a move, a split, or
// merges.
import type { Address } from '@solana/kit';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import type { AmountRange } from './amount-ranges.ts';
import type { AtomicStep, PlanInputs } from './plan.ts';
import { byStake, createAccount } from './plan-accounts.ts';

/**
 * Accounts that the Stake program would merge because they share vote account, owner and `MergeClass`.
 * Largest stake first.
 */
export interface MergeGroup {
  readonly accounts: readonly StakeAccount[];
  /**
   * `move`: all accounts are fully active, so stake can be moved between them. `split`: a single account that
   * is not fully active. `whole`: accounts that cannot be divided.
   */
  readonly method: 'move' | 'split' | 'whole';
  /**
   * Sets of accounts, by their combined stake, with as few accounts as possible. Not exhaustive for many
   * accounts.
   */
  readonly choices: ReadonlyMap<bigint, readonly StakeAccount[]>;
  readonly hasAllChoices: boolean;
  /**
   * Range of amounts that can be separated by dividing an account; null if only whole accounts are possible.
   */
  readonly range: AmountRange | null;
}

/** Constraints of a division. */
export interface DivideFacts {
  readonly wallet: Address;
  readonly minimumDelegationLamports: bigint;
  readonly stakeRentLamports: bigint;
  /** An account without stake that can receive a part, used if the wallet cannot pay for a new one. */
  readonly emptyAccount: Address | null;
  readonly newAddress: () => Address;
  readonly seedOf: PlanInputs['seedOf'];
  /** Returns true if these operations fit into one transaction. */
  readonly fits: (operations: readonly MachineOperation[]) => boolean;
}

/** Operations that separate an amount, and the accounts that hold exactly that amount afterwards. */
interface Division {
  readonly prepare: readonly MachineOperation[];
  readonly separated: readonly Address[];
}

export const stakeOf = ({ delegation }: StakeAccount): bigint => delegation?.stakeLamports ?? 0n;

const sum = (accounts: readonly StakeAccount[]): bigint =>
  accounts.reduce((total, account) => total + stakeOf(account), 0n);

const without = (
  accounts: readonly StakeAccount[],
  left: readonly StakeAccount[],
): readonly StakeAccount[] => {
  const gone = new Set(left);
  return accounts.filter((account) => !gone.has(account));
};

/** Maximum number of accounts for which every combination is tried. */
const MAX_CHOSEN_FREELY = 10;

/**
 * With more accounts, combines only this many of the largest in pairs, and at most this many of the largest or
 * smallest as a whole. `returnExcess` tries only this many of the smallest.
 */
const MAX_COMBINED = 60;

/**
 * Returns sets of accounts by their combined stake. With few accounts, tries all combinations. With many,
 * tries each account, pairs, the largest ones, the smallest ones, and all of them together. If few accounts
 * are below `minimumLamports`, also tries all combinations of those and their complements.
 */
const choicesOf = (
  accounts: readonly StakeAccount[],
  minimumLamports: bigint,
): ReadonlyMap<bigint, readonly StakeAccount[]> => {
  const choices = new Map<bigint, readonly StakeAccount[]>([[0n, []]]);
  const offer = (lamports: bigint, chosen: readonly StakeAccount[]): void => {
    const known = choices.get(lamports);
    if (known === undefined || chosen.length < known.length) choices.set(lamports, chosen);
  };
  const offerAll = (from: readonly StakeAccount[]): void => {
    for (const account of from)
      for (const [lamports, chosen] of [...choices]) offer(lamports + stakeOf(account), [...chosen, account]);
  };
  if (accounts.length <= MAX_CHOSEN_FREELY) {
    offerAll(accounts);
    return choices;
  }
  const small = accounts.filter((one) => stakeOf(one) < minimumLamports);
  if (small.length <= MAX_CHOSEN_FREELY) {
    offerAll(small);
    for (const [lamports, chosen] of [...choices]) offer(sum(accounts) - lamports, without(accounts, chosen));
  }
  for (const one of accounts) offer(stakeOf(one), [one]);
  for (const [index, one] of accounts.slice(0, MAX_COMBINED).entries())
    for (const other of accounts.slice(index + 1, MAX_COMBINED))
      offer(stakeOf(one) + stakeOf(other), [one, other]);
  for (let count = 3; count <= Math.min(accounts.length, MAX_COMBINED); count += 1)
    for (const chosen of [accounts.slice(0, count), accounts.slice(-count)]) offer(sum(chosen), chosen);
  offer(sum(accounts), accounts);
  return choices;
};

/** Creates a group of these accounts, which are sorted by stake, largest first. */
export const mergeGroupOf = (
  accounts: readonly StakeAccount[],
  method: MergeGroup['method'],
  minimumLamports: bigint,
): MergeGroup => {
  const high = sum(accounts) - minimumLamports;
  const range = method !== 'whole' && high >= minimumLamports ? { low: minimumLamports, high } : null;
  // In a divisible group, the combination only matters for amounts below the minimum, and for amounts that
  // leave less than the minimum.
  const chosen = range === null ? accounts : accounts.filter((one) => stakeOf(one) < minimumLamports);
  const hasAllChoices = chosen.length <= MAX_CHOSEN_FREELY;
  return { accounts, method, choices: choicesOf(accounts, minimumLamports), hasAllChoices, range };
};

/**
 * Maximum number of groups that are searched for an amount, largest first. Searching a thousand groups
 * blocked the event loop for 200 ms.
 */
const MAX_GROUPS = 150;

const largest = (groups: readonly MergeGroup[]): readonly MergeGroup[] =>
  groups.length <= MAX_GROUPS
    ? groups
    : [...groups]
        .sort((one, other) => byStake(one.accounts[0]!, other.accounts[0]!))
        .slice(0, MAX_GROUPS)
        .map((group) => ({ ...group, hasAllChoices: false }));

/**
 * Keeps the groups with the largest accounts. At most `maximum` of them may be divided with a new account. At
 * most one of these may be locked, because a lockup also locks the new account's rent. All other groups only
 * provide whole accounts.
 */
export const limitSplits = (
  all: readonly MergeGroup[],
  maximum: number,
  needsAccount: (group: MergeGroup) => boolean,
  isLocked: (account: StakeAccount) => boolean = () => false,
): readonly MergeGroup[] => {
  const groups = largest(all);
  const divided = groups
    .filter((group) => group.range !== null && needsAccount(group))
    .sort((one, other) => byStake(one.accounts[0]!, other.accounts[0]!));
  const locked = divided.filter(({ accounts }) => isLocked(accounts[0]!)).slice(1);
  const keptWhole = new Set([
    ...locked,
    ...divided.filter((group) => !locked.includes(group)).slice(maximum),
  ]);
  // With a higher maximum, these groups could provide more than whole accounts, so their choices count as
  // incomplete. They are complete for a wallet that cannot pay for any new account.
  return groups.map((group) =>
    keptWhole.has(group)
      ? { ...group, method: 'whole', range: null, hasAllChoices: maximum === 0 && group.hasAllChoices }
      : group,
  );
};

const moveOperation = (
  type: 'moveStake' | 'split',
  { address }: StakeAccount,
  into: Address,
  lamports: bigint,
  authority: Address,
): MachineOperation => ({ type, account: address, into, lamports, authority });

const mergeOperations = (into: StakeAccount, from: readonly StakeAccount[], authority: Address) =>
  from.map(
    (one): MachineOperation => ({ type: 'merge', account: into.address, from: one.address, authority }),
  );

/** Moves part of a single account's stake to the empty account, or splits it off into a new one. */
const splitOff = (
  account: StakeAccount,
  lamports: bigint,
  method: MergeGroup['method'],
  facts: DivideFacts,
): Division => {
  const { wallet, stakeRentLamports, emptyAccount } = facts;
  if (emptyAccount !== null && method === 'move')
    return {
      prepare: [moveOperation('moveStake', account, emptyAccount, lamports, wallet)],
      separated: [emptyAccount],
    };
  const child = facts.newAddress();
  return {
    prepare: [
      createAccount(child, stakeRentLamports, facts),
      moveOperation('split', account, child, lamports, wallet),
    ],
    separated: [child],
  };
};

/** Merges accounts into the first one, largest first, until `enough` returns true. */
const mergedUntil = (
  accounts: readonly StakeAccount[],
  enough: (lamports: bigint) => boolean,
): { readonly into: StakeAccount; readonly from: readonly StakeAccount[] } => {
  const [into, ...others] = accounts;
  let count = 0;
  let all = stakeOf(into!);
  while (!enough(all)) all += stakeOf(others[count++]!);
  return { into: into!, from: others.slice(0, count) };
};

/** Returns the smallest account that suffices. Accounts are sorted by stake, largest first. */
const smallest = (
  accounts: readonly StakeAccount[],
  isFit: (account: StakeAccount) => boolean,
): StakeAccount | undefined => accounts.findLast(isFit);

const addresses = (accounts: readonly StakeAccount[]): readonly Address[] =>
  accounts.map(({ address }) => address);

/**
 * Takes one account more than the amount requires, and moves the excess from one of the taken accounts to an
 * account that stays.
 */
const returnExcess = (
  accounts: readonly StakeAccount[],
  going: readonly StakeAccount[],
  lamports: bigint,
  { wallet, minimumDelegationLamports: minimum }: DivideFacts,
): Division | null => {
  const staying = without(accounts, going);
  for (const last of staying.slice(-MAX_COMBINED).reverse()) {
    const all = [...going, last];
    const back = sum(all) - lamports;
    const giver = back > 0n ? smallest(all, (one) => stakeOf(one) - back >= minimum) : undefined;
    const taker = staying.find((one) => one !== last && stakeOf(one) + back >= minimum);
    if (giver && taker)
      return {
        prepare: [moveOperation('moveStake', giver, taker.address, back, wallet)],
        separated: addresses(all),
      };
  }
  return null;
};

/**
 * Separates `lamports`, which must be at least the minimum and leave at least the minimum. Tries in this
 * order: whole accounts; whole accounts and part of another; one more account than needed, with the excess
 * moved back; merges before a move; a split of the only account.
 */
const divideActive = (accounts: readonly StakeAccount[], lamports: bigint, facts: DivideFacts): Division => {
  const { wallet, minimumDelegationLamports: minimum } = facts;
  let count = 0;
  for (let all = 0n; all + stakeOf(accounts[count]!) <= lamports; count += 1)
    all += stakeOf(accounts[count]!);
  // If the largest account is too big, takes one smaller account and part of another; otherwise takes as many
  // of the largest accounts as fit completely.
  const fitting = accounts.filter((one) => stakeOf(one) < lamports);
  const going = count > 0 ? accounts.slice(0, count) : fitting.slice(0, 1);
  const rest = lamports - sum(going);
  // `choices` does not contain every sum of whole accounts, so whole accounts can match the amount here too.
  if (rest === 0n) return { prepare: [], separated: addresses(going) };
  const staying = without(accounts, going);
  const [taker] = going;
  const source = smallest(staying, (one) => stakeOf(one) - rest >= minimum);
  if (taker && source && stakeOf(taker) + rest >= minimum)
    return {
      prepare: [moveOperation('moveStake', source, taker.address, rest, wallet)],
      separated: addresses(going),
    };
  const back = returnExcess(accounts, accounts.slice(0, count), lamports, facts);
  if (back !== null) return back;
  if (taker) {
    // All accounts are small. Merges the accounts to deactivate until they reach the minimum together with
    // the remainder, and merges those that stay until they can provide the remainder.
    const goes =
      stakeOf(taker) + rest >= minimum
        ? { into: taker, from: [] }
        : mergedUntil(going, (all) => all + rest >= minimum);
    const stays = mergedUntil(staying, (all) => all - rest >= minimum);
    return {
      prepare: [
        ...mergeOperations(goes.into, goes.from, wallet),
        ...mergeOperations(stays.into, stays.from, wallet),
        moveOperation('moveStake', stays.into, goes.into.address, rest, wallet),
      ],
      separated: addresses(without(going, goes.from)),
    };
  }
  const [largest, ...others] = accounts;
  if (others.length > 0) {
    const over = stakeOf(largest!) - lamports;
    const stays = mergedUntil(others, (all) => all + over >= minimum);
    return {
      prepare: [
        ...mergeOperations(stays.into, stays.from, wallet),
        moveOperation('moveStake', largest!, stays.into.address, over, wallet),
      ],
      separated: [largest!.address],
    };
  }
  return splitOff(largest!, lamports, 'move', facts);
};

/**
 * Separates `lamports` of the group's stake: one of the group's choices or, in a divisible group, an amount
 * that is at least the minimum and leaves at least the minimum.
 */
const divide = (group: MergeGroup, lamports: bigint, facts: DivideFacts): Division => {
  const whole = group.choices.get(lamports) ?? null;
  if (group.method === 'whole' || (whole !== null && whole.length <= 2))
    return { prepare: [], separated: addresses(whole!) };
  const { range } = group;
  const isFree = range !== null && range.low <= lamports && lamports <= range.high;
  const divided = !isFree
    ? null
    : group.method === 'split'
      ? splitOff(group.accounts[0]!, lamports, group.method, facts)
      : divideActive(group.accounts, lamports, facts);
  const count = (one: Division): number => one.prepare.length + one.separated.length;
  if (whole !== null && (divided === null || whole.length <= count(divided)))
    return { prepare: [], separated: addresses(whole) };
  return divided!;
};

/** Builds the steps that deactivate exactly `lamports` of the group's stake. */
export const deactivateFrom = (
  group: MergeGroup,
  lamports: bigint,
  facts: DivideFacts,
): readonly AtomicStep[] => {
  const { prepare, separated } = divide(group, lamports, facts);
  const deactivations = separated.map(
    (account): MachineOperation => ({ type: 'deactivate', account, authority: facts.wallet }),
  );
  const changed = new Set(
    prepare.flatMap((one) =>
      one.type === 'moveStake' || one.type === 'split' ? [one.account, one.into] : [],
    ),
  );
  const isChanged = (one: MachineOperation): boolean => 'account' in one && changed.has(one.account);
  // A move or split changes the stake of accounts to deactivate, so both go into one transaction. If they
  // fit, merges also go into the transaction that moves stake out of or into their target, so that the chain
  // refuses the whole transaction if the target's state has changed by then.
  const whole = [...prepare, ...deactivations.filter(isChanged)];
  const others = deactivations.filter((one) => !isChanged(one)).map((one) => [one]);
  if (facts.fits(whole)) return [whole, ...others];
  const isMerge = ({ type }: MachineOperation): boolean => type === 'merge';
  return [...whole.filter(isMerge).map((one) => [one]), whole.filter((one) => !isMerge(one)), ...others];
};
