// Derives what happened to one account, as periods of its delegations: from its present state where that is enough, else from its transactions.
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/ports.ts';
import type { AccountTransaction } from '../../domain/alerts/change-facts.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { decodeStakeAccount, isSameLockup, type StakeAccount } from '../../domain/stake/stake-account.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import type { StakeOperation } from '../../domain/stake/stake-operation.ts';
import { type DelegationPeriod, presentPeriod } from '../../domain/stake/stake-periods.ts';
import {
  type AccountStep,
  heldAfter,
  type Inheritance,
  type Replay,
  replayPeriods,
} from '../../domain/stake/stake-replay.ts';
import type { WatchedAccount } from '../../store/watched-accounts.ts';
import {
  type AccountHistory,
  type HistoryOptions,
  readAccountHistory,
  signaturesWithin,
} from './account-history.ts';

/** A watched account with its bytes read. */
export interface KnownAccount extends WatchedAccount {
  readonly account: StakeAccount;
}

/** What is asked about an account. */
export interface AccountQuestion {
  readonly address: Address;
  /** The wallet that it was found under. */
  readonly wallet: Address;
  /** As it was when events were last derived from it; null: never seen. */
  readonly known: KnownAccount | null;
  /** Something may have happened to it that its state does not show. */
  readonly isSuspect: boolean;
  /** An account never seen before is looked at from here on. */
  readonly fromSlot: bigint;
  /** The finalized account at `slot`. */
  readonly now: ChainAccount | null;
  readonly slot: bigint;
  /** Do with what there is: it was asked too often. */
  readonly isLastTry: boolean;
}

/** What happened. */
export interface AccountAssessment {
  /** `behind`: the nodes' history does not lead to the account's state yet. `gap`: it never will. */
  readonly outcome: 'assessed' | 'behind' | 'gap';
  readonly periods: readonly DelegationPeriod[];
  /** What its transactions did to it, oldest first; none where its state was enough. */
  readonly transactions: readonly AccountTransaction[];
  readonly account: StakeAccount | null;
  readonly delegatedEpoch: bigint | null;
}

/** What judging needs beside histories. */
export interface AssessOptions extends HistoryOptions {
  readonly voteAccount: Address;
  readonly history: StakeHistory;
}

/**
 * The last slot whose every transaction an account's state surely shows: an answer's own slot may go on after it, as the sandbox's does. What is
 * looked at twice so is the same fact under the same id.
 */
export const beforeSlotOf = ({ slot }: Pick<WatchedAccount, 'slot'>): bigint => slot - 1n;

const hasSameDeciders = (a: StakeAccount, b: StakeAccount): boolean =>
  a.stakeAuthority === b.stakeAuthority &&
  a.withdrawAuthority === b.withdrawAuthority &&
  isSameLockup(a.lockup, b.lockup);

/** The same as far as events go: what rewards and transfers change does not count. */
export const isSameStake = (a: StakeAccount, b: StakeAccount): boolean =>
  a.kind === b.kind &&
  hasSameDeciders(a, b) &&
  a.delegation?.voteAccount === b.delegation?.voteAccount &&
  a.delegation?.activationEpoch === b.delegation?.activationEpoch &&
  a.delegation?.deactivationEpoch === b.delegation?.deactivationEpoch;

const asPresent = (
  account: StakeAccount,
  voteAccount: Address,
  delegatedEpoch: bigint | null,
): AccountAssessment => {
  const isDelegated = delegatedEpoch !== null && account.delegation?.activationEpoch === delegatedEpoch;
  const period = presentPeriod(account, voteAccount, isDelegated ? true : null);
  const periods = period === null ? [] : [period];
  return { outcome: 'assessed', periods, transactions: [], account, delegatedEpoch };
};

/** An account that is being set up, or that the Stake program no longer owns, is none. */
const decoded = (now: ChainAccount | null): StakeAccount | null =>
  now === null || now.owner !== STAKE_PROGRAM ? null : decodeStakeAccount(now);

