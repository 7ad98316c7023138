// Decides whether a policy allows a request. The functions are pure: the time, the epoch and all earlier spends are
// arguments.
//
// Invariant: after every allowed request, the amounts of all requests that may have been signed within a period are
// at most the policy's limit for that period. Requests that are proven never to land do not count.
import { lamportsToSol } from '../../client/sol-amount.ts';
import { AMOUNT_KINDS, type AmountKind, PERIODS, type Period, type Policy } from './policy-file.ts';
import type { PolicyRefusal } from './policy-refused.ts';

/** Lamports of each kind. Null if neither the transaction nor a node shows the amount. */
export type Amounts = Readonly<Record<AmountKind, bigint | null>>;

/** Verified effects of one approval: a transaction together with the later ones of its plan. */
export interface Act {
  readonly operations: readonly string[];
  readonly amounts: Amounts;
  readonly validators: readonly string[];
  readonly recipients: readonly string[];
  /**
   * Account that the transactions create and leave open. Of several requests that create the same account, only
   * one can land.
   */
  readonly account: string | null;
  /** Accounts that the transactions may close. */
  readonly closed: readonly string[];
}

/** An approval whose transactions may have been signed. */
export interface SignedSpend extends Pick<Act, 'amounts' | 'account' | 'closed'> {
  readonly n: number;
  readonly atMs: number;
  readonly epoch: number | null;
  readonly intent: string;
  /** SHA-256 of each message of the approval. */
  readonly covers: readonly string[];
  readonly signatures: readonly string[];
  /** True if the record replaced an earlier record of the same request. */
  readonly isRepeated: boolean;
}

/** All signed spends, with the latest time and epoch seen. Time and epoch never go back. */
export interface PolicyState {
  readonly lastMs: number;
  readonly lastEpoch: number;
  readonly spends: readonly SignedSpend[];
}

export const NOTHING_SPENT: PolicyState = { lastMs: 0, lastEpoch: 0, spends: [] };

export interface DecisionTime {
  readonly ms: number;
  /** Null if the user has no node that reports it. */
  readonly epoch: number | null;
}

const HOUR_MS = 60 * 60 * 1000;
const WINDOW_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
/** Time for which a spend with an unknown epoch counts toward epoch limits. Longer than an epoch of a public cluster. */
const REMEMBERED_MS = 5 * 24 * HOUR_MS;

/**
 * Returns the given time and epoch, or the latest ones seen if those are later, so setting the clock back
 * does not free up any of a limit.
 */
export const instantIn = (state: PolicyState, { ms, epoch }: DecisionTime): DecisionTime => ({
  ms: Math.max(ms, state.lastMs),
  epoch: epoch === null ? null : Math.max(epoch, state.lastEpoch),
});

/** Removes spends that no longer fall into any period. */
export const withoutExpiredSpends = (state: PolicyState): PolicyState => ({
  ...state,
  spends: state.spends.filter(
    ({ atMs, epoch }) => atMs > state.lastMs - REMEMBERED_MS || epoch === state.lastEpoch,
  ),
});

/**
 * Returns the lamports of these spends, or null if an amount is unknown. Of spends that create the same account
 * only the largest counts, unless another spend may have closed the account in between.
 */
const sumOf = (
  spends: readonly SignedSpend[],
  all: readonly SignedSpend[],
  kind: AmountKind,
): bigint | null => {
  const largest = new Map<string, bigint>();
  let total = 0n;
  for (const { n, account, amounts } of spends) {
    const lamports = amounts[kind];
    if (lamports === null) return null;
    // A transaction that fails because the account already exists still costs its fee.
    const isShared = kind !== 'fees' && account !== null && !all.some((one) => one.closed.includes(account));
    const group = isShared ? account : String(n);
    const counted = largest.get(group) ?? 0n;
    if (lamports <= counted) continue;
    largest.set(group, lamports);
    total += lamports - counted;
  }
  return total;
};

/** Returns the spends that count for a period at `now`. */
const within = (
  spends: readonly SignedSpend[],
  period: Exclude<Period, 'each'>,
  now: DecisionTime,
): readonly SignedSpend[] =>
  period === 'epoch'
    ? spends.filter(({ epoch }) => epoch === null || epoch === now.epoch)
    : spends.filter(({ atMs }) => atMs > now.ms - WINDOW_MS[period]);

