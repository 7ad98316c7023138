// The stake accounts of one sequence in a small or large cluster, whose epochs end and begin as on a real
// cluster: first the history, then the rewards.
import type { Address } from '@solana/kit';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { decodeStakeAccount, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { stakeActivation } from '../../src/domain/stake/stake-activation.ts';
import type { StakeHistoryEntry } from '../../src/domain/stake/stake-history.ts';
import type { StakeChainFacts } from '../../src/domain/stake/stake-state.ts';
import type { TruthRandom } from './truth-random.ts';
import type { TruthRuntime } from './truth-runtime.ts';

const SOL = 1_000_000_000n;
const SYSTEM = '11111111111111111111111111111111' as Address;
const STAKE_OFFSET = 156;
export const SECONDS_PER_EPOCH = 90_000n;
const START_TIME = 1_700_000_000n;
/** The keys that a sequence uses. */
export interface TruthKeys {
  readonly owner: Address;
  readonly staker: Address;
  readonly custodian: Address;
  readonly votes: readonly Address[];
}

/** The cluster around the accounts. */
export interface TruthCluster {
  /** Stake of the rest of the cluster. Default: 0. */
  readonly leastRestLamports?: bigint;
  /** True if no other stake moves, no epoch is skipped, and no rewards are paid. */
  readonly isQuiet?: boolean;
}

export class TruthWorld {
  readonly runtime: TruthRuntime;
  readonly keys: TruthKeys;
  readonly random: TruthRandom;
  readonly #addresses: Address[] = [];
  readonly #entries = new Map<bigint, StakeHistoryEntry>();
  readonly #restLamports: bigint;
  readonly #isQuiet: boolean;

  constructor(
    runtime: TruthRuntime,
    keys: TruthKeys,
    random: TruthRandom,
    { leastRestLamports = 0n, isQuiet = false }: TruthCluster = {},
  ) {
    this.runtime = runtime;
    this.keys = keys;
    this.random = random;
    this.#isQuiet = isQuiet;
    // With 300 SOL, the 9 % cap affects nearly every account. With 400 million SOL, it affects hardly any. With
    // 7 lamports, almost nothing but the program's minimum step of one lamport can warm up or cool down per
    // epoch, and amounts of millions of SOL reveal every bit of its arithmetic.
    const restLamports = random.pick([
      7n,
      30n * SOL,
      300n * SOL,
      30_000n * SOL,
      30_000_000n * SOL,
      400_000_000n * SOL,
    ]);
    this.#restLamports = restLamports > leastRestLamports ? restLamports : leastRestLamports;
    runtime.setAccount({ address: keys.owner, owner: SYSTEM, lamports: 10n ** 18n, data: new Uint8Array() });
    runtime.setEpochRewardsActive(false);
    this.#enter(random.pick([2n, 40n, 700n, 100_000n]));
  }

  get facts(): StakeChainFacts {
    const { epoch, history, stakeRentLamports, unixTimestamp, epochRewardsActive } = this.runtime;
    return { epoch, history, stakeRentLamports, unixTimestamp, epochRewardsActive };
  }

  /** Returns all accounts as Holdfast's decoder reads them, without closed and uninitialized ones. */
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

  /** Creates an unused address and watches it from now on. */
  newAddress(): Address {
    const address = readAddressAt(this.random.bytes(32), 0);
    this.#addresses.push(address);
    return address;
  }

  /**
   * Usually advances to the next epoch, sometimes a few epochs further, and sometimes beyond the whole history.
   */
  advance(): 'epoch' | 'leap' {
    const random = this.random;
    this.runtime.setEpochRewardsActive(false);
    if (this.#isQuiet) {
      this.#end();
      this.#enter(this.runtime.epoch + 1n);
      return 'epoch';
    }
    if (random.chance(0.03)) {
      this.#end();
      this.#enter(this.runtime.epoch + 512n + BigInt(random.int(4)));
      return 'leap';
    }
    const epochs = random.chance(0.2) ? 2 + random.int(4) : 1;
    for (let i = 0; i < epochs; i += 1) {
      this.#end();
      this.#enter(this.runtime.epoch + 1n);
    }
    return 'epoch';
  }

  /**
   * Ends an epoch as a cluster does: adds the stake of every account to the history, then pays some rewards.
   */
  #end(): void {
    const random = this.random;
    const { epoch, history } = this.runtime;
    const rest = this.#restLamports;
    let entry: StakeHistoryEntry = {
      effectiveLamports: rest,
      activatingLamports: this.#isQuiet || random.chance(0.5) ? 0n : random.lamports(rest),
      deactivatingLamports: this.#isQuiet || random.chance(0.5) ? 0n : random.lamports(rest),
    };
    const rewarded = !this.#isQuiet && random.chance(0.3);
    for (const account of this.accounts()) {
      if (account.delegation === null) continue;
      const now = stakeActivation(account.delegation, epoch, history);
      entry = {
        effectiveLamports: entry.effectiveLamports + now.effectiveLamports,
        activatingLamports: entry.activatingLamports + now.activatingLamports,
        deactivatingLamports: entry.deactivatingLamports + now.deactivatingLamports,
      };
      if (rewarded && now.effectiveLamports > 0n) this.reward(account.address, random.lamports(SOL / 10n));
    }
    this.#entries.set(epoch, entry);
  }

  /** Pays a reward as the chain does, to the balance and the delegation. */
  reward(address: Address, lamports: bigint): void {
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
