// Reads the effects of one approval from the bytes alone. Amounts that depend on existing accounts become unknowns.
import type { Address } from '@solana/kit';
import type { SentenceFigures } from '../../../kernel/sentence.ts';
import { formatSol } from '../../lamports.ts';
import type { GoalBound } from '../../plan/plan-goals.ts';
import { accountsOfWallet } from '../check-rearrangement.ts';
import { machineOperationsOf } from '../machine-operations.ts';
import type { MessageFacts } from '../stake-verifier.ts';
import { problemList } from '../verifier-problems.ts';
import { isEnforced } from './approval-bytes.ts';
import {
  type AccountEffects,
  type EffectsRequest,
  type UnknownCode,
  type UnknownEffect,
  unknownEffect,
} from './approval-effects.ts';

/**
 * Computes the rent of accounts that were split from accounts which are not provably the wallet's. Evaluated
 * per transaction, because one may land without the others.
 */
const rentAtRisk = (messages: readonly MessageFacts[], wallet: Address): bigint =>
  messages.reduce((all, { instructions }) => {
    const fields = instructions.map(({ data }) => data);
    const own = accountsOfWallet(fields, wallet);
    const created = new Map<Address | null, bigint>();
    let risk = 0n;
    for (const data of fields) {
      if (data.type === 'system.createAccount') created.set(data.newAccount, data.lamports);
      if (data.type === 'stake.split' && !own.has(data.stakeAccount)) risk += created.get(data.into) ?? 0n;
    }
    return all + risk;
  }, 0n);

/** Reads the effects without any data about existing accounts. */
export const effectsFromBytes = (
  { wallet, voteAccount, lamports: asked, accounts }: EffectsRequest,
  bound: GoalBound,
  messages: readonly MessageFacts[],
): AccountEffects => {
  const transactions = messages.map(machineOperationsOf);
  const { problems, demand } = problemList();
  const unknowns = new Map<string, UnknownEffect>();
  const unknown = (account: Address, code: UnknownCode, figures?: SentenceFigures): void => {
    const effect = unknownEffect(account, code, figures);
    unknowns.set(`${account} ${effect.fact}`, effect);
  };
  const isNamed = (account: Address): boolean => accounts?.includes(account) === true;
  /** Returns true if the request names the account but no amount, so it applies to the whole account. */
  const isMeant = (account: Address): boolean => asked === undefined && isNamed(account);
  const created = new Map<Address, bigint>();
  /** Stake of accounts that the bytes describe completely. */
  const stakes = new Map<Address, bigint>();
  let [deactivatedLamports, coolingLamports, stakedLamports] = [0n, 0n, 0n];
  let [isDeactivatedShown, isStakedShown] = [true, true];
  for (const [transaction, operations] of transactions.entries())
    for (const [index, one] of operations.entries()) {
      // The chain requires that both accounts have the same validator, but the first account may be delegated
      // to any.
      const isDivided = one.type === 'split' || one.type === 'moveStake';
      if (isDivided && bound.deactivates === 'amount' && !stakes.has(one.account) && !isNamed(one.account))
        unknown(one.account, 'PART_TAKEN');
      if (one.type === 'create') created.set(one.account, one.lamports);
      else if (one.type === 'split') stakes.set(one.into, one.lamports);
      else if (one.type === 'moveStake') {
        const [from, into] = [stakes.get(one.account), stakes.get(one.into)];
        if (from !== undefined) stakes.set(one.account, from - one.lamports);
        if (into !== undefined) stakes.set(one.into, into + one.lamports);
      } else if (one.type === 'deactivate') {
        const stake = stakes.get(one.account);
        if (stake !== undefined) {
          deactivatedLamports += stake;
          // Only stake that was never effective can be withdrawn immediately.
          const isTaken = operations
            .slice(index)
            .some(
              (later) =>
                later.type === 'withdraw' && later.account === one.account && later.lamports >= stake,
            );
          if (!isTaken) coolingLamports += stake;
          continue;
        }
        isDeactivatedShown = false;
        if (!isMeant(one.account)) unknown(one.account, 'ALL_DEACTIVATED');
      } else if (one.type === 'delegate') {
        const lamports = created.get(one.account);
        if (lamports !== undefined && !stakes.has(one.account)) {
          stakes.set(one.account, lamports);
          stakedLamports += lamports;
          continue;
        }
        isStakedShown = false;
        if (!isMeant(one.account)) unknown(one.account, 'ALL_DELEGATED', { voteAccount });
      } else if (one.type === 'merge') {
        const newStake = stakes.get(one.from);
        stakes.delete(one.account);
        if (isEnforced(one, bound.merges, operations.slice(index))) continue;
        // Merges that do not fit into the move's transaction precede it, so a person has to decide whether
        // the move will follow.
        const later = transactions.slice(transaction + 1).flat();
        if (bound.merges === 'moved' && !isEnforced(one, bound.merges, later))
          demand(false, 'MERGE_NOT_MOVED', { from: one.from, into: one.account });
        else if (bound.merges !== 'new' || newStake === undefined) {
          isStakedShown = false;
          unknown(one.account, 'ACCOUNT_MERGED', { from: one.from });
        } else if (accounts?.includes(one.account) !== true)
          // The chain requires that two delegated accounts have the same validator.
          unknown(one.account, 'NEW_STAKE_MERGED', { amountSol: formatSol(newStake) });
      }
    }
  if (stakedLamports > 0n && (bound.withdraws === 'staked' || bound.withdraws === 'idle'))
    for (const one of transactions.flat())
      if (one.type === 'withdraw' && !isNamed(one.account))
        unknown(one.account, bound.withdraws === 'idle' ? 'IDLE_STAKED' : 'INACTIVE_STAKED');
  return {
    problems,
    unknowns: [...unknowns.values()],
    deactivatedLamports,
    isDeactivatedShown,
    coolingLamports,
    stakedLamports,
    isStakedShown,
    idleStakedLamports: 0n,
    atRiskLamports: rentAtRisk(messages, wallet),
  };
};
