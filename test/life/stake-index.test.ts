// Checks the stake index on a sandbox that others change directly: new accounts and the service's own
// transactions are seen immediately, and removals within a time limit.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { WalletRows } from '../../src/chain/index/stake-index.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import {
  authorize,
  type IndexFixture,
  mergeInto,
  moveStake,
  openIndex,
  splitOff,
  until,
} from '../support/index-fixture.ts';
import { startCuttableTunnel } from '../support/index-tunnel.ts';
import { chosenRules } from '../support/parameter-sets.ts';
import { wholeFilePatience } from '../support/patience.ts';
import { sharedSandbox, withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';

const SOL = 1_000_000_000n;
const RENT = BigInt(chosenRules().stakeRentLamports);
// Aborts a wait in this file that takes too long, so a hanging test ends.
const signal = wholeFilePatience();

/** Waits until the index is up to date, and compares the wallet's rows with a scan of the chain. */
const assertEqualsChain = async ({ index, reads }: IndexFixture, wallet: Address, voteAccount: string) => {
  let listed = null as WalletRows | null;
  await until(async () => {
    listed = await index.current(wallet, signal);
    return listed;
  }, 'rows of an index that is up to date');
  const { accounts } = await reads.stakeAccountsOf(wallet, voteAccount as Address, { signal });
  const byAddress = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1);
  assert.deepEqual(
    listed?.rows.map(({ account }) => account).sort(byAddress),
    accounts.map((account) => decodeStakeAccount(account)!).sort(byAddress),
  );
};

