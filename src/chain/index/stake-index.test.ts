// If nodes return wrong data, lag or fall silent, the index keeps the newest state, loses no account, and
// reports when its data is incomplete.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { positionAt, snapshotOf } from '../../../test/support/chain-snapshots.ts';
import { until } from '../../../test/support/index-fixture.ts';
import { startScriptedWebSocket } from '../../../test/support/index-websocket.ts';
import { wholeFilePatience } from '../../../test/support/patience.ts';
import {
  atSlot,
  type ScriptedResponse,
  type ScriptedRpc,
  startScriptedRpc,
} from '../../../test/support/scripted-rpc.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { createManualClock, createRunningClock } from '../../../test/support/steerable-clock.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import type { EpochPosition } from '../ports.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createSolanaReads } from '../solana.ts';
import { createStakeIndex, type StakeChange, type StakeIndexTimes } from './stake-index.ts';

const logger = createLogger('silent');
const signal = wholeFilePatience();
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const key = (tag: number) => new Uint8Array(32).fill(tag);
const addressOf = (tag: number) => encodeBase58(key(tag)) as Address;
const [VOTER, WALLET] = [addressOf(90), addressOf(80)];
const [ONE, TWO, THREE] = [addressOf(1), addressOf(2), addressOf(3)];
const FIRST_SLOT = 1_000_000;

/** An account as JSON-RPC returns it; `length` truncates its data like a data slice. */
const shown = (lamports: bigint, { voter = 90, length = 200 } = {}) => {
  const data = Buffer.alloc(200);
  data.writeUInt32LE(2, 0);
  data.fill(80, 12, 76);
  data.fill(voter, 124, 156);
  data.writeBigUInt64LE(lamports - 5n, 156);
  data.writeBigUInt64LE(2n ** 64n - 1n, 172);
  return {
    data: [data.toString('base64', 0, length), 'base64'],
    executable: false,
    lamports,
    owner: STAKE_PROGRAM,
    rentEpoch: 2n ** 64n - 1n,
    space: 200,
  };
};

interface Chain {
  slot: number;
  accounts: Map<Address, bigint>;
}

/** A node that responds with the accounts of `chain`. */
const honest =
  (chain: Chain) =>
  // biome-ignore lint/suspicious/noExplicitAny: the parameters of any method.
  ({ method, params }: { method: string; params: readonly any[] }): ScriptedResponse => {
    if (method === 'getMultipleAccounts') {
      const wanted = params[0] as Address[];
      return atSlot(
        chain.slot,
        wanted.map((address) => {
          const lamports = chain.accounts.get(address);
          return lamports === undefined ? null : shown(lamports);
        }),
      );
    }
    if (method !== 'getProgramAccounts') return { error: { code: -32601, message: method } };
    const { length } = params[1].dataSlice;
    return atSlot(
      chain.slot,
      [...chain.accounts].map(([pubkey, lamports]) => ({ pubkey, account: shown(lamports, { length }) })),
    );
  };

const positionNow = (slot: number): EpochPosition => positionAt(BigInt(slot), systemClock.now());

/** An index over one scripted node. */
const open = async (
  node: ScriptedRpc,
  chain: Chain,
  {
    wsUrls = [],
    times = {},
    recent = () => positionNow(chain.slot),
    rewards = () => false,
    clock = systemClock,
  }: {
    clock?: Clock;
    wsUrls?: string[];
    times?: Partial<StakeIndexTimes>;
    recent?: () => EpochPosition;
    rewards?: () => boolean;
  } = {},
) => {
  const pool = createRpcPool({ urls: [node.url], timeoutMs: 1_000, maxConcurrent: 8, clock, logger });
  const reads = createSolanaReads(pool);
  const index = createStakeIndex({
    pool,
    reads,
    cluster: {
      epochPosition: async () => positionNow(chain.slot),
      recentEpochPosition: async () => recent(),
      readChainSnapshot: async (addresses, options) => {
        const { slot, accounts } = await reads.accounts(addresses, options);
        return snapshotOf({ ...positionNow(Number(slot)), epochRewardsActive: rewards() }, accounts);
      },
    },
    voteAccount: VOTER,
    wsUrls,
    clock,
    logger,
    signal: new AbortController().signal,
    times: { pollMs: 10, keyScanMs: 3_600_000, rescanGapMs: 0, retryMs: 10, rowAgeMs: 3_600_000, ...times },
  });
  const changes: StakeChange[] = [];
  index.onChange((change) => changes.push(change));
  return {
    index,
    changes,
    listed: () =>
      index
        .walletRows(WALLET)
        ?.rows.map(({ account }) => `${account.address} ${account.lamports}`)
        .sort(),
    [Symbol.asyncDispose]: async () => {
      await index.close();
      await pool.close();
    },
  };
};

