// One sequence's stake accounts in a small or large cluster: random commands of owners and strangers, epochs, rewards, rent and freezes.
import type { Address, Instruction } from '@solana/kit';
import {
  decodeStakeAccount,
  EPOCH_ABSENT,
  type Lockup,
  type StakeAccount,
} from '../../src/domain/stake-account.ts';
import { addressAt } from '../../src/domain/stake-account-base58.ts';
import { stakeActivation } from '../../src/domain/stake-activation.ts';
import type { StakeHistoryEntry } from '../../src/domain/stake-history.ts';
import type { StakeChainFacts } from '../../src/domain/stake-state.ts';
import * as build from './truth-instructions.ts';
import type { TruthRandom } from './truth-random.ts';
import type { Refusal, TruthRuntime } from './truth-runtime.ts';

const SOL = 1_000_000_000n;
const SYSTEM = '11111111111111111111111111111111' as Address;
const MOST_ACCOUNTS = 5;
const STAKE_OFFSET = 156;
const SECONDS_PER_EPOCH = 90_000n;
const START_TIME = 1_700_000_000n;
// From the rent of 2024 down to its announced end.
const RENT_PER_BYTE = [6_960n, 5_080n, 3_480n, 953n];

/** The keys that a sequence acts with. */
export interface TruthKeys {
  readonly owner: Address;
  readonly staker: Address;
  readonly custodian: Address;
  readonly votes: readonly Address[];
}

/** What was done and what the runtime said to it. */
export interface TruthStep {
  readonly command: string;
  readonly refusal: Refusal;
}

/** The accounts of one sequence and the commands over them. */
export class TruthWorld {
  readonly runtime: TruthRuntime;
  readonly keys: TruthKeys;
  readonly #random: TruthRandom;
  readonly #addresses: Address[] = [];
  readonly #entries = new Map<bigint, StakeHistoryEntry>();
  readonly #restLamports: bigint;
  readonly #lockups: boolean;