describe('stake index: changes made by others', () => {
  const shared = sharedSandbox({ before, after });

  it('accounts that existed before startup are listed with exactly the fields on the chain, separately as owner and as staker', async () => {
    const sandbox = shared.get();
    const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
    const other = (await generateKeyPairSigner()).address;
    const plain = await staker.stake(3n * SOL);
    const locked = await staker.stake(2n * SOL, { lockupUnixTimestamp: 4_000_000_000n });
    const lent = await staker.stake(4n * SOL);
    await staker.send([authorize(staker, lent, other, 'Staker')]);
    await staker.stake(5n * SOL, { vote: sandbox.otherVoteAccount });
    await using fixture = await openIndex(sandbox);
    await assertEqualsChain(fixture, staker.wallet.address, sandbox.voteAccount);
    const own = fixture.index.walletRows(staker.wallet.address)!;
    assert.deepEqual(
      new Set(own.rows.map(({ account, role }) => `${account.address} ${role}`)),
      new Set([`${plain} owner`, `${locked} owner`, `${lent} owner`]),
    );
    assert.deepEqual(
      fixture.index.walletRows(other)!.rows.map(({ account, role }) => [account.address, role]),
      [[lent, 'staker']],
    );
    assert.equal(fixture.changes.length, 0);
  });

  it('new accounts, and changes to accounts that stay delegated, are reported and listed without a scan', async () => {
    const sandbox = shared.get();
    await using fixture = await openIndex(sandbox);
    const { index, change } = fixture;
    await until(() => index.health().live, 'the subscription');
    const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
    const wallet = staker.wallet.address;
    const stake = await staker.stake(6n * SOL);
    const added = await change((it) => it.kind === 'added' && it.address === stake);
    assert.equal(added.before, null);
    assert.equal(added.after?.withdrawAuthority, wallet);
    const child = await splitOff(staker, stake, 2n * SOL, RENT);
    await staker.send(child.instructions);
    await change((it) => it.kind === 'added' && it.address === child.address);
    const halved = await change((it) => it.kind === 'changed' && it.address === stake);
    assert.equal(halved.before?.lamports, 6n * SOL);
    assert.equal(halved.after?.lamports, 4n * SOL);
    await staker.deactivate(child.address);
    await change((it) => it.address === child.address && it.after?.delegation?.deactivationEpoch === 800n);
    await assertEqualsChain(fixture, wallet, sandbox.voteAccount);
    const other = (await generateKeyPairSigner()).address;
    await staker.send([authorize(staker, stake, other, 'Withdrawer')]);
    await change((it) => it.address === stake && it.after?.withdrawAuthority === other);
    await assertEqualsChain(fixture, wallet, sandbox.voteAccount);
    await assertEqualsChain(fixture, other, sandbox.voteAccount);
    assert.ok(index.seenEver(wallet).includes(stake as Address), 'a wallet is remembered as a former owner');
    assert.deepEqual(index.seenEver(other), [stake]);
  });

  it('the next address-only scan finds changes without a notification: a close, a redelegation, a merge and a move of all stake', async () => {
    await withSandbox({}, async (sandbox) => {
      await using fixture = await openIndex(sandbox, { times: { keyScanMs: 150 } });
      const { index, change } = fixture;
      const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
      const wallet = staker.wallet.address;
      const [closed, retargeted, remaining, merged, source, target] = [
        await staker.stake(3n * SOL),
        await staker.stake(4n * SOL),
        await staker.stake(5n * SOL),
        await staker.stake(6n * SOL),
        await staker.stake(7n * SOL),
        await staker.stake(8n * SOL),
      ];
      await until(() => index.walletRows(wallet)?.rows.length === 6, 'six accounts');
      await staker.deactivate(closed);
      await staker.withdraw(closed, 3n * SOL);
      await staker.send([staker.delegateInstruction(retargeted, sandbox.otherVoteAccount)]);
      await staker.send([mergeInto(staker, remaining, merged)]);
      const left = (address: string) => change((it) => it.kind === 'left' && it.address === address);
      assert.equal((await left(closed)).after, null);
      assert.equal((await left(merged)).after, null);
      assert.equal((await left(retargeted)).after?.delegation?.voteAccount, sandbox.otherVoteAccount);
      assert.equal((await left(closed)).before?.lamports, 3n * SOL);
      await sandbox.advanceEpochs(2);
      const earned = (await staker.account(source))!.data.readBigUInt64LE(156);
      await staker.send([moveStake(staker, source, target, earned)]);
      const emptied = await left(source);
      assert.equal(emptied.after?.kind, 'initialized');
      assert.equal(emptied.before?.kind, 'delegated');
      await assertEqualsChain(fixture, wallet, sandbox.voteAccount);
      assert.deepEqual(
        new Set(index.walletRows(wallet)!.rows.map(({ account }) => account.address)),
        new Set([remaining, target]),
      );
      assert.deepEqual(
        new Set(index.seenEver(wallet)),
        new Set([closed, retargeted, remaining, merged, source, target]),
      );
      const emptiedOf = async () =>
        (await index.current(wallet, signal))?.emptied.map(({ address, kind }) => [address, kind]);
      assert.deepEqual(
        await emptiedOf(),
        [[source, 'initialized']],
        'the emptied account stays listed under the wallet',
      );
      // The account had left the index. A new delegation adds it again.
      const funds = { source: staker.wallet, destination: source as Address, amount: 2n * SOL };
      await staker.send([
        getTransferSolInstruction(funds),
        staker.delegateInstruction(source, sandbox.voteAccount),
      ]);
      await until(() => index.walletRows(wallet)?.rows.length === 3, 'the return');
      assert.deepEqual(await emptiedOf(), []);
      await assertEqualsChain(fixture, wallet, sandbox.voteAccount);
    });
  });

  it('accounts that left a wallet are noticed when it is requested, because outdated rows are read again', async () => {
    const sandbox = shared.get();
    await using fixture = await openIndex(sandbox, { times: { rowAgeMs: 0 } });
    const { index } = fixture;
    const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
    const wallet = staker.wallet.address;
    const [closed, remaining] = [await staker.stake(3n * SOL), await staker.stake(4n * SOL)];
    await until(() => index.walletRows(wallet)?.rows.length === 2, 'two accounts');
    await staker.deactivate(closed);
    await staker.withdraw(closed, 3n * SOL);
    const before = BigInt(sandbox.slot()) - 1n;
    const { rows, verifiedSlot } = (await index.current(wallet, signal))!;
    assert.deepEqual(
      rows.map(({ account }) => account.address),
      [remaining],
    );
    assert.ok(verifiedSlot >= before, `${verifiedSlot} is not ${before} or later`);
  });
});

