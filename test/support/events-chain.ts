// A chain for the watcher that runs its transactions in the real Stake program in this process, finalizes after
// a lag that a test sets, and keeps every block.
import type { Address, Instruction, Signature } from '@solana/kit';
import { getBase58Decoder, isSignerRole } from '@solana/kit';
import type { StakeChange } from '../../src/chain/index/stake-index.ts';
import type { ChainAccount, ClusterState, SolanaReads } from '../../src/chain/ports.ts';
import type {
  LandedStakeTransaction,
  LandedStakeTransactions,
} from '../../src/chain/transactions/landed-stake-transactions.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { readStakeOperation, touchedBy } from '../../src/domain/stake/stake-operation.ts';
import type { WatcherOptions } from '../../src/events/watcher/watcher.ts';
import { snapshotOf } from './chain-snapshots.ts';
import type { Refusal, TruthRuntime } from './truth-runtime.ts';

interface Block {
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly seconds: bigint;
  /** All stake accounts at the end of the block. */
  readonly accounts: ReadonlyMap<Address, ChainAccount>;
}

interface Landed {
  readonly signature: Signature;
  readonly transaction: LandedStakeTransaction;
  readonly addresses: ReadonlySet<Address>;
}

/** The chain of one sequence. All transactions must go through `send`, not through `runtime.send`. */
export class EventsChain {
  readonly #runtime: TruthRuntime;
  readonly #voteAccount: Address;
  readonly slotsPerEpoch: bigint;
  readonly #blocks: Block[] = [];
  readonly #landed: Landed[] = [];
  readonly #addresses = new Set<Address>();
  readonly #listeners = new Set<(change: StakeChange) => void>();
  #count = 0;
  /** Number of blocks by which `finalized` lags behind. */
  lag = 0;

  constructor(runtime: TruthRuntime, voteAccount: Address, slotsPerEpoch: bigint) {
    this.#runtime = runtime;
    this.#voteAccount = voteAccount;
    this.slotsPerEpoch = slotsPerEpoch;
    this.#close();
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /** Every transaction, oldest first. */
  get transactions(): readonly LandedStakeTransaction[] {
    return this.#landed.map(({ transaction }) => transaction);
  }

  get #tip(): Block {
    return this.#blocks.at(-1)!;
  }

