// Checks all transactions of one approval against the request: the amounts that they deactivate, stake and
// withdraw, the accounts that they create, and their cost.
import type { Address } from '@solana/kit';
import { formatSol } from '../../lamports.ts';
import { planStakeChange } from '../../plan/plan-for-goal.ts';
import { type GoalBound, goalBound, NOTHING } from '../../plan/plan-goals.ts';
import { MAX_RENT_LAMPORTS } from '../check-rearrangement.ts';
import { LAMPORTS_PER_SIGNATURE, networkFeeLamports } from '../instruction-fees.ts';
import { machineOperationsOf } from '../machine-operations.ts';
import type { MessageFacts } from '../stake-verifier.ts';
import { problemList } from '../verifier-problems.ts';
import { isEnforced, readApproval, stakesOf, sumLamports } from './approval-bytes.ts';
import { type EffectsCheck, type EffectsRequest, type NodeFacts, unknownEffect } from './approval-effects.ts';
import { effectsFromBytes } from './effects-from-bytes.ts';
import { effectsFromNode } from './effects-from-node.ts';

export type { EffectsCheck, EffectsRequest, NodeFacts };

/** Bounds of all kinds other than rearrangements. */
const KIND_BOUNDS: Readonly<Record<Exclude<EffectsRequest['kind'], 'rearrange'>, GoalBound>> = {
  stake: { ...NOTHING, stakes: 'amount', mostNewStakes: 1 },
  unstake: { ...NOTHING, deactivates: 'named' },
  withdraw: { ...NOTHING, withdraws: 'free' },
  restake: { ...NOTHING, stakes: 'named' },
};

/** Returns the bound of a request. A rearrangement without a goal may change nothing. */
const boundOf = ({ kind, goal, to }: EffectsRequest): GoalBound =>
  kind !== 'rearrange' ? KIND_BOUNDS[kind] : goal === undefined ? NOTHING : goalBound(goal, to);

/**
 * Minimum number of instructions in a transaction that counts as full. Plans fill each transaction before
 * they start the next. In random tests, full transactions had at least 15 instructions; a new account with a
 * long memo leaves room for 12. 8 leaves a margin.
 */
const MIN_INSTRUCTIONS_OF_FULL = 8;
/**
 * Number of transactions that need not be full: the last one, and one that must wait for another even though
 * there is room.
 */
const SHORT_TRANSACTIONS = 2;
/** Keeps the fees of one approval below 0.001 SOL. */
const MAX_TRANSACTIONS = 100;

/** Lists the existing stake accounts that `checkEffects` needs from a node. */
export const accountsToRead = (
  { accounts = [] }: Pick<EffectsRequest, 'accounts'>,
  messages: readonly MessageFacts[],
): readonly Address[] => [
  ...new Set([...accounts, ...messages.flatMap(machineOperationsOf).flatMap(stakesOf)]),
];

/**
 * Returns the smallest amount, at or above the requested one, that can be unstaked or withdrawn from the
 * accounts read from a node: the named ones, or those not delegated to another validator. Returns 0 if there
 * is none.
 */
const leastReachableLamports = (
  { wallet, owner, voteAccount, goal, lamports = 0n, accounts: named }: EffectsRequest,
  { chain, accounts, walletLamports }: NodeFacts,
): bigint => {
  const own = [...accounts.values()].filter(
    (one) =>
      one !== null &&
      (named?.includes(one.address) ??
        (one.delegation === null || one.delegation.voteAccount === voteAccount)),
  );
  const result = planStakeChange(
    { goal: goal === 'withdraw-amount' ? 'withdraw-amount' : 'unstake', lamports, rounding: 'exact' },
    {
      wallet,
      owner,
      walletLamports,
      chain,
      voteAccount,
      accounts: own.filter((one) => one !== null),
      // Never built: only the nearest amount is used.
      newAddress: (index) => `new-${index}` as Address,
      signatureFeeLamports: LAMPORTS_PER_SIGNATURE,
      memoBytes: 0,
    },
  );
  if (result.ok) return lamports;
  return result.refusal.why === 'AMOUNT_NOT_REACHABLE' ? (result.refusal.nearestAboveLamports ?? 0n) : 0n;
};

/**
 * Checks the transactions against the request. The result is exact if `facts` are given; otherwise it is
 * based on the bytes alone.
 */
