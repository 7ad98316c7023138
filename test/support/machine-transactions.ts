// Generates random transactions of 1 to 6 instructions: mostly sensible, often exactly at a limit, sometimes
// absurd.
import type { Address } from '@solana/kit';
import { addressWithSeed } from '../../src/domain/address-with-seed.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { mergeClassOf, sameOwnership } from '../../src/domain/machine/merge-class.ts';
import { applyOperations } from '../../src/domain/machine/stake-machine.ts';
import type {
  MachineAccount,
  MachineAccounts,
  MachineChain,
  MachineOperation,
} from '../../src/domain/machine/stake-machine-state.ts';
import type { Lockup, StakeAccount } from '../../src/domain/stake/stake-account.ts';
import type { TruthRandom } from './truth-random.ts';
import { SECONDS_PER_EPOCH, type TruthKeys } from './truth-world.ts';

const SOL = 1_000_000_000n;
const MAX_OPERATIONS = 6;

const isHeld = (account: MachineAccount): account is StakeAccount =>
  account.kind === 'initialized' || account.kind === 'delegated';

export interface DrawnWorld {
  readonly random: TruthRandom;
  readonly keys: TruthKeys;
  readonly runtime: { readonly epoch: bigint; readonly unixTimestamp: bigint };
  readonly newAddress: () => Address;
  /** Adds an address derived from the owner. Absent if all accounts must be able to sign. */
  readonly watch?: (address: Address) => void;
}

export class MachineTransactions {
  readonly #world: DrawnWorld;
  /** Addresses of this transaction, including closed accounts. */
  #named: Address[] = [];

  constructor(world: DrawnWorld) {
    this.#world = world;
  }

