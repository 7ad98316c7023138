// EFFECTS-2: a lying service's transactions land on the real Stake program and do more than requested. The
// effects check refuses each of them, with and without an RPC node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { MachineAccounts, MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { NO_LOCKUP, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { checkEffects, type EffectsRequest } from '../../src/domain/transaction/effects/check-effects.ts';
import { messageOf, nodeFactsOf } from '../support/effects-of-plans.ts';
import { MachineWorld } from '../support/machine-world.ts';
import { planWorldOf, shownJson } from '../support/planned-worlds.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { preparedTruth } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const SOL = 1_000_000_000n;
const NEVER = 2n ** 64n - 1n;

const prepared = preparedTruth();

/** Creates the test accounts and short names for them and their operations. */
const start = (seed: number) => {
  const world = new MachineWorld(prepared.runtime, prepared.keys, createTruthRandom(seed));
  const { runtime, keys } = world;
  const wallet = keys.owner;
  const [here, elsewhere] = keys.votes as [Address, Address];
  const attacker = keys.custodian;
  world.setWallet(wallet, 1_000n * SOL);
  const rent = runtime.stakeRentLamports;
  const plant = (
    sol: bigint,
    state: 'active' | 'activating' | 'deactivating' | 'inactive' | 'initialized',
    more: {
      readonly vote?: Address;
      readonly withdrawAuthority?: Address;
      /** True if another wallet's lockup never expires. */
      readonly isLocked?: boolean;
    } = {},
  ): Address => {
    const address = world.newAddress();
    const { epoch } = runtime;
    const epochs = {
      active: { activationEpoch: NEVER },
      activating: { activationEpoch: epoch },
      deactivating: { activationEpoch: NEVER, deactivationEpoch: epoch },
      inactive: { activationEpoch: 0n, deactivationEpoch: 0n },
      initialized: null,
    }[state];
    runtime.setAccount({
      address,
      owner: STAKE_PROGRAM,
      lamports: sol * SOL + rent,
      data: stakeAccountBytes({
        wallet,
        ...(more.withdrawAuthority && { stakeAuthority: wallet, withdrawAuthority: more.withdrawAuthority }),
        ...(more.isLocked && { lockup: { epoch: NEVER, unixTimestamp: 0n, custodian: attacker } }),
        ...(epochs && {
          delegation: { voteAccount: more.vote ?? here, stakeLamports: sol * SOL, ...epochs },
        }),
      }),
    });
    return address;
  };
  const authority = wallet;
  return {
    world,
    wallet,
    here,
    elsewhere,
    attacker,
    plant,
    rent,
    newAddress: () => world.newAddress(),
    deactivate: (account: Address): MachineOperation => ({ type: 'deactivate', account, authority }),
    delegate: (account: Address): MachineOperation => ({
      type: 'delegate',
      account,
      voteAccount: here,
      authority,
    }),
    merge: (account: Address, from: Address): MachineOperation => ({
      type: 'merge',
      account,
      from,
      authority,
    }),
    create: (account: Address, lamports: bigint): MachineOperation => ({
      type: 'create',
      account,
      payer: wallet,
      lamports,
    }),
    initialize: (account: Address): MachineOperation => ({
      type: 'initialize',
      account,
      stakeAuthority: wallet,
      withdrawAuthority: wallet,
      lockup: NO_LOCKUP,
    }),
    move: (type: 'split' | 'moveStake' | 'moveLamports', account: Address, into: Address, lamports: bigint) =>
      ({ type, account, into, lamports, authority }) satisfies MachineOperation,
    withdraw: (account: Address, lamports: bigint): MachineOperation => ({
      type: 'withdraw',
      account,
      to: wallet,
      lamports,
      authority,
    }),
  };
};

type World = ReturnType<typeof start>;

/** A lie: the transactions that a service builds for a request, and the harm that they do on the chain. */
interface Lie {
  readonly name: string;
  readonly request: Omit<EffectsRequest, 'wallet' | 'voteAccount'>;
  readonly make: (world: World) => {
    readonly transactions: readonly (readonly MachineOperation[])[];
    /** Returns true if the transactions did more on the chain than requested. */
    readonly isHarmed: (after: MachineAccounts) => boolean;
    readonly accounts?: readonly Address[];
  };
  /**
   * Expected result without an RPC node: `problems` if the transactions show the harm, or `unknowns` if the
   * user has to decide.
   */
  readonly withoutNode: 'problems' | 'unknowns';
}