export const checkEffects = (
  request: EffectsRequest,
  messages: readonly MessageFacts[],
  facts: NodeFacts | null,
): EffectsCheck => {
  const { problems, demand } = problemList();
  const bound = boundOf(request);
  const bytes = readApproval(messages);
  const found =
    facts === null
      ? effectsFromBytes(request, bound, messages)
      : effectsFromNode(request, bound, messages, facts);
  const unknowns = [...found.unknowns];
  const { created, initialized, splits, touched, withdrawnLamports, newStakeLamports } = bytes;
  const rentLamports = sumLamports(bytes.rents);

  demand(request.kind !== 'rearrange' || request.goal !== undefined, 'NO_GOAL');
  demand(
    request.accounts === undefined ||
      [...touched].every((one) => request.accounts!.includes(one) || created.has(one)),
    'STAKE_ACCOUNTS_NOT_NAMED',
  );
  demand(new Set(splits).size === splits.length && splits.length <= bound.mostSplits, 'TOO_MANY_SPLITS', {
    splits: splits.length,
    most: bound.mostSplits,
  });
  demand(bytes.createdAgain.length === 0, 'CREATED_TWICE', { account: bytes.createdAgain[0] ?? '' });
  demand(
    initialized.size <= bound.mostNewStakes && created.size <= bound.mostSplits + bound.mostNewStakes,
    'TOO_MANY_ACCOUNTS',
    { accounts: created.size },
  );
  const newStakes = new Set<Address>();
  for (const operations of bytes.operations) {
    for (const [index, one] of operations.entries())
      if (one.type === 'merge') {
        const { from, account: into } = one;
        demand(bound.merges !== 'none', 'MERGE_NOT_ASKED', { from, into });
        demand(
          bound.merges !== 'delegated' || isEnforced(one, bound.merges, operations.slice(index)),
          'MERGE_NOT_DELEGATED',
          { from, into },
        );
        demand(bound.merges !== 'new' || newStakes.has(from), 'MERGE_NOT_NEW', { from });
      }
    for (const one of operations)
      if (one.type === 'delegate' && initialized.has(one.account)) newStakes.add(one.account);
  }
  const mostRent = BigInt(bound.mostSplits + bound.mostNewStakes) * MAX_RENT_LAMPORTS;
  demand(rentLamports <= mostRent, 'TOO_MUCH_RENT', {
    rentSol: formatSol(rentLamports),
    mostSol: formatSol(mostRent),
  });
  const instructions = bytes.operations.flat().length;
  demand(
    messages.length <=
      Math.min(MAX_TRANSACTIONS, SHORT_TRANSACTIONS + instructions / MIN_INSTRUCTIONS_OF_FULL),
    'TOO_MANY_TRANSACTIONS',
    { transactions: messages.length },
  );

  const { lamports: asked, rounding = 'exact' } = request;
  const askedSol = formatSol(asked ?? 0n);
  const withdrawnSol = formatSol(withdrawnLamports);
  const stakedSol = formatSol(newStakeLamports);
  if (bound.withdraws === 'staked')
    demand(newStakeLamports === withdrawnLamports, 'WITHDRAWS_AND_STAKES', { withdrawnSol, stakedSol });
  else if (bound.stakes !== 'amount' && bound.stakes !== 'idle')
    demand(newStakeLamports === 0n, 'STAKES_NOT_ASKED', { stakedSol });
  else
    demand(newStakeLamports - withdrawnLamports <= (asked ?? 0n), 'STAKES_ABOVE', {
      stakedSol: formatSol(newStakeLamports - withdrawnLamports),
      askedSol,
    });
  if (request.kind === 'stake') demand(newStakeLamports === asked, 'STAKES_OTHER_AMOUNT');
  if (bound.withdraws === 'none') demand(withdrawnLamports === 0n, 'WITHDRAWS_NOT_ASKED', { withdrawnSol });

  if (bound.deactivates === 'amount') {
    const isTakenOut = bound.withdraws === 'amount';
    const total = isTakenOut ? withdrawnLamports + found.coolingLamports : found.deactivatedLamports;
    const figures = { totalSol: formatSol(total), askedSol };
    // Part of a withdrawal may come from stake that is already deactivating, so less needs to be deactivated.
    if (found.isDeactivatedShown && !isTakenOut)
      demand(total >= (asked ?? 0n), 'DEACTIVATES_DIFFERENT', figures);
    if (rounding === 'exact')
      demand(total <= (asked ?? 0n), isTakenOut ? 'TAKES_OUT_DIFFERENT' : 'DEACTIVATES_DIFFERENT', figures);
    else if (total > (asked ?? 0n) && total > (facts === null ? 0n : leastReachableLamports(request, facts)))
      for (const account of touched)
        if (bytes.operations.flat().some((one) => one.type === 'deactivate' && one.account === account))
          unknowns.push(
            unknownEffect(account, isTakenOut ? 'TAKES_OUT_ROUNDED' : 'DEACTIVATES_ROUNDED', figures),
          );
  }
  if (asked !== undefined && found.isStakedShown && (bound.stakes === 'undone' || request.goal === 'top-up'))
    demand(found.stakedLamports - found.idleStakedLamports === asked, 'STAKES_DIFFERENT', {
      stakedSol: formatSol(found.stakedLamports - found.idleStakedLamports),
      askedSol,
    });
  if (found.atRiskLamports > MAX_RENT_LAMPORTS)
    for (const account of new Set(splits))
      unknowns.push(unknownEffect(account, 'RENT_AT_RISK', { rentSol: formatSol(found.atRiskLamports) }));
  return {
    problems: [...found.problems, ...problems],
    unknowns,
    effects: {
      deactivatedLamports: found.isDeactivatedShown ? found.deactivatedLamports : null,
      stakedLamports: found.isStakedShown ? found.stakedLamports : null,
      withdrawnLamports,
      rentLamports,
      atRiskLamports: found.atRiskLamports,
      feeLamports: sumLamports(messages.map(networkFeeLamports)),
      newAccounts: [...created.keys()],
      fullyDelegated: bytes.fullyDelegated,
      transactions: messages.length,
    },
  };
};