/** A part of what was not delegated; that all of a stake was moved away is seen in nothing but this. */
const nothingOf = ({ withdrawAuthority }: StakeAccount): Inheritance => ({
  exists: true,
  staker: null,
  withdrawer: withdrawAuthority,
  lockup: null,
  delegation: null,
});

/** The operations of each transaction together. */
const byTransaction = (
  operations: Extract<Replay, { readonly ok: true }>['operations'],
  { transactionOf }: AccountHistory,
): readonly AccountTransaction[] =>
  [...Map.groupBy(operations, ({ operation }) => transactionOf.get(operation)!)].map(
    ([{ signature, signers }, own]) => ({ signature, signers, operations: own }),
  );

/** Parts of parts of parts are not followed. */
const MOST_GENERATIONS = 3;

type Part = Pick<AccountQuestion, 'address' | 'wallet'>;

type Gift = Extract<StakeOperation, { readonly type: 'split' | 'moveStake' }>;

/** The operations that brought the account stake from another one, each with its step. */
const giftsTo = (address: Address, { steps }: AccountHistory) =>
  steps.flatMap((step) =>
    step.operations.flatMap((gift) =>
      (gift.type === 'split' || gift.type === 'moveStake') && gift.into === address ? [{ step, gift }] : [],
    ),
  );

const isSameGift = (one: StakeOperation, { type, account, into }: Gift): boolean =>
  one.type === type && one.account === account && one.into === into;

/** What happened to the giver before the gift; one transaction often does something to it afterwards too. */
const stepsBefore = (
  gift: Gift,
  { slot, operations }: AccountStep,
  given: AccountHistory,
): readonly AccountStep[] => {
  const earlier = operations.slice(0, operations.indexOf(gift)).filter((one) => isSameGift(one, gift)).length;
  return given.steps.map((step) => {
    if (step.slot !== slot) return step;
    const index = step.operations.flatMap((one, at) => (isSameGift(one, gift) ? [at] : []))[earlier];
    // Who gives everything away is closed by it; what counts is what there was to give.
    return { ...step, operations: step.operations.slice(0, index), lamportsAfter: 1n };
  });
};

/** What the account received, as far as known. */
const inheritances = async (
  { address, wallet }: Part,
  history: AccountHistory,
  options: AssessOptions,
  generation = 0,
): Promise<ReadonlyMap<StakeOperation, Inheritance>> => {
  const found = new Map<StakeOperation, Inheritance>();
  if (generation > MOST_GENERATIONS) return found;
  for (const { step, gift } of giftsTo(address, history)) {
    const source = gift.account;
    const whole = await readAccountHistory(options, source, { after: null, through: step.slot });
    const given = { ...whole, steps: stepsBefore(gift, step, whole) };
    // Who was a part itself has its authorities and its lockup from where it came from, also where its delegation is its own.
    const isPart = giftsTo(source, given).length > 0;
    const held = heldAfter({
      address: source,
      voteAccount: options.voteAccount,
      assumedWithdrawer: wallet,
      history: options.history,
      steps: given.steps,
      ...(isPart
        ? { inherited: await inheritances({ address: source, wallet }, given, options, generation + 1) }
        : {}),
    });
    if (held) found.set(gift, held);
  }
  return found;
};

/** Beyond this many only none and all are tried. */
const MOST_MOVES_TRIED = 4;

/** Which of the operations that moved stake away may have moved all of it: none, all, and then every other choice. */
const emptyingOf = (address: Address, { steps }: AccountHistory): readonly ReadonlySet<StakeOperation>[] => {
  const moves = steps.flatMap(({ operations }) =>
    operations.filter((one) => one.type === 'moveStake' && one.account === address),
  );
  const choices = moves.length > MOST_MOVES_TRIED ? 0 : 2 ** moves.length;
  const others = Array.from({ length: Math.max(0, choices - 2) }, (_, at) =>
    moves.filter((_move, index) => ((at + 1) >> index) % 2 === 1),
  );
  return [[], moves, ...others].map((chosen) => new Set(chosen));
};

