// Checks that epoch boundaries are complete, contiguous and processed one at a time, and that time passes at
// the rate of the performance samples.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { address } from '@solana/kit';
import { getDeactivateInstruction } from '@solana-program/stake';
import { decodeAddress, encodeBase58 } from '../../sandbox/base58.ts';
import { readDelegation, STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import {
  CLOCK_SYSVAR,
  EPOCH_REWARDS_SYSVAR,
  STAKE_HISTORY_SYSVAR,
  type StakeHistoryEntry,
} from '../../sandbox/epochs/encode-sysvars.ts';
import { activationAt } from '../../sandbox/epochs/replay-activation.ts';
import { RuntimeClient } from '../../sandbox/runtime-client.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;

async function stakeHistory(staker: SandboxStaker): Promise<StakeHistoryEntry[]> {
  const { data } = (await staker.account(STAKE_HISTORY_SYSVAR))!;
  return Array.from({ length: Number(data.readBigUInt64LE(0)) }, (_, index) => {
    const at = 8 + index * 32;
    const word = (offset: number): bigint => data.readBigUInt64LE(at + offset);
    return { epoch: word(0), effective: word(8), activating: word(16), deactivating: word(24) };
  });
}

async function clock(staker: SandboxStaker): Promise<{ slot: bigint; epoch: bigint; unixTimestamp: bigint }> {
  const { data } = (await staker.account(CLOCK_SYSVAR))!;
  return {
    slot: data.readBigUInt64LE(0),
    epoch: data.readBigUInt64LE(16),
    unixTimestamp: data.readBigInt64LE(32),
  };
}

async function epochInfo(sandbox: Sandbox) {
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getEpochInfo' }),
  });
  const { result } = (await response.json()) as {
    result: {
      absoluteSlot: number;
      blockHeight: number;
      epoch: number;
      slotIndex: number;
      slotsInEpoch: number;
    };
  };
  return result;
}

test('StakeHistory is complete and contiguous up to the previous epoch, whichever way an epoch ends', async () => {
  await withSandbox({ startEpoch: 900 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, SOL);
    for (const count of [0, 1, 7]) {
      if (count > 0) await sandbox.advanceEpochs(count);
      const history = await stakeHistory(staker);
      assert.equal(history.length, 512);
      history.forEach((entry, index) => {
        assert.equal(entry.epoch, BigInt(sandbox.epoch() - 1 - index));
        assert.equal(entry.effective, 390_000_000n * SOL);
      });
    }
  });
});

test('concurrent requests to end epochs are queued, each returns its own epoch, and none is lost', async () => {
  await withSandbox({ startEpoch: 10 }, async (sandbox) => {
    const reached = await Promise.all([1, 2, 1, 3].map((count) => sandbox.advanceEpochs(count)));
    assert.deepEqual(reached, [11, 13, 14, 17]);
    const staker = await SandboxStaker.fund(sandbox, SOL);
    const epochs = (await stakeHistory(staker)).map((entry) => Number(entry.epoch));
    assert.deepEqual(
      epochs,
      Array.from({ length: 17 }, (_, index) => 16 - index),
    );
  });
});

test('skipping epochs raises the block height only by the number of blocks produced, and the Clock agrees with getEpochInfo', async () => {
  await withSandbox({ epochRewardsBlocks: 3 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, SOL);
    const before = await epochInfo(sandbox);
    await sandbox.advanceEpochs(4);
    const info = await epochInfo(sandbox);
    const now = await clock(staker);
    assert.equal(info.epoch, before.epoch + 4);
    assert.equal(info.absoluteSlot, info.epoch * 432_000 + info.slotIndex);
    assert.equal(info.slotsInEpoch, 432_000);
    assert.ok(info.blockHeight - before.blockHeight < 4 * 5 + 100, 'far fewer blocks than slots');
    assert.equal(now.epoch, BigInt(info.epoch));
    assert.equal(now.slot / 432_000n, now.epoch);
    assert.ok(now.slot >= BigInt(info.absoluteSlot));
    assert.ok(Math.abs(Number(now.unixTimestamp) - Date.now() / 1_000) < 60);
  });
});

