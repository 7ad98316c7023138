// Derives the delegation periods of one account: from its current state if that is enough, otherwise from its
// transactions.
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/ports.ts';
import type { AccountTransaction } from '../../domain/alerts/detect-control-changes.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { decodeStakeAccount, isSameLockup, type StakeAccount } from '../../domain/stake/stake-account.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import type { StakeOperation } from '../../domain/stake/stake-operation.ts';
import { currentPeriod, type DelegationPeriod } from '../../domain/stake/stake-periods.ts';
import {
  type AccountStep,
  type Replay,
  type ReplayInput,
  replayPeriods,
  type SourceState,
  stateAfterHistory,
} from '../../domain/stake/stake-replay.ts';
import type { WatchedAccount } from '../../store/watched-accounts.ts';
import {
  type AccountHistory,
  type HistoryOptions,
  readAccountHistory,
  signaturesWithin,
} from './account-history.ts';

/** A watched account with the stake account decoded from its bytes. */
export interface KnownAccount extends WatchedAccount {
  readonly account: StakeAccount;
}

export interface AccountToAssess {
  readonly address: Address;
  /** The wallet for which the account was found. */
  readonly wallet: Address;
  /** State from which events were last derived; null if the account was never seen. */
  readonly known: KnownAccount | null;
  /** True if the account may have changed in a way that its current state does not show. */
  readonly isSuspect: boolean;
  /** Slot from which the history is read if the account was never seen before. */
  readonly fromSlot: bigint;
  /** The finalized account at `slot`. */
  readonly now: ChainAccount | null;
  readonly slot: bigint;
  /**
   * True if the account must now be assessed with the available data, because the nodes have had enough time to
   * catch up.
   */
  readonly isLastTry: boolean;
}

/**
 * Result of assessing an account: whether its history explains its current state, and the delegation periods
 * and transactions found.
 */
export interface AccountAssessment {
  /**
   * `behind`: the history known to the nodes does not lead to the account's current state yet. `gap`: it never
   * will.
   */
  readonly outcome: 'assessed' | 'behind' | 'gap';
  readonly periods: readonly DelegationPeriod[];
  /**
   * Transactions of the account with their operations, oldest first; empty if the current state was enough.
   */
  readonly transactions: readonly AccountTransaction[];
  readonly account: StakeAccount | null;
  readonly delegatedEpoch: bigint | null;
}

/** Chain data for an assessment, in addition to histories. */
export interface AssessOptions extends HistoryOptions {
  readonly voteAccount: Address;
  readonly history: StakeHistory;
}

/**
 * Returns the last slot whose transactions the account's state certainly includes. The slot of the response may
 * receive further transactions (as in the sandbox), so it is read again. Events derived twice have the same id.
 */
export const beforeSlotOf = ({ slot }: Pick<WatchedAccount, 'slot'>): bigint => slot - 1n;

const hasSameDeciders = (a: StakeAccount, b: StakeAccount): boolean =>
  a.stakeAuthority === b.stakeAuthority &&
  a.withdrawAuthority === b.withdrawAuthority &&
  isSameLockup(a.lockup, b.lockup);

/** Compares the fields on which events depend, ignoring rewards and transfers. */
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
  const period = currentPeriod(account, voteAccount, isDelegated ? true : null);
  const periods = period === null ? [] : [period];
  return { outcome: 'assessed', periods, transactions: [], account, delegatedEpoch };
};

/** Returns null for accounts that are being created or no longer owned by the Stake program. */
const decoded = (now: ChainAccount | null): StakeAccount | null =>
  now === null || now.owner !== STAKE_PROGRAM ? null : decodeStakeAccount(now);

/**
 * Returns the state of a split's source, assuming that it had no delegation, because an account's own history
 * does not show whether a move left it without stake.
 */
const undelegatedSource = ({ withdrawAuthority }: StakeAccount): SourceState => ({
  exists: true,
  staker: null,
  withdrawer: withdrawAuthority,
  lockup: null,
  delegation: null,
});

const byTransaction = (
  operations: Extract<Replay, { readonly ok: true }>['operations'],
  { transactionOf }: AccountHistory,
): readonly AccountTransaction[] =>
  [...Map.groupBy(operations, ({ operation }) => transactionOf.get(operation)!)].map(
    ([{ signature, signers }, own]) => ({ signature, signers, operations: own }),
  );

/** Maximum number of source accounts through which the history of split or moved stake is followed. */
const MAX_GENERATIONS = 3;

type Part = Pick<AccountToAssess, 'address' | 'wallet'>;

type IncomingTransfer = Extract<StakeOperation, { readonly type: 'split' | 'moveStake' }>;

/** Finds the splits and moves from other accounts into this one, each with its step. */
const incomingTransfers = (address: Address, { steps }: AccountHistory) =>
  steps.flatMap((step) =>
    step.operations.flatMap((transfer) =>
      (transfer.type === 'split' || transfer.type === 'moveStake') && transfer.into === address
        ? [{ step, transfer }]
        : [],
    ),
  );