/** Returns the lamports used in a period, or null if an amount is unknown. */
export const usedLamports = (
  { spends }: PolicyState,
  kind: AmountKind,
  period: Exclude<Period, 'each'>,
  now: DecisionTime,
): bigint | null => sumOf(within(spends, period, now), spends, kind);

/** Names of the amount kinds in sentences, such as `staked`. */
export const AMOUNT_NAMES: Readonly<Record<AmountKind, string>> = {
  stake: 'staked',
  unstake: 'unstaked',
  withdraw: 'withdrawn',
  fees: 'paid in fees',
};
/** Descriptions of the periods, for use in sentences. */
export const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  each: 'in one request',
  hour: 'in any hour',
  day: 'in any 24 hours',
  epoch: 'in one epoch',
};

/** Spend to be added if it is allowed. */
type Candidate = Pick<SignedSpend, 'amounts' | 'account' | 'closed'>;

const added = (state: PolicyState, candidate: Candidate, { ms, epoch }: DecisionTime): PolicyState => ({
  ...state,
  spends: [
    ...state.spends,
    {
      ...candidate,
      n: Number.MAX_SAFE_INTEGER,
      atMs: ms,
      epoch,
      intent: '',
      covers: [],
      signatures: [],
      isRepeated: false,
    },
  ],
});

/**
 * True if the period stays within the limit. A request without an amount of this kind may still exceed it: if
 * it closes an account that two earlier requests create, both of these can land.
 */
const fits = (
  state: PolicyState,
  candidate: Candidate,
  [kind, period, limit]: readonly [AmountKind, Exclude<Period, 'each'>, bigint],
  now: DecisionTime,
): boolean => {
  const before = usedLamports(state, kind, period, now);
  const total = usedLamports(added(state, candidate, now), kind, period, now);
  if (candidate.amounts[kind] === 0n && total === before) return true;
  return total !== null && total <= limit;
};

/** One limit of a policy. */
type Limit = readonly [AmountKind, Period, bigint];

const limitsOf = (policy: Policy): readonly Limit[] =>
  AMOUNT_KINDS.flatMap((kind) =>
    PERIODS.flatMap((period): readonly Limit[] => {
      const limit = policy.limits[kind]?.[period];
      return limit === undefined ? [] : [[kind, period, limit]];
    }),
  );

/** Returns the times after `now` at which these spends leave an hourly or daily period, earliest first. */
const windowEnds = (
  spends: readonly SignedSpend[],
  period: 'hour' | 'day',
  now: DecisionTime,
): readonly number[] =>
  within(spends, period, now)
    .map(({ atMs }) => atMs + WINDOW_MS[period])
    .toSorted((one, other) => one - other);

/** Returns the earliest time at which the candidate fits into an hourly or daily limit, or null if it never does. */
const freesAt = (
  state: PolicyState,
  candidate: Candidate,
  [kind, period, limit]: readonly [AmountKind, 'hour' | 'day', bigint],
  now: DecisionTime,
): number | null =>
  windowEnds(state.spends, period, now).find((ms) =>
    fits(state, candidate, [kind, period, limit], { ...now, ms }),
  ) ?? null;

/**
 * Returns from when all limits have room for the candidate: a time, with the limit that decides it, the next
 * epoch, or both. Returns null if they never do.
 */
const allFreeFrom = (
  state: PolicyState,
  candidate: Candidate,
  limits: readonly Limit[],
  now: DecisionTime,
): { readonly at: string | null; readonly atLimit: Limit | null; readonly epoch: number | null } | null => {
  let latest: number | null = null;
  let atLimit: Limit | null = null;
  let epoch: number | null = null;
  for (const [kind, period, limit] of limits) {
    if ((candidate.amounts[kind] ?? 0n) > limit) return null;
    if (period === 'each' || fits(state, candidate, [kind, period, limit], now)) continue;
    if (period === 'epoch') {
      epoch = (now.epoch ?? 0) + 1;
      continue;
    }
    const at = freesAt(state, candidate, [kind, period, limit], now);
    if (at === null) return null;
    if (at <= (latest ?? 0)) continue;
    latest = at;
    atLimit = [kind, period, limit];
  }
  return { at: latest === null ? null : new Date(latest).toISOString(), atLimit, epoch };
};

