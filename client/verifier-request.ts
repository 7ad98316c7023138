// The request behind a goal and an amount in a user's words, as the verifier holds transactions to it.
import type { Address } from '@solana/kit';
import { formatSol } from '../src/domain/lamports.ts';
import { type GoalName, goalNames, goalRecord } from '../src/domain/plan/plan-goals.ts';
import type { UnknownEffect } from '../src/domain/transaction/approval-effects.ts';
import type { EffectsRequest } from '../src/domain/transaction/check-effects.ts';
import type { Verdict } from './verify-transaction-bytes.ts';

/** The goals that transactions can be held to. */
export const verifiableGoals: readonly string[] = ['stake', 'withdraw', ...goalNames];

/** A goal as a user names it. */
export interface GoalInWords {
  /** One of `verifiableGoals`. */
  readonly goal: string;
  readonly lamports?: bigint | undefined;
  /** True where a larger amount may be taken if exactly this one is impossible. */
  readonly isAtLeast?: boolean;
  /** Of a sweep: its destination. */
  readonly to?: string | undefined;
  /** The accounts that the user named; nothing else may change. */
  readonly accounts?: readonly string[] | undefined;
}

const DESTINATIONS = ['wallet', 'stake', 'activating'] as const;

/** Returns the request. Throws `RangeError`, with a sentence for the user, for words that name none. */
export const requestInWords = ({
  goal,
  lamports,
  isAtLeast = false,
  to,
  accounts,
}: GoalInWords): Omit<EffectsRequest, 'wallet' | 'voteAccount'> => {
  const named = accounts as readonly Address[] | undefined;
  if (!verifiableGoals.includes(goal))
    throw new RangeError(`the goal is one of ${verifiableGoals.join(', ')}`);
  if (goal === 'stake') {
    if (lamports === undefined) throw new RangeError('stake needs an amount');
    return { kind: 'stake', lamports, accounts: named };
  }
  if (goal === 'withdraw' || (goal === 'unstake' && lamports === undefined)) {
    if (named?.length !== 1) throw new RangeError(`${goal} needs an amount or one stake account`);
    return { kind: goal, lamports, accounts: named };
  }
  const { amount } = goalRecord(goal as GoalName);
  if (amount === 'required' && lamports === undefined) throw new RangeError(`${goal} needs an amount`);
  if (amount === 'none' && lamports !== undefined) throw new RangeError(`${goal} takes no amount`);
  const destination = DESTINATIONS.find((one) => one === to);
  if (to !== undefined && (goal !== 'sweep' || destination === undefined))
    throw new RangeError(`a sweep goes to ${DESTINATIONS.join(', ')}; no other goal has a destination`);
  return {
    ...{ kind: 'rearrange', goal: goal as GoalName, lamports, accounts: named, to: destination },
    rounding: isAtLeast ? 'atLeast' : 'exact',
  };
};

const sol = (lamports: bigint | null): string =>
  lamports === null ? 'the transaction does not show how much' : `${formatSol(lamports)} SOL`;

/** The effects of all transactions that were checked, and what a person has to decide: lines of label and text. */
export const effectLines = ({
  effects,
  unknowns,
}: Pick<Verdict, 'effects' | 'unknowns'>): readonly (readonly [string, string])[] => [
  ...(effects === null
    ? []
    : ([
        ['deactivates', sol(effects.deactivatedLamports)],
        ['stakes', sol(effects.stakedLamports)],
        ['withdraws', sol(effects.withdrawnLamports)],
        ['rent', sol(effects.rentLamports)],
        ['rent at risk', sol(effects.atRiskLamports)],
        ['transactions', String(effects.transactions)],
      ] as const)),
  ...unknowns.map(({ account, text }: UnknownEffect) => [`? ${account}`, text] as const),
];

/** The first line of a verdict. */
export const headline = ({ ok, fields, unknowns, recognised }: Verdict): string => {
  if (ok) return `✓ It does only what it claims: ${recognised.kind}`;
  return unknowns.length > 0 && fields.every((field) => field.ok)
    ? '? It does what was asked, except for what it does not show: a person, or a check with an RPC node, has to decide'
    : `✗ DO NOT SIGN: ${recognised.kind}`;
};
