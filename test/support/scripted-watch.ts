// A watcher on a chain that a test scripts by account and transaction, including broken responses. The store
// and the watcher are real.
import { setImmediate } from 'node:timers/promises';
import { type Address, getBase58Decoder, type Signature } from '@solana/kit';
import type { StakeChange } from '../../src/chain/index/stake-index.ts';
import type { ChainAccount } from '../../src/chain/ports.ts';
import type { LandedStakeTransaction } from '../../src/chain/transactions/landed-stake-transactions.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { type EventType, eventTypes } from '../../src/domain/notification-types.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { decodeStakeAccount, NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import type { StakeOperation } from '../../src/domain/stake/stake-operation.ts';
import { Watcher, type WatcherOptions } from '../../src/events/watcher/watcher.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import type { Store } from '../../src/store/store.ts';
import { snapshotOf } from './chain-snapshots.ts';
import { wholeFilePatience } from './patience.ts';
import { type StakeAccountFields, stakeAccountBytes } from './stake-account-bytes.ts';
import { steadyHistory } from './stake-account-examples.ts';
import { createManualClock } from './steerable-clock.ts';
import { openTestStore } from './store-fixture.ts';
import type { Scope } from './temporary-folder.ts';

export const SLOTS_PER_EPOCH = 432_000n;
const signal = wholeFilePatience();

export const numbered = (n: number): Address => readAddressAt(new Uint8Array(32).fill(n), 0);

/** An event as a receiver gets it. */
interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a receiver parses untyped JSON.
  readonly data: any;
}

interface Landed {
  readonly signature: Signature;
  readonly addresses: readonly Address[];
  readonly transaction: LandedStakeTransaction;
}

export class ScriptedWatch {
  readonly vote = numbered(7);
  readonly clock = createManualClock();
  readonly store: Store;
  epoch = 20n;
  slot = 20n * SLOTS_PER_EPOCH + 100n;
  /** True if the index receives notifications of changes. */
  live = true;
  /** True if the index lists the accounts of wallets. */
  lists = true;
  epochRewardsActive = false;
  /** Signatures of transactions that no node stores any more. */
  readonly lost = new Set<Signature>();
  /**
   * True if landed transactions trigger no notification, as for accounts that leave the validator and no longer
   * match a filter.
   */
  isSilent = false;
  /** Addresses with more signatures than a node returns at once. */
  readonly crowded = new Set<Address>();
  /**
   * Called once, in the middle of the next poll: between two responses of the node, or while the events are
   * recorded.
   */
  meanwhile: { readonly during: 'reading' | 'recording'; readonly run: () => void } | null = null;
  /** Wallets that were read individually. */
  readonly askedFor: string[] = [];
  /** Highest number of wallets whose transactions were searched at the same time. */
  maxSearchedAtOnce = 0;
  #searching = 0;
  readonly #accounts = new Map<Address, ChainAccount>();
  readonly #landed: Landed[] = [];
  readonly #listeners = new Set<(change: StakeChange) => void>();
  #watcher: Watcher | null = null;
  #indexSlot = this.slot;
  #registered = 0;

  private constructor(store: Store) {
    this.store = store;
  }

  static async open(scope: Scope): Promise<ScriptedWatch> {
    const watch = new ScriptedWatch(await openTestStore(scope));
    watch.start();
    return watch;
  }

  /** Creates a new watcher that has only the contents of the store, like another process. */
  start(): void {
    this.#watcher?.close();
    this.#watcher = new Watcher(this.#options());
  }

  poll(): Promise<boolean> {
    return this.#watcher!.poll(signal);
  }

  /** Registers for all four events at the current slot. Returns the id. */
  async register(wallet: Address, events: readonly EventType[] = eventTypes): Promise<string> {
    this.#registered += 1;
    const id = `registration-${this.#registered}`;
    const times = { createdAtMs: this.clock.now(), createdEpoch: this.epoch, createdSlot: this.slot };
    await this.store.webhooks.register(
      {
        id,
        kind: 'events',
        walletAddress: wallet,
        callbackUrl: 'https://receiver.example/',
        events,
        client: 'network',
        ...times,
      },
      { perWalletAndClient: 100, perClient: 100 },
    );
    return id;
  }

  /** Returns the events of a registration, oldest first. */
  async eventsOf(registrationId: string): Promise<readonly RecordedEvent[]> {
    const query = { limit: 1_000, before: null, state: null };
    const rows = await this.store.outbox.deliveries(registrationId, query);
    return rows.toReversed().map(({ id, type, data }) => ({ id, type, data: JSON.parse(data) }));
  }

  async types(registrationId: string): Promise<readonly string[]> {
    return (await this.eventsOf(registrationId)).map(({ type }) => type);
  }

  /** Makes the program `owner` the owner of the wallet's own account. */
  assign(wallet: Address, owner: Address): void {
    this.#accounts.set(wallet, { address: wallet, owner, lamports: 1n, data: new Uint8Array() });
  }

  pass(slots = 1n): void {
    this.slot += slots;
  }

  endEpoch(): void {
    this.epoch += 1n;
    this.slot = this.epoch * SLOTS_PER_EPOCH;
  }