/** The state of one limit. Amounts are in SOL, as text. */
export interface LimitState {
  readonly amount: AmountKind;
  readonly period: Period;
  readonly limitSol: string;
  /** Null if an amount is not known. Nothing more is then allowed. */
  readonly usedSol: string | null;
  readonly leftSol: string;
  /** Time from which more is left. Null if nothing is used, for `each`, and for epochs. */
  readonly freesAt: string | null;
  /** Time from which the whole limit is left. Null as above. */
  readonly allFreeAt: string | null;
  /** Epoch from which the whole limit is left, for epochs. */
  readonly freesInEpoch: number | null;
}

const leftOf = (state: PolicyState, [kind, period, limit]: Limit, now: DecisionTime) => {
  const isUnknown = period === 'epoch' && now.epoch === null;
  const used = period === 'each' ? 0n : isUnknown ? null : usedLamports(state, kind, period, now);
  return { used, left: used === null || used > limit ? 0n : limit - used };
};

/** Returns the state of each limit. */
export const limitStates = (policy: Policy, state: PolicyState, now: DecisionTime): readonly LimitState[] =>
  limitsOf(policy).map((one) => {
    const [amount, period, limit] = one;
    const { used, left } = leftOf(state, one, now);
    const ends =
      period === 'hour' || period === 'day'
        ? windowEnds(
            state.spends.filter(({ amounts }) => amounts[amount] !== 0n),
            period,
            now,
          )
        : [];
    const frees = ends.find((ms) => leftOf(state, one, { ...now, ms }).left > left);
    const last = ends.at(-1);
    return {
      amount,
      period,
      limitSol: lamportsToSol(limit),
      usedSol: used === null ? null : lamportsToSol(used),
      leftSol: lamportsToSol(left),
      freesAt: frees === undefined ? null : new Date(frees).toISOString(),
      allFreeAt: last === undefined ? null : new Date(last).toISOString(),
      freesInEpoch: period === 'epoch' && now.epoch !== null && used !== 0n ? now.epoch + 1 : null,
    };
  });

/** Returns the most lamports of this kind that one request may have now; null if there is no limit. */
export const mostAllowed = (
  policy: Policy,
  state: PolicyState,
  kind: AmountKind,
  now: DecisionTime,
): bigint | null =>
  limitsOf(policy)
    .filter(([amount]) => amount === kind)
    .map((one) => leftOf(state, one, now).left)
    .reduce<bigint | null>((least, left) => (least === null || left < least ? left : least), null);

/** Names the limit that decides the time, if it is not the limit that the refusal is about. */
const otherLimit = (decides: Limit | null, [kind, period]: readonly [AmountKind, Period]): string =>
  decides === null || (decides[0] === kind && decides[1] === period)
    ? ''
    : `, because of the limit of ${lamportsToSol(decides[2])} SOL ${AMOUNT_NAMES[decides[0]]} ${PERIOD_NAMES[decides[1]]}`;

const overLimit = (
  state: PolicyState,
  candidate: Candidate,
  [kind, period, limitLamports]: Limit,
  limits: readonly Limit[],
  now: DecisionTime,
): PolicyRefusal => {
  const asked = candidate.amounts[kind] ?? 0n;
  const used = period === 'each' ? 0n : usedLamports(state, kind, period, now);
  if (used === null)
    return {
      code: 'POLICY_AMOUNT_UNKNOWN',
      message: `An earlier request counts for this limit with an amount that is not known, so nothing more can be ${AMOUNT_NAMES[kind]} ${PERIOD_NAMES[period]}.`,
      details: { amount: kind, period },
    };
  const left = limitLamports > used ? limitLamports - used : 0n;
  const free = allFreeFrom(state, candidate, limits, now);
  const [limitSol, usedSol, leftSol, askedSol] = [limitLamports, used, left, asked].map(lamportsToSol);
  const end =
    free === null
      ? 'It is never possible under this policy.'
      : `It is possible ${[
          ...(free.epoch === null ? [] : [`in the next epoch (${free.epoch})`]),
          ...(free.at === null ? [] : [`from ${free.at}${otherLimit(free.atLimit, [kind, period])}`]),
        ].join(', ')}.`;
  return {
    code: 'POLICY_LIMIT',
    message: `The policy allows ${limitSol} SOL to be ${AMOUNT_NAMES[kind]} ${PERIOD_NAMES[period]}. ${
      period === 'each' ? '' : `${usedSol} SOL is used and ${leftSol} SOL is left. `
    }This request needs ${askedSol} SOL. ${end}`,
    details: {
      amount: kind,
      period,
      limitSol: limitSol!,
      usedSol: usedSol!,
      leftSol: leftSol!,
      askedSol: askedSol!,
      freesAt: free?.at ?? null,
      freesInEpoch: now.epoch === null ? null : (free?.epoch ?? null),
    },
  };
};