const isSameTransfer = (one: StakeOperation, { type, account, into }: IncomingTransfer): boolean =>
  one.type === type && one.account === account && one.into === into;

/**
 * Returns the source's steps before the transfer. The same transaction often changes the source afterwards too.
 */
const stepsBefore = (
  transfer: IncomingTransfer,
  { slot, operations }: AccountStep,
  sourceHistory: AccountHistory,
): readonly AccountStep[] => {
  const earlier = operations
    .slice(0, operations.indexOf(transfer))
    .filter((one) => isSameTransfer(one, transfer)).length;
  return sourceHistory.steps.map((step) => {
    if (step.slot !== slot) return step;
    const index = step.operations.flatMap((one, at) => (isSameTransfer(one, transfer) ? [at] : []))[earlier];
    // Transferring everything closes the account, so its balance before the transfer counts.
    return { ...step, operations: step.operations.slice(0, index), lamportsAfter: 1n };
  });
};

/** Finds the known states of the source accounts before each incoming split or move. */
const findSourceStates = async (
  { address, wallet }: Part,
  history: AccountHistory,
  options: AssessOptions,
  generation = 0,
): Promise<ReadonlyMap<StakeOperation, SourceState>> => {
  const found = new Map<StakeOperation, SourceState>();
  if (generation > MAX_GENERATIONS) return found;
  for (const { step, transfer } of incomingTransfers(address, history)) {
    const source = transfer.account;
    const whole = await readAccountHistory(options, source, { after: null, through: step.slot });
    const sourceHistory = { ...whole, steps: stepsBefore(transfer, step, whole) };
    // A source that was itself split off inherits the authorities and the lockup of its own source, even if it
    // was delegated separately.
    const isPart = incomingTransfers(source, sourceHistory).length > 0;
    const state = stateAfterHistory({
      address: source,
      voteAccount: options.voteAccount,
      assumedWithdrawer: wallet,
      history: options.history,
      steps: sourceHistory.steps,
      ...(isPart
        ? {
            sourceStates: await findSourceStates(
              { address: source, wallet },
              sourceHistory,
              options,
              generation + 1,
            ),
          }
        : {}),
    });
    if (state) found.set(transfer, state);
  }
  return found;
};

/**
 * Maximum number of moves for which every combination is tried. With more, only none and all of them are tried.
 */
const MAX_MOVES_TRIED = 4;

/**
 * Lists the combinations of moves that may have taken all stake away: none, all, and then every other
 * combination.
 */
const emptyingOf = (address: Address, { steps }: AccountHistory): readonly ReadonlySet<StakeOperation>[] => {
  const moves = steps.flatMap(({ operations }) =>
    operations.filter((one) => one.type === 'moveStake' && one.account === address),
  );
  const choices = moves.length > MAX_MOVES_TRIED ? 0 : 2 ** moves.length;
  const others = Array.from({ length: Math.max(0, choices - 2) }, (_, at) =>
    moves.filter((_move, index) => ((at + 1) >> index) % 2 === 1),
  );
  return [[], moves, ...others].map((chosen) => new Set(chosen));
};

/** An account to assess, decoded. Histories are read only when a hypothesis first needs them, and only once. */
interface Subject {
  readonly question: AccountToAssess;
  readonly options: AssessOptions;
  readonly account: StakeAccount | null;
  /** Reads the history from the beginning. */
  readonly whole: () => Promise<AccountHistory>;
  /** Replays the changes since the account was last known; null if they do not lead to the current state. */
  readonly sinceKnown: () => Promise<AccountAssessment | null>;
}

/** Explains an account's current state. Returns null if the hypothesis does not match. */
type Hypothesis = (subject: Subject) => Promise<AccountAssessment | null>;

type Assumptions = Pick<ReplayInput, 'start' | 'delegatedEpoch' | 'isWhole' | 'sourceStates' | 'emptying'>;

const replayed = (
  { question: { address, wallet, known }, options, account }: Omit<Subject, 'whole' | 'sinceKnown'>,
  from: AccountHistory,
  assumptions: Assumptions,
): AccountAssessment | null => {
  const { voteAccount, history } = options;
  const subject = { address, voteAccount, assumedWithdrawer: wallet, end: account, history };
  const replay = replayPeriods({ ...subject, ...assumptions, steps: from.steps });
  // A known account was delegated to us, so a history without that delegation begins too late.
  if (!replay.ok || (known !== null && replay.periods.length === 0)) return null;
  const { periods, operations, delegatedEpoch } = replay;
  const transactions = byTransaction(operations, from);
  return { outcome: 'assessed', periods, transactions, account, delegatedEpoch };
};

/**
 * Replays the whole history with these states of the sources, once for each combination of moves that may have
 * emptied the account.
 */
