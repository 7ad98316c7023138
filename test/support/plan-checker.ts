// Checks plans against the definition of their goals. Counts amounts independently, and tries anything left
// undone on the real Stake program. From the planner, it requests only other plans.
import assert from 'node:assert/strict';
import type { Address } from '@solana/kit';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { mergeClassOf } from '../../src/domain/machine/merge-class.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { Plan, PlanInputs, PlanRefusal } from '../../src/domain/plan/plan.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import type { MachineWorld } from './machine-world.ts';
import { planWorldOf } from './planned-worlds.ts';

type AmountGoal = Extract<PlanGoal, { readonly rounding: unknown }>;
type Range = readonly [low: bigint, high: bigint];
/** Amounts in ascending order, or null if there are too many to count. */
type Amounts = readonly Range[] | null;

const MAX_RANGES = 4_000;
/** Number of sums of whole accounts above which the planner may miss the smallest plan. */
const MAX_WHOLE_SUMS = 2_000;
const MAX_PAIRS_ASKED = 60;
const MAX_NEW_ACCOUNTS = 4;
/** Counted when an amount is missed because there are too many sums to try. The refusal must say so. */
export const BEYOND = 'missed beyond the sums that are tried';
const ZERO: Amounts = [[0n, 0n]];

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const descending = (one: bigint, other: bigint): number => (one > other ? -1 : one < other ? 1 : 0);

const joined = (ranges: readonly Range[]): Amounts => {
  const result: [bigint, bigint][] = [];
  for (const [low, high] of [...ranges].sort(([one], [other]) => descending(other, one))) {
    const last = result.at(-1);
    if (low > high) continue;
    if (last === undefined || low > last[1] + 1n) result.push([low, high]);
    else if (high > last[1]) last[1] = high;
  }
  return result.length > MAX_RANGES ? null : result;
};

const either = (...all: readonly Amounts[]): Amounts =>
  all.includes(null) ? null : joined(all.flatMap((one) => one!));

const both = (one: Amounts, other: Amounts): Amounts =>
  one === null || other === null || one.length * other.length > 50 * MAX_RANGES
    ? null
    : joined(one.flatMap(([low, high]) => other.map(([from, to]): Range => [low + from, high + to])));

/** Returns all sums of one amount from each set. */
const sums = (all: readonly Amounts[]): Amounts => all.reduce(both, ZERO);

const sumsOf = (amounts: readonly bigint[]): Amounts =>
  sums(
    amounts.map((one) => [
      [0n, 0n],
      [one, one],
    ]),
  );

const contains = (amounts: Amounts, lamports: bigint): boolean =>
  amounts?.some(([low, high]) => low <= lamports && lamports <= high) ?? false;

const stakeOf = ({ delegation }: StakeAccount): bigint => delegation?.stakeLamports ?? 0n;

const isStaying = ({ delegation }: StakeAccount): boolean => delegation?.deactivationEpoch === EPOCH_ABSENT;

const stayingStake = (accounts: readonly StakeAccount[]): bigint =>
  total(accounts.filter(isStaying).map(stakeOf));

/**
 * Checks that stake is split off and deactivated in the same transaction, because a second one might never
 * land.
 */
const checkApart = ({ transactions }: Plan): void => {
  for (const { operations } of transactions)
    for (const one of operations)
      if (one.type === 'split' || one.type === 'moveStake')
        assert.ok(
          operations.some(
            (other) => other.type === 'deactivate' && [one.account, one.into].includes(other.account),
          ),
          'split off but not deactivated',
        );
};

/** Checks plans against the state before the plan. */
export class PlanChecker {
  readonly #before: PlanInputs;
  readonly #world: MachineWorld;
  readonly #count: (what: string) => void;

  constructor(before: PlanInputs, world: MachineWorld, count: (what: string) => void) {
    this.#count = count;
    this.#before = before;
    this.#world = world;
  }

