// Applies the transactions of one approval to the accounts from the user's node, so every amount is exact.
import type { Address } from '@solana/kit';
import { stakeInstructions } from '../../machine/apply-stake-instructions.ts';
import { mergeClassOf } from '../../machine/merge-class.ts';
import { applyOperations } from '../../machine/stake-machine.ts';
import {
  type MachineAccounts,
  type MachineOperation,
  MachineState,
  type RefusalCode,
} from '../../machine/stake-machine-state.ts';
import { isLocked } from '../../plan/plan-accounts.ts';
import type { GoalBound } from '../../plan/plan-goals.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../stake/stake-account.ts';
import { networkFeeLamports } from '../instruction-fees.ts';
import { machineOperationsOf } from '../machine-operations.ts';
import type { MessageFacts } from '../stake-verifier.ts';
import { problemList } from '../verifier-problems.ts';
import { stakesOf } from './approval-bytes.ts';
import type { AccountEffects, EffectsRequest, NodeFacts } from './approval-effects.ts';

const stakeOf = (account: StakeAccount | null): bigint => account?.delegation?.stakeLamports ?? 0n;

const isStaying = (account: StakeAccount | null): boolean =>
  account?.delegation?.deactivationEpoch === EPOCH_ABSENT;

/**
 * Applies every transaction to the result of the previous one, and adds up the changes made by each
 * instruction.
 */