  /**
   * Sets or closes an account as a transaction at the current slot would, and lands that transaction. Returns
   * its signature.
   */
  land(
    wallet: Address,
    address: Address,
    operations: readonly StakeOperation[],
    fields: StakeAccountFields['delegation'] | null,
    { signer = wallet, seconds = null as bigint | null } = {},
  ): Signature {
    const before = this.#ours(address);
    const lamports = fields === null ? 0n : 10_002_282_880n;
    if (fields === null) this.#accounts.delete(address);
    else {
      const data = stakeAccountBytes({ wallet, delegation: fields });
      this.#accounts.set(address, { address, owner: STAKE_PROGRAM, lamports, data });
    }
    const bytes = new Uint8Array(64).fill(9);
    bytes[0] = this.#landed.length + 1;
    const signature = getBase58Decoder().decode(bytes) as Signature;
    const balances = new Map([[address, lamports]]);
    const transaction = {
      signature,
      signers: [signer],
      slot: this.slot,
      seconds,
      succeeded: true,
      operations,
      balances,
    };
    this.#landed.push({ signature, addresses: [wallet, address], transaction });
    const after = this.#ours(address);
    const kind = before === null ? 'added' : after === null ? 'left' : 'changed';
    if (this.live && !this.isSilent) {
      this.#indexSlot = this.slot;
      for (const listener of this.#listeners) listener({ kind, address, slot: this.slot, before, after });
    }
    return signature;
  }

  /** Creates a stake and delegates it in the current epoch. */
  stake(wallet: Address, address: Address): Signature {
    const made = {
      type: 'initialize',
      account: address,
      staker: wallet,
      withdrawer: wallet,
      lockup: NO_LOCKUP,
    } as const;
    const delegated = { type: 'delegate', account: address, voteAccount: this.vote } as const;
    const delegation = {
      voteAccount: this.vote,
      stakeLamports: 10_000_000_000n,
      activationEpoch: this.epoch,
    };
    return this.land(wallet, address, [made, delegated], delegation);
  }

  /** Lands a deactivation. `signed` is its signer and time. Default: the wallet, now. */
  deactivate(
    wallet: Address,
    address: Address,
    signed?: { readonly signer: Address; readonly seconds: bigint },
  ): Signature {
    const fields = { ...this.#ours(address)!.delegation!, deactivationEpoch: this.epoch };
    return this.land(wallet, address, [{ type: 'deactivate', account: address }], fields, signed);
  }

  close(wallet: Address, address: Address): Signature {
    return this.land(wallet, address, [{ type: 'withdraw', account: address, recipient: wallet }], null);
  }

  #ours(address: Address) {
    const raw = this.#accounts.get(address);
    const account = raw ? decodeStakeAccount(raw) : null;
    return account?.delegation?.voteAccount === this.vote ? account : null;
  }

  #owned(wallet: Address) {
    return [...this.#accounts.keys()].flatMap((address) => {
      const account = this.#ours(address);
      return account?.withdrawAuthority === wallet ? [account] : [];
    });
  }

  #happen(during: 'reading' | 'recording'): void {
    if (this.meanwhile?.during !== during) return;
    const { run } = this.meanwhile;
    this.meanwhile = null;
    run();
  }

  #options(): WatcherOptions {
    const read = (address: Address): ChainAccount | null => this.#accounts.get(address) ?? null;
    const { webhooks, outbox, watched } = this.store;
    return {
      reads: {
        accounts: async (addresses) => {
          const response = { slot: this.slot, accounts: addresses.map(read) };
          this.#happen('reading');
          return response;
        },
        signaturesFor: async (address, { limit }) => {
          this.#searching += 1;
          this.maxSearchedAtOnce = Math.max(this.maxSearchedAtOnce, this.#searching);
          await setImmediate();
          this.#searching -= 1;
          const row = { succeeded: true, memo: null, blockTimeSeconds: null };
          const rows = this.#landed
            .filter(({ addresses }) => addresses.includes(address))
            .map(({ signature, transaction: { slot } }) => ({ ...row, signature, slot }))
            .toReversed();
          const newest = rows[0];
          return this.crowded.has(address) && newest ? Array(limit).fill(newest) : rows.slice(0, limit);
        },
        stakeAccountsOf: async (wallet) => {
          this.askedFor.push(wallet);
          return { slot: this.slot, accounts: this.#owned(wallet) } as never;
        },
      },
      cluster: {
        genesisHash: 'genesis',
        readChainSnapshot: async () =>
          snapshotOf({
            absoluteSlot: this.slot,
            epoch: this.epoch,
            epochRewardsActive: this.epochRewardsActive,
            slotIndex: this.slot % SLOTS_PER_EPOCH,
            slotsInEpoch: SLOTS_PER_EPOCH,
            unixTimestamp: BigInt(Math.floor(this.clock.now() / 1_000)),
          }),
        stakeHistory: () => Promise.resolve(steadyHistory(0n, this.epoch)),
      },
      index: {
        health: () => ({ live: this.live, slot: this.#indexSlot }) as never,
        walletRows: (wallet) => {
          const rows = this.#owned(wallet).map((account) => ({
            account,
            role: 'owner' as const,
            slot: this.slot,
          }));
          return this.lists ? ({ rows, indexSlot: this.slot, verifiedSlot: this.slot } as never) : null;
        },
        onChange: (listener) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
      },
      transactions: {
        read: async (signature) =>
          this.lost.has(signature)
            ? null
            : (this.#landed.find((one) => one.signature === signature)?.transaction ?? null),
      },
      webhooks,
      outbox: {
        ...outbox,
        record: async (...recorded) => {
          const result = await outbox.record(...recorded);
          this.#happen('recording');
          return result;
        },
      },
      watched,
      voteAccount: this.vote,
      clock: this.clock,
      logger: createLogger('silent'),
      onRecorded: () => undefined,
    };
  }
}