test('a blockhash taken before an epoch ended still lands after it', async () => {
  await withSandbox({}, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, SOL);
    const { value } = await staker.rpc.getLatestBlockhash().send();
    await sandbox.advanceEpochs(3);
    const valid = await staker.rpc.isBlockhashValid(value.blockhash, { commitment: 'processed' }).send();
    assert.equal(valid.value, true);
  });
});

test('while EpochRewards is held, the Stake program refuses with EpochRewardsActive (Custom 16), and accepts afterwards', async () => {
  await withSandbox({}, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 10n * SOL);
    const stake = await staker.stake(2n * SOL + RENT);
    await sandbox.advanceEpochs(1);
    await sandbox.holdEpochRewards(true);
    const refused = await staker.deactivate(stake).then(
      () => null,
      (cause: { cause?: { context?: { code?: number } } }) => cause.cause,
    );
    assert.equal(refused?.context?.code, 16);
    await assert.rejects(
      staker.rpc.getInflationReward([address(stake)]).send(),
      /Epoch rewards period still active/,
    );
    await sandbox.advanceEpochs(1);
    await assert.rejects(staker.deactivate(stake), 'held over a boundary');
    await sandbox.holdEpochRewards(false);
    await staker.deactivate(stake);
  });
});

test('in a small cluster, only 9 % warms up or cools down per epoch, exactly as in the program to the lamport', async () => {
  await withSandbox({ clusterRestSol: 100, rewardPpb: 0, tipPpb: 0, startEpoch: 600 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 200n * SOL);
    const stake = await staker.stake(100n * SOL + RENT);
    await sandbox.advanceEpochs(4);
    await staker.deactivate(stake);
    const remaining: bigint[] = [];
    for (let round = 0; round < 5; round += 1) {
      if (round > 0) await sandbox.advanceEpochs(1);
      const account = (await staker.account(stake))!;
      const history = new Map((await stakeHistory(staker)).map((entry) => [entry.epoch, entry]));
      const delegation = readDelegation(account.data)!;
      const { effective } = activationAt(delegation, BigInt(sandbox.epoch()), (epoch) => history.get(epoch));
      remaining.push(effective);
      const bound = effective === 0n ? 0n : effective + RENT;
      await assert.rejects(
        staker.withdraw(stake, account.lamports - bound + 1n),
        'one lamport more than can be withdrawn',
      );
      await staker.withdraw(stake, account.lamports - bound);
      assert.equal((await staker.account(stake))?.lamports ?? 0n, bound);
      if (effective === 0n) break;
    }
    assert.ok(remaining.length > 2, 'the cooldown took several epochs');
    assert.equal(remaining.at(-1), 0n);
  });
});

test('a lockup ends according to the chain’s date, which is today’s', async () => {
  await withSandbox({}, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 20n * SOL);
    const nowSeconds = BigInt(Math.floor(Date.now() / 1_000));
    const locked = await staker.stake(2n * SOL + RENT, { lockupUnixTimestamp: nowSeconds + 3_600n });
    const free = await staker.stake(2n * SOL + RENT, { lockupUnixTimestamp: nowSeconds - 3_600n });
    await sandbox.advanceEpochs(2);
    for (const stake of [locked, free]) {
      await staker.send([getDeactivateInstruction({ stake: address(stake), stakeAuthority: staker.wallet })]);
    }
    await sandbox.advanceEpochs(2);
    await assert.rejects(staker.withdraw(locked, SOL));
    await staker.withdraw(free, SOL);
  });
});