/** Judges one account. Throws `AppError('UPSTREAM_UNAVAILABLE')`. */
export const assessAccount = async (
  question: AccountQuestion,
  options: AssessOptions,
): Promise<AccountAssessment> => {
  const { address, wallet, known, isSuspect, fromSlot, slot } = question;
  const { voteAccount, history } = options;
  const account = decoded(question.now);
  if (known && account && !isSuspect && isSameStake(known.account, account))
    return asPresent(account, voteAccount, known.delegatedEpoch);
  if (known === null && account !== null && !isSuspect) {
    const { rows } = await signaturesWithin(options, address, { after: fromSlot, through: slot });
    if (rows.length === 0) return asPresent(account, voteAccount, null);
  }
  // Who was known was delegated to us: a history without that is one that begins too late.
  const assessed = (replay: Replay, from: AccountHistory): AccountAssessment | null => {
    if (!replay.ok || (known !== null && replay.periods.length === 0)) return null;
    const { periods, operations, delegatedEpoch } = replay;
    const transactions = byTransaction(operations, from);
    return { outcome: 'assessed', periods, transactions, account, delegatedEpoch };
  };
  const input = { address, voteAccount, assumedWithdrawer: wallet, end: account, history };
  let sinceKnown: AccountAssessment | null = null;
  if (known !== null) {
    const since = await readAccountHistory(options, address, { after: beforeSlotOf(known), through: slot });
    const start = { start: known.account, delegatedEpoch: known.delegatedEpoch, isWhole: false };
    sinceKnown = assessed(replayPeriods({ ...input, ...start, steps: since.steps }), since);
    const epoch = epochOfSlot(known.slot, options.grid);
    // Undone before and done again since within one epoch is one fact, which began when it was done first.
    const isAgain = sinceKnown?.periods.some(({ deactivations }) =>
      deactivations.some((one) => one.slot !== null && one.epoch === epoch),
    );
    if (sinceKnown && !isAgain) return sinceKnown;
  }
  const whole = await readAccountHistory(options, address, { after: null, through: slot });
  const fromStart = { ...input, start: null, delegatedEpoch: null, isWhole: whole.isComplete };
  const gifts = giftsTo(address, whole);
  // Delegations from other accounts come from their history, else from the account's present state.
  const given = gifts.length > 0 ? [await inheritances(question, whole, options)] : [];
  const isUndelegated = account !== null && account.delegation === null;
  const nothing = isUndelegated ? [new Map(gifts.map(({ gift }) => [gift, nothingOf(account)]))] : [];
  const judged = [...given, new Map<StakeOperation, Inheritance>(), ...nothing]
    .flatMap((inherited) => emptyingOf(address, whole).map((emptying) => ({ inherited, emptying })))
    .map((assumed) => replayPeriods({ ...fromStart, ...assumed, steps: whole.steps }))
    .reduce<AccountAssessment | null>((found, one) => found ?? assessed(one, whole), null);
  if (judged) return judged;
  if (!question.isLastTry)
    return { outcome: 'behind', periods: [], transactions: [], account, delegatedEpoch: null };
  if (sinceKnown) return sinceKnown;
  if (account === null)
    return { outcome: 'gap', periods: [], transactions: [], account, delegatedEpoch: null };
  const present = asPresent(account, voteAccount, known?.delegatedEpoch ?? null);
  // Who changed its authorities or its lockup, and when, no node tells any more.
  return known && !hasSameDeciders(known.account, account) ? { ...present, outcome: 'gap' } : present;
};

/** Whether the account's own history holds a delegate in `epoch`; null where no node keeps its history. Throws `AppError('UPSTREAM_UNAVAILABLE')`. */
export const wasDelegatedIn = async (
  address: Address,
  epoch: bigint,
  through: bigint,
  options: AssessOptions,
): Promise<boolean | null> => {
  const { steps, isComplete } = await readAccountHistory(options, address, { after: null, through });
  const found = steps.some(
    (step) =>
      step.epoch === epoch &&
      step.operations.some(({ type, account }) => type === 'delegate' && account === address),
  );
  const reachesBack = isComplete && steps.length > 0;
  return found ? true : reachesBack ? false : null;
};
