// Reads everything that does not depend on existing accounts from the transactions of one approval.
import type { Address } from '@solana/kit';
import { smaller } from '../../../kernel/order.ts';
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import type { GoalBound } from '../../plan/plan-goals.ts';
import { machineOperationsOf } from '../machine-operations.ts';
import type { MessageFacts } from '../stake-verifier.ts';

/** Lists the stake accounts that an operation touches. */
export const stakesOf = (one: MachineOperation): readonly Address[] =>
  one.type === 'transfer'
    ? [one.to]
    : 'into' in one
      ? [one.account, one.into]
      : one.type === 'merge'
        ? [one.account, one.from]
        : [one.account];

type Merge = Extract<MachineOperation, { type: 'merge' }>;

/**
 * Returns true if the same transaction makes the chain check the merge. `moved`: a later moveStake out of the
 * target or into it only succeeds if the target is fully active, or moves stake into a target without stake.
 * `delegated`: the later delegation either delegates the target to the pinned validator or fails.
 */
export const isEnforced = (
  { account: target }: Merge,
  rule: GoalBound['merges'],
  later: readonly MachineOperation[],
): boolean =>
  rule === 'moved'
    ? later.some((one) => one.type === 'moveStake' && (one.account === target || one.into === target))
    : rule === 'delegated' && later.some((one) => one.type === 'delegate' && one.account === target);

export const sumLamports = (amounts: Iterable<bigint>): bigint =>
  [...amounts].reduce((all, one) => all + one, 0n);

const add = (amounts: Map<Address, bigint>, account: Address, lamports: bigint): void => {
  amounts.set(account, (amounts.get(account) ?? 0n) + lamports);
};

/** Reads all transactions of one approval, in order. */
export const readApproval = (messages: readonly MessageFacts[]) => {
  const operations = messages.map(machineOperationsOf);
  const created = new Map<Address, bigint>();
  const createdAgain: Address[] = [];
  const initialized = new Set<Address>();
  const merged = new Set<Address>();
  /** Targets of merges and moves. */
  const targets = new Set<Address>();
  const delegated = new Set<Address>();
  const fullyDelegated = new Set<Address>();
  const splits: Address[] = [];
  const lent = new Map<Address, bigint>();
  const taken = new Map<Address, bigint>();
  const movedOut = new Map<Address, bigint>();
  for (const one of operations.flat()) {
    if (one.type === 'create') {
      if (created.has(one.account)) createdAgain.push(one.account);
      created.set(one.account, one.lamports);
    } else if (one.type === 'initialize') initialized.add(one.account);
    else if (one.type === 'split') splits.push(one.account);
    else if (one.type === 'transfer') add(lent, one.to, one.lamports);
    else if (one.type === 'withdraw') add(taken, one.account, one.lamports);
    else if (one.type === 'moveLamports') {
      add(movedOut, one.account, one.lamports);
      targets.add(one.into);
    } else if (one.type === 'merge') {
      merged.add(one.from);
      targets.add(one.account);
    } else if (one.type === 'delegate') {
      delegated.add(one.account);
      if (targets.has(one.account) && !created.has(one.account)) fullyDelegated.add(one.account);
    }
  }
  /** Rent and loans that are returned within the approval. */
  const returned = [...taken].map(([account, lamports]) =>
    smaller(lamports, (lent.get(account) ?? 0n) + (created.get(account) ?? 0n)),
  );
  /** Lamports that new accounts keep as their rent-exempt minimum. */
  const rents = [...created].map(([account, lamports]) => {
    if (taken.has(account) || merged.has(account)) return 0n;
    if (!initialized.has(account)) return lamports;
    return delegated.has(account) ? 0n : lamports - (movedOut.get(account) ?? 0n);
  });
  const stakes = [...created].filter(([account]) => initialized.has(account));
  return {
    operations,
    created,
    createdAgain,
    initialized,
    splits,
    rents,
    taken,
    touched: new Set(operations.flat().flatMap(stakesOf)),
    fullyDelegated: [...fullyDelegated],
    withdrawnLamports: sumLamports(taken.values()) - sumLamports(returned),
    /** The wallet's SOL that goes into new stakes, excluding the rent of accounts that hold nothing else. */
    newStakeLamports: sumLamports(
      stakes.map(([account, lamports]) =>
        delegated.has(account) || merged.has(account) ? lamports : (movedOut.get(account) ?? 0n),
      ),
    ),
  };
};
