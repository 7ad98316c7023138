// Separates an exact amount of stake from mergeable accounts: whole accounts, one move, a split, or merges.
import type { Address } from '@solana/kit';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import type { AtomicStep } from './plan.ts';
import { byStake } from './plan-accounts.ts';
import type { AmountRange } from './reachable-amounts.ts';

/** Accounts of one vote account, one owner and one class, largest stake first. */
export interface Pool {
  readonly accounts: readonly StakeAccount[];
  /** `move`: all fully active, so that stake moves between them. `split`: one account that is not. `whole`: nothing can be set apart. */
  readonly means: 'move' | 'split' | 'whole';
  /** Accounts by the stake that they hold together, as few as will do; of many accounts not every choice. */
  readonly choices: ReadonlyMap<bigint, readonly StakeAccount[]>;
  readonly hasAllChoices: boolean;
  /** Between which amounts everything can be set apart; null: nothing but whole accounts. */
  readonly range: AmountRange | null;
}

/** What dividing needs to know. */
export interface DivideFacts {
  readonly wallet: Address;
  readonly minimumDelegationLamports: bigint;
  readonly stakeRentLamports: bigint;
  /** An account without stake into which a part can be moved, used where the wallet cannot pay for a new one. */
  readonly vessel: Address | null;
  readonly newAddress: () => Address;
  /** True for operations that fit into one transaction. */
  readonly fits: (operations: readonly MachineOperation[]) => boolean;
}

/** The operations that set an amount apart, and the accounts that hold exactly it afterwards. */
interface Division {
  readonly prepare: readonly MachineOperation[];
  readonly apart: readonly Address[];
}

/** The stake of a delegated account, lamports. */
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

/** Up to so many accounts every choice of them is looked at. */
const MOST_CHOSEN_FREELY = 10;

/** Of more accounts only the first ones are combined in twos, and not every number of the largest or smallest is a choice. */
const MOST_COMBINED = 60;

/** Of few accounts all choices, of many each one, each two, the largest and the smallest, all together, and all choices of a few below `minimumLamports`. */
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
  if (accounts.length <= MOST_CHOSEN_FREELY) {
    offerAll(accounts);
    return choices;
  }
  const small = accounts.filter((one) => stakeOf(one) < minimumLamports);
  if (small.length <= MOST_CHOSEN_FREELY) {
    offerAll(small);
    for (const [lamports, chosen] of [...choices]) offer(sum(accounts) - lamports, without(accounts, chosen));
  }
  for (const one of accounts) offer(stakeOf(one), [one]);
  for (const [index, one] of accounts.slice(0, MOST_COMBINED).entries())
    for (const other of accounts.slice(index + 1, MOST_COMBINED))
      offer(stakeOf(one) + stakeOf(other), [one, other]);
  for (let count = 3; count <= Math.min(accounts.length, MOST_COMBINED); count += 1)
    for (const chosen of [accounts.slice(0, count), accounts.slice(-count)]) offer(sum(chosen), chosen);
  offer(sum(accounts), accounts);
  return choices;
};

/** A pool of these accounts, largest first. */
export const poolOf = (
  accounts: readonly StakeAccount[],
  means: Pool['means'],
  minimumLamports: bigint,
): Pool => {
  const high = sum(accounts) - minimumLamports;
  const range = means !== 'whole' && high >= minimumLamports ? { low: minimumLamports, high } : null;
  // In a pool that can be divided only amounts below the minimum, and what they leave, depend on the choice.
  const chosen = range === null ? accounts : accounts.filter((one) => stakeOf(one) < minimumLamports);
  const hasAllChoices = chosen.length <= MOST_CHOSEN_FREELY;
  return { accounts, means, choices: choicesOf(accounts, minimumLamports), hasAllChoices, range };
};

/** Pools that a search for an amount takes: the largest. With a thousand of them it held the event loop for 200 ms. */
const MOST_POOLS = 150;

const largest = (pools: readonly Pool[]): readonly Pool[] =>
  pools.length <= MOST_POOLS
    ? pools
    : [...pools]
        .sort((one, other) => byStake(one.accounts[0]!, other.accounts[0]!))
        .slice(0, MOST_POOLS)
        .map((pool) => ({ ...pool, hasAllChoices: false }));

