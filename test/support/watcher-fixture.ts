// Runs an event watcher on a real sandbox, a real index and a real store. It polls when a test says so, and can
// be restarted at any step.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Address, address } from '@solana/kit';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { readFinalizedPosition } from '../../src/chain/cluster/finalized-position.ts';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createLandedStakeTransactions } from '../../src/chain/transactions/landed-stake-transactions.ts';
import { type EventType, eventTypes } from '../../src/domain/notification-types.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { isSameStake } from '../../src/events/watcher/derive-delegation-periods.ts';
import { Watcher } from '../../src/events/watcher/watcher.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import type { Store } from '../../src/store/store.ts';
import { type IndexFixture, openIndex, until } from './index-fixture.ts';
import { wholeFilePatience } from './patience.ts';
import { openStoreAt, storeOf } from './store-fixture.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

const logger = createLogger(process.env.LOG_LEVEL ?? 'silent');
const NETWORK = '127.0.0.1';
/** Practically no limit, because the sandbox always responds, although a busy machine may be slow. */
const RPC_TIMEOUT_MS = 60_000;

/** An event as a receiver gets it. */
interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a receiver parses untyped JSON.
  readonly data: any;
}

interface WatcherFixture {
  readonly index: () => IndexFixture;
  readonly store: () => Store;
  /** Registers at the current slot. Returns the registration's id. */
  readonly register: (wallet: string, events?: readonly EventType[]) => Promise<string>;
  /** Polls once. */
  readonly poll: () => Promise<boolean>;
  /** Polls until all changes up to now have been processed. */
  readonly settle: () => Promise<void>;
  /** Returns all events of a registration, oldest first. */
  readonly eventsOf: (registrationId: string) => Promise<readonly RecordedEvent[]>;
  /** Returns the events in order, as `type address` or `type epoch`. */
  readonly names: (registrationId: string) => Promise<readonly string[]>;
  /** Ends the index, the store and the watcher abruptly. */
  readonly stop: () => Promise<void>;
  /** Restarts them on the same store. */
  readonly start: () => Promise<void>;
}

/** Opens a watcher. Closes it when the scope ends. */
export const openWatcherFixture = async (
  scope: Scope,
  sandbox: Sandbox,
  location: string = join(temporaryFolder(scope), 'store.db'),
): Promise<WatcherFixture> => {
  const signal = wholeFilePatience();
  let index: IndexFixture | undefined;
  let store: Store | undefined;
  let watcher: Watcher | undefined;
  const pool = createRpcPool({
    urls: [sandbox.rpcUrl],
    timeoutMs: RPC_TIMEOUT_MS,
    maxConcurrent: 16,
    clock,
    logger,
  });
  const transactions = createLandedStakeTransactions(pool);

  const stop = async () => {
    watcher?.close();
    await index?.[Symbol.asyncDispose]();
    await store?.close();
    [watcher, index, store] = [undefined, undefined, undefined];
  };
  const start = async () => {
    store = storeOf(await openStoreAt(location));
    index = await openIndex(sandbox, { times: { keyScanMs: 300 }, timeoutMs: RPC_TIMEOUT_MS });
    await until(() => index!.index.health().live, 'the subscription');
    watcher = new Watcher({
      reads: index.reads,
      cluster: index.cluster,
      index: index.index,
      transactions,
      webhooks: store.webhooks,
      outbox: store.outbox,
      watched: store.watched,
      voteAccount: sandbox.voteAccount as Address,
      clock,
      logger,
      onRecorded: () => undefined,
    });
  };
  scope.after(async () => {
    await stop();
    await pool.close();
  });
  await start();

  const poll = () => watcher!.poll(signal);
  const wallets = new Set<Address>();
  /** Returns true if the index lists the wallet's accounts as they are on the chain. */
  const isAsOnChain = async (wallet: Address): Promise<boolean> => {
    const { accounts } = await index!.reads.stakeAccountsOf(wallet, sandbox.voteAccount as Address, {
      signal,
      commitment: 'finalized',
    });
    const chain = accounts
      .map((account) => decodeStakeAccount(account)!)
      .filter(({ withdrawAuthority }) => withdrawAuthority === wallet);
    const rows = (index!.index.walletRows(wallet)?.rows ?? []).filter(({ role }) => role === 'owner');
    const known = new Map(rows.map(({ account }) => [account.address, account]));
    return (
      known.size === chain.length &&
      chain.every((account) => {
        const row = known.get(account.address);
        return row !== undefined && isSameStake(row, account);
      })
    );
  };
  const eventsOf = async (registrationId: string): Promise<readonly RecordedEvent[]> => {
    const all = await store!.outbox.deliveries(registrationId, { limit: 1_000, before: null, state: null });
    return all
      .toReversed()
      .map(({ id, type, data }) => ({ id, type, data: JSON.parse(data) as Record<string, unknown> }));
  };

  return {
    index: () => index!,
    store: () => store!,
    register: async (wallet, events = eventTypes) => {
      const position = await index!.cluster.epochPosition(signal);
      const id = randomBytes(16).toString('hex');
      wallets.add(address(wallet));
      await store!.webhooks.register(
        {
          id,
          kind: 'events',
          walletAddress: address(wallet),
          callbackUrl: 'https://receiver.example/hook',
          events,
          createdAtMs: clock.now(),
          createdEpoch: position.epoch,
          createdSlot: position.absoluteSlot,
          client: NETWORK,
        },
        { perWalletAndClient: 10_000, perClient: 10_000 },
      );
      return id;
    },
    poll,
    settle: async () => {
      const slot = BigInt(sandbox.slot());
      await until(() => index!.index.health().slot >= slot, 'the index to receive it');
      // A response about another account may reveal the slot before the slot's notifications have arrived.
      for (const wallet of wallets) await until(() => isAsOnChain(wallet), `the index to know ${wallet}`);
      // Notifications are processed once their slot is final.
      const received = index!.index.health().slot;
      await until(
        async () => (await readFinalizedPosition(index!.cluster, signal)).slot >= received,
        'the received slot to be final',
      );
      for (let looks = 0; looks < 2; looks += 1) await until(poll, 'a whole look');
    },
    eventsOf,
    names: async (registrationId) =>
      (await eventsOf(registrationId)).map(
        ({ type, data }) => `${type} ${data.incomplete ? 'gap' : (data.stakeAccountAddress ?? data.epoch)}`,
      ),
    stop,
    start,
  };
};