  constructor(runtime: TruthRuntime, keys: TruthKeys, random: TruthRandom) {
    this.runtime = runtime;
    this.keys = keys;
    this.#random = random;
    // Beside 300 SOL the 9 % bite at nearly every account, beside 400 million hardly ever; beside 7 lamports only the program's
    // least step of one lamport is left, and amounts of millions of SOL show every bit of its arithmetic.
    this.#restLamports = random.pick([
      7n,
      30n * SOL,
      300n * SOL,
      30_000n * SOL,
      30_000_000n * SOL,
      400_000_000n * SOL,
    ]);
    runtime.setAccount({ address: keys.owner, owner: SYSTEM, lamports: 10n ** 18n, data: new Uint8Array() });
    this.#lockups = random.chance(0.3);
    runtime.setEpochRewardsActive(false);
    runtime.setRentPerByte(random.pick(RENT_PER_BYTE));
    this.#enter(random.pick([2n, 40n, 700n, 100_000n]));
  }

  get facts(): StakeChainFacts {
    const { epoch, history, stakeRentLamports, unixTimestamp, epochRewardsActive } = this.runtime;
    return { epoch, history, stakeRentLamports, unixTimestamp, epochRewardsActive };
  }

  /** All accounts as our decoder reads them; closed and uninitialized ones are dropped. */
  accounts(): readonly StakeAccount[] {
    const found: StakeAccount[] = [];
    for (const address of [...this.#addresses]) {
      const raw = this.runtime.account(address);
      const account = raw === null ? null : decodeStakeAccount(raw);
      if (account) found.push(account);
      else if (raw === null || raw.lamports === 0n)
        this.#addresses.splice(this.#addresses.indexOf(address), 1);
    }
    return found;
  }

  /** Does one random thing. */
  step(): TruthStep {
    const accounts = this.accounts();
    const random = this.#random;
    if (accounts.length === 0) return this.#stake();
    const account = random.pick(accounts);
    const other = random.pick(accounts);
    const commands: readonly (readonly [number, () => TruthStep])[] = [
      [accounts.length < MOST_ACCOUNTS ? 12 : 0, () => this.#stake()],
      [18, () => this.#epoch()],
      [10, () => this.#send('unstake', [build.deactivate(account.address, account.stakeAuthority)])],
      [12, () => this.#delegate(account)],
      [8, () => this.#transfer(account)],
      [8, () => this.#withdraw(account)],
      [accounts.length < MOST_ACCOUNTS ? 7 : 0, () => this.#split(account)],
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
    return { command, refusal: this.runtime.send(instructions) };
  }

  #newAddress(): Address {
    const address = addressAt(this.#random.bytes(32), 0);
    this.#addresses.push(address);
    return address;
  }

  /** Mostly enough for a delegation, sometimes just at its minimum or under it. */
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
    const { owner, custodian } = this.keys;
    const { epoch, unixTimestamp } = this.runtime;
    return {
      epoch: random.chance(0.6) ? epoch + BigInt(random.int(4)) : 0n,
      unixTimestamp: random.chance(0.6) ? unixTimestamp + BigInt(random.int(3)) * SECONDS_PER_EPOCH : 0n,
      custodian: random.pick([owner, custodian]),
    };
  }

  #stake(): TruthStep {
    const random = this.#random;
    const { owner, staker, votes } = this.keys;
    const address = this.#newAddress();
    const stakeAuthority = random.chance(0.85) ? owner : staker;
    const none = { unixTimestamp: 0n, epoch: 0n, custodian: this.runtime.payer };
    const lockup = this.#lockups && random.chance(0.5) ? this.#randomLockup() : none;
    const instructions = [
      build.createStake(owner, address, this.runtime.stakeRentLamports + this.#amount()),
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
        : delegation.deactivationEpoch === this.runtime.epoch
          ? 'undo'
          : delegation.deactivationEpoch === EPOCH_ABSENT
            ? 'redelegate'
            : 'delegate again';
    return this.#send(command, [
      build.delegate(account.address, vote ?? random.pick(this.keys.votes), account.stakeAuthority),
    ]);
  }

  #transfer(account: StakeAccount): TruthStep {
    return this.#send('transfer', [
      build.transfer(
        this.keys.owner,
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
    const address = this.#newAddress();
    const { owner } = this.keys;
    const most = account.lamports;
    const lamports = this.#random.chance(0.1) ? most : this.#random.lamports(most);
    return this.#send('split', [
      build.createStake(owner, address, this.runtime.stakeRentLamports),
      build.split(account.address, address, account.stakeAuthority, lamports),
    ]);
  }

  #move(command: 'moveStake' | 'moveLamports', account: StakeAccount, other: StakeAccount): TruthStep {
    const staked = account.delegation?.stakeLamports ?? 0n;
    const most = command === 'moveStake' ? staked : account.lamports;
    const free = account.lamports - staked - this.runtime.stakeRentLamports;
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
    const next = this.#random.pick([this.keys.owner, this.keys.staker]);
    return this.#send('authorize', [build.authorizeStaker(account.address, account.stakeAuthority, next)]);
  }

  #rent(): TruthStep {
    this.runtime.setRentPerByte(this.#random.pick(RENT_PER_BYTE));
    return { command: 'rent', refusal: null };
  }

  #freeze(): TruthStep {
    this.runtime.setEpochRewardsActive(!this.runtime.epochRewardsActive && this.#random.chance(0.6));
    return { command: 'freeze', refusal: null };
  }

  #clock(): TruthStep {
    this.runtime.setTime(this.runtime.unixTimestamp + BigInt(this.#random.int(Number(SECONDS_PER_EPOCH))));
    return { command: 'clock', refusal: null };
  }

  /** Mostly the next epoch, at times some further, at times one that lies beyond the whole history. */
  #epoch(): TruthStep {
    const random = this.#random;
    this.runtime.setEpochRewardsActive(false);
    if (random.chance(0.03)) {
      this.#end();
      this.#enter(this.runtime.epoch + 512n + BigInt(random.int(4)));
      return { command: 'leap', refusal: null };
    }
    const epochs = random.chance(0.2) ? 2 + random.int(4) : 1;
    for (let i = 0; i < epochs; i += 1) {
      this.#end();
      this.#enter(this.runtime.epoch + 1n);
    }
    return { command: 'epoch', refusal: null };
  }

  /** Ends an epoch as a cluster does: what every account is worth goes into the history, then some rewards are paid. */
  #end(): void {
    const random = this.#random;
    const { epoch, history } = this.runtime;
    const rest = this.#restLamports;
    let entry: StakeHistoryEntry = {
      effectiveLamports: rest,
      activatingLamports: random.chance(0.5) ? 0n : random.lamports(rest),
      deactivatingLamports: random.chance(0.5) ? 0n : random.lamports(rest),
    };
    const rewarded = random.chance(0.3);
    for (const account of this.accounts()) {
      if (account.delegation === null) continue;
      const now = stakeActivation(account.delegation, epoch, history);
      entry = {
        effectiveLamports: entry.effectiveLamports + now.effectiveLamports,
        activatingLamports: entry.activatingLamports + now.activatingLamports,
        deactivatingLamports: entry.deactivatingLamports + now.deactivatingLamports,
      };
      if (rewarded && now.effectiveLamports > 0n) this.#reward(account.address, random.lamports(SOL / 10n));
    }
    this.#entries.set(epoch, entry);
  }

  /** A reward as the chain pays it: balance and delegation rise together. */
  #reward(address: Address, lamports: bigint): void {
    const raw = this.runtime.account(address)!;
    const view = new DataView(raw.data.buffer, raw.data.byteOffset, raw.data.byteLength);
    view.setBigUint64(STAKE_OFFSET, view.getBigUint64(STAKE_OFFSET, true) + lamports, true);
    this.runtime.setAccount({ ...raw, lamports: raw.lamports + lamports });
  }

  #enter(epoch: bigint): void {
    const rest = { effectiveLamports: this.#restLamports, activatingLamports: 0n, deactivatingLamports: 0n };
    const seconds = START_TIME + epoch * SECONDS_PER_EPOCH;
    this.runtime.enterEpoch(epoch, seconds, (ended) => this.#entries.get(ended) ?? rest);
  }
}
