// Checks that typed reads work on the real runtime and that responses that do not match the request are
// rejected.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Address, getAddressEncoder, type Signature } from '@solana/kit';
import type { SolanaReads } from '../../src/chain/ports.ts';
import { createRpcPool, type RpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { patience, wholeFilePatience } from '../support/patience.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { atSlot, type Script, startScriptedRpc } from '../support/scripted-rpc.ts';

const logger = createLogger('silent');
const SOL = 1_000_000_000n;
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const NOWHERE = '1nc1nerator11111111111111111111111111111111' as Address;
const SIGNATURE = '5'.repeat(88) as Signature;
const openPool = (url: string, timeoutMs = 2_000) =>
  createRpcPool({ urls: [url], timeoutMs, maxConcurrent: 8, clock, logger });

describe('SolanaReads on the real runtime', () => {
  const shared = sharedSandbox({ before, after });
  const signal = wholeFilePatience();
  let pool: RpcPool;
  let reads: SolanaReads;
  let staker: SandboxStaker;
  let stake: Address;

  before(async () => {
    const sandbox = shared.get();
    pool = openPool(sandbox.rpcUrl);
    reads = createSolanaReads(pool);
    staker = await SandboxStaker.fund(sandbox, 100n * SOL);
    stake = (await staker.stake(5n * SOL)) as Address;
  });
  after(() => pool.close());

  it('accounts are returned in the requested order with owner, lamports and data, and missing ones are null', async () => {
    const { slot, accounts } = await reads.accounts([NOWHERE, stake, staker.wallet.address], { signal });
    const [nothing, staked, wallet] = accounts;
    assert.equal(nothing, null);
    assert.deepEqual(
      [staked?.address, staked?.owner, staked?.lamports, staked?.data.length],
      [stake, STAKE_PROGRAM, 5n * SOL, 200],
    );
    assert.equal(wallet?.data.length, 0);
    assert.ok(slot > 0n);
  });

  it('more than a hundred accounts are read in several requests and joined in order', async () => {
    const addresses = Array.from({ length: 250 }, (_, i) => (i % 120 === 7 ? stake : NOWHERE));
    const { accounts } = await reads.accounts(addresses, { signal });
    assert.deepEqual(
      accounts.flatMap((account, i) => (account === null ? [] : [i])),
      [7, 127, 247],
    );
  });

  it('no request is sent if there are no addresses', async () => {
    assert.deepEqual(await reads.accounts([], { signal, minContextSlot: 9n }), { slot: 9n, accounts: [] });
  });

  it('a wallet’s stake accounts are those delegated to the given vote account with the wallet as owner or stake authority, each listed once', async () => {
    const sandbox = shared.get();
    const vote = sandbox.voteAccount as Address;
    await staker.stake(3n * SOL, { vote: sandbox.otherVoteAccount });
    const outsider = await SandboxStaker.fund(sandbox, 50n * SOL);
    await outsider.stake(2n * SOL);
    const roleOnly = await SandboxStaker.fund(sandbox, 50n * SOL);
    const foreign = (await reads.accounts([stake], { signal })).accounts[0]!;
    const data = Buffer.from(foreign.data);
    data.set(getAddressEncoder().encode(roleOnly.wallet.address), 12);
    const handed = (await SandboxStaker.fund(sandbox, 1n * SOL)).wallet.address;
    await sandbox.setAccount({ address: handed, lamports: 5n * SOL, data, owner: STAKE_PROGRAM });
    const listOf = async (wallet: Address) =>
      (await reads.stakeAccountsOf(wallet, vote, { signal })).accounts
        .map(({ address }) => address)
        .toSorted();
    assert.deepEqual(await listOf(staker.wallet.address), [stake, handed].toSorted());
    assert.deepEqual(await listOf(roleOnly.wallet.address), [handed]);
    assert.equal((await listOf(outsider.wallet.address)).length, 1);
  });

  it('the withdrawer scan also finds accounts delegated elsewhere or not at all, and ignores stale vote addresses in undelegated accounts', async () => {
    const sandbox = shared.get();
    const owner = await SandboxStaker.fund(sandbox, 50n * SOL);
    const own = (await owner.stake(2n * SOL)) as Address;
    const elsewhere = (await owner.stake(2n * SOL, { vote: sandbox.otherVoteAccount })) as Address;
    const data = Buffer.from((await reads.accounts([own], { signal })).accounts[0]!.data);
    data.writeUInt32LE(1, 0);
    const undelegated = (await SandboxStaker.fund(sandbox, 1n * SOL)).wallet.address;
    await sandbox.setAccount({ address: undelegated, lamports: 2n * SOL, data, owner: STAKE_PROGRAM });
    const all = await reads.stakeAccountsWithdrawableBy(owner.wallet.address, { signal });
    assert.deepEqual(
      all.accounts.map(({ address }) => address).toSorted(),
      [own, elsewhere, undelegated].toSorted(),
    );
    const ours = await reads.stakeAccountsOf(owner.wallet.address, sandbox.voteAccount as Address, {
      signal,
    });
    assert.deepEqual(
      ours.accounts.map(({ address }) => address),
      [own],
    );
  });

  it('the history, status and transaction of a signature agree, down to the wire bytes', async () => {
    const [row] = await reads.signaturesFor(stake, { signal, limit: 10 });
    assert.ok(row?.succeeded);
    const { slot, statuses } = await reads.signatureStatuses([row.signature, SIGNATURE], {
      signal,
      searchHistory: true,
    });
    assert.deepEqual([statuses[0]?.slot, statuses[0]?.error, statuses[1]], [row.slot, null, null]);
    assert.ok(slot >= row.slot);
    const landed = await reads.transaction(row.signature, { signal });
    assert.deepEqual([landed?.slot, landed?.error], [row.slot, null]);
    assert.ok(Buffer.from(landed!.wireBytes).includes(Buffer.from(getAddressEncoder().encode(stake))));
    assert.equal(await reads.transaction(SIGNATURE, { signal }), null);
  });

  it('the parameter `before` pages through history without repeating a row', async () => {
    const address = staker.wallet.address;
    const all = await reads.signaturesFor(address, { signal, limit: 100 });
    const rest = await reads.signaturesFor(address, { signal, limit: 100, before: all[0]!.signature });
    assert.deepEqual(rest, all.slice(1));
  });

  it('a read with minContextSlot never returns data older than that slot', async () => {
    const { slot } = await reads.accounts([stake], { signal });
    const later = await reads.accounts([stake], { signal, minContextSlot: slot + 3n });
    assert.ok(later.slot >= slot + 3n);
  });
});

describe('SolanaReads with invalid responses', () => {
  const account = {
    data: ['', 'base64'],
    executable: false,
    lamports: 1,
    owner: STAKE_PROGRAM,
    rentEpoch: 0,
    space: 0,
  };
  const readsOf = async <T>(
    script: Script,
    use: (reads: SolanaReads, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    await using node = await startScriptedRpc(script);
    const pool = openPool(node.url, 200);
    try {
      return await use(createSolanaReads(pool), patience());
    } finally {
      await pool.close();
    }
  };
  const unavailable = (script: Script, read: (reads: SolanaReads, signal: AbortSignal) => Promise<unknown>) =>
    readsOf(script, (reads, signal) =>
      assert.rejects(read(reads, signal), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE')),
    );
  const readOne = (reads: SolanaReads, signal: AbortSignal) => reads.accounts([NOWHERE], { signal });

  it('lamports beyond 2^53 are exact', async () => {
    const lamports = 2n ** 64n - 1n;
    await readsOf(
      () => atSlot(1, [{ ...account, lamports }]),
      async (reads, signal) => assert.equal((await readOne(reads, signal)).accounts[0]?.lamports, lamports),
    );
  });

  const mutated: Readonly<Record<string, unknown>> = {
    'too few accounts': [],
    'too many accounts': [null, null],
    'negative lamports': [{ ...account, lamports: -1 }],
    'fractional lamports': [{ ...account, lamports: 1.5 }],
    'lamports as a string': [{ ...account, lamports: '1' }],
    'data that is not base64': [{ ...account, data: ['@@', 'base64'] }],
    'data in another encoding': [{ ...account, data: ['', 'base58'] }],
    'an invalid owner address': [{ ...account, owner: '0OIl' }],
    'no list': null,
  };
  for (const [name, value] of Object.entries(mutated)) {
    it(`${name} is UPSTREAM_UNAVAILABLE, never a wrong amount`, () =>
      unavailable(() => atSlot(1, value), readOne));
  }

  it('a JSON-RPC error is reported as UPSTREAM_UNAVAILABLE', () =>
    unavailable(() => ({ error: { code: -32602, message: 'no' } }), readOne));

  it('a transaction whose signature is not the requested one is rejected', () =>
    unavailable(
      () => ({ result: { slot: 1, blockTime: null, transaction: ['AAAA', 'base64'], meta: { err: null } } }),
      (reads, signal) => reads.transaction(SIGNATURE, { signal }),
    ));

  it('every request for a long list includes minContextSlot, and is repeated if the response is from an earlier slot', async () => {
    let asked = 0;
    // The first response to the second request is from an earlier slot.
    const slot = () => (asked++ === 1 ? 8 : 9);
    await using node = await startScriptedRpc(({ params: [list] }) =>
      atSlot(
        slot(),
        list.map(() => null),
      ),
    );
    const pool = openPool(node.url);
    const reads = createSolanaReads(pool);
    const options = { signal: patience(), minContextSlot: 9n };
    assert.equal((await reads.accounts(Array(150).fill(NOWHERE), options)).slot, 9n);
    asked = 0;
    const statuses = await reads.signatureStatuses(Array(300).fill(SIGNATURE), {
      ...options,
      searchHistory: true,
    });
    assert.equal(statuses.slot, 9n);
    assert.deepEqual([node.count('getMultipleAccounts'), node.count('getSignatureStatuses')], [3, 3]);
    await pool.close();
  });

  it('scan rows that do not match the filters are left out', async () => {
    const row = (data: Buffer, owner = STAKE_PROGRAM) => ({
      pubkey: NOWHERE,
      account: { ...account, owner, data: [data.toString('base64'), 'base64'] },
    });
    const matching = Buffer.alloc(200);
    matching[0] = 2;
    matching.set(getAddressEncoder().encode(NOWHERE), 44);
    const foreign = Buffer.from(matching).fill(9, 44, 76);
    const rows = [row(matching), row(foreign), row(matching.subarray(0, 199)), row(matching, NOWHERE)];
    await readsOf(
      () => atSlot(5, rows),
      async (reads, signal) => {
        const found = await reads.stakeAccountsWithdrawableBy(NOWHERE, { signal });
        assert.deepEqual([found.slot, found.accounts.length], [5n, 1]);
      },
    );
  });
});