  /**
   * Generates one transaction. Most operations are possible after those before them, and about one in five is
   * not checked.
   */
  draw(accounts: MachineAccounts, chain: MachineChain): readonly MachineOperation[] {
    const { random } = this.#world;
    this.#named = [...accounts.stakes.keys(), this.#world.newAddress()];
    const wanted = 1 + random.int(MAX_OPERATIONS);
    const chosen: MachineOperation[] = [];
    let now = accounts;
    while (chosen.length < wanted) {
      const isChecked = random.chance(0.75);
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const next = this.#operations(now, chain).slice(0, MAX_OPERATIONS - chosen.length);
        const result = applyOperations([...chosen, ...next], accounts, chain);
        if (!result.ok && isChecked && attempt < 5) continue;
        chosen.push(...next);
        if (!result.ok) return chosen;
        now = result.accounts;
        break;
      }
    }
    return chosen;
  }

  /**
   * Picks an account, often a fully active one, which allows most operations, and rarely one that does not
   * exist.
   */
  #address(accounts: MachineAccounts, chain: MachineChain): Address {
    const { random } = this.#world;
    const active = [...accounts.stakes.values()].filter(
      (account) => isHeld(account) && mergeClassOf(account, chain) === 'active',
    );
    if (active.length > 0 && random.chance(0.45)) return random.pick(active).address;
    const existing = [...accounts.stakes.keys()];
    return existing.length > 0 && random.chance(0.96) ? random.pick(existing) : random.pick(this.#named);
  }

  /** Picks a second account that can usually be combined with the first. */
  #partner(address: Address, accounts: MachineAccounts, chain: MachineChain): Address {
    const { random } = this.#world;
    const one = accounts.stakes.get(address);
    const fitting =
      one && isHeld(one)
        ? [...accounts.stakes.values()].filter(
            (other) =>
              isHeld(other) &&
              other.address !== address &&
              sameOwnership(one, other, chain) &&
              mergeClassOf(other, chain) !== 'transient',
          )
        : [];
    return fitting.length > 0 && random.chance(0.7)
      ? random.pick(fitting).address
      : this.#address(accounts, chain);
  }

  #amount(account: MachineAccount | undefined, chain: MachineChain): bigint {
    const { random } = this.#world;
    const rent = chain.stakeRentLamports;
    const lamports = account?.lamports ?? SOL;
    const staked = account && isHeld(account) ? (account.delegation?.stakeLamports ?? 0n) : 0n;
    const exact = random.pick([
      lamports,
      staked,
      lamports - rent,
      lamports - rent - staked,
      staked - SOL,
      staked - SOL,
      lamports - rent - SOL,
      SOL,
      rent,
      random.lamports(lamports),
      random.lamports(staked),
    ]);
    const near = random.chance(0.3) ? exact + BigInt(random.int(3) - 1) : exact;
    return near < 0n ? 0n : near;
  }

  #lockup(): Lockup {
    const { random, keys, runtime } = this.#world;
    return {
      epoch: random.chance(0.5) ? runtime.epoch + BigInt(random.int(4)) : 0n,
      unixTimestamp: random.chance(0.5)
        ? runtime.unixTimestamp + BigInt(random.int(3)) * SECONDS_PER_EPOCH
        : 0n,
      custodian: random.pick([keys.owner, keys.custodian]),
    };
  }

  #operations(accounts: MachineAccounts, chain: MachineChain): readonly MachineOperation[] {
    const { random, keys } = this.#world;
    const { owner, staker, custodian, votes } = keys;
    const address = this.#address(accounts, chain);
    const other = this.#partner(address, accounts, chain);
    const account = accounts.stakes.get(address);
    const held = account && isHeld(account) ? account : null;
    const isStrange = random.chance(0.06);
    const someone = random.pick([owner, staker, custodian]);
    const stakes = isStrange ? someone : held ? held.stakeAuthority : address;
    const withdraws = isStrange ? someone : held ? held.withdrawAuthority : address;
    const lamports = this.#amount(account, chain);
    const custody =
      held !== null && random.chance(0.3)
        ? { custodian: random.chance(0.8) ? held.lockup.custodian : someone }
        : {};
    const created = (balance: bigint): MachineOperation => {
      const { watch } = this.#world;
      const seed = watch && random.chance(0.3) ? Buffer.from(random.bytes(16)).toString('hex') : undefined;
      const derived = seed === undefined ? null : addressWithSeed(owner, seed, STAKE_PROGRAM);
      if (derived !== null) watch!.call(this.#world, derived);
      const at = derived ?? (random.chance(0.1) ? other : this.#world.newAddress());
      if (!this.#named.includes(at)) this.#named.push(at);
      return { type: 'create', account: at, payer: owner, lamports: balance, ...(derived && { seed }) };
    };
    const rent = chain.stakeRentLamports;
    const draws: readonly (readonly [number, () => readonly MachineOperation[]])[] = [
      [
        6,
        () => {
          const create = created(random.chance(0.5) ? rent + SOL : rent + this.#amount(account, chain));
          const { account: at } = create as { account: Address };
          const lockup = random.chance(0.3)
            ? this.#lockup()
            : { epoch: 0n, unixTimestamp: 0n, custodian: owner };
          const stakeAuthority = random.chance(0.85) ? owner : staker;
          return [
            create,
            { type: 'initialize', account: at, stakeAuthority, withdrawAuthority: owner, lockup },
            ...(random.chance(0.6)
              ? [
                  {
                    type: 'delegate' as const,
                    account: at,
                    voteAccount: votes[0]!,
                    authority: stakeAuthority,
                  },
                ]
              : []),
          ];
        },
      ],
      [
        3,
        () => [
          {
            type: 'initialize',
            account: address,
            stakeAuthority: owner,
            withdrawAuthority: owner,
            lockup: this.#lockup(),
          },
        ],
      ],
      [5, () => [created(random.pick([0n, rent - 1n, rent, SOL, 10n ** 19n]))]],
      [
        6,
        () => [
          {
            type: 'transfer',
            from: owner,
            to: random.chance(0.8) ? address : custodian,
            lamports: random.pick([10n ** 19n, 1n, lamports, lamports]),
          },
        ],
      ],
      [
        10,
        () => {
          const voteAccount =
            held?.delegation && random.chance(0.8)
              ? held.delegation.voteAccount
              : random.chance(0.96)
                ? random.pick(votes)
                : staker;
          return [{ type: 'delegate', account: address, voteAccount, authority: stakes }];
        },
      ],
      [8, () => [{ type: 'deactivate', account: address, authority: stakes }]],
      [
        10,
        () => {
          const create = created(random.chance(0.75) ? rent : random.pick([0n, rent - 1n, rent + 7n]));
          const { account: into } = create as { account: Address };
          return [create, { type: 'split', account: address, into, lamports, authority: stakes }];
        },
      ],
      [2, () => [{ type: 'split', account: address, into: other, lamports, authority: stakes }]],
      [12, () => [{ type: 'merge', account: address, from: other, authority: stakes }]],
      [20, () => [{ type: 'moveStake', account: address, into: other, lamports, authority: stakes }]],
      [8, () => [{ type: 'moveLamports', account: address, into: other, lamports, authority: stakes }]],
      [
        10,
        () => [
          {
            type: 'withdraw',
            account: address,
            to: random.chance(0.8) ? owner : random.chance(0.5) ? other : custodian,
            lamports,
            authority: withdraws,
            ...custody,
          },
        ],
      ],
      [
        5,
        () => {
          const role = random.pick(['staker', 'withdrawer'] as const);
          const authority = role === 'staker' && random.chance(0.7) ? stakes : withdraws;
          const newAuthority = random.chance(0.7) ? owner : staker;
          return [{ type: 'authorize', account: address, role, authority, newAuthority, ...custody }];
        },
      ],
      [
        4,
        () => {
          const { epoch, unixTimestamp, custodian: next } = this.#lockup();
          const authority = held !== null && random.chance(0.4) ? held.lockup.custodian : withdraws;
          const lockup = random.pick([
            { epoch },
            { unixTimestamp },
            { custodian: next },
            { epoch, unixTimestamp, custodian: next },
            { epoch: 0n, unixTimestamp: 0n },
          ]);
          return [{ type: 'setLockup', account: address, lockup, authority }];
        },
      ],
    ];
    let drawn = random.int(draws.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, make] of draws) {
      drawn -= weight;
      if (drawn < 0) return make();
    }
    throw new Error('unreachable');
  }
}
