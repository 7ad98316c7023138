// Searches all sequences of instructions that the machine accepts for the shortest that deactivates exactly a
// given amount.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../../src/domain/machine/merge-class.ts';
import { applyOperations } from '../../src/domain/machine/stake-machine.ts';
import type { MachineAccounts, MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { PlanInputs } from '../../src/domain/plan/plan.ts';
import { isNotDeactivating } from '../../src/domain/plan/plan-accounts.ts';
import type { StakeAccount } from '../../src/domain/stake/stake-account.ts';

/** Lists the rearrangements to try before the deactivations, with every amount that can complete a sum. */
const rearrangements = (
  accounts: readonly StakeAccount[],
  lamports: bigint,
  child: Address,
  { wallet, chain }: PlanInputs,
): readonly (readonly MachineOperation[])[] => {
  const staying = accounts.filter(isNotDeactivating);
  const minimum = chain.minimumDelegationLamports;
  let sums = [0n];
  for (const one of staying) sums = [...sums, ...sums.map((sum) => sum + one.delegation!.stakeLamports)];
  const amounts = new Set<bigint>();
  for (const sum of sums)
    for (const amount of [lamports - sum, sum - lamports, minimum - sum, sum - minimum])
      if (amount > 0n) amounts.add(amount);
  const tried: (readonly MachineOperation[])[] = [];
  for (const one of staying) {
    const { address: account } = one;
    for (const { address: other } of staying) {
      if (account === other) continue;
      // Merging into activating stake also stakes the rent-exempt minimum, which would result in more stake
      // than before.
      if (mergeClassOf(one, chain) === 'active')
        tried.push([{ type: 'merge', account, from: other, authority: wallet }]);
      for (const amount of amounts)
        tried.push([{ type: 'moveStake', account, into: other, lamports: amount, authority: wallet }]);
    }
    for (const amount of amounts)
      tried.push([
        { type: 'create', account: child, payer: wallet, lamports: chain.stakeRentLamports },
        { type: 'split', account, into: child, lamports: amount, authority: wallet },
      ]);
  }
  return tried;
};

/** Returns null if no sequence of up to `depth` rearrangements deactivates exactly the amount. */
export const fewestOperations = (world: PlanInputs, lamports: bigint, depth: number): number | null => {
  const { wallet } = world;
  let fewest: number | null = null;
  const look = (accounts: MachineAccounts, used: number, left: number): void => {
    const own = [...accounts.stakes.values()].filter(
      (one): one is StakeAccount =>
        (one.kind === 'initialized' || one.kind === 'delegated') &&
        one.stakeAuthority === wallet &&
        one.withdrawAuthority === wallet,
    );
    let counted: readonly { readonly sum: bigint; readonly count: number }[] = [{ sum: 0n, count: 0 }];
    for (const { delegation } of own.filter(isNotDeactivating))
      counted = counted.flatMap((one) => [
        one,
        { sum: one.sum + delegation!.stakeLamports, count: one.count + 1 },
      ]);
    for (const { sum, count } of counted)
      if (sum === lamports && (fewest === null || used + count < fewest)) fewest = used + count;
    if (left === 0 || (fewest !== null && used + 2 >= fewest)) return;
    for (const operations of rearrangements(own, lamports, world.newAddress(left), world)) {
      const result = applyOperations(operations, accounts, world.chain);
      if (result.ok) look(result.accounts, used + operations.length, left - 1);
    }
  };
  const stakes = new Map(world.accounts.map((account) => [account.address, account]));
  look({ stakes, wallets: new Map([[wallet, world.walletLamports]]) }, 0, depth);
  return fewest;
};
