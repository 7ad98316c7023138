// SANDBOX-1: with thousands of stake accounts, every one of many epoch boundaries completes and pays each
// account the same amount, and the cluster keeps responding in the meantime.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { decodeAddress, encodeBase58 } from '../../sandbox/base58.ts';
import { readDelegation, STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import { RuntimeClient } from '../../sandbox/runtime-client.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const ACCOUNTS = FULL ? 20_000 : 1_200;
const BOUNDARIES = FULL ? 100 : 3;
const START_EPOCH = 800;
const STAKE_LAMPORTS = 10_000_000_000n;
const RENT_LAMPORTS = 1_666_240n;

const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const addressOf = (index: number): string => encodeBase58(hashOf(`stake ${index}`));

/** Creates a delegation from an epoch before the stake history begins, which makes it fully active. */
const stakeOf = (index: number, voter: Uint8Array): Buffer => {
  const data = Buffer.alloc(200);
  const wallet = hashOf(`wallet ${index}`);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(2_282_880n, 4);
  data.set(wallet, 12);
  data.set(wallet, 44);
  data.set(voter, 124);
  data.writeBigUInt64LE(STAKE_LAMPORTS, 156);
  data.writeBigUInt64LE(100n, 164);
  data.writeBigUInt64LE(2n ** 64n - 1n, 172);
  return data;
};

const fill = async (sandbox: Sandbox): Promise<void> => {
  const voter = decodeAddress(sandbox.voteAccount)!;
  for (let index = 0; index < ACCOUNTS; index += 1)
    await sandbox.setAccount({
      address: addressOf(index),
      lamports: STAKE_LAMPORTS + RENT_LAMPORTS,
      data: stakeOf(index, voter),
      owner: STAKE_PROGRAM,
    });
};

test(`SANDBOX-1 all ${ACCOUNTS} stake accounts are paid at each of ${BOUNDARIES} boundaries`, async (t) => {
  await withSandbox({ startEpoch: START_EPOCH }, async (sandbox) => {
    await fill(sandbox);
    const client = new RuntimeClient(sandbox.rpcUrl);
    t.after(() => client.close());
    let paid = 0n;
    let slowestMs = 0;
    const megabytes: number[] = [];
    for (let boundary = 0; boundary < BOUNDARIES; boundary += 1) {
      const startedMs = performance.now();
      assert.equal(await sandbox.advanceEpochs(1), START_EPOCH + boundary + 1);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      const some = [0, ACCOUNTS >> 1, ACCOUNTS - 1].map(addressOf);
      const rewards = (await client.call('getInflationReward', [some])) as { amount: number }[];
      assert.equal(new Set(rewards.map(({ amount }) => amount)).size, 1);
      assert.ok(rewards[0]!.amount > 0);
      paid += BigInt(rewards[0]!.amount);
      megabytes.push(Math.round(process.memoryUsage().rss / 1_000_000));
    }
    const accounts = await client.programAccounts(STAKE_PROGRAM);
    assert.equal(accounts.length, ACCOUNTS);
    for (const { address, data } of accounts)
      assert.equal(readDelegation(data)?.stakeLamports, STAKE_LAMPORTS + paid, address);
    const spread = [megabytes[0], megabytes[megabytes.length >> 1], megabytes.at(-1)].join(', ');
    t.diagnostic(
      `${ACCOUNTS} accounts, ${BOUNDARIES} boundaries, slowest ${Math.round(slowestMs)} ms; memory at the first, middle and last boundary: ${spread} MB`,
    );
  });
});
