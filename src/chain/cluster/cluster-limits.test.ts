// Shows that limits are the chain's own, from whichever source tells them, and never older than a minute or the epoch.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { sharedSandbox } from '../../../test/support/sandbox-fixture.ts';
import { atSlot, type Script, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createSolanaReads } from '../solana.ts';
import { createLimitsKeeper, readLimits } from './cluster-limits.ts';

const logger = createLogger('silent');
const signal = new AbortController().signal;
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const LEADER = '1nc1nerator11111111111111111111111111111111';

const depsOf = (url: string, options: { voteAccount?: string; clock?: Clock } = {}) => {
  const { clock = systemClock } = options;
  const pool = createRpcPool({ urls: [url], timeoutMs: 3_000, maxConcurrent: 8, clock, logger });
  const voteAccount = options.voteAccount as Address | undefined;
  return { pool, reads: createSolanaReads(pool), clock, logger, voteAccount, signal };
};

describe('limits of the real runtime', () => {
  const shared = sharedSandbox({ before, after }, { rentLamportsPerByte: 5_080 });

  it('are the rent of the RPC and what the Stake program answers to GetMinimumDelegation', async () => {
    const sandbox = shared.get();
    for (const voteAccount of [sandbox.voteAccount, undefined]) {
      const deps = depsOf(sandbox.rpcUrl, voteAccount === undefined ? {} : { voteAccount });
      assert.deepEqual(await readLimits(deps, signal), {
        stakeRentLamports: 1_666_240n,
        walletRentLamports: 650_240n,
        minimumDelegationLamports: 1_000_000_000n,
      });
      await deps.pool.close();
    }
  });

  it('follow the rent when it changes', async () => {
    const sandbox = shared.get();
    const deps = depsOf(sandbox.rpcUrl, { voteAccount: sandbox.voteAccount });
    await sandbox.setRent(696n);
    const { stakeRentLamports, walletRentLamports } = await readLimits(deps, signal);
    await sandbox.setRent(5_080n);
    await deps.pool.close();
    assert.deepEqual([stakeRentLamports, walletRentLamports], [696n * 328n, 696n * 128n]);
  });
});

describe('limits from scripted nodes', () => {
  interface Chain {
    simulation?: unknown;
    stated?: unknown;
    rent?: number;
  }
  const scriptOf =
    (chain: Chain): Script =>
    ({ method, params }) => {
      if (method === 'getMinimumBalanceForRentExemption')
        return { result: (params[0] + 128) * (chain.rent ?? 10) };
      if (method === 'getSlotLeader') return { result: LEADER };
      if (method === 'simulateTransaction' && chain.simulation !== undefined)
        return atSlot(1, chain.simulation);
      if (method === 'getStakeMinimumDelegation' && chain.stated !== undefined)
        return atSlot(1, chain.stated);
      return { error: { code: -32601, message: 'Method not found' } };
    };
  const returning = (bytes: readonly number[], programId = STAKE_PROGRAM) => ({
    err: null,
    logs: [],
    returnData: { programId, data: [Buffer.from(bytes).toString('base64'), 'base64'] },
  });
  const minimumOf = async (chain: Chain): Promise<bigint> => {
    await using node = await startScriptedRpc(scriptOf(chain));
    const deps = depsOf(node.url);
    try {
      return (await readLimits(deps, signal)).minimumDelegationLamports;
    } finally {
      await deps.pool.close();
    }
  };

  it('the program outranks the RPC method', async () => {
    assert.equal(
      await minimumOf({ simulation: returning([0, 202, 154, 59, 0, 0, 0, 0]), stated: 1 }),
      1_000_000_000n,
    );
  });

  it('return data whose trailing zeros were cut is the same number', async () => {
    assert.equal(await minimumOf({ simulation: returning([0, 202, 154, 59]) }), 1_000_000_000n);
    assert.equal(await minimumOf({ simulation: returning([1]) }), 1n);
  });

  it('where no payer can simulate, the RPC method tells', async () => {
    assert.equal(
      await minimumOf({ simulation: { err: 'AccountNotFound', logs: [], returnData: null }, stated: 7 }),
      7n,
    );
    assert.equal(await minimumOf({ simulation: returning([9], LEADER), stated: 7 }), 7n);
    assert.equal(await minimumOf({ stated: 7 }), 7n);
  });

  it('a minimum of zero is no answer: UPSTREAM_UNAVAILABLE instead of a wrong limit', async () => {
    const unavailable = (error: unknown) => isAppError(error, 'UPSTREAM_UNAVAILABLE');
    await assert.rejects(minimumOf({ stated: 0 }), unavailable);
    await assert.rejects(minimumOf({ simulation: returning([0]), stated: 0 }), unavailable);
    await assert.rejects(minimumOf({}), unavailable);
  });

  it('are kept for a minute, renewed in the background from half of it on, and read anew after it', async () => {
    const chain: Chain = { stated: 5, rent: 10 };
    await using node = await startScriptedRpc(scriptOf(chain));
    const clock = createManualClock();
    const deps = depsOf(node.url, { clock });
    const keeper = createLimitsKeeper(deps);
    const rent = async () => (await keeper.get(signal)).walletRentLamports;
    const reads = () => node.count('getMinimumBalanceForRentExemption');
    assert.equal(await rent(), 1_280n);
    chain.rent = 20;
    clock.advance(29_000);
    assert.equal(await rent(), 1_280n);
    assert.equal(reads(), 2);
    clock.advance(2_000);
    assert.equal(await rent(), 1_280n, 'the kept answer at once');
    while ((await rent()) !== 2_560n) await new Promise((resolve) => setImmediate(resolve));
    chain.rent = 30;
    clock.advance(60_000);
    assert.equal(await rent(), 3_840n, 'after a minute nothing old');
    await deps.pool.close();
  });

  it('are kept no longer where the clock is set back meanwhile', async () => {
    const chain: Chain = { stated: 5, rent: 10 };
    await using node = await startScriptedRpc(scriptOf(chain));
    const clock = createManualClock();
    const deps = depsOf(node.url, { clock });
    const keeper = createLimitsKeeper(deps);
    await keeper.get(signal);
    clock.setBack(3_600_000);
    chain.rent = 20;
    assert.equal((await keeper.get(signal)).walletRentLamports, 1_280n);
    clock.advance(60_000);
    assert.equal((await keeper.get(signal)).walletRentLamports, 2_560n);
    await deps.pool.close();
  });

  it('forgotten limits are read anew, also when the forgetting overtakes a reading', async () => {
    const chain: Chain = { stated: 5, rent: 10 };
    await using node = await startScriptedRpc(scriptOf(chain));
    const deps = depsOf(node.url);
    const keeper = createLimitsKeeper(deps);
    const overtaken = keeper.get(signal);
    await node.asked('getMinimumBalanceForRentExemption', 2);
    keeper.forget();
    await overtaken;
    chain.rent = 20;
    assert.equal((await keeper.get(signal)).walletRentLamports, 2_560n);
    await deps.pool.close();
  });
});
