// Plants stake accounts in every state, byte by byte, in the runtime of the real program, and reads them back
// for the machine.
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@solana/kit';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type {
  MachineAccount,
  MachineAccounts,
  MachineChain,
} from '../../src/domain/machine/stake-machine-state.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { stakeAccountBytes } from './stake-account-bytes.ts';
import { keyBytes } from './truth-message.ts';
import type { TruthRandom } from './truth-random.ts';
import type { TruthRuntime } from './truth-runtime.ts';
import { VOTE_PROGRAM, voteAccountData } from './truth-vote-account.ts';
import { SECONDS_PER_EPOCH, type TruthCluster, type TruthKeys, TruthWorld } from './truth-world.ts';

const SOL = 1_000_000_000n;
const SYSTEM = '11111111111111111111111111111111' as Address;
// Rent per byte, from the value of 2024 down to its announced final value.
const RENT_PER_BYTE = [6_960n, 5_080n, 3_480n, 953n];

/** Probability of each unusual property of a planted account, from 0 to 1. Default: 0. */
interface PlantOptions {
  readonly otherStaker?: number;
  /** True if another wallet may withdraw. */
  readonly otherWithdrawer?: boolean;
  readonly locked?: number;
  readonly dust?: number;
  readonly uninitialized?: number;
  /** Active for a long time, delegated to the first validator. */
  readonly active?: number;
  /** Delegated in this epoch. */
  readonly activating?: number;
  /** Active for a long time, and deactivated in this epoch. */
  readonly deactivating?: number;
  /**
   * True to plant no account that is still warming up or cooling down from an earlier epoch, because the
   * history contains nothing about it.
   */
  readonly isSteady?: boolean;
}

/** The accounts of one test run. */
export class MachineWorld {
  readonly truth: TruthWorld;
  readonly keys: TruthKeys;
  readonly runtime: TruthRuntime;
  readonly random: TruthRandom;
  readonly #addresses: Address[] = [];
  readonly #voteCredits = new Map<Address, bigint>();

  constructor(runtime: TruthRuntime, keys: TruthKeys, random: TruthRandom, cluster?: TruthCluster) {
    this.runtime = runtime;
    this.keys = keys;
    this.random = random;
    this.truth = new TruthWorld(runtime, keys, random, cluster);
    runtime.setRentPerByte(random.pick(RENT_PER_BYTE));
    for (const vote of keys.votes) {
      const credits = random.pick([0n, 1n, 77_777n, 10n ** 12n]);
      this.#voteCredits.set(vote, credits);
      const data = voteAccountData(keyBytes(vote), credits);
      runtime.setAccount({ address: vote, owner: VOTE_PROGRAM, lamports: SOL, data });
    }
  }

  get chain(): MachineChain {
    return {
      ...this.truth.facts,
      minimumDelegationLamports: SOL,
      voteCredits: this.#voteCredits,
    };
  }

