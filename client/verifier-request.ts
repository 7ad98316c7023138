// Converts a user's goal and amount into the request that the verifier compares transactions with.
import type { Address } from '@solana/kit';
import { formatSol } from '../src/domain/lamports.ts';
import { type GoalName, goalNames, goalRecord } from '../src/domain/plan/plan-goals.ts';
import type { ApprovalEffects } from '../src/domain/transaction/effects/approval-effects.ts';
import type {
  ExpectedTransaction,
  UnknownEffect,
  Verdict,
  VerifierRequest,
} from './verify-transaction-bytes.ts';

/** Goals that the verifier can check. */
export const verifiableGoals: readonly string[] = ['stake', 'withdraw', ...goalNames];

/** Destinations of a sweep. */
export const sweepDestinations = ['wallet', 'stake', 'activating'] as const;

/** Purpose of transactions as stated by a user. */
export interface StatedGoal {
  /** One of `verifiableGoals`. If undefined, only the form of a single transaction is checked. */
  readonly goal: string | undefined;
  readonly lamports: bigint | undefined;
  /** True if a larger amount is acceptable when the exact one is impossible. */
  readonly isAtLeast: boolean;
  /** One of `sweepDestinations`; for a sweep. */
  readonly to: string | undefined;
  /** Accounts that the user named. No others may change. */
  readonly accounts: readonly Address[] | undefined;
}

const requestOf = (goal: string, { lamports, isAtLeast, to, accounts }: StatedGoal): VerifierRequest => {
  if (!verifiableGoals.includes(goal))
    throw new RangeError(`the goal must be one of ${verifiableGoals.join(', ')}`);
  if (goal === 'stake') {
    if (lamports === undefined) throw new RangeError('stake requires an amount');
    return { kind: 'stake', lamports, accounts };
  }
  if (goal === 'withdraw' || (goal === 'unstake' && lamports === undefined)) {
    if (accounts?.length !== 1) throw new RangeError(`${goal} requires an amount or one stake account`);
    return { kind: goal, lamports, accounts };
  }
  const { amount } = goalRecord(goal as GoalName);
  if (amount === 'required' && lamports === undefined) throw new RangeError(`${goal} requires an amount`);
  if (amount === 'none' && lamports !== undefined) throw new RangeError(`${goal} takes no amount`);
  const destination = sweepDestinations.find((one) => one === to);
  if (to !== undefined && (goal !== 'sweep' || destination === undefined))
    throw new RangeError(`only a sweep takes a destination: ${sweepDestinations.join(', ')}`);
  return {
    kind: 'rearrange',
    goal: goal as GoalName,
    lamports,
    accounts,
    to: destination,
    rounding: isAtLeast ? 'atLeast' : 'exact',
  };
};

/**
 * Returns the requirements on transactions that follow from the user's input. `following` contains the later
 * transactions of a plan. Throws `RangeError` with a message for the user if the input does not describe a
 * request.
 */
export const expectedInWords = (
  words: StatedGoal,
  following: readonly string[],
): Pick<ExpectedTransaction, 'request' | 'lamports' | 'stakeAccount' | 'following'> => {
  const { goal, lamports, accounts = [] } = words;
  if (goal !== undefined) return { request: requestOf(goal, words), following };
  if (following.length > 0 || accounts.length > 1)
    throw new RangeError('several transactions or stake accounts require --goal');
  const [stakeAccount] = accounts;
  return { ...(stakeAccount && { stakeAccount }), ...(lamports !== undefined && { lamports }) };
};

/** Formats an amount; null if the transaction does not contain it. */
const solOrNotShown = (lamports: bigint | null): string =>
  lamports === null ? 'amount not shown in the transaction' : `${formatSol(lamports)} SOL`;

const shownAmounts = (
  amounts: readonly (readonly [string, bigint | null])[],
): readonly (readonly [string, string])[] =>
  amounts
    .filter(([, lamports]) => lamports !== 0n)
    .map(([label, lamports]) => [label, solOrNotShown(lamports)] as const);

/** Formats the deactivated, staked and withdrawn amounts of checked transactions. Omits zero amounts. */
export const movedAmountLines = ({
  deactivatedLamports,
  stakedLamports,
  withdrawnLamports,
}: Pick<
  ApprovalEffects,
  'deactivatedLamports' | 'stakedLamports' | 'withdrawnLamports'
>): readonly (readonly [string, string])[] =>
  shownAmounts([
    ['deactivates', deactivatedLamports],
    ['stakes', stakedLamports],
    ['withdraws', withdrawnLamports],
  ]);

/**
 * Formats the combined effects of all checked transactions and the effects that a person must check, as pairs
 * of label and text. Omits zero amounts.
 */
export const effectLines = ({
  effects,
  unknowns,
}: Pick<Verdict, 'effects' | 'unknowns'>): readonly (readonly [string, string])[] => [
  ...(effects === null
    ? []
    : [
        ...movedAmountLines(effects),
        ...shownAmounts([
          ['rent', effects.rentLamports],
          ['rent at risk', effects.atRiskLamports],
        ]),
        ['transactions', String(effects.transactions)] as const,
      ]),
  ...unknowns.map(({ account, text }: UnknownEffect) => [`? ${account}`, text] as const),
];

/**
 * True if the transaction shows nothing wrong but does not show everything, so a person or an RPC node must
 * check the rest.
 */
export const needsDecision = ({ fields, unknowns }: Pick<Verdict, 'fields' | 'unknowns'>): boolean =>
  unknowns.length > 0 && fields.every(({ ok }) => ok);

/** First line of the verifier's output. */
export const headline = (verdict: Verdict): string => {
  const { ok, recognized } = verdict;
  if (ok) return `✓ It does only what it claims: ${recognized.kind}`;
  return needsDecision(verdict)
    ? '? It does what you requested, but does not show everything: decide yourself, or check with an RPC node'
    : `✗ DO NOT SIGN: ${recognized.kind}`;
};