  /** Compares the chain's new state with the definition of the goal. */
  planned(goal: PlanGoal, plan: Plan): void {
    const after = planWorldOf(this.#world);
    this.#checkConserved(goal, plan, after);
    const opened = after.accounts.filter((one) => this.#at(one.address) === undefined);
    const rent = BigInt(opened.length) * after.chain.stakeRentLamports;
    const { feesLamports } = plan.cost;
    const gained = after.walletLamports - this.#before.walletLamports + feesLamports;
    const gone = stayingStake(this.#before.accounts) - stayingStake(after.accounts);
    switch (goal.goal) {
      case 'unstake': {
        assert.equal(gone, plan.amountLamports, 'unstaked');
        assert.equal(gained, -rent);
        this.#checkShort(plan);
        checkApart(plan);
        this.#checkAmount(goal, plan.amountLamports!, this.unstakeAmounts());
        break;
      }
      case 'withdraw-amount':
        this.#checkWithdrawn(goal, plan, after, gained + rent);
        break;
      case 'undo':
        assert.equal(gained, -rent);
        if (goal.lamports !== undefined) assert.equal(-gone, goal.lamports, 'undone');
        for (const one of after.accounts) {
          const was = this.#at(one.address)?.delegation;
          if (was && isStaying(one)) assert.equal(one.delegation?.activationEpoch, was.activationEpoch);
        }
        break;
      case 'top-up': {
        const { account } = plan.transactions.at(-1)!.operations.at(-1)! as { account: Address };
        const target = this.#at(account)!;
        const isDelegated = plan.transactions.length === 1;
        const idle = target.lamports - stakeOf(target) - after.chain.stakeRentLamports;
        assert.equal(-gone, goal.lamports + (isDelegated ? idle : 0n), 'topped up');
        assert.equal(gained, -goal.lamports - rent);
        break;
      }
      case 'restake':
      case 'rescue':
      case 'migrate':
        assert.equal(gained, 0n);
        break;
      case 'sweep':
        for (const one of this.#before.accounts)
          if (mergeClassOf(one, after.chain) === 'inactive')
            assert.deepEqual(
              after.accounts.find(({ address }) => address === one.address),
              one,
              'not staked',
            );
        if (goal.to === 'stake') {
          assert.equal(opened.length, 1);
          assert.equal(gained, -goal.addedLamports);
        } else if (goal.to === 'activating') assert.equal(gained, 0n);
        else assert.equal(gone, 0n);
        break;
      case 'tidy': {
        // Counts only effective stake, because merging into an activating stake also stakes the rent-exempt
        // minimum.
        const effective = (world: PlanInputs) => stayingStake(this.#accountsOf(world, 'active', 'transient'));
        assert.equal(effective(after), effective(this.#before));
        assert.ok(gained >= 0n && gone <= 0n);
        // The wallet gets the rent of closed accounts, but no SOL that was idle before.
        const closed = BigInt(this.#before.accounts.length - after.accounts.length);
        assert.ok(gained <= closed * after.chain.stakeRentLamports, 'more than their rent');
        break;
      }
      case 'withdraw-all':
        assert.equal(gone, 0n);
        assert.ok(gained > 0n);
        break;
      default:
        throw new Error(`no description for ${goal satisfies never}`);
    }
    this.#checkSaid(goal, plan, after);
    this.#checkDone(goal, after, plan);
  }

  /** Checks what the plan says about later epochs and about the activations that it cancels. */
  #checkSaid({ goal }: PlanGoal, { wallet, cancelsActivationOf }: Plan, after: PlanInputs): void {
    const cooling = this.#withdrawable(after).filter(
      (one) => one.delegation !== null && !isStaying(one) && mergeClassOf(one, after.chain) !== 'inactive',
    );
    const named = (accounts: readonly (readonly [Address, bigint])[]) => new Map(accounts);
    assert.deepEqual(
      named(wallet.later.map(({ account, lamports }) => [account, lamports])),
      named(cooling.map(({ address, lamports }) => [address, lamports])),
    );
    if (goal !== 'unstake' && goal !== 'withdraw-amount') return;
    const isLess = (was: StakeAccount): boolean => {
      const is = after.accounts.find(({ address }) => address === was.address);
      return is === undefined || !isStaying(is) || stakeOf(is) < stakeOf(was);
    };
    const canceled = this.#accountsOf(this.#before, 'activating').filter(
      (one) => isStaying(one) && isLess(one),
    );
    assert.deepEqual(new Set(cancelsActivationOf), new Set(canceled.map(({ address }) => address)));
  }

  /** Checks that a refused goal is impossible or already reached. */
  refused(goal: PlanGoal, refusal: PlanRefusal): void {
    const { why } = refusal;
    if (why === 'NOTHING_TO_DO' || why === 'UNDO_IMPOSSIBLE') this.#checkDone(goal, this.#before, null);
    if (why === 'BELOW_MINIMUM' && goal.goal === 'restake') this.#checkDone(goal, this.#before, null);
    if (why === 'UNDO_TOO_LATE') this.#checkDone({ goal: 'undo' }, this.#before, null);
    if (why === 'AMOUNT_NOT_REACHABLE' && goal.goal === 'top-up') this.#checkCannotGrow(goal.lamports);
    if (why !== 'AMOUNT_NOT_REACHABLE' || !('lamports' in goal)) return;
    const { lamports } = goal;
    const amounts =
      goal.goal === 'unstake'
        ? this.unstakeAmounts()
        : goal.goal === 'withdraw-amount'
          ? this.#withdrawAmounts()
          : goal.goal === 'undo'
            ? this.#undoAmounts()
            : null;
    if (amounts === null || lamports === undefined) return;
    // Sums that were not tried may be missing, and the refusal must say so.
    if (contains(amounts, lamports)) {
      assert.ok(!refusal.isComplete, `${lamports} is possible`);
      this.#count(BEYOND);
    }
    const below = amounts.findLast(([, high]) => high < lamports)?.[1] ?? 0n;
    const above = amounts.find(([low]) => low > lamports)?.[0] ?? null;
    const nearest = [refusal.nearestBelowLamports ?? 0n, refusal.nearestAboveLamports];
    // The checker knows only some of the possible withdrawal amounts.
    if (goal.goal === 'withdraw-amount') {
      assert.ok(!refusal.isComplete || nearest[0]! >= below, `${below} is nearer`);
      if (above !== null && refusal.isComplete) assert.ok(nearest[1]! <= above, `${above} is nearer`);
    } else if (refusal.isComplete) assert.deepEqual(nearest, [below, above]);
    else {
      assert.ok(nearest[0] === 0n || contains(amounts, nearest[0]!));
      assert.ok(nearest[1] === null || contains(amounts, nearest[1]!));
    }
  }

  /** Returns the possible amounts of an unstake, with as many new accounts as the wallet can pay for. */
  unstakeAmounts(world = this.#before): Amounts {
    const { minimumDelegationLamports: minimum, stakeRentLamports: rent } = world.chain;
    const groups = new Map<string, StakeAccount[]>();
    for (const one of this.#ownOf(world).filter(isStaying)) {
      const isPooled = mergeClassOf(one, world.chain) === 'active' && one.lamports - stakeOf(one) >= rent;
      const key = isPooled ? `${one.delegation!.voteAccount} ${this.#lockOf(one)}` : one.address;
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const divisible = [...groups.values()]
      .filter(([one, ...others]) => others.length === 0 && one!.lamports - stakeOf(one!) >= rent)
      .filter(([one]) => stakeOf(one!) >= 2n * minimum)
      .sort(([one], [other]) => descending(stakeOf(one!), stakeOf(other!)));
    let payable = this.#newAccounts(world);
    const vessels =
      payable > 0 ? [] : this.#accountsOf(this.#before, 'inactive').map((one) => this.#lockOf(one));
    const divided = new Set<readonly StakeAccount[]>();
    for (const group of divisible) {
      const vessel =
        mergeClassOf(group[0]!, world.chain) === 'active' ? vessels.indexOf(this.#lockOf(group[0]!)) : -1;
      if (vessel >= 0) vessels.splice(vessel, 1);
      else if (payable > 0) payable -= 1;
      else continue;
      divided.add(group);
    }
    return sums(
      [...groups.values()].map((group): Amounts => {
        const stakes = group.map(stakeOf);
        const all = total(stakes);
        if ((group.length === 1 && !divided.has(group)) || all < 2n * minimum) return sumsOf(stakes);
        const small = sumsOf(stakes.filter((one) => one < minimum))?.map(
          ([low, high]): Range => [low, least(high, minimum)],
        );
        if (small === undefined) return null;
        return joined([
          ...small,
          [minimum, all - minimum],
          ...small.map(([low, high]): Range => [all - high, all - low]),
        ]);
      }),
    );
  }

  /**
   * Returns the possible amounts of an undo: each deactivation of this epoch, as a whole or, if a new account
   * can be paid for, in part.
   */
  #undoAmounts(): Amounts {
    const { chain, voteAccount } = this.#before;
    const minimum = chain.minimumDelegationLamports;
    // Stake that was never effective is delegated with its entire balance.
    const isAsBefore = (one: StakeAccount): boolean =>
      mergeClassOf(one, chain) !== 'inactive' || one.lamports === stakeOf(one) + chain.stakeRentLamports;
    const possible = this.#ownOf(this.#before)
      .filter(
        (one) => isAsBefore(one) && one.delegation?.voteAccount === voteAccount && this.#canBeUndone(one),
      )
      .sort((one, other) => descending(stakeOf(one), stakeOf(other)));
    let payable = this.#newAccounts(this.#before);
    return sums(
      possible.map((one): Amounts => {
        const stake = stakeOf(one);
        const canBeDivided =
          mergeClassOf(one, chain) !== 'inactive' &&
          one.lamports - stake >= chain.stakeRentLamports &&
          stake >= 2n * minimum;
        if (!canBeDivided || payable === 0) return sumsOf([stake]);
        payable -= 1;
        return joined([
          [0n, 0n],
          [minimum, stake - minimum],
          [stake, stake],
        ]);
      }),
    );
  }

  /**
   * Returns the amounts that can be withdrawn immediately: closed accounts, spare lamports of others, and
   * stakes that were never effective.
   */
  #amountsAtOnce(): Amounts {
    const { chain } = this.#before;
    const rent = chain.stakeRentLamports;
    const minimum = chain.minimumDelegationLamports;
    const free = sums(
      this.#withdrawable().map((one): Amounts => {
        const spare: Range = [0n, this.#idleOf(one)];
        return mergeClassOf(one, chain) === 'inactive'
          ? either([spare], [[one.lamports, one.lamports]])
          : [spare];
      }),
    );
    const never = this.#neverEffective();
    const payable = this.#newAccounts(this.#freed());
    const whole = never.map((one) => sumsOf([one.lamports - this.#idleOf(one)]));
    const divided = never.map((one, index): Amounts => {
      const high = stakeOf(one) - minimum;
      const isDivisible = payable > 0 && one.lamports - stakeOf(one) >= rent && high >= minimum;
      return isDivisible ? both([[minimum, high]], sums(whole.filter((_, other) => other !== index))) : [];
    });
    const all = this.#freeLamports();
    return either(free, both([[all, all]], either(sums(whole), ...divided)));
  }

  /**
   * Returns some of the possible withdrawals: immediate ones, and those that wait for all deactivating stake
   * and for more active stake.
   */
  #withdrawAmounts(): Amounts {
    const never = total(this.#neverEffective().map((one) => one.lamports - this.#idleOf(one)));
    const now = this.#freeLamports() + never;
    const cooling = this.#cooling();
    const active = this.unstakeAmounts(this.#freed());
    return either(
      this.#amountsAtOnce(),
      [[now, now + cooling]],
      both([[now + cooling, now + cooling]], active),
    );
  }

  #checkWithdrawn(goal: AmountGoal, plan: Plan, after: PlanInputs, now: bigint): void {
    const never = (world: PlanInputs) => stayingStake(this.#neverEffective(world));
    checkApart(plan);
    const newly =
      stayingStake(this.#before.accounts) - stayingStake(after.accounts) - never(this.#before) + never(after);
    const amount = plan.amountLamports!;
    assert.ok(now <= amount, `${now} withdrawn immediately, more than ${amount}`);
    if (newly > 0n) assert.equal(now + newly + this.#cooling(), amount, 'the amount withdrawn now and later');
    else assert.ok(now + this.#cooling() >= amount);
    if (now === amount) assert.deepEqual(plan.laterSteps, []);
    // Accounts with another custodian's lockup would pay nothing.
    const free = new Set(this.#withdrawable());
    for (const was of this.#before.accounts)
      if (!free.has(was))
        assert.deepEqual(
          after.accounts.find(({ address }) => address === was.address),
          was,
          'locked',
        );
    const atOnce = this.#amountsAtOnce();
    if (contains(atOnce, amount))
      assert.equal(now, amount, `waits for ${amount - now} that is available immediately`);
    this.#checkAmount(goal, amount, this.#withdrawAmounts());
  }

  #checkAmount({ goal, lamports: asked, rounding }: AmountGoal, amount: bigint, amounts: Amounts): void {
    if (rounding === 'exact' || contains(amounts, asked)) assert.equal(amount, asked);
    const least = amounts?.find(([low]) => low > asked)?.[0] ?? amount;
    assert.ok(amount >= asked);
    if (amount === asked || amount <= least) return;
    const nearer = planStakeChange({ goal, lamports: least, rounding: 'exact' }, this.#before);
    assert.ok(
      !nearer.ok && nearer.refusal.why === 'AMOUNT_NOT_REACHABLE' && !nearer.refusal.isComplete,
      `least: ${least}`,
    );
    this.#count(BEYOND);
  }

  /** Checks that no activating stake with enough SOL of its own could be increased by `lamports`. */
  #checkCannotGrow(lamports: bigint): void {
    const { chain, voteAccount } = this.#before;
    for (const one of this.#accountsOf(this.#before, 'activating')) {
      if (one.delegation?.voteAccount !== voteAccount || this.#lockOf(one) !== '') continue;
      const backing = one.lamports - chain.stakeRentLamports;
      assert.ok(backing < stakeOf(one) || backing + lamports < chain.minimumDelegationLamports, one.address);
    }
  }

  /**
   * Checks that the plan has at most one instruction more than deactivating whole accounts or part of one
   * account would need.
   */
  #checkShort({ amountLamports, transactions }: Plan): void {
    const { chain } = this.#before;
    const minimum = chain.minimumDelegationLamports;
    const staying = this.#ownOf(this.#before).filter(isStaying);
    let fewest = new Map([[0n, 0]]);
    for (const one of staying) {
      const next = new Map(fewest);
      for (const [sum, count] of fewest) {
        const [more, less] = [sum + stakeOf(one), next.get(sum + stakeOf(one)) ?? Number.POSITIVE_INFINITY];
        if (more <= amountLamports! && count + 1 < less) next.set(more, count + 1);
      }
      if (next.size > MAX_WHOLE_SUMS) return;
      fewest = next;
    }
    const canSplit = staying.some(
      (one) =>
        one.lamports - stakeOf(one) >= chain.stakeRentLamports &&
        amountLamports! >= minimum &&
        amountLamports! <= stakeOf(one) - minimum,
    );
    // The split account must be one that may be split.
    const split =
      canSplit && staying.length <= MAX_NEW_ACCOUNTS && this.#newAccounts(this.#before) >= staying.length
        ? 3
        : Number.POSITIVE_INFINITY;
    const used = transactions.reduce((sum, { operations }) => sum + operations.length, 0);
    assert.ok(used <= 1 + Math.min(split, fewest.get(amountLamports!) ?? split), `${used} instructions`);
  }

  /** Returns the idle lamports, which accounts hold in addition to stake. */
  idleLamports(): bigint {
    return total(
      this.#withdrawable()
        .filter((one) => mergeClassOf(one, this.#before.chain) !== 'inactive')
        .map((one) => this.#idleOf(one)),
    );
  }

  /**
   * Checks that nothing is lost, that accounts of others are unchanged, and that no authority or lockup changes
   * except in a rescue.
   */
  #checkConserved({ goal }: PlanGoal, { cost }: Plan, after: PlanInputs): void {
    const held = ({ accounts, walletLamports }: PlanInputs) =>
      walletLamports + total(accounts.map(({ lamports }) => lamports));
    assert.equal(held(after), held(this.#before) - cost.feesLamports, 'lamports lost');
    const { wallet } = this.#before;
    for (const was of this.#before.accounts) {
      const is = after.accounts.find(({ address }) => address === was.address);
      if (was.withdrawAuthority !== wallet) assert.deepEqual(is, was, 'foreign');
      if (is === undefined) continue;
      assert.deepEqual([is.withdrawAuthority, is.lockup], [was.withdrawAuthority, was.lockup]);
      const isTaken = goal === 'rescue' || goal === 'migrate';
      if (goal !== 'migrate' && isStaying(was) && isStaying(is))
        assert.equal(is.delegation?.voteAccount, was.delegation?.voteAccount);
      if (is.stakeAuthority !== was.stakeAuthority) assert.ok(isTaken && is.stakeAuthority === wallet);
      if (was.stakeAuthority !== wallet && !isTaken) assert.deepEqual(is.delegation, was.delegation);
    }
    for (const { stakeAuthority, withdrawAuthority, address } of after.accounts)
      if (this.#at(address) === undefined)
        assert.deepEqual([stakeAuthority, withdrawAuthority], [wallet, wallet]);
  }

  /** Checks that the program accepts no further transaction towards the goal. */
  #checkDone(goal: PlanGoal, now: PlanInputs, plan: Plan | null): void {
    const { chain, wallet, voteAccount } = now;
    const ofWallet = now.accounts.filter((one) => one.withdrawAuthority === wallet);
    const own = this.#ownOf(now);
    const refuses = (operations: readonly MachineOperation[], what: string): void =>
      assert.notEqual(this.#ask(operations), null, `left: ${what}`);
    const merge = (account: Address, from: Address): MachineOperation => ({
      type: 'merge',
      account,
      from,
      authority: wallet,
    });
    const delegate = (account: Address): MachineOperation => ({
      type: 'delegate',
      account,
      voteAccount,
      authority: wallet,
    });
    const pairs = own.flatMap((one) =>
      own
        .filter((other) => one !== other && mergeClassOf(one, chain) === mergeClassOf(other, chain))
        .map((other) => [one.address, other.address] as const),
    );
    const asked = pairs.filter(
      () => pairs.length <= MAX_PAIRS_ASKED || this.#world.random.chance(MAX_PAIRS_ASKED / pairs.length),
    );
    switch (goal.goal) {
      case 'tidy':
        for (const [into, from] of asked) refuses([merge(into, from)], `${from} merges into ${into}`);
        break;
      case 'restake': {
        const inactive = (address: Address) =>
          mergeClassOf(now.accounts.find((one) => one.address === address)!, chain) === 'inactive';
        for (const { address } of own) if (inactive(address)) refuses([delegate(address)], address);
        for (const [into, from] of asked)
          if (inactive(into)) refuses([merge(into, from), delegate(into)], `${into} with ${from}`);
        break;
      }
      case 'withdraw-all':
        for (const one of ofWallet) refuses([this.#withdraw(one, one.lamports, now)], one.address);
        break;
      case 'sweep': {
        const staked = ofWallet.filter((one) => mergeClassOf(one, chain) !== 'inactive');
        // Idle lamports that do not exceed the fee stay where they are.
        const lamports = now.signatureFeeLamports + 1n;
        if (goal.to !== 'activating')
          for (const one of staked) refuses([this.#withdraw(one, lamports, now)], one.address);
        const last = plan?.transactions.at(-1)?.operations.at(-1);
        if (goal.to !== 'activating' || last?.type !== 'delegate') break;
        const into = last.account;
        for (const { address: account } of own.filter(
          (one) => one.address !== into && mergeClassOf(one, chain) === 'active',
        ))
          refuses([{ type: 'moveLamports', account, into, lamports, authority: wallet }], account);
        break;
      }
      case 'undo':
        if (goal.lamports === undefined)
          for (const one of own)
            if (one.delegation?.voteAccount === voteAccount)
              assert.ok(!this.#canBeUndone(one), `left: ${one.address}`);
        break;
      case 'rescue':
        for (const { stakeAuthority } of ofWallet) assert.equal(stakeAuthority, wallet);
        break;
      case 'migrate':
        for (const one of ofWallet) {
          if (one.delegation === null || one.delegation.voteAccount === voteAccount || !isStaying(one))
            continue;
          assert.ok(one.lamports < chain.stakeRentLamports + chain.minimumDelegationLamports, one.address);
        }
    }
  }

  #ask(operations: readonly MachineOperation[]): string | null {
    return this.#world.runtime.simulate(operations.map(instructionOf));
  }

  #withdraw(one: StakeAccount, lamports: bigint, { wallet }: PlanInputs): MachineOperation {
    const { custodian } = one.lockup;
    return {
      type: 'withdraw',
      account: one.address,
      to: wallet,
      lamports,
      authority: wallet,
      ...(this.#lockOf(one) !== '' && custodian === wallet ? { custodian } : {}),
    };
  }

  /** Returns true if the program accepts the undo, alone or with the minimum borrowed for one instruction. */
  #canBeUndone(one: StakeAccount): boolean {
    const { delegation, address: account, lamports } = one;
    const { chain, wallet } = this.#before;
    if (delegation?.deactivationEpoch !== chain.epoch) return false;
    // Delegating the account again would restart its activation.
    if (mergeClassOf(one, chain) === 'inactive' && delegation.activationEpoch !== chain.epoch) return false;
    const { voteAccount } = delegation;
    const again: MachineOperation = { type: 'delegate', account, voteAccount, authority: wallet };
    if (this.#ask([again]) === null)
      return lamports - chain.stakeRentLamports >= stakeOf(one) || mergeClassOf(one, chain) === 'inactive';
    const lent = chain.minimumDelegationLamports + chain.stakeRentLamports - lamports;
    if (
      lent <= 0n ||
      lamports - chain.stakeRentLamports < stakeOf(one) ||
      mergeClassOf(one, chain) === 'inactive'
    )
      return false;
    const { payer } = this.#world.runtime;
    return (
      this.#ask([
        { type: 'transfer', from: payer, to: account, lamports: lent },
        again,
        this.#withdraw(one, lent, this.#before),
      ]) === null
    );
  }

  #at(address: Address): StakeAccount | undefined {
    return this.#before.accounts.find((one) => one.address === address);
  }

  #ownOf({ accounts, wallet }: PlanInputs): readonly StakeAccount[] {
    return accounts.filter((one) => one.stakeAuthority === wallet && one.withdrawAuthority === wallet);
  }

  #accountsOf(world: PlanInputs, ...classes: readonly string[]): readonly StakeAccount[] {
    return this.#ownOf(world).filter((one) => classes.includes(mergeClassOf(one, world.chain)));
  }

  /** Describes the lockup in force. Empty if there is none. */
  #lockOf({ lockup: { epoch, unixTimestamp, custodian } }: StakeAccount): string {
    const { chain } = this.#before;
    return epoch > chain.epoch || unixTimestamp > chain.unixTimestamp
      ? `${epoch} ${unixTimestamp} ${custodian}`
      : '';
  }

  /** Returns the accounts without another custodian's lockup. */
  #withdrawable(world = this.#before): readonly StakeAccount[] {
    const { wallet } = world;
    return world.accounts.filter(
      (one) =>
        one.withdrawAuthority === wallet && (this.#lockOf(one) === '' || one.lockup.custodian === wallet),
    );
  }

  #idleOf(one: StakeAccount): bigint {
    const { chain } = this.#before;
    const bound = mergeClassOf(one, chain) === 'inactive' ? 0n : stakeOf(one);
    const idle = one.lamports - bound - chain.stakeRentLamports;
    return idle > 0n ? idle : 0n;
  }

  #freeLamports(): bigint {
    return total(
      this.#withdrawable().map((one) =>
        mergeClassOf(one, this.#before.chain) === 'inactive' ? one.lamports : this.#idleOf(one),
      ),
    );
  }

  #neverEffective(world = this.#before): readonly StakeAccount[] {
    const own = new Set(this.#ownOf(world));
    return this.#withdrawable(world).filter(
      (one) => own.has(one) && isStaying(one) && mergeClassOf(one, world.chain) === 'activating',
    );
  }

  #cooling(): bigint {
    return total(
      this.#withdrawable()
        .filter((one) => mergeClassOf(one, this.#before.chain) === 'transient' && !isStaying(one))
        .map((one) => one.lamports - this.#idleOf(one)),
    );
  }

  /**
   * Returns the state without activating stakes, after everything that can be withdrawn has reached the wallet.
   */
  #freed(): PlanInputs {
    return {
      ...this.#before,
      accounts: this.#withdrawable().filter((one) => mergeClassOf(one, this.#before.chain) !== 'activating'),
      walletLamports: this.#before.walletLamports + this.#freeLamports(),
    };
  }

  /**
   * Returns the number of new accounts that the wallet can pay for while it keeps either its own rent or
   * nothing.
   */
  #newAccounts({ walletLamports, chain, signatureFeeLamports: fee }: PlanInputs): number {
    const walletRent = this.#world.runtime.rentLamports(0n);
    const isPayable = (count: bigint): boolean => {
      const left = walletLamports - fee - count * (chain.stakeRentLamports + fee);
      return left === 0n || left >= walletRent;
    };
    for (let count = MAX_NEW_ACCOUNTS; count > 0; count -= 1) if (isPayable(BigInt(count))) return count;
    return 0;
  }
}