  /** Saves every account, and returns a function that restores them. */
  snapshot(): () => void {
    const { runtime, keys } = this;
    const read = () => [...this.#addresses, keys.owner].flatMap((address) => runtime.account(address) ?? []);
    const before = read();
    return () => {
      const now = new Map(read().map((account) => [account.address, account]));
      for (const account of before) {
        if (!isDeepStrictEqual(now.get(account.address), account)) runtime.setAccount(account);
        now.delete(account.address);
      }
      for (const account of now.values()) runtime.setAccount({ ...account, lamports: 0n });
    };
  }

  changeRent(): void {
    this.runtime.setRentPerByte(this.random.pick(RENT_PER_BYTE));
  }

  setWallet(address: Address, lamports: bigint): void {
    this.runtime.setAccount({ address, owner: SYSTEM, lamports, data: new Uint8Array() });
  }

  newAddress(): Address {
    const address = this.truth.newAddress();
    this.watch(address);
    return address;
  }

  /** Adds an address to `accounts`. */
  watch(address: Address): void {
    this.#addresses.push(address);
  }

  /** Returns every account of a kind that the machine knows. */
  accounts(): MachineAccounts {
    const stakes = new Map<Address, MachineAccount>();
    const wallets = new Map<Address, bigint>();
    for (const address of this.#addresses) {
      const raw = this.runtime.account(address);
      if (raw === null || raw.lamports === 0n) continue;
      const { lamports } = raw;
      const account = decodeStakeAccount(raw);
      if (account) stakes.set(address, account);
      else if (raw.owner !== STAKE_PROGRAM) wallets.set(address, lamports);
      else
        stakes.set(address, { kind: raw.data.length === 0 ? 'empty' : 'uninitialized', address, lamports });
    }
    for (const address of [this.keys.owner, this.keys.staker, this.keys.custodian]) {
      const lamports = this.runtime.account(address)?.lamports ?? 0n;
      if (lamports > 0n) wallets.set(address, lamports);
    }
    return { stakes, wallets };
  }

  /** Writes an account in a random state. */
  plant(options: PlantOptions = {}): Address {
    const { random, runtime } = this;
    const address = this.newAddress();
    const { owner, staker, custodian, votes } = this.keys;
    const { epoch } = runtime;
    const rent = runtime.stakeRentLamports;
    const idle = random.chance(0.5) ? 0n : random.lamports(random.pick([SOL / 100n, 2n * SOL]));
    const stakeLamports = random.chance(options.dust ?? 0)
      ? 1n + random.lamports(SOL - 2n)
      : SOL + (random.chance(0.4) ? BigInt(random.int(12)) * SOL : random.lamports(20n * SOL));
    const lamports = rent + stakeLamports + idle;
    const write = (data: Uint8Array) => runtime.setAccount({ address, owner: STAKE_PROGRAM, lamports, data });
    if (random.chance(options.uninitialized ?? 0)) {
      write(new Uint8Array(200));
      return address;
    }
    const past = (most: number): bigint => {
      const back = BigInt(1 + random.int(most));
      return back > epoch ? 0n : epoch - back;
    };
    const begun = random.pick([past(1), past(3), past(600)]);
    const isActive = random.chance(options.active ?? 0);
    const isActivating = random.chance(options.activating ?? 0);
    const isDeactivating = random.chance(options.deactivating ?? 0);
    const genesis = { activationEpoch: 2n ** 64n - 1n };
    const same = { activationEpoch: begun, deactivationEpoch: begun };
    const drawn = random.pick(
      options.isSteady
        ? [null, { activationEpoch: epoch }, genesis, same]
        : [
            null,
            { activationEpoch: epoch },
            { activationEpoch: begun },
            { activationEpoch: begun },
            { activationEpoch: 2n ** 64n - 1n },
            { activationEpoch: begun, deactivationEpoch: epoch },
            { activationEpoch: begun, deactivationEpoch: epoch },
            { activationEpoch: begun, deactivationEpoch: begun + (epoch > begun ? 1n : 0n) },
            same,
            { activationEpoch: epoch, deactivationEpoch: epoch },
          ],
    );
    const epochs = isActive
      ? genesis
      : isActivating
        ? { activationEpoch: epoch }
        : isDeactivating
          ? { ...genesis, deactivationEpoch: epoch }
          : drawn;
    const lockup = random.chance(options.locked ?? 0)
      ? {
          epoch: random.chance(0.5) ? epoch + BigInt(random.int(3)) : 0n,
          unixTimestamp: random.chance(0.5)
            ? runtime.unixTimestamp + BigInt(random.int(3)) * SECONDS_PER_EPOCH
            : 0n,
          custodian: random.pick([owner, custodian]),
        }
      : undefined;
    write(
      stakeAccountBytes({
        wallet: owner,
        ...(random.chance(options.otherStaker ?? 0) ? { stakeAuthority: staker } : {}),
        ...(options.otherWithdrawer ? { withdrawAuthority: staker } : {}),
        ...(lockup === undefined ? {} : { lockup }),
        ...(epochs === null
          ? {}
          : {
              delegation: {
                voteAccount: isActive || random.chance(0.75) ? votes[0]! : votes[1]!,
                stakeLamports,
                creditsObserved: random.pick([0n, 5n, 77_777n, 123_456_789n]),
                ...epochs,
              },
            }),
      }),
    );
    return address;
  }
}