const chainOf = (...accounts: [Address, bigint][]): Chain => ({
  slot: FIRST_SLOT,
  accounts: new Map(accounts),
});
const news = (slot: number, pubkey: Address, lamports: bigint) => ({
  jsonrpc: '2.0',
  method: 'programNotification',
  params: {
    result: {
      context: { slot },
      value: { pubkey, account: { ...shown(lamports), lamports: Number(lamports), rentEpoch: 0 } },
    },
    subscription: 21,
  },
});

/** Returns `count` accounts with 10 lamports each. */
const many = (count: number): [Address, bigint][] =>
  Array.from({ length: count }, (_, at) => [
    encodeBase58(
      Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 9 : i === 1 ? at >> 8 : at & 255)),
    ) as Address,
    10n,
  ]);

describe('StakeIndex and its scans', () => {
  it('returns no list before the first scan, and requests only the needed bytes of our accounts', async () => {
    const chain = chainOf([ONE, 10n]);
    const scanning = Promise.withResolvers<void>();
    await using node = await startScriptedRpc(async (request) => {
      await scanning.promise;
      return honest(chain)(request);
    });
    await using it = await open(node, chain);
    await node.asked('getProgramAccounts');
    assert.deepEqual(
      [it.index.walletRows(WALLET), it.index.totals(), it.index.health().ready],
      [null, null, false],
    );
    assert.equal(await it.index.current(WALLET, signal), null);
    scanning.resolve();
    await until(() => it.listed(), 'the scan');
    assert.deepEqual(it.listed(), [`${ONE} 10`]);
    assert.deepEqual(it.index.walletRows(addressOf(81))?.rows, []);
    const { dataSlice, filters, withContext } = node.requests.find((r) => r.method === 'getProgramAccounts')!
      .params[1];
    assert.deepEqual(dataSlice, { offset: 0, length: 200 });
    assert.deepEqual(filters, [
      { dataSize: 200 },
      { memcmp: { offset: 0, bytes: 'AgAAAA==', encoding: 'base64' } },
      { memcmp: { offset: 124, bytes: VOTER, encoding: 'base58' } },
    ]);
    assert.equal(withContext, true);
    assert.equal(it.changes.length, 0, 'accounts present at the start do not count as changes');
  });

  it('one scan serves all wallets: listing rows makes no call, and `current` reads the wallet and its rows in one call', async () => {
    const chain = chainOf([ONE, 10n], [TWO, 20n]);
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain);
    await until(() => it.listed(), 'the scan');
    const asked = node.requests.length;
    for (let i = 0; i < 100; i += 1) assert.equal(it.index.walletRows(WALLET)?.rows.length, 2);
    assert.equal(node.requests.length, asked);
    assert.equal((await it.index.current(WALLET, signal))?.rows.length, 2);
    assert.deepEqual(
      node.requests.slice(asked).map(({ method, params }) => [method, params[0]]),
      [['getMultipleAccounts', [WALLET, ONE, TWO]]],
    );
  });

  it('`current` returns what the chain says now, without a notification', async () => {
    const chain = chainOf([ONE, 10n], [TWO, 20n]);
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain);
    await until(() => it.listed(), 'the scan');
    const asked = node.requests.length;
    chain.slot += 1;
    chain.accounts.set(ONE, 11n);
    chain.accounts.delete(TWO);
    const current = (await it.index.current(WALLET, signal))!;
    assert.deepEqual(
      current.rows.map(({ account, slot }) => [account.address, account.lamports, slot]),
      [[ONE, 11n, BigInt(chain.slot)]],
    );
    assert.equal(current.snapshot.position.absoluteSlot, BigInt(chain.slot));
    assert.deepEqual(
      node.requests.slice(asked).map(({ params }) => params[0].toSorted()),
      [[WALLET, ONE, TWO].toSorted()],
    );
  });

  it('with `reread`, a wallet with too many rows to read again yields null, even if some rows were read', async () => {
    const chain = chainOf(...many(550));
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain);
    await until(() => it.listed(), 'the scan');
    chain.slot += 1;
    assert.equal((await it.index.current(WALLET, signal))?.rows.length, 550);
    assert.equal(await it.index.current(WALLET, signal, { reread: true }), null);
  });

  it('an account that left is read in the same call until it is found to be closed, and never again after that', async () => {
    const chain = chainOf([ONE, 10n], [TWO, 20n]);
    const elsewhere = new Set<Address>();
    await using node = await startScriptedRpc((request) => {
      const response = honest(chain)(request);
      const { method, params } = request;
      if (method !== 'getMultipleAccounts') return response;
      const voterOf = (address: Address) => (elsewhere.has(address) ? 91 : 90);
      const shownAt = (address: Address) => {
        const lamports = chain.accounts.get(address);
        return lamports === undefined ? null : shown(lamports, { voter: voterOf(address) });
      };
      return atSlot(chain.slot, (params[0] as Address[]).map(shownAt));
    });
    await using it = await open(node, chain);
    await until(() => it.listed(), 'the scan');
    elsewhere.add(TWO);
    chain.slot += 1;
    await it.index.touch([TWO], BigInt(chain.slot));
    const read = async () => {
      const asked = node.requests.length;
      await it.index.current(WALLET, signal);
      return node.requests.slice(asked).map(({ params }) => params[0]);
    };
    assert.deepEqual(await read(), [[WALLET, ONE, TWO]]);
    chain.accounts.delete(TWO);
    assert.deepEqual(await read(), [[WALLET, ONE, TWO]]);
    assert.deepEqual(await read(), [[WALLET, ONE]]);
  });

  it('rows that do not fit into the call are read again if it shows a new epoch or a rewards payout', async () => {
    const rows = many(120);
    const [[one]] = rows as [[Address, bigint]];
    const chain = chainOf(...rows);
    let rewards = false;
    const first = positionNow(chain.slot);
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain, { recent: () => first, rewards: () => rewards });
    await until(() => it.listed(), 'the scan');
    const readings = async () => {
      const asked = node.requests.length;
      const { rows, snapshot } = (await it.index.current(WALLET, signal))!;
      const calls = node.requests
        .slice(asked)
        .map(({ params }): number => params[0].length)
        .toSorted((a, b) => a - b);
      const { account } = rows.find((row) => row.account.address === one)!;
      return { calls, lamports: account.lamports, epoch: snapshot.position.epoch };
    };
    chain.slot += 432_000;
    chain.accounts.set(one, 11n);
    assert.deepEqual(await readings(), { calls: [1, 20, 100], lamports: 11n, epoch: first.epoch + 1n });
    chain.slot += 1;
    chain.accounts.set(one, 12n);
    rewards = true;
    assert.deepEqual((await readings()).lamports, 12n);
    chain.slot += 1;
    chain.accounts.set(one, 13n);
    assert.equal((await readings()).lamports, 13n, 'rows are read for every response during the payout');
  });

  it('accounts that a node omits are not removed: each missing account is requested individually', async () => {
    const chain = chainOf([ONE, 10n], [TWO, 20n]);
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain, { times: { keyScanMs: 20 } });
    await until(() => it.listed(), 'the scan');
    const scans = node.count('getProgramAccounts');
    chain.slot += 1;
    node.script = (request) =>
      request.method === 'getProgramAccounts' ? atSlot(chain.slot, []) : honest(chain)(request);
    await node.asked('getProgramAccounts', scans + 2);
    await until(() => node.count('getMultipleAccounts') > 0, 'the missing accounts to be requested');
    chain.accounts.delete(TWO);
    chain.slot += 1;
    await until(() => it.changes.length > 0, 'the account that is gone');
    assert.deepEqual(it.listed(), [`${ONE} 10`]);
    assert.deepEqual(
      it.changes.map(({ kind, address }) => [kind, address]),
      [['left', TWO]],
    );
  });

  it('an account missed by the notifications is found by a key-only scan and read', async () => {
    const chain = chainOf([ONE, 10n]);
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain, { times: { keyScanMs: 20 } });
    await until(() => it.listed(), 'the scan');
    chain.slot += 1;
    chain.accounts.set(TWO, 20n);
    await until(() => it.listed()?.length === 2, 'the missed account');
    assert.deepEqual(it.listed(), [`${ONE} 10`, `${TWO} 20`].sort());
    const slices = node.requests.flatMap((r) =>
      r.method === 'getProgramAccounts' ? [r.params[1].dataSlice.length] : [],
    );
    assert.equal(slices.filter((length) => length > 0).length, 1, 'only the first scan requested data');
  });

  it('accounts of other validators and slots from the future invalidate a response; the next valid one is used', async () => {
    const chain = chainOf([ONE, 10n]);
    const bad = [
      atSlot(chain.slot + 100_000, [{ pubkey: ONE, account: shown(99n, { length: 196 }) }]),
      atSlot(chain.slot, [{ pubkey: ONE, account: shown(99n, { voter: 91, length: 196 }) }]),
      atSlot(chain.slot, [{ pubkey: ONE, account: shown(99n, { length: 40 }) }]),
      { error: { code: -32010, message: 'excluded from account secondary indexes' } },
      { status: 500, text: 'busy' },
      { status: 200, text: '{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":[' },
    ];
    await using node = await startScriptedRpc(
      (request) => (request.method === 'getProgramAccounts' && bad.shift()) || honest(chain)(request),
    );
    await using it = await open(node, chain);
    await until(() => it.listed(), 'the scan');
    assert.equal(bad.length, 0);
    assert.deepEqual(it.listed(), [`${ONE} 10`]);
  });

  it('1,000 mutated scans cause no crash, and the index is right once rows are read again', async () => {
    const random = seededRandom(11);
    const chain = chainOf([ONE, 10n], [TWO, 20n]);
    const rows = [...chain.accounts].map(([pubkey, lamports]) => ({
      pubkey,
      account: { ...shown(lamports, { length: 196 }), lamports: Number(lamports), rentEpoch: 0 },
    }));
    let mutated = 0;
    await using node = await startScriptedRpc((request) => {
      if (request.method !== 'getProgramAccounts' || mutated === 1_000) return honest(chain)(request);
      mutated += 1;
      // The pool numbers its requests from 1.
      const id = node.requests.length;
      const text = JSON.stringify({
        jsonrpc: '2.0',
        result: { context: { slot: chain.slot }, value: rows },
        id,
      });
      const at = Math.floor(random() * text.length);
      const inserted = '"[{}],:9x'[Math.floor(random() * 9)];
      return { status: 200, text: text.slice(0, at) + inserted + text.slice(at + Math.floor(random() * 4)) };
    });
    await using it = await open(node, chain, { times: { keyScanMs: 0, retryMs: 0, pollMs: 0, rowAgeMs: 0 } });
    await until(() => mutated === 1_000 && it.index.health().ready, 'mutated answers and a list');
    chain.slot += 2_000;
    const scans = node.count('getProgramAccounts');
    await node.asked('getProgramAccounts', scans + 3);
    const { rows: found } = (await it.index.current(WALLET, signal))!;
    assert.deepEqual(
      new Set(found.map(({ account }) => `${account.address} ${account.lamports}`)),
      new Set([`${ONE} 10`, `${TWO} 20`]),
    );
  });
});