const deactivatedLamports = ({ stakes }: MachineAccounts): bigint =>
  [...stakes.values()].reduce(
    (all, one) =>
      'delegation' in one && one.delegation !== null && one.delegation.deactivationEpoch !== NEVER
        ? all + one.delegation.stakeLamports
        : all,
    0n,
  );

const stake = ({ stakes }: MachineAccounts, address: Address) =>
  stakes.get(address) as StakeAccount | undefined;

const lies: readonly Lie[] = [
  {
    name: 'S3: an unstake of 5 deactivates 40 in four accounts',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, deactivate }) => ({
      transactions: [
        [plant(10n, 'active'), plant(10n, 'active'), plant(10n, 'active'), plant(10n, 'active')].map(
          deactivate,
        ),
      ],
      isHarmed: (after) => deactivatedLamports(after) === 40n * SOL,
    }),
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: an unstake of 5 splits off 40 and deactivates it',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, deactivate, create, move, newAddress, rent }) => {
      const [from, into] = [plant(100n, 'active'), newAddress()];
      return {
        transactions: [[create(into, rent), move('split', from, into, 40n * SOL), deactivate(into)]],
        isHarmed: (after) => deactivatedLamports(after) === 40n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: an unstake of 5 splits off 5, moves 35 more into the new account and deactivates all of it',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, deactivate, create, move, newAddress, rent }) => {
      const [from, other, into] = [plant(50n, 'active'), plant(50n, 'active'), newAddress()];
      return {
        transactions: [
          [
            ...[create(into, rent), move('split', from, into, 5n * SOL)],
            ...[move('moveStake', other, into, 35n * SOL), deactivate(into)],
          ],
        ],
        isHarmed: (after) => deactivatedLamports(after) === 40n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: an unstake of 5 deactivates 4',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, deactivate, create, move, newAddress, rent }) => {
      const [from, into] = [plant(50n, 'active'), newAddress()];
      return {
        transactions: [[create(into, rent), move('split', from, into, 4n * SOL), deactivate(into)]],
        isHarmed: (after) => deactivatedLamports(after) === 4n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: an unstake of at least 5 deactivates a whole account of 40 that could be split',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL, rounding: 'atLeast' },
    make: ({ plant, deactivate }) => ({
      transactions: [[deactivate(plant(40n, 'active'))]],
      isHarmed: (after) => deactivatedLamports(after) === 40n * SOL,
    }),
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: an unstake of 5 from a named account deactivates the whole account',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, deactivate }) => {
      const account = plant(40n, 'active');
      return {
        transactions: [[deactivate(account)]],
        accounts: [account],
        isHarmed: (after) => deactivatedLamports(after) === 40n * SOL,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: an unstake of 5 deactivates 5 and another 5 in a second transaction',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, deactivate, create, move, newAddress, rent }) => {
      const five = () => {
        const [from, into] = [plant(100n, 'active'), newAddress()];
        return [create(into, rent), move('split', from, into, 5n * SOL), deactivate(into)];
      };
      return {
        transactions: [five(), five()],
        isHarmed: (after) => deactivatedLamports(after) === 10n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: an unstake of 5 stakes 500',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ create, initialize, delegate, newAddress }) => {
      const account = newAddress();
      return {
        transactions: [[create(account, 500n * SOL), initialize(account), delegate(account)]],
        isHarmed: (after) => stake(after, account)?.lamports === 500n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a withdrawal of 5 withdraws 30 inactive SOL',
    request: { kind: 'rearrange', goal: 'withdraw-amount', lamports: 5n * SOL },
    make: ({ plant, withdraw, wallet, rent }) => {
      const account = plant(30n, 'inactive');
      return {
        transactions: [[withdraw(account, 30n * SOL + rent)]],
        isHarmed: (after) => (after.wallets.get(wallet) ?? 0n) > 1_020n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a withdrawal of 5 withdraws idle SOL from an account and deactivates all of its stake',
    request: { kind: 'rearrange', goal: 'withdraw-amount', lamports: 5n * SOL },
    make: ({ plant, deactivate, withdraw, world }) => {
      const account = plant(40n, 'active');
      const { runtime } = world;
      runtime.setAccount({
        ...runtime.account(account)!,
        lamports: runtime.account(account)!.lamports + 5n * SOL,
      });
      return {
        transactions: [[deactivate(account), withdraw(account, 5n * SOL)]],
        isHarmed: (after) => deactivatedLamports(after) === 40n * SOL,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: an undo of 3 undoes all 20 that were deactivated in this epoch',
    request: { kind: 'rearrange', goal: 'undo', lamports: 3n * SOL },
    make: ({ plant, delegate }) => {
      const account = plant(20n, 'deactivating');
      return {
        transactions: [[delegate(account)]],
        isHarmed: (after) => stake(after, account)?.delegation?.deactivationEpoch === NEVER,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: an unstake of 5 also withdraws 30 inactive SOL',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, create, move, deactivate, withdraw, newAddress, rent, wallet }) => {
      const [from, into] = [plant(50n, 'active'), newAddress()];
      return {
        transactions: [
          [
            ...[create(into, rent), move('split', from, into, 5n * SOL), deactivate(into)],
            withdraw(plant(30n, 'inactive'), 30n * SOL + rent),
          ],
        ],
        isHarmed: (after) => (after.wallets.get(wallet) ?? 0n) > 1_029n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a stake of 10 stakes 5',
    request: { kind: 'stake', lamports: 10n * SOL },
    make: ({ create, initialize, delegate, newAddress }) => {
      const account = newAddress();
      return {
        transactions: [[create(account, 5n * SOL), initialize(account), delegate(account)]],
        isHarmed: (after) => stake(after, account)?.lamports === 5n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: an undo of 3 delegates 20 inactive SOL',
    request: { kind: 'rearrange', goal: 'undo', lamports: 3n * SOL },
    make: ({ plant, delegate }) => {
      const account = plant(20n, 'inactive');
      return {
        transactions: [[delegate(account)]],
        isHarmed: (after) => stake(after, account)?.delegation?.deactivationEpoch === NEVER,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: a restake of a named account delegates another account',
    request: { kind: 'restake' },
    make: ({ plant, delegate }) => {
      const [named, other] = [plant(3n, 'inactive'), plant(20n, 'inactive')];
      return {
        transactions: [[delegate(other)]],
        accounts: [named],
        isHarmed: (after) => stake(after, other)?.delegation?.deactivationEpoch === NEVER,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a tidy merges idle SOL into an activating stake',
    request: { kind: 'rearrange', goal: 'tidy' },
    make: ({ plant, merge }) => {
      const [into, idle] = [plant(3n, 'activating'), plant(20n, 'initialized')];
      return {
        transactions: [[merge(into, idle)]],
        isHarmed: (after) => stake(after, into)!.delegation!.stakeLamports > 20n * SOL,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: a tidy merges an activating stake into an idle account, which cancels it',
    request: { kind: 'rearrange', goal: 'tidy' },
    make: ({ plant, merge }) => {
      const [into, activating] = [plant(3n, 'initialized'), plant(20n, 'activating')];
      return {
        transactions: [[merge(into, activating)]],
        isHarmed: (after) =>
          stake(after, into)!.lamports > 20n * SOL && stake(after, into)!.delegation === null,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S3: a migration deactivates stake that is already here',
    request: { kind: 'rearrange', goal: 'migrate' },
    make: ({ plant, deactivate }) => ({
      transactions: [[deactivate(plant(20n, 'active'))]],
      isHarmed: (after) => deactivatedLamports(after) === 20n * SOL,
    }),
    withoutNode: 'unknowns',
  },
  {
    name: 'S4: an unstake of 5 uses 40 transactions to create 200 accounts, split from a stake that the attacker can withdraw',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, create, move, newAddress, rent, attacker, world }) => {
      const planted = plant(500n, 'active', { withdrawAuthority: attacker });
      const account = () => {
        const into = newAddress();
        return [create(into, rent), move('split', planted, into, SOL)];
      };
      return {
        transactions: Array.from({ length: 40 }, () => Array.from({ length: 5 }, account).flat()),
        isHarmed: ({ stakes }) =>
          [...stakes.values()].filter(
            (one) => 'withdrawAuthority' in one && one.withdrawAuthority === attacker,
          ).length === 201 && world.runtime.stakeRentLamports > 0n,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S4: an unstake of 5 splits one planted stake twice',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, create, move, deactivate, newAddress, rent, attacker }) => {
      const planted = plant(50n, 'active', { withdrawAuthority: attacker });
      const one = (lamports: bigint) => {
        const into = newAddress();
        return [create(into, rent), move('split', planted, into, lamports), deactivate(into)];
      };
      return {
        transactions: [[...one(2n * SOL), ...one(3n * SOL)]],
        isHarmed: (after) => after.stakes.size === 3,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S4: an unstake of 5 splits five planted stakes, each once',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, create, move, deactivate, newAddress, rent, attacker }) => {
      const one = () => {
        const [planted, into] = [plant(5n, 'active', { withdrawAuthority: attacker }), newAddress()];
        return [create(into, rent), move('split', planted, into, SOL), deactivate(into)];
      };
      return {
        transactions: [[...one(), ...one(), ...one(), ...one()], one()],
        isHarmed: (after) => after.stakes.size === 10,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S4: an unstake of 5 creates an account for the wallet that contains nothing but rent',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, create, initialize, move, deactivate, newAddress, rent }) => {
      const [from, into, idle] = [plant(50n, 'active'), newAddress(), newAddress()];
      return {
        transactions: [
          [
            ...[create(into, rent), move('split', from, into, 5n * SOL), deactivate(into)],
            ...[create(idle, rent), initialize(idle)],
          ],
        ],
        isHarmed: (after) => stake(after, idle)!.lamports === rent,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S4: an unstake of 5 creates four more unusable accounts',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, create, move, deactivate, newAddress, rent }) => {
      const [from, into] = [plant(50n, 'active'), newAddress()];
      const lost = Array.from({ length: 4 }, newAddress);
      return {
        transactions: [
          [create(into, rent), move('split', from, into, 5n * SOL), deactivate(into)],
          lost.map((one) => create(one, rent)),
        ],
        isHarmed: (after) => lost.every((one) => after.stakes.get(one)?.kind === 'uninitialized'),
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S4: an unstake of 4 splits four planted stakes, each once',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 4n * SOL },
    make: ({ plant, create, move, deactivate, newAddress, rent, attacker, wallet }) => {
      const one = () => {
        const [planted, into] = [plant(5n, 'active', { withdrawAuthority: attacker }), newAddress()];
        return [
          create(into, rent > 2n * 10n ** 6n ? rent : 2_900_000n),
          move('split', planted, into, SOL),
          deactivate(into),
        ];
      };
      return {
        transactions: [[...one(), ...one(), ...one(), ...one()]],
        isHarmed: (after) => (after.wallets.get(wallet) ?? 0n) < 1_000n * SOL - 4n * rent,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S5: a restake is merged into a planted stake that is activating elsewhere',
    request: { kind: 'rearrange', goal: 'restake' },
    make: ({ plant, merge, elsewhere }) => {
      const [planted, own] = [plant(1n, 'activating', { vote: elsewhere }), plant(20n, 'inactive')];
      return {
        transactions: [[merge(planted, own)]],
        isHarmed: (after) => {
          const { voteAccount, stakeLamports } = stake(after, planted)!.delegation!;
          return voteAccount === elsewhere && stakeLamports > 20n * SOL;
        },
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S5: a restake delegates the planted stake first and merges afterwards',
    request: { kind: 'rearrange', goal: 'restake' },
    make: ({ plant, merge, delegate }) => {
      const [own, activating, other] = [
        plant(20n, 'inactive'),
        plant(9n, 'activating'),
        plant(3n, 'inactive'),
      ];
      return {
        // The chain executes this transaction, which cancels 9 SOL of activating stake.
        transactions: [[delegate(other), merge(own, activating)]],
        isHarmed: (after) => stake(after, own)!.lamports > 29n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a restake of 2 stakes an additional lamport from the wallet',
    request: { kind: 'rearrange', goal: 'restake' },
    make: ({ plant, withdraw, create, initialize, delegate, newAddress, rent }) => {
      const account = newAddress();
      const lamports = 2n * SOL + rent;
      return {
        transactions: [
          [withdraw(plant(2n, 'inactive'), lamports)],
          [create(account, lamports + 1n), initialize(account), delegate(account)],
        ],
        isHarmed: (after) => stake(after, account)?.lamports === lamports + 1n,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a sweep that adds 1 to a new stake also adds the rent of the account that it closes',
    request: { kind: 'rearrange', goal: 'sweep', to: 'stake', lamports: SOL },
    make: ({ plant, withdraw, create, initialize, delegate, newAddress, rent }) => {
      const account = newAddress();
      return {
        transactions: [
          [
            withdraw(plant(2n, 'inactive'), 2n * SOL),
            create(account, 3n * SOL + rent),
            initialize(account),
            delegate(account),
          ],
        ],
        isHarmed: (after) => stake(after, account)?.lamports === 3n * SOL + rent,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a top-up of 10 stakes one lamport more',
    request: { kind: 'rearrange', goal: 'top-up', lamports: 10n * SOL },
    make: ({ plant, create, initialize, delegate, merge, newAddress }) => {
      const [own, account] = [plant(1n, 'activating'), newAddress()];
      return {
        transactions: [
          [create(account, 10n * SOL + 1n), initialize(account), delegate(account)],
          [merge(own, account)],
        ],
        isHarmed: (after) => stake(after, own)!.delegation!.stakeLamports === 11n * SOL + 1n,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S5: a restake withdraws 20 and stakes nothing',
    request: { kind: 'rearrange', goal: 'restake' },
    make: ({ plant, withdraw, rent, wallet }) => ({
      transactions: [[withdraw(plant(20n, 'inactive'), 20n * SOL + rent)]],
      isHarmed: (after) => (after.wallets.get(wallet) ?? 0n) > 1_019n * SOL,
    }),
    withoutNode: 'problems',
  },
  {
    name: 'S5: a restake of 2 stakes an additional 500 from the wallet',
    request: { kind: 'rearrange', goal: 'restake' },
    make: ({ plant, withdraw, create, initialize, delegate, newAddress, rent }) => {
      const account = newAddress();
      return {
        transactions: [
          [withdraw(plant(2n, 'inactive'), 2n * SOL + rent)],
          [create(account, 502n * SOL), initialize(account), delegate(account)],
        ],
        isHarmed: (after) => stake(after, account)?.lamports === 502n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S5: a top-up of 10 is merged into a planted stake that is activating elsewhere',
    request: { kind: 'rearrange', goal: 'top-up', lamports: 10n * SOL },
    make: ({ plant, create, initialize, merge, newAddress, elsewhere }) => {
      const [planted, account] = [plant(1n, 'activating', { vote: elsewhere }), newAddress()];
      return {
        transactions: [[create(account, 10n * SOL), initialize(account), merge(planted, account)]],
        isHarmed: (after) => {
          const { voteAccount, stakeLamports } = stake(after, planted)!.delegation!;
          return voteAccount === elsewhere && stakeLamports === 11n * SOL;
        },
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S5: a top-up of 10 creates an undelegated account and merges it into a planted stake that is activating elsewhere',
    request: { kind: 'rearrange', goal: 'top-up', lamports: 10n * SOL },
    make: ({ plant, create, initialize, merge, newAddress, elsewhere }) => {
      const [planted, account] = [plant(1n, 'activating', { vote: elsewhere }), newAddress()];
      return {
        transactions: [[create(account, 10n * SOL), initialize(account)], [merge(planted, account)]],
        isHarmed: (after) => stake(after, planted)!.delegation!.stakeLamports === 11n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S2: a top-up of 10 is repeated at the same address once the first account has been merged',
    request: { kind: 'rearrange', goal: 'top-up', lamports: 10n * SOL },
    make: ({ plant, create, initialize, delegate, merge, newAddress }) => {
      const [own, account] = [plant(1n, 'activating'), newAddress()];
      const once = [
        [create(account, 10n * SOL), initialize(account), delegate(account)],
        [merge(own, account)],
      ];
      return {
        transactions: [...once, ...once],
        isHarmed: (after) => stake(after, own)!.delegation!.stakeLamports === 21n * SOL,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S3: a top-up of 0.5 leaves 0.4 of it idle in the new account',
    request: { kind: 'rearrange', goal: 'top-up', lamports: SOL / 2n },
    make: ({ plant, create, initialize, delegate, move, newAddress, rent }) => {
      const [own, account] = [plant(1n, 'activating'), newAddress()];
      return {
        transactions: [
          [
            create(account, SOL / 2n + rent),
            initialize(account),
            move('moveLamports', account, own, SOL / 10n),
            delegate(own),
          ],
        ],
        isHarmed: (after) => stake(after, own)!.delegation!.stakeLamports === SOL + SOL / 10n,
      };
    },
    withoutNode: 'problems',
  },
  {
    name: 'S5: a top-up of 1 moves the wallet’s stake of 30 away from its validator',
    request: { kind: 'rearrange', goal: 'top-up', lamports: SOL },
    make: ({ plant, create, initialize, move, delegate, newAddress, elsewhere, here, rent }) => {
      const [own, account] = [plant(30n, 'activating', { vote: elsewhere }), newAddress()];
      return {
        transactions: [
          [
            create(account, SOL + rent),
            initialize(account),
            move('moveLamports', account, own, SOL),
            delegate(own),
          ],
        ],
        isHarmed: (after) => stake(after, own)!.delegation!.voteAccount === here,
      };
    },
    withoutNode: 'unknowns',
  },
  {
    name: 'S5: an unstake of 5 merges idle SOL into a planted stake that is activating elsewhere',
    request: { kind: 'rearrange', goal: 'unstake', lamports: 5n * SOL },
    make: ({ plant, create, move, deactivate, merge, newAddress, rent, elsewhere }) => {
      const [from, into] = [plant(100n, 'active'), newAddress()];
      const [planted, idle] = [plant(1n, 'activating', { vote: elsewhere }), plant(20n, 'initialized')];
      return {
        transactions: [
          [create(into, rent), move('split', from, into, 5n * SOL), deactivate(into), merge(planted, idle)],
        ],
        isHarmed: (after) => stake(after, planted)!.delegation!.stakeLamports > 20n * SOL,
      };
    },
    withoutNode: 'problems',
  },
];

for (const [index, { name, request, make, withoutNode }] of lies.entries())
  test(`EFFECTS-2: ${name}`, () => {
    // The tests share a runtime, so each uses its own seed to generate its own addresses.
    const begun = start(20_261_126 + index);
    const { world, wallet, here } = begun;
    const { transactions, isHarmed, accounts } = make(begun);
    const planWorld = planWorldOf(world);
    for (const operations of transactions) {
      const refusal = world.runtime.run(operations.map(instructionOf), wallet);
      assert.equal(refusal, null, `the chain refused the lying transaction: ${JSON.stringify(refusal)}`);
    }
    assert.ok(isHarmed(world.accounts()), 'without a check, the transactions do more than requested');

    const asked: EffectsRequest = { ...request, wallet, voteAccount: here, accounts };
    const messages = transactions.map((operations) => messageOf(operations, planWorld));
    const exact = checkEffects(asked, messages, nodeFactsOf(planWorld));
    const isPersonAsked = request.rounding === 'atLeast';
    assert.ok((isPersonAsked ? exact.unknowns : exact.problems).length > 0, shownJson(exact));
    const blind = checkEffects(asked, messages, null);
    assert.ok(blind[withoutNode].length > 0, shownJson(blind));
    if (withoutNode === 'unknowns') assert.deepEqual(blind.problems, [], shownJson(blind));
  });

for (const count of [1, 4])
  test(`EFFECTS-2: the rent of ${count} accounts split from planted stakes with another wallet’s lockup is shown, and more than one account’s rent needs the user’s approval`, () => {
    const begun = start(20_261_300 + count);
    const { world, wallet, here, plant, newAddress, create, move, deactivate, rent } = begun;
    const planted = Array.from({ length: count }, () => plant(5n, 'active', { isLocked: true }));
    const operations = planted.flatMap((account) => {
      const into = newAddress();
      return [create(into, rent), move('split', account, into, 2n * SOL), deactivate(into)];
    });
    const lamports = 2n * SOL * BigInt(count);
    const planWorld = planWorldOf(world);
    assert.equal(world.runtime.run(operations.map(instructionOf), wallet), null);
    const bound = [...world.accounts().stakes.values()].filter(
      (one) => 'lockup' in one && one.lockup.custodian === begun.attacker,
    );
    assert.equal(bound.length, 2 * count, 'the chain locks the new accounts too');

    const request = { kind: 'rearrange', goal: 'unstake', lamports, wallet, voteAccount: here } as const;
    const messages = [messageOf(operations, planWorld)];
    const { problems, unknowns, effects } = checkEffects(request, messages, nodeFactsOf(planWorld));
    assert.deepEqual(problems, []);
    assert.equal(effects.atRiskLamports, rent * BigInt(count));
    assert.deepEqual(
      unknowns.map(({ account, fact }) => [account, fact]),
      rent * BigInt(count) > 3_000_000n ? planted.map((account) => [account, 'rent-at-risk']) : [],
    );
  });