const replayedWhole = async (
  subject: Subject,
  sourceStates: ReadonlyMap<StakeOperation, SourceState>,
): Promise<AccountAssessment | null> => {
  const whole = await subject.whole();
  const fromStart = { start: null, delegatedEpoch: null, isWhole: whole.isComplete, sourceStates };
  for (const emptying of emptyingOf(subject.question.address, whole)) {
    const assessment = replayed(subject, whole, { ...fromStart, emptying });
    if (assessment) return assessment;
  }
  return null;
};

const isUnchanged: Hypothesis = async ({ question: { known, isSuspect }, options, account }) =>
  known && account && !isSuspect && isSameStake(known.account, account)
    ? asPresent(account, options.voteAccount, known.delegatedEpoch)
    : null;

const hasNoTransactionsSince: Hypothesis = async ({ question, options, account }) => {
  const { address, known, isSuspect, fromSlot, slot } = question;
  if (known !== null || account === null || isSuspect) return null;
  const { rows } = await signaturesWithin(options, address, { after: fromSlot, through: slot });
  return rows.length === 0 ? asPresent(account, options.voteAccount, null) : null;
};

/**
 * Replays the history since the account was last known. A deactivation that was undone and repeated within one
 * epoch is a single event with the first timestamp, which only the whole history shows.
 */
const followsFromKnown: Hypothesis = async ({ question: { known }, options, sinceKnown }) => {
  const assessment = await sinceKnown();
  if (known === null || assessment === null) return null;
  const epoch = epochOfSlot(known.slot, options.grid);
  const isSetAgain = assessment.periods.some(({ deactivations }) =>
    deactivations.some((one) => one.slot !== null && one.epoch === epoch),
  );
  return isSetAgain ? null : assessment;
};

const matchesSources: Hypothesis = async (subject) => {
  const whole = await subject.whole();
  if (incomingTransfers(subject.question.address, whole).length === 0) return null;
  return replayedWhole(subject, await findSourceStates(subject.question, whole, subject.options));
};

const sourcesHadCurrentDelegation: Hypothesis = (subject) => replayedWhole(subject, new Map());

const sourcesHadNoDelegation: Hypothesis = async (subject) => {
  const { account, question } = subject;
  if (account === null || account.delegation !== null) return null;
  const transfers = incomingTransfers(question.address, await subject.whole());
  return replayedWhole(
    subject,
    new Map(transfers.map(({ transfer }) => [transfer, undelegatedSource(account)])),
  );
};

/** Hypotheses in the order in which they are tried; the first match is the assessment. */
const HYPOTHESES: readonly Hypothesis[] = [
  isUnchanged,
  hasNoTransactionsSince,
  followsFromKnown,
  matchesSources,
  sourcesHadCurrentDelegation,
  sourcesHadNoDelegation,
];

const isGone: Hypothesis = async ({ account }) =>
  account === null ? { outcome: 'gap', periods: [], transactions: [], account, delegatedEpoch: null } : null;

/**
 * Accepts the current state alone. If the authorities or the lockup changed, a gap remains, because no node
 * still knows who changed them and when.
 */
const isAsPresent: Hypothesis = async ({ account, question: { known }, options }) => {
  if (account === null) return null;
  const present = asPresent(account, options.voteAccount, known?.delegatedEpoch ?? null);
  return known && !hasSameDeciders(known.account, account) ? { ...present, outcome: 'gap' } : present;
};

/** Hypotheses tried after the others, once the nodes have had time to catch up. */
const LAST_HYPOTHESES: readonly Hypothesis[] = [({ sinceKnown }) => sinceKnown(), isGone, isAsPresent];

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | null = null;
  return () => (result ??= work());
};

/**
 * Assesses one account with the first hypothesis that explains its state. Throws
 * `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response.
 */
export const deriveDelegationPeriods = async (
  question: AccountToAssess,
  options: AssessOptions,
): Promise<AccountAssessment> => {
  const { address, known, slot } = question;
  const account = decoded(question.now);
  const base = { question, options, account };
  const subject: Subject = {
    ...base,
    whole: once(() => readAccountHistory(options, address, { after: null, through: slot })),
    sinceKnown: once(async () => {
      if (known === null) return null;
      const since = await readAccountHistory(options, address, { after: beforeSlotOf(known), through: slot });
      const { account: start, delegatedEpoch } = known;
      return replayed(base, since, { start, delegatedEpoch, isWhole: false });
    }),
  };
  for (const hypothesis of question.isLastTry ? [...HYPOTHESES, ...LAST_HYPOTHESES] : HYPOTHESES) {
    const assessment = await hypothesis(subject);
    if (assessment) return assessment;
  }
  return { outcome: 'behind', periods: [], transactions: [], account, delegatedEpoch: null };
};

/**
 * True if the account's own history contains a delegation in `epoch`; null if no node has that history.
 * Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response.
 */
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
