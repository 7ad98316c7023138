// Checks that the minimum delegation comes from the Stake program, is the same from every node, and is read
// once per epoch.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import {
  createMinimumDelegationKeeper,
  readMinimumDelegation,
} from '../../src/chain/cluster/minimum-delegation.ts';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { atSlot, type Script, startScriptedRpc } from '../support/scripted-rpc.ts';

const logger = createLogger('silent');
const signal = new AbortController().signal;
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const LEADER = '1nc1nerator11111111111111111111111111111111';

const depsOf = (url: string, options: { voteAccount?: string } = {}) => {
  const pool = createRpcPool({ urls: [url], timeoutMs: 3_000, maxConcurrent: 8, clock, logger });
  const voteAccount = options.voteAccount as Address | undefined;
  return { pool, reads: createSolanaReads(pool), logger, voteAccount };
};

describe('the minimum delegation of the real runtime', () => {
  const shared = sharedSandbox({ before, after });

  it('equals the Stake program’s response to GetMinimumDelegation', async () => {
    const sandbox = shared.get();
    for (const voteAccount of [sandbox.voteAccount, undefined]) {
      const deps = depsOf(sandbox.rpcUrl, voteAccount === undefined ? {} : { voteAccount });
      assert.equal(await readMinimumDelegation(deps, 0n, signal), 1_000_000_000n);
      await deps.pool.close();
    }
  });
});

describe('the minimum delegation of scripted nodes', () => {
  interface Chain {
    simulation?: unknown;
    stated?: unknown;
    slot?: number;
  }
  const scriptOf =
    (chain: Chain): Script =>
    ({ method }) => {
      if (method === 'getSlotLeader') return { result: LEADER };
      if (method === 'simulateTransaction' && chain.simulation !== undefined)
        return atSlot(chain.slot ?? 1, chain.simulation);
      if (method === 'getStakeMinimumDelegation' && chain.stated !== undefined)
        return atSlot(chain.slot ?? 1, chain.stated);
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
      return await readMinimumDelegation(deps, 0n, signal);
    } finally {
      await deps.pool.close();
    }
  };

  it('the program’s response takes precedence over the RPC method’s', async () => {
    assert.equal(
      await minimumOf({ simulation: returning([0, 202, 154, 59, 0, 0, 0, 0]), stated: 1 }),
      1_000_000_000n,
    );
  });

  it('return data without trailing zeros decodes to the same number', async () => {
    assert.equal(await minimumOf({ simulation: returning([0, 202, 154, 59]) }), 1_000_000_000n);
    assert.equal(await minimumOf({ simulation: returning([1]) }), 1n);
  });

  it('the RPC method is used if no payer is available for the simulation', async () => {
    assert.equal(
      await minimumOf({ simulation: { err: 'AccountNotFound', logs: [], returnData: null }, stated: 7 }),
      7n,
    );
    assert.equal(await minimumOf({ simulation: returning([9], LEADER), stated: 7 }), 7n);
    assert.equal(await minimumOf({ stated: 7 }), 7n);
  });

  it('a minimum of zero is rejected with UPSTREAM_UNAVAILABLE rather than used as a wrong limit', async () => {
    const unavailable = (error: unknown) => isAppError(error, 'UPSTREAM_UNAVAILABLE');
    await assert.rejects(minimumOf({ stated: 0 }), unavailable);
    await assert.rejects(minimumOf({ simulation: returning([0]), stated: 0 }), unavailable);
    await assert.rejects(minimumOf({}), unavailable);
  });

  it('is read once per epoch, from nodes that have reached the epoch', async () => {
    const chain: Chain = { stated: 5, slot: 99 };
    await using node = await startScriptedRpc(scriptOf(chain));
    const deps = depsOf(node.url);
    const minimum = createMinimumDelegationKeeper(deps);
    const at = (epoch: bigint) => minimum({ epoch, absoluteSlot: epoch * 10n + 3n, slotIndex: 3n }, signal);
    const asked = () => node.count('getStakeMinimumDelegation');
    assert.deepEqual([await at(9n), await at(9n), asked()], [5n, 5n, 1]);
    chain.stated = 6;
    const next = at(10n);
    await node.asked('getStakeMinimumDelegation', 3);
    Object.assign(chain, { slot: 100, stated: 7 });
    assert.equal(await next, 7n, 'a response from a node still in the previous epoch is not used');
    const askedThen = asked();
    assert.deepEqual([await at(10n), asked()], [7n, askedThen]);
    await deps.pool.close();
  });
});
