// Generates random transactions of owners, their tools and outsiders on stake accounts. The program decides
// whether they succeed.
import type { Instruction } from '@solana/kit';
import { EPOCH_ABSENT, type Lockup, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import * as build from './truth-instructions.ts';
import type { TruthRandom } from './truth-random.ts';
import type { Refusal, TruthRuntime } from './truth-runtime.ts';
import { SECONDS_PER_EPOCH, type TruthKeys, type TruthWorld } from './truth-world.ts';

const SOL = 1_000_000_000n;
const MAX_ACCOUNTS = 5;
// Rent per byte, from the value of 2024 down to its announced final value.
const RENT_PER_BYTE = [6_960n, 5_080n, 3_480n, 953n];

/** A command and the runtime's response. */
interface TruthStep {
  readonly command: string;
  readonly refusal: Refusal;
}

export class TruthCommands {
  readonly #runtime: TruthRuntime;
  readonly #keys: TruthKeys;
  readonly #world: TruthWorld;
  readonly #random: TruthRandom;
  readonly #lockups: boolean;

  constructor(world: TruthWorld) {
    this.#world = world;
    this.#runtime = world.runtime;
    this.#keys = world.keys;
    this.#random = world.random;
    this.#lockups = world.random.chance(0.3);
    world.runtime.setRentPerByte(world.random.pick(RENT_PER_BYTE));
  }

  /** Runs one random command. */
  step(): TruthStep {
    const accounts = this.#world.accounts();
    const random = this.#random;
    if (accounts.length === 0) return this.#stake();
    const account = random.pick(accounts);
    const other = random.pick(accounts);
    const commands: readonly (readonly [number, () => TruthStep])[] = [
      [accounts.length < MAX_ACCOUNTS ? 12 : 0, () => this.#stake()],
      [18, () => ({ command: this.#world.advance(), refusal: null })],
      [10, () => this.#send('unstake', [build.deactivate(account.address, account.stakeAuthority)])],
      [12, () => this.#delegate(account)],
      [8, () => this.#transfer(account)],
      [8, () => this.#withdraw(account)],
      [accounts.length < MAX_ACCOUNTS ? 7 : 0, () => this.#split(account)],
      [6, () => this.#send('merge', [build.merge(account.address, other.address, account.stakeAuthority)])],
      [6, () => this.#move('moveStake', account, other)],
      [5, () => this.#move('moveLamports', account, other)],
      [this.#lockups ? 4 : 0, () => this.#lock(account)],
      [2, () => this.#authorize(account)],
      [3, () => this.#rent()],
      [4, () => this.#freeze()],
      [2, () => this.#clock()],
    ];
    let drawn = random.int(commands.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, run] of commands) {
      drawn -= weight;
      if (drawn < 0) return run();
    }
    throw new Error('unreachable');
  }

  #send(command: string, instructions: readonly Instruction[]): TruthStep {
    return { command, refusal: this.#runtime.send(instructions) };
  }

  /** Picks an amount that is usually enough for a delegation, and sometimes exactly the minimum or less. */
  #amount(): bigint {
    const random = this.#random;
    if (random.chance(0.1)) return random.lamports(SOL);
    return (
      SOL +
      (random.chance(0.1)
        ? 0n
        : random.lamports(random.pick([SOL, 50n * SOL, 5_000n * SOL, 20_000_000n * SOL])))
    );
  }

  #randomLockup(): Lockup {
    const random = this.#random;
    const { owner, custodian } = this.#keys;
    const { epoch, unixTimestamp } = this.#runtime;
    return {
      epoch: random.chance(0.6) ? epoch + BigInt(random.int(4)) : 0n,
      unixTimestamp: random.chance(0.6) ? unixTimestamp + BigInt(random.int(3)) * SECONDS_PER_EPOCH : 0n,
      custodian: random.pick([owner, custodian]),
    };
  }

  #stake(): TruthStep {
    const random = this.#random;
    const { owner, staker, votes } = this.#keys;
    const address = this.#world.newAddress();
    const stakeAuthority = random.chance(0.85) ? owner : staker;
    const none = { unixTimestamp: 0n, epoch: 0n, custodian: this.#runtime.payer };
    const lockup = this.#lockups && random.chance(0.5) ? this.#randomLockup() : none;
    const instructions = [
      build.createStake(owner, address, this.#runtime.stakeRentLamports + this.#amount()),
      build.initialize(address, stakeAuthority, owner, lockup),
    ];
    if (random.chance(0.2)) return this.#send('create', instructions);
    return this.#send('stake', [
      ...instructions,
      build.delegate(address, random.pick(votes), stakeAuthority),
    ]);
  }

  #delegate(account: StakeAccount): TruthStep {
    const random = this.#random;
    const vote = random.chance(0.7) ? account.delegation?.voteAccount : undefined;
    const { delegation } = account;
    const command =
      delegation === null
        ? 'delegate'
        : delegation.deactivationEpoch === this.#runtime.epoch
          ? 'undo'
          : delegation.deactivationEpoch === EPOCH_ABSENT
            ? 'redelegate'
            : 'delegate again';
    return this.#send(command, [
      build.delegate(account.address, vote ?? random.pick(this.#keys.votes), account.stakeAuthority),
    ]);
  }

  #transfer(account: StakeAccount): TruthStep {
    return this.#send('transfer', [
      build.transfer(
        this.#keys.owner,
        account.address,
        this.#random.lamports(this.#random.pick([SOL, 100n * SOL])),
      ),
    ]);
  }

  #withdraw(account: StakeAccount): TruthStep {
    const random = this.#random;
    const lamports = random.chance(0.4) ? account.lamports : random.lamports(account.lamports);
    return this.#send(lamports === account.lamports ? 'close' : 'withdraw', [
      build.withdraw(account.address, account.withdrawAuthority, lamports),
    ]);
  }

  #split(account: StakeAccount): TruthStep {
    const address = this.#world.newAddress();
    const { owner } = this.#keys;
    const most = account.lamports;
    const lamports = this.#random.chance(0.1) ? most : this.#random.lamports(most);
    return this.#send('split', [
      build.createStake(owner, address, this.#runtime.stakeRentLamports),
      build.split(account.address, address, account.stakeAuthority, lamports),
    ]);
  }

  #move(command: 'moveStake' | 'moveLamports', account: StakeAccount, other: StakeAccount): TruthStep {
    const staked = account.delegation?.stakeLamports ?? 0n;
    const most = command === 'moveStake' ? staked : account.lamports;
    const free = account.lamports - staked - this.#runtime.stakeRentLamports;
    const whole = command === 'moveStake' ? staked : free > 0n ? free : 1n;
    const lamports = this.#random.chance(0.5) ? whole : this.#random.lamports(most);
    const move = command === 'moveStake' ? build.moveStake : build.moveLamports;
    return this.#send(command, [move(account.address, other.address, account.stakeAuthority, lamports)]);
  }

  #lock(account: StakeAccount): TruthStep {
    const authority = this.#random.pick([account.withdrawAuthority, account.lockup.custodian]);
    return this.#send('setLockup', [build.setLockup(account.address, authority, this.#randomLockup())]);
  }

  #authorize(account: StakeAccount): TruthStep {
    const next = this.#random.pick([this.#keys.owner, this.#keys.staker]);
    return this.#send('authorize', [build.authorizeStaker(account.address, account.stakeAuthority, next)]);
  }

  #rent(): TruthStep {
    this.#runtime.setRentPerByte(this.#random.pick(RENT_PER_BYTE));
    return { command: 'rent', refusal: null };
  }

  #freeze(): TruthStep {
    this.#runtime.setEpochRewardsActive(!this.#runtime.epochRewardsActive && this.#random.chance(0.6));
    return { command: 'freeze', refusal: null };
  }

  #clock(): TruthStep {
    this.#runtime.setTime(this.#runtime.unixTimestamp + BigInt(this.#random.int(Number(SECONDS_PER_EPOCH))));
    return { command: 'clock', refusal: null };
  }
}
