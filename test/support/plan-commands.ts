// Adds a wallet's changes through Holdfast's planner, and random transactions of several instructions, to the
// commands of one stake history.
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { mergeClassOf } from '../../src/domain/machine/merge-class.ts';
import type { MachineChain, MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { PlanInputs } from '../../src/domain/plan/plan.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { type GoalName, goalNames } from '../../src/domain/plan/plan-goals.ts';
import type { StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { MachineTransactions } from './machine-transactions.ts';
import { TruthCommands } from './truth-commands.ts';
import type { TruthWorld } from './truth-world.ts';

const SOL = 1_000_000_000n;
const MAX_BEFORE_STAKES = 3;

/** The goals to pick from. Rescues have separate histories (RESCUE-1). */
type Goals = {
  readonly [Goal in Exclude<GoalName, 'rescue'>]: (all: bigint) => Extract<PlanGoal, { readonly goal: Goal }>;
};

/**
 * A history in which every other step is a plan or several instructions at once. The other steps are those of
 * `TruthCommands`.
 */
export class PlanCommands {
  readonly #world: TruthWorld;
  readonly #commands: TruthCommands;
  readonly #transactions: MachineTransactions;

  constructor(world: TruthWorld) {
    this.#world = world;
    this.#commands = new TruthCommands(world);
    this.#transactions = new MachineTransactions(world);
  }

  /** Makes one random step, in which all transactions of a plan land. `command` names the accepted ones. */
  step(): { readonly command: string } {
    const { random } = this.#world;
    const accounts = this.#world.accounts();
    if (accounts.length < MAX_BEFORE_STAKES && random.chance(0.4)) return this.#stakes();
    if (random.chance(0.45)) return this.#commands.step();
    if (random.chance(0.15)) return this.#cancelByMerge(accounts);
    if (random.chance(0.3)) return this.#send('random transaction', [this.#drawn()]);
    return this.#plan();
  }

  /** Creates several stakes in one step that can be combined once they are active. */
  #stakes(): { readonly command: string } {
    const { random, keys, runtime } = this.#world;
    const { owner, votes } = keys;
    const lockup = { epoch: 0n, unixTimestamp: 0n, custodian: owner };
    return this.#send('stakes', [
      [1, 2].flatMap((): readonly MachineOperation[] => {
        const account = this.#world.newAddress();
        const lamports = runtime.stakeRentLamports + BigInt(2 + random.int(40)) * SOL;
        return [
          { type: 'create', account, payer: owner, lamports },
          { type: 'initialize', account, stakeAuthority: owner, withdrawAuthority: owner, lockup },
          { type: 'delegate', account, voteAccount: votes[0]!, authority: owner },
        ];
      }),
    ]);
  }

  /** Merges an activating stake into an inactive account, which Holdfast's plans never do. */
  #cancelByMerge(accounts: readonly StakeAccount[]): { readonly command: string } {
    const classes = (wanted: string) => accounts.filter((one) => mergeClassOf(one, this.#chain) === wanted);
    const pairs = classes('activating').flatMap((from) =>
      classes('inactive').map((into) => ({ from, into })),
    );
    if (pairs.length === 0) return this.#commands.step();
    const { from, into } = this.#world.random.pick(pairs);
    return this.#send('merge', [
      [{ type: 'merge', account: into.address, from: from.address, authority: into.stakeAuthority }],
    ]);
  }

  get #chain(): MachineChain {
    const { facts, keys } = this.#world;
    return {
      ...facts,
      minimumDelegationLamports: SOL,
      voteCredits: new Map(keys.votes.map((vote) => [vote, 0n])),
    };
  }

  #drawn(): readonly MachineOperation[] {
    const { keys, runtime } = this.#world;
    const wallets = [keys.owner, keys.staker, keys.custodian];
    const stakes = new Map(this.#world.accounts().map((account) => [account.address, account]));
    return this.#transactions.draw(
      {
        stakes,
        wallets: new Map(wallets.map((wallet) => [wallet, runtime.account(wallet)?.lamports ?? 0n])),
      },
      this.#chain,
    );
  }

  #send(
    command: string,
    transactions: readonly (readonly MachineOperation[])[],
  ): { readonly command: string } {
    for (const operations of transactions) {
      const refusal = this.#world.runtime.send(operations.map(instructionOf));
      if (refusal !== null) return { command: `refused ${command}` };
    }
    return { command };
  }

  /** Runs a plan for the first goal, in random order, that has one. */
  #plan(): { readonly command: string } {
    const { random, keys, runtime } = this.#world;
    const accounts = this.#world.accounts();
    // Rent has only ever decreased, so the planner assumes that an account holds at least today's rent in
    // addition to its stake.
    const rent = runtime.stakeRentLamports;
    if (accounts.some(({ lamports, delegation }) => lamports < rent + (delegation?.stakeLamports ?? 0n)))
      return this.#commands.step();
    const all = accounts.reduce((sum, { delegation }) => sum + (delegation?.stakeLamports ?? 0n), 0n);
    const part = (of: bigint) => (of * BigInt(random.int(1_000_001))) / 1_000_000n + 1n;
    const goals: Goals = {
      unstake: (most) => ({ goal: 'unstake', lamports: part(most), rounding: 'atLeast' }),
      'withdraw-amount': (most) => ({ goal: 'withdraw-amount', lamports: part(most), rounding: 'atLeast' }),
      undo: () => ({ goal: 'undo', ...(random.chance(0.5) ? { lamports: part(all) } : {}) }),
      restake: () => ({ goal: 'restake' }),
      'top-up': () => ({ goal: 'top-up', lamports: SOL + random.lamports(SOL) }),
      tidy: () => ({ goal: 'tidy' }),
      sweep: () =>
        random.pick([
          { goal: 'sweep', to: 'wallet' },
          { goal: 'sweep', to: 'activating' },
          { goal: 'sweep', to: 'stake', addedLamports: random.pick([0n, SOL]) },
        ]),
      migrate: () => ({ goal: 'migrate' }),
      'withdraw-all': () => ({ goal: 'withdraw-all' }),
    };
    const addresses = new Map<number, ReturnType<TruthWorld['newAddress']>>();
    const world: PlanInputs = {
      wallet: keys.owner,
      walletLamports: runtime.account(keys.owner)?.lamports ?? 0n,
      accounts,
      chain: this.#chain,
      voteAccount: keys.votes[0]!,
      newAddress: (index) => {
        const address = addresses.get(index) ?? this.#world.newAddress();
        addresses.set(index, address);
        return address;
      },
      signatureFeeLamports: 5_000n,
      memoBytes: 0,
    };
    const open = goalNames.filter((name) => name !== 'rescue');
    while (open.length > 0) {
      const [name] = open.splice(random.int(open.length), 1);
      const result = planStakeChange(goals[name!](all), world);
      if (result.ok)
        return this.#send(
          name!,
          result.plan.transactions.map(({ operations }) => operations),
        );
    }
    return { command: 'no plan' };
  }
}