/**
 * The largest pools, of which at most `most` are divided with a new account: those with the most stake, and of locked ones only one. A lockup
 * binds the rent of the new account too. The others give whole accounts.
 */
export const withMostSplits = (
  all: readonly Pool[],
  most: number,
  needsAccount: (pool: Pool) => boolean,
  isLocked: (account: StakeAccount) => boolean = () => false,
): readonly Pool[] => {
  const pools = largest(all);
  const divided = pools
    .filter((pool) => pool.range !== null && needsAccount(pool))
    .sort((one, other) => byStake(one.accounts[0]!, other.accounts[0]!));
  const locked = divided.filter(({ accounts }) => isLocked(accounts[0]!)).slice(1);
  const kept = new Set([...locked, ...divided.filter((pool) => !locked.includes(pool)).slice(most)]);
  // With more splits other amounts would be possible; a wallet that cannot pay for one has no others.
  return pools.map((pool) =>
    kept.has(pool)
      ? { ...pool, means: 'whole', range: null, hasAllChoices: most === 0 && pool.hasAllChoices }
      : pool,
  );
};

const moved = (
  type: 'moveStake' | 'split',
  { address }: StakeAccount,
  into: Address,
  lamports: bigint,
  authority: Address,
): MachineOperation => ({ type, account: address, into, lamports, authority });

const merged = (into: StakeAccount, from: readonly StakeAccount[], authority: Address) =>
  from.map(
    (one): MachineOperation => ({ type: 'merge', account: into.address, from: one.address, authority }),
  );

/** Sets a part of a single account apart. Null where that takes a new account and there is none. */
const splitOff = (
  account: StakeAccount,
  lamports: bigint,
  means: Pool['means'],
  facts: DivideFacts,
): Division => {
  const { wallet, stakeRentLamports, vessel } = facts;
  if (vessel !== null && means === 'move')
    return { prepare: [moved('moveStake', account, vessel, lamports, wallet)], apart: [vessel] };
  const child = facts.newAddress();
  return {
    prepare: [
      { type: 'create', account: child, payer: wallet, lamports: stakeRentLamports },
      moved('split', account, child, lamports, wallet),
    ],
    apart: [child],
  };
};

/** Accounts, largest first, merged into the first one until `enough` says so. */
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

/** The smallest that will do; accounts come largest first. */
const smallest = (
  accounts: readonly StakeAccount[],
  isFit: (account: StakeAccount) => boolean,
): StakeAccount | undefined => accounts.findLast(isFit);

const addresses = (accounts: readonly StakeAccount[]): readonly Address[] =>
  accounts.map(({ address }) => address);

/** More accounts go than the amount asks for, and one of them gives the rest back to one that stays. */
const giveBack = (
  accounts: readonly StakeAccount[],
  going: readonly StakeAccount[],
  lamports: bigint,
  { wallet, minimumDelegationLamports: minimum }: DivideFacts,
): Division | null => {
  const staying = without(accounts, going);
  for (const last of staying.slice(-MOST_COMBINED).reverse()) {
    const all = [...going, last];
    const back = sum(all) - lamports;
    const giver = back > 0n ? smallest(all, (one) => stakeOf(one) - back >= minimum) : undefined;
    const taker = staying.find((one) => one !== last && stakeOf(one) + back >= minimum);
    if (giver && taker)
      return {
        prepare: [moved('moveStake', giver, taker.address, back, wallet)],
        apart: addresses(all),
      };
  }
  return null;
};