  /** Runs a transaction. If it is accepted, it becomes a separate block. */
  send(instructions: readonly Instruction[], run: () => Refusal): Refusal {
    const refusal = run();
    if (refusal !== null) return refusal;
    const addresses = new Set(
      instructions.flatMap(({ accounts = [] }) => accounts.map(({ address }) => address)),
    );
    const operations = instructions.flatMap(({ programAddress, accounts = [], data }) => {
      if (programAddress !== STAKE_PROGRAM) return [];
      const named = accounts.map(({ address }) => address);
      return readStakeOperation(named, new Uint8Array(data ?? [])) ?? [];
    });
    for (const operation of operations)
      for (const touched of touchedBy(operation)) this.#addresses.add(touched);
    const { slot, seconds } = this.#close();
    const balances = new Map([...addresses].map((one) => [one, this.#runtime.account(one)?.lamports ?? 0n]));
    this.#count += 1;
    const bytes = new Uint8Array(64);
    new DataView(bytes.buffer).setUint32(0, this.#count);
    const signature = getBase58Decoder().decode(bytes.fill(7, 4)) as Signature;
    const signers = instructions.flatMap(({ accounts = [] }) =>
      accounts.flatMap(({ address, role }) => (isSignerRole(role) ? [address] : [])),
    );
    const transaction = {
      signature,
      signers: [...new Set(signers)],
      slot,
      seconds,
      succeeded: true,
      operations,
      balances,
    };
    this.#landed.push({ signature, transaction, addresses });
    return null;
  }

  /** Creates a block from the runtime's current state and reports the changes as the index would. */
  #close(): Block {
    const { epoch, unixTimestamp } = this.#runtime;
    const before = this.#blocks.at(-1);
    const first = epoch * this.slotsPerEpoch;
    const slot = before && before.slot >= first ? before.slot + 1n : first;
    if (slot >= first + this.slotsPerEpoch) throw new Error(`epoch ${epoch} is full`);
    const accounts = new Map<Address, ChainAccount>();
    for (const address of this.#addresses) {
      const account = this.#runtime.account(address);
      if (account && account.lamports > 0n && account.owner === STAKE_PROGRAM) accounts.set(address, account);
    }
    const block = { slot, epoch, seconds: unixTimestamp, accounts };
    this.#blocks.push(block);
    for (const address of this.#addresses) this.#announce(address, before, block);
    return block;
  }

  /** Creates a block in which only time passes. */
  pass(): void {
    this.#close();
  }

  #ours(block: Block | undefined, address: Address) {
    const raw = block?.accounts.get(address);
    const account = raw ? decodeStakeAccount(raw) : null;
    return account?.delegation?.voteAccount === this.#voteAccount ? account : null;
  }

  #announce(address: Address, beforeBlock: Block | undefined, { slot, accounts }: Block): void {
    const before = this.#ours(beforeBlock, address);
    const raw = accounts.get(address);
    const after = raw ? decodeStakeAccount(raw) : null;
    const isOurs = after?.delegation?.voteAccount === this.#voteAccount;
    if (before === null && !isOurs) return;
    const kind = before === null ? 'added' : isOurs ? 'changed' : 'left';
    for (const listener of this.#listeners) listener({ kind, address, slot, before, after });
  }

  get #finalized(): Block {
    return this.#blocks[Math.max(0, this.#blocks.length - 1 - this.lag)]!;
  }

  /** Returns the ports through which a watcher reads the chain. */
  ports(): Pick<WatcherOptions, 'reads' | 'cluster' | 'index' | 'transactions'> {
    const accounts: SolanaReads['accounts'] = (addresses, { commitment }) => {
      if (commitment !== 'finalized') throw new Error('events must come from finalized reads');
      const block = this.#finalized;
      const read = (address: Address): ChainAccount | null => block.accounts.get(address) ?? null;
      return Promise.resolve({ slot: block.slot, accounts: addresses.map(read) });
    };
    const signaturesFor: SolanaReads['signaturesFor'] = (address, { commitment, limit }) => {
      if (commitment !== 'finalized') throw new Error('events must come from finalized reads');
      const rows = this.#landed
        .filter(
          ({ addresses, transaction }) => addresses.has(address) && transaction.slot <= this.#finalized.slot,
        )
        .map(({ signature, transaction: { slot } }) => ({
          signature,
          slot,
          succeeded: true,
          memo: null,
          blockTimeSeconds: null,
        }));
      return Promise.resolve(rows.toReversed().slice(0, limit));
    };
    const transactions: LandedStakeTransactions = {
      read: (signature) =>
        Promise.resolve(this.#landed.find((one) => one.signature === signature)?.transaction ?? null),
    };
    const readChainSnapshot: ClusterState['readChainSnapshot'] = async (_, { commitment }) => {
      if (commitment !== 'finalized') throw new Error('events must come from finalized reads');
      const { slot, epoch, seconds } = this.#finalized;
      return snapshotOf({
        absoluteSlot: slot,
        epoch,
        slotIndex: slot - epoch * this.slotsPerEpoch,
        slotsInEpoch: this.slotsPerEpoch,
        unixTimestamp: seconds,
      });
    };
    return {
      reads: { accounts, signaturesFor, stakeAccountsOf: () => Promise.reject(new Error('not asked')) },
      transactions,
      cluster: {
        genesisHash: 'genesis',
        readChainSnapshot,
        stakeHistory: () => Promise.resolve(this.#runtime.history),
      },
      index: {
        health: () => ({ live: true, slot: this.#tip.slot }) as never,
        walletRows: (wallet) => ({
          rows: [...this.#addresses].flatMap((address) => {
            const account = this.#ours(this.#tip, address);
            return account?.withdrawAuthority === wallet
              ? [{ account, role: 'owner' as const, slot: this.#tip.slot }]
              : [];
          }),
          indexSlot: this.#tip.slot,
          verifiedSlot: this.#tip.slot,
        }),
        onChange: (listener) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
      },
    };
  }
}