test('epochs end automatically at the rate of the performance samples', async () => {
  await withSandbox({ epochSeconds: 1, slotMs: 20 }, async (sandbox) => {
    const first = sandbox.epoch();
    const signal = patience();
    while (sandbox.epoch() < first + 2) await sandbox.nextBlock(signal);
    const staker = await SandboxStaker.fund(sandbox, SOL);
    const [newest] = await stakeHistory(staker);
    assert.ok(Number(newest!.epoch) >= first + 1);
    const [sample] = await staker.rpc.getRecentPerformanceSamples(1).send();
    assert.equal(Number(sample!.numSlots) / Number(sample!.samplePeriodSecs), 432_000);
  });
});

test('epochs ended on demand while time passes leave no gaps', async () => {
  await withSandbox({ epochSeconds: 1, slotMs: 20, startEpoch: 20 }, async (sandbox) => {
    const signal = patience();
    while (sandbox.epoch() < 45) {
      await Promise.all([sandbox.advanceEpochs(3), sandbox.advanceEpochs(2)]);
      for (let block = 0; block < 20; block += 1) await sandbox.nextBlock(signal);
    }
    const staker = await SandboxStaker.fund(sandbox, SOL);
    const epochs = (await stakeHistory(staker)).map((entry) => Number(entry.epoch));
    epochs.forEach((epoch, index) => {
      assert.equal(epoch, (epochs[0] ?? 0) - index);
    });
    assert.equal(epochs.at(-1), 0);
  });
});

test('rewards that do not fit into one block are paid over several, and deposits made in the meantime are kept', async () => {
  await withSandbox({ epochSeconds: 4, startEpoch: 900, tipPpb: 0 }, async (sandbox) => {
    const addresses = Array.from({ length: 1_200 }, (_, index) =>
      encodeBase58(createHash('sha256').update(`stake ${index}`).digest()),
    );
    const data = Buffer.alloc(200);
    data.writeUInt32LE(2, 0);
    data.set(decodeAddress(sandbox.voteAccount)!, 124);
    data.writeBigUInt64LE(10n * SOL, 156);
    data.writeBigUInt64LE(100n, 164);
    data.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 172);
    const account = { lamports: 10n * SOL + RENT, data, owner: STAKE_PROGRAM };
    // All accounts must be written in one epoch, because accounts from different epochs would earn different
    // rewards.
    let begun: number;
    do {
      begun = sandbox.epoch();
      await Promise.all(addresses.map((one) => sandbox.setAccount({ ...account, address: one })));
    } while (sandbox.epoch() !== begun);
    const client = new RuntimeClient(sandbox.rpcUrl);
    while (sandbox.epoch() === begun) await sandbox.nextBlock(patience());
    const isActive = async () => {
      const { value } = (await client.call('getAccountInfo', [
        EPOCH_REWARDS_SYSVAR,
        { encoding: 'base64' },
      ])) as { value: { data: [string, string] } };
      return Buffer.from(value.data[0], 'base64')[80] === 1;
    };
    const last = addresses.at(-1)!;
    assert.equal(await isActive(), true);
    await sandbox.airdrop(last, 7n, patience());
    const paidAccounts = async () => {
      for (;;) {
        const epoch = sandbox.epoch();
        if (!(await isActive())) {
          const accounts = await client.programAccounts(STAKE_PROGRAM);
          // On a busy machine, the next boundary may come before the accounts are read.
          if (sandbox.epoch() === epoch) return accounts;
        }
        await sandbox.nextBlock(patience());
      }
    };
    const accounts = (await paidAccounts()).filter(({ address: one }) => addresses.includes(one));
    client.close();
    const paid = new Set(accounts.map(({ data: bytes }) => readDelegation(bytes)!.stakeLamports));
    assert.equal(paid.size, 1, 'each was paid the same');
    const [stakeLamports] = paid;
    assert.ok(stakeLamports! > 10n * SOL);
    for (const { address: one, lamports } of accounts)
      assert.equal(lamports, stakeLamports! + RENT + (one === last ? 7n : 0n), one);
  });
});