export const effectsFromNode = (
  { kind, wallet, owner = wallet, voteAccount, accounts: named = [] }: EffectsRequest,
  bound: GoalBound,
  messages: readonly MessageFacts[],
  { chain, accounts, walletLamports }: NodeFacts,
): AccountEffects => {
  const { problems, demand } = problemList();
  const created = new Set<Address>();
  /** Accounts without active stake that these transactions delegate. */
  const restaked = new Set<Address>();
  const deactivated = new Map<Address, bigint>();
  const cooling = new Map<Address, bigint>();
  const neverEffective = new Set<Address>();
  let [stakedLamports, idleStakedLamports, atRiskLamports] = [0n, 0n, 0n];
  let now: MachineAccounts = {
    stakes: new Map(
      [...accounts].flatMap(([address, one]) => (one === null ? [] : [[address, one] as const])),
    ),
    wallets: new Map([[wallet, walletLamports]]),
  };

  /** Returns the lamports that count as staked. For a new stake this is its whole balance, as in requests. */
  const countedOf = (account: StakeAccount | null): bigint =>
    account === null || !isStaying(account)
      ? 0n
      : created.has(account.address)
        ? account.lamports
        : stakeOf(account);
  /** Returns SOL that was idle in an account and is staked because its whole balance is delegated. */
  const idleOf = (address: Address): bigint => {
    const account = accounts.get(address) ?? null;
    if (account === null || !['activating', 'inactive'].includes(mergeClassOf(account, chain))) return 0n;
    const idle = account.lamports - chain.stakeRentLamports - stakeOf(account);
    return idle > 0n ? idle : 0n;
  };

  const checkDelegation = (account: StakeAccount): void => {
    const { address, delegation } = account;
    if (created.has(address)) return;
    const held = mergeClassOf(account, chain);
    const isHere = delegation?.voteAccount === voteAccount;
    const isActivatingHere = isHere && isStaying(account) && held === 'activating';
    const [holds, code] = {
      amount: [isActivatingHere, 'DELEGATES_NOT_ACTIVATING'] as const,
      idle: [isActivatingHere, 'DELEGATES_NOT_ACTIVATING'] as const,
      named: [true, 'DELEGATES_NOT_ASKED'] as const,
      undone: [isHere && delegation?.deactivationEpoch === chain.epoch, 'DELEGATES_NOT_UNDONE'] as const,
      inactive: [held === 'inactive' || restaked.has(address), 'DELEGATES_NOT_INACTIVE'] as const,
      elsewhere: [
        delegation !== null && !isHere && (held === 'inactive' || held === 'activating'),
        'DELEGATES_NOT_MIGRATED',
      ] as const,
      rent: [false, 'DELEGATES_NOT_ASKED'] as const,
      none: [false, 'DELEGATES_NOT_ASKED'] as const,
    }[bound.stakes];
    if (held === 'inactive') restaked.add(address);
    demand(holds, code, { account: address });
  };

  const checkMerge = (target: StakeAccount, source: StakeAccount): void => {
    const [into, from] = [mergeClassOf(target, chain), mergeClassOf(source, chain)];
    demand(
      into === from ||
        (into === 'activating' && created.has(source.address)) ||
        (bound.merges === 'delegated' && from === 'inactive' && restaked.has(target.address)),
      'MERGE_OF_DIFFERENT',
      { from: source.address, fromState: from, into: target.address, intoState: into },
    );
    demand(
      into !== 'activating' || target.delegation!.voteAccount === voteAccount || bound.merges === 'alike',
      'MERGE_INTO_OTHER_VALIDATOR',
      { account: target.address },
    );
  };

  const run = (one: MachineOperation, state: MachineState): void => {
    const read = (address: Address): StakeAccount | null => {
      const account = state.stake(address);
      return typeof account === 'string' ? null : account;
    };
    const before = one.type === 'transfer' ? null : read(one.account);
    if (one.type === 'initialize') created.add(one.account);
    if (one.type === 'deactivate' && before !== null) {
      const stake = stakeOf(before);
      deactivated.set(one.account, (deactivated.get(one.account) ?? 0n) + stake);
      cooling.set(one.account, (cooling.get(one.account) ?? 0n) + stake);
      if (mergeClassOf(before, chain) === 'activating') neverEffective.add(one.account);
      demand(
        bound.deactivates !== 'elsewhere' || before.delegation?.voteAccount !== voteAccount,
        'DEACTIVATES_OWN',
        { account: one.account },
      );
      demand(bound.deactivates !== 'none', 'DEACTIVATES_NOT_ASKED', { account: one.account });
    }
    if (one.type === 'withdraw' && bound.withdraws === 'idle' && before !== null)
      demand(mergeClassOf(before, chain) !== 'inactive', 'WITHDRAWS_WITHOUT_STAKE', { account: one.account });
    // Stake that was never effective can be withdrawn immediately. Its amount must not be counted twice.
    if (one.type === 'withdraw' && neverEffective.has(one.account)) {
      const left = cooling.get(one.account)! - one.lamports;
      cooling.set(one.account, left > 0n ? left : 0n);
    }
    if (one.type === 'delegate' && before !== null) {
      checkDelegation(before);
      idleStakedLamports += idleOf(one.account);
    }
    const source = one.type === 'merge' ? read(one.from) : null;
    if (before !== null && source !== null) checkMerge(before, source);
    // The new account inherits the owner and lockup of its source.
    if (one.type === 'split' && before !== null)
      if (before.withdrawAuthority !== owner || isLocked(before, { wallet, chain }))
        atRiskLamports += state.lamportsOf(one.into);
    const counted =
      before === null ? 0n : before.delegation?.voteAccount === voteAccount ? countedOf(before) : 0n;
    (stakeInstructions[one.type] as (one: MachineOperation, state: MachineState) => RefusalCode | null)(
      one,
      state,
    );
    if (one.type === 'delegate') stakedLamports += countedOf(read(one.account)) - counted;
    if (one.type === 'merge' && before !== null && source !== null)
      stakedLamports += countedOf(read(one.account)) - countedOf(before) - countedOf(source);
  };

  for (const [index, message] of messages.entries()) {
    const operations = machineOperationsOf(message);
    if (kind === 'rearrange' || owner !== wallet)
      for (const address of new Set(operations.flatMap(stakesOf))) {
        const account = now.stakes.get(address);
        if (account === undefined || !('withdrawAuthority' in account)) continue;
        demand(account.withdrawAuthority === owner, 'WITHDRAWABLE_BY_OTHER', { account: address });
        demand(
          bound.otherValidators ||
            named.includes(address) ||
            account.delegation === null ||
            account.delegation.voteAccount === voteAccount,
          'CHANGES_OTHER_VALIDATOR',
          { account: address },
        );
      }
    const feeLamports = networkFeeLamports(message);
    const paid = {
      stakes: now.stakes,
      wallets: new Map(now.wallets).set(wallet, (now.wallets.get(wallet) ?? 0n) - feeLamports),
    };
    const result = applyOperations(operations, paid, chain);
    if (!result.ok) {
      demand(false, 'PROGRAM_REFUSES', { transaction: index + 1, refusal: result.refusal.code });
      break;
    }
    const state = new MachineState(paid, chain, new Set(message.requiredSigners));
    for (const one of operations) run(one, state);
    now = result.accounts;
  }
  const total = (amounts: ReadonlyMap<Address, bigint>): bigint =>
    [...amounts.values()].reduce((all, one) => all + one, 0n);
  return {
    problems,
    unknowns: [],
    isDeactivatedShown: true,
    isStakedShown: true,
    deactivatedLamports: total(deactivated),
    coolingLamports: total(cooling),
    stakedLamports,
    idleStakedLamports,
    atRiskLamports,
  };
};