/** `lamports` lie between the minimum and what leaves the minimum behind. */
const divideActive = (accounts: readonly StakeAccount[], lamports: bigint, facts: DivideFacts): Division => {
  const { wallet, minimumDelegationLamports: minimum } = facts;
  let count = 0;
  for (let all = 0n; all + stakeOf(accounts[count]!) <= lamports; count += 1)
    all += stakeOf(accounts[count]!);
  // Where the largest is too much, one smaller account and a part of another; else as many of the largest as go whole.
  const fitting = accounts.filter((one) => stakeOf(one) < lamports);
  const going = count > 0 ? accounts.slice(0, count) : fitting.slice(0, 1);
  const rest = lamports - sum(going);
  // Not every sum of whole accounts is a choice of the pool.
  if (rest === 0n) return { prepare: [], apart: addresses(going) };
  const staying = without(accounts, going);
  const [taker] = going;
  const source = smallest(staying, (one) => stakeOf(one) - rest >= minimum);
  if (taker && source && stakeOf(taker) + rest >= minimum)
    return {
      prepare: [moved('moveStake', source, taker.address, rest, wallet)],
      apart: addresses(going),
    };
  const back = giveBack(accounts, accounts.slice(0, count), lamports, facts);
  if (back !== null) return back;
  if (taker) {
    // All are small: merged, those that go hold what is asked for with the rest, and those that stay can give it.
    const goes =
      stakeOf(taker) + rest >= minimum
        ? { into: taker, from: [] }
        : mergedUntil(going, (all) => all + rest >= minimum);
    const stays = mergedUntil(staying, (all) => all - rest >= minimum);
    return {
      prepare: [
        ...merged(goes.into, goes.from, wallet),
        ...merged(stays.into, stays.from, wallet),
        moved('moveStake', stays.into, goes.into.address, rest, wallet),
      ],
      apart: addresses(without(going, goes.from)),
    };
  }
  const [largest, ...others] = accounts;
  if (others.length > 0) {
    const over = stakeOf(largest!) - lamports;
    const stays = mergedUntil(others, (all) => all + over >= minimum);
    return {
      prepare: [
        ...merged(stays.into, stays.from, wallet),
        moved('moveStake', largest!, stays.into.address, over, wallet),
      ],
      apart: [largest!.address],
    };
  }
  return splitOff(largest!, lamports, 'move', facts);
};

/**
 * Sets `lamports` of the pool's stake apart; the caller has made sure that they are a sum of whole accounts or, in a pool that can be
 * divided, between the minimum and what leaves the minimum behind.
 */
const divide = (pool: Pool, lamports: bigint, facts: DivideFacts): Division => {
  const whole = pool.choices.get(lamports) ?? null;
  if (pool.means === 'whole' || (whole !== null && whole.length <= 2))
    return { prepare: [], apart: addresses(whole!) };
  const { range } = pool;
  const isFree = range !== null && range.low <= lamports && lamports <= range.high;
  const divided = !isFree
    ? null
    : pool.means === 'split'
      ? splitOff(pool.accounts[0]!, lamports, pool.means, facts)
      : divideActive(pool.accounts, lamports, facts);
  const count = (one: Division): number => one.prepare.length + one.apart.length;
  if (whole !== null && (divided === null || whole.length <= count(divided)))
    return { prepare: [], apart: addresses(whole) };
  return divided!;
};

/** The steps after which exactly `lamports` of the pool's stake are deactivated. */
export const deactivateFrom = (pool: Pool, lamports: bigint, facts: DivideFacts): readonly AtomicStep[] => {
  const { prepare, apart } = divide(pool, lamports, facts);
  const deactivations = apart.map(
    (account): MachineOperation => ({ type: 'deactivate', account, authority: facts.wallet }),
  );
  const changed = new Set(
    prepare.flatMap((one) =>
      one.type === 'moveStake' || one.type === 'split' ? [one.account, one.into] : [],
    ),
  );
  const isChanged = (one: MachineOperation): boolean => 'account' in one && changed.has(one.account);
  // A move or a split changes what the deactivated accounts hold: both in one transaction, or neither. A merge is in the transaction that moves
  // stake from or to its target, because the chain then refuses a target in another state.
  const whole = [...prepare, ...deactivations.filter(isChanged)];
  const others = deactivations.filter((one) => !isChanged(one)).map((one) => [one]);
  if (facts.fits(whole)) return [whole, ...others];
  const isMerge = ({ type }: MachineOperation): boolean => type === 'merge';
  return [...whole.filter(isMerge).map((one) => [one]), whole.filter((one) => !isMerge(one)), ...others];
};