describe('StakeIndex and its notifications', () => {
  it('notifications that arrive during a scan, removals included, take precedence over it; older notifications never do', async () => {
    const chain = chainOf([ONE, 10n], [TWO, 20n], [THREE, 30n]);
    const scanning = Promise.withResolvers<void>();
    await using socket = await startScriptedWebSocket({ confirms: true });
    await using node = await startScriptedRpc(async (request) => {
      // The response is built before the pause, so it has the slot at which the scan began.
      const response = honest(chain)(request);
      if (request.method === 'getProgramAccounts') await scanning.promise;
      return response;
    });
    await using it = await open(node, chain, { wsUrls: [socket.url] });
    await until(() => it.index.health().live, 'the subscription');
    await node.asked('getProgramAccounts');
    chain.slot += 5;
    chain.accounts.set(ONE, 15n);
    chain.accounts.delete(TWO);
    socket.say(news(FIRST_SLOT + 1, TWO, 21n));
    socket.say(news(FIRST_SLOT, THREE, 31n));
    socket.say(news(FIRST_SLOT + 5, ONE, 15n));
    await until(() => it.index.health().accounts === 3, 'the news');
    assert.equal(await it.index.touch([TWO], BigInt(FIRST_SLOT + 5)), true);
    scanning.resolve();
    await until(() => it.listed(), 'the scan');
    assert.deepEqual(it.listed(), [`${ONE} 15`, `${THREE} 31`].sort());
    const rows = it.index.walletRows(WALLET)!;
    assert.deepEqual([rows.verifiedSlot, rows.indexSlot], [BigInt(FIRST_SLOT), BigInt(FIRST_SLOT + 5)]);
  });

  it('a notification that contradicts a row without being newer is not applied; the account is read instead', async () => {
    const chain = chainOf([ONE, 10n]);
    await using socket = await startScriptedWebSocket({ confirms: true });
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain, { wsUrls: [socket.url] });
    await until(() => it.index.health().live && it.listed(), 'the scan');
    chain.slot += 3;
    chain.accounts.set(ONE, 30n);
    socket.say(news(FIRST_SLOT - 7, ONE, 29n));
    await until(() => it.changes.length > 0, 'the account to be read');
    assert.deepEqual(it.listed(), [`${ONE} 30`]);
    socket.say(news(FIRST_SLOT + 900_000, ONE, 28n));
    chain.slot += 1;
    chain.accounts.set(ONE, 31n);
    await until(() => it.changes.length > 1, 'the account to be read again');
    assert.deepEqual(it.listed(), [`${ONE} 31`]);
    assert.equal(it.index.walletRows(WALLET)?.verifiedSlot, BigInt(chain.slot));
  });

  it('notifications about accounts of other validators are ignored', async () => {
    const chain = chainOf([ONE, 10n]);
    await using socket = await startScriptedWebSocket({ confirms: true });
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain, { wsUrls: [socket.url] });
    await until(() => it.index.health().live && it.listed(), 'the scan');
    const foreign = news(FIRST_SLOT + 1, TWO, 20n);
    foreign.params.result.value.account.data = shown(20n, { voter: 91 }).data;
    socket.say(foreign);
    socket.say({ method: 'programNotification', params: { result: 'nonsense' } });
    socket.say(news(FIRST_SLOT + 1, ONE, 11n));
    await until(() => it.changes.length > 0, 'the notification after it');
    assert.deepEqual(it.listed(), [`${ONE} 11`]);
  });

  it('a silent socket is reopened; while no socket is live, the list ages and is finally withdrawn', async () => {
    const chain = chainOf([ONE, 10n]);
    await using socket = await startScriptedWebSocket({ confirms: false });
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain, {
      wsUrls: [socket.url],
      // Long enough for the test to see the list even on a slow machine.
      times: { silenceMs: 30, firstFeedMs: 0, listAgeMs: 3_000 },
    });
    await until(() => it.listed(), 'the scan');
    await until(() => socket.opened() >= 2, 'another socket');
    await until(() => it.index.walletRows(WALLET) === null, 'the list to be too old');
    const { ready, live, error } = it.index.health();
    assert.deepEqual([ready, live, error], [false, false, 'no updates from the chain']);
  });

  it('the end of an RPC outage triggers a scan, without the rest of the long pause after failures', async () => {
    const clock = createManualClock(Date.now());
    const chain = chainOf([ONE, 10n]);
    const state = { down: false };
    await using node = await startScriptedRpc((request) =>
      state.down ? 'reset' : request.method === 'getGenesisHash' ? { result: 'it' } : honest(chain)(request),
    );
    await using it = await open(node, chain, {
      clock,
      times: { keyScanMs: 1_000, retryMs: 60_000, listAgeMs: 3_600_000 },
    });
    await until(() => it.listed(), 'the first scan');
    state.down = true;
    const scans = () => node.count('getProgramAccounts');
    const before = scans();
    await until(() => {
      clock.advance(5_000);
      return scans() >= before + 2;
    }, 'a second failed scan');
    [state.down, chain.slot] = [false, FIRST_SLOT + 1];
    chain.accounts.set(ONE, 12n).set(TWO, 20n);
    let passedMs = 0;
    await until(() => {
      clock.advance(500);
      passedMs += 500;
      return it.changes.length > 0;
    }, 'the scan after the outage');
    assert.ok(passedMs < 45_000, `${passedMs} ms`);
  });

  it('a slot of a later epoch triggers a position read and a scan, regardless of the cached position', async () => {
    const chain = chainOf([ONE, 10n]);
    await using socket = await startScriptedWebSocket({ confirms: true });
    await using node = await startScriptedRpc(honest(chain));
    const cachedPosition = positionNow(FIRST_SLOT);
    await using it = await open(node, chain, {
      wsUrls: [socket.url],
      times: { pollMs: 3_600_000 },
      recent: () => cachedPosition,
    });
    await until(() => it.index.health().live && it.listed(), 'the scan');
    chain.slot += 300_000;
    chain.accounts.set(ONE, 12n);
    socket.say({ method: 'slotNotification', params: { result: { slot: chain.slot, parent: 0, root: 0 } } });
    await until(() => it.changes.length > 0, 'the scan of the new epoch');
    assert.equal(it.changes[0]?.after?.lamports, 12n);
  });

  it('a response is never older than the age that it states, even after the machine’s clock was set back', async () => {
    const DAY_MS = 86_400_000;
    const clock = createRunningClock();
    const chain = chainOf([ONE, 10n]);
    await using socket = await startScriptedWebSocket({ confirms: true });
    await using node = await startScriptedRpc(honest(chain));
    const scans = () => node.count('getProgramAccounts');
    const never = { listAgeMs: DAY_MS, silenceMs: DAY_MS, keyScanMs: DAY_MS };
    {
      await using it = await open(node, chain, { clock, times: { ...never, listAgeMs: 20_000 } });
      await until(() => it.index.totals(), 'the first scan');
      clock.setBack(DAY_MS);
      // The clock must notice the step back before more time passes.
      clock.steadyNow();
      clock.advance(30_000);
      assert.equal(it.index.walletRows(WALLET), null, 'the list is too old to be used');
      const { ready, error, ageSeconds } = it.index.health();
      assert.deepEqual([ready, error], [false, 'no updates from the chain']);
      assert.ok(ageSeconds !== null && ageSeconds >= 30 && ageSeconds < DAY_MS / 1_000);
    }
    {
      await using it = await open(node, chain, { clock, times: { ...never, keyScanMs: 10 } });
      await until(() => it.index.totals(), 'the first scan');
      clock.setBack(DAY_MS);
      const before = scans();
      await until(() => scans() > before + 1, 'two more scans for accounts that left');
    }
    const times = { ...never, silenceMs: 300 };
    await using it = await open(node, chain, { clock, times, wsUrls: [socket.url] });
    await until(() => it.index.health().live && it.index.totals(), 'the subscription');
    clock.setBack(DAY_MS);
    const [sockets, before] = [socket.opened(), scans()];
    await until(() => socket.opened() > sockets, 'another socket instead of the silent one');
    await until(() => scans() > before, 'the scan for missed changes');
  });

  it('an error in one listener does not affect the others', async () => {
    const chain = chainOf([ONE, 10n]);
    await using node = await startScriptedRpc(honest(chain));
    await using it = await open(node, chain);
    await until(() => it.listed(), 'the scan');
    const end = it.index.onChange(() => {
      throw new Error('not well');
    });
    chain.slot += 1;
    chain.accounts.set(ONE, 11n);
    await it.index.touch([ONE], BigInt(chain.slot));
    assert.deepEqual(it.listed(), [`${ONE} 11`]);
    assert.equal(it.changes.length, 1);
    end();
  });
});