/** Returns a refusal for the first limit that the candidate exceeds, or null if it exceeds none. */
export const limitRefusal = (
  policy: Policy,
  state: PolicyState,
  candidate: Candidate,
  now: DecisionTime,
): PolicyRefusal | null => {
  const limits = limitsOf(policy);
  for (const [kind, period, limit] of limits) {
    const asked = candidate.amounts[kind];
    if (asked === null)
      return {
        code: 'POLICY_AMOUNT_UNKNOWN',
        message: `The policy limits how much is ${AMOUNT_NAMES[kind]}, but the transaction does not show the amount. Specify your own RPC node with --rpc URL, or name an exact amount.`,
        details: { amount: kind },
      };
    if (period === 'epoch' && now.epoch === null && asked > 0n)
      return {
        code: 'POLICY_EPOCH_UNKNOWN',
        message:
          'The policy has a limit for each epoch, and only your own RPC node can report the epoch. Specify one with --rpc URL.',
      };
    if (period === 'each' ? asked > limit : !fits(state, candidate, [kind, period, limit], now))
      return overLimit(state, candidate, [kind, period, limit], limits, now);
  }
  return null;
};

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

export const hoursText = ({ from, to }: NonNullable<Policy['hours']>): string =>
  `from ${clock(from)} to ${clock(to)} UTC`;

const isWithinHours = ({ from, to }: NonNullable<Policy['hours']>, ms: number): boolean => {
  const minute = Math.floor(ms / 60_000) % (24 * 60);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
};

/** Returns the reason why these operations are refused at this time, or null if they are allowed. */
export const operationRefusal = (
  { hours, operations: allowed }: Policy,
  operations: readonly string[],
  now: DecisionTime,
): PolicyRefusal | null => {
  if (hours && !isWithinHours(hours, now.ms))
    return {
      code: 'POLICY_HOURS',
      message: `The policy allows signing only ${hoursText(hours)}. It is ${clock(Math.floor(now.ms / 60_000) % (24 * 60))} UTC.`,
      details: { from: clock(hours.from), to: clock(hours.to) },
    };
  const refused = operations.find((one) => !allowed.includes(one));
  return refused === undefined
    ? null
    : {
        code: 'POLICY_OPERATION',
        message: `The policy does not allow ${refused}. It allows ${allowed.join(', ')}.`,
        details: { operation: refused },
      };
};

/** Returns the reason why the policy refuses the transactions, or null if they are allowed. */
export const actRefusal = (
  policy: Policy,
  state: PolicyState,
  act: Act,
  now: DecisionTime,
): PolicyRefusal | null => {
  const refused = operationRefusal(policy, act.operations, now);
  if (refused !== null) return refused;
  const validator = act.validators.find((one) => !policy.validators.includes(one));
  if (validator !== undefined)
    return {
      code: 'POLICY_VALIDATOR',
      message: `The policy does not allow stake with ${validator}.`,
      details: { validator },
    };
  const recipient = act.recipients.find((one) => !policy.recipients.includes(one));
  if (recipient !== undefined)
    return {
      code: 'POLICY_RECIPIENT',
      message: `The policy does not allow SOL to go to ${recipient}.`,
      details: { recipient },
    };
  return limitRefusal(policy, state, act, now);
};

/**
 * Returns the largest amount that requires a person's approval, or null if none does. Unknown amounts require
 * approval.
 */
export const amountForPerson = (
  { approveAboveLamports }: Policy,
  { amounts }: Pick<Act, 'amounts'>,
): { readonly lamports: bigint | null } | null => {
  if (approveAboveLamports === undefined) return null;
  const moved = AMOUNT_KINDS.filter((kind) => kind !== 'fees').map((kind) => amounts[kind]);
  if (moved.includes(null)) return { lamports: null };
  const largest = moved.reduce((most, one) => (one! > most! ? one : most), 0n)!;
  return largest > approveAboveLamports ? { lamports: largest } : null;
};