describe('stake index: transactions through this service', () => {
  const shared = sharedSandbox({ before, after });

  it('even without a subscription or a scan, a response is never older than the last transaction of the wallet', async () => {
    const sandbox = shared.get();
    await using fixture = await openIndex(sandbox, { wsUrls: [] });
    const { index } = fixture;
    const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
    const wallet = staker.wallet.address;
    const confirmedSlot = async () => BigInt(await staker.rpc.getSlot({ commitment: 'confirmed' }).send());
    const stake = (await staker.stake(3n * SOL)) as Address;
    assert.deepEqual(index.walletRows(wallet)?.rows, []);
    const touching = index.touch([wallet, stake], await confirmedSlot());
    assert.equal(
      index.walletRows(wallet),
      null,
      'the index does not claim to be up to date while it reads the accounts',
    );
    assert.equal(
      (await index.current(wallet, signal))?.rows.length,
      1,
      'a caller that can wait sees the new account',
    );
    assert.equal(await touching, true);
    await staker.deactivate(stake);
    await index.touch([wallet, stake], await confirmedSlot());
    assert.equal(index.walletRows(wallet)?.rows[0]?.account.delegation?.deactivationEpoch, 800n);
    await staker.withdraw(stake, 3n * SOL);
    const slot = await confirmedSlot();
    await index.touch([wallet, stake], slot);
    assert.deepEqual(index.walletRows(wallet)?.rows, []);
    assert.equal(index.touchedSlot(), slot);
  });

  it('the index does not serve a wallet after a transaction until a node can be read again', async () => {
    const sandbox = shared.get();
    await using proxy = await startFaultyProxy({ target: sandbox.rpcUrl, seed: 7 });
    await using fixture = await openIndex(sandbox, { rpcUrl: proxy.url, wsUrls: [] });
    const { index } = fixture;
    const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
    const wallet = staker.wallet.address;
    const bystander = (await generateKeyPairSigner()).address;
    const stake = (await staker.stake(3n * SOL)) as Address;
    const slot = BigInt(await staker.rpc.getSlot({ commitment: 'confirmed' }).send());
    await proxy.down();
    assert.equal(await index.touch([wallet, stake], slot), false);
    assert.equal(index.walletRows(wallet), null);
    assert.equal(await index.current(wallet, signal), null);
    assert.deepEqual(index.walletRows(bystander)?.rows, [], 'other wallets are not affected');
    await proxy.up();
    await until(() => index.walletRows(wallet)?.rows.length === 1, 'the account to be read');
  });

  it('an impossibly high minimum slot does not block reads', async () => {
    const sandbox = shared.get();
    await using fixture = await openIndex(sandbox, { wsUrls: [] });
    const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
    const stake = (await staker.stake(3n * SOL)) as Address;
    assert.equal(await fixture.index.touch([staker.wallet.address, stake], 10n ** 15n), true);
    assert.equal(fixture.index.walletRows(staker.wallet.address)?.rows.length, 1);
    assert.ok(fixture.index.touchedSlot() < 10n ** 12n);
  });
});

describe('stake index: time and outages', () => {
  it('each epoch is scanned once its rewards have been paid, and every row includes those rewards', async () => {
    await withSandbox({}, async (sandbox) => {
      const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
      const wallet = staker.wallet.address;
      await staker.stake(9n * SOL);
      await sandbox.advanceEpochs(1);
      await using fixture = await openIndex(sandbox);
      const { index } = fixture;
      assert.equal(index.walletRows(wallet)?.rows[0]?.account.lamports, 9n * SOL);
      await sandbox.advanceEpochs(1);
      // The service cannot predict an epoch ended on demand. It uses a cached position for up to 2 s, unless
      // the subscription is faster.
      await fixture.cluster.epochPosition(signal);
      // The wallet is requested in the new epoch before the scan. Its rows are still from the previous epoch,
      // so they are read again.
      await assertEqualsChain(fixture, wallet, sandbox.voteAccount);
      await until(() => index.walletRows(wallet) !== null, 'the scan of the new epoch');
      assert.ok(index.walletRows(wallet)!.rows[0]!.account.lamports > 9n * SOL);
      await sandbox.holdEpochRewards(true);
      const held = sandbox.advanceEpochs(1);
      await sandbox.nextBlock(signal);
      await until(() => index.walletRows(wallet) === null, 'the index to notice the new epoch');
      await until(() => index.progress().phase === 'waiting', 'the index to wait for the end of rewards');
      assert.equal(index.walletRows(wallet), null);
      await assertEqualsChain(fixture, wallet, sandbox.voteAccount);
      await sandbox.holdEpochRewards(false);
      await held;
      await until(() => index.walletRows(wallet) !== null, 'the scan after the rewards');
      await assertEqualsChain(fixture, wallet, sandbox.voteAccount);
    });
  });

  it('changes missed while the subscription was down are found by the scan after it is restored', async () => {
    await withSandbox({}, async (sandbox) => {
      const tunnel = await startCuttableTunnel(new URL(sandbox.wsUrl));
      try {
        await using fixture = await openIndex(sandbox, { wsUrls: [tunnel.url], times: { listAgeMs: 0 } });
        const { index } = fixture;
        const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
        const wallet = staker.wallet.address;
        await until(() => index.health().live, 'the subscription');
        await tunnel.down();
        await until(() => !index.health().live, 'the loss');
        await staker.stake(3n * SOL);
        assert.equal(index.walletRows(wallet), null, 'a list that may lack accounts is not shown');
        assert.equal(index.health().ready, false);
        await tunnel.up();
        await until(
          () => index.walletRows(wallet)?.rows.length === 1,
          'the account that was staked in the meantime',
        );
      } finally {
        await tunnel.close();
      }
    });
  });
});
