// Checks that all RPC URLs must belong to one cluster, that values match the real runtime, and that a new epoch
// refreshes the values that depend on it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { createClusterState } from '../../src/chain/cluster/cluster-state.ts';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { clusterNameOf } from '../../src/domain/public-clusters.ts';
import { AppError, isAppError } from '../../src/kernel/app-error.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { wholeFilePatience } from '../support/patience.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { atSlot, type Script, startScriptedRpc } from '../support/scripted-rpc.ts';

const logger = createLogger('silent');
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

const start = async (urls: readonly string[], signal: AbortSignal, voteAccount?: string) => {
  const pool = createRpcPool({ urls, timeoutMs: 3_000, maxConcurrent: 8, clock, logger });
  const reads = createSolanaReads(pool);
  try {
    const cluster = await createClusterState({
      pool,
      reads,
      clock,
      logger,
      signal,
      ...(voteAccount === undefined ? {} : { voteAccount: voteAccount as Address }),
    });
    const close = async () => {
      cluster.close();
      await pool.close();
    };
    return { pool, cluster, [Symbol.asyncDispose]: close };
  } catch (error) {
    await pool.close();
    throw error;
  }
};

const withGenesis =
  (genesisHash: string): Script =>
  ({ method }) =>
    method === 'getGenesisHash' ? { result: genesisHash } : atSlot(1, null);

describe('cluster of the RPC URLs', () => {
  const signal = wholeFilePatience();

  it('URLs of different clusters prevent startup and are identified by position, never by URL', async () => {
    await using main = await startScriptedRpc(withGenesis(MAINNET));
    await using dev = await startScriptedRpc(withGenesis(DEVNET));
    await assert.rejects(start([main.url, dev.url], signal), (error: unknown) => {
      assert.ok(error instanceof AppError);
      assert.equal(
        error.message,
        'The RPC URLs belong to different clusters (URL 1: mainnet-beta, URL 2: devnet).',
      );
      return true;
    });
  });

  it('a URL that is down at startup does not prevent startup and is not used until it reports the same genesis hash', async () => {
    await using main = await startScriptedRpc(withGenesis(MAINNET));
    await using gone = await startScriptedRpc(withGenesis(DEVNET));
    await gone.down();
    await using started = await start([gone.url, main.url], signal);
    assert.equal(started.cluster.clusterName, 'mainnet-beta');
    await gone.up();
    await gone.asked('getGenesisHash');
    while (started.pool.health()[0]!.lastError !== 'other-cluster') await clock.sleep(1, signal);
    assert.deepEqual(started.pool.readNodes(), [1]);
  });

  it('startup fails with UPSTREAM_UNAVAILABLE if no URL responds', async () => {
    await using node = await startScriptedRpc(() => ({ status: 500, text: '' }));
    await assert.rejects(start([node.url], signal), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
  });

  it('public clusters keep their own names, and any other cluster gets the configured name', () => {
    assert.equal(clusterNameOf(MAINNET, 'custom'), 'mainnet-beta');
    assert.equal(clusterNameOf('4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY', 'custom'), 'testnet');
    assert.equal(clusterNameOf(DEVNET, 'custom'), 'devnet');
    assert.equal(clusterNameOf('1'.repeat(32), 'sandbox'), 'sandbox');
  });
});

describe('cluster state on the real runtime', () => {
  const shared = sharedSandbox({ before, after });
  const signal = wholeFilePatience();

  it('reads genesis, blockhash, limits and position from the chain', async () => {
    const sandbox = shared.get();
    await using started = await start([sandbox.rpcUrl], signal, sandbox.voteAccount);
    const { cluster } = started;
    assert.deepEqual([cluster.genesisHash, cluster.clusterName], [sandbox.genesisHash, 'custom']);
    const { blockhash, lastValidBlockHeight, blockHeight } = await cluster.blockhash(signal);
    const position = await cluster.epochPosition(signal);
    assert.equal(cluster.lastValidBlockHeightOf(blockhash), lastValidBlockHeight);
    assert.equal(lastValidBlockHeight - blockHeight, 150n);
    // The sandbox reports the blockhash of the newest block but the height of the newest confirmed block.
    assert.ok((await cluster.blockHeight(signal)) + 1n >= blockHeight);
    assert.equal(position.epoch, BigInt(sandbox.epoch()));
    assert.equal((await cluster.limits(signal)).minimumDelegationLamports, 1_000_000_000n);
  });

  it('reports when the payment of epoch rewards starts and ends', async () => {
    const sandbox = shared.get();
    await using started = await start([sandbox.rpcUrl], signal);
    const active = async () => [
      (await started.cluster.epochPosition(signal)).epochRewardsActive,
      (await started.cluster.recentEpochPosition(signal)).epochRewardsActive,
    ];
    await sandbox.holdEpochRewards(true);
    assert.deepEqual(await active(), [true, true]);
    await sandbox.holdEpochRewards(false);
    assert.deepEqual(await active(), [false, false]);
  });

  it('a new epoch loads its stake history and rereads the limits', async () => {
    const sandbox = shared.get();
    await using started = await start([sandbox.rpcUrl], signal, sandbox.voteAccount);
    const { cluster } = started;
    const epoch = (await cluster.epochPosition(signal)).epoch;
    const history = await cluster.stakeHistory(epoch, signal);
    assert.ok(history.has(epoch - 1n));
    assert.equal(history.arithmetic, 'float64', 'the sandbox runs the Stake program v5.0');
    assert.equal(await cluster.stakeHistory(epoch, signal), history, 'cached for the epoch');
    await cluster.limits(signal);
    await sandbox.setRent(2_540n);
    assert.equal((await cluster.limits(signal)).walletRentLamports, 650_240n);
    const now = await cluster.readChainSnapshot([], { signal });
    assert.equal((await cluster.limits(signal, now)).walletRentLamports, 325_120n, 'rent as of the snapshot');
    await sandbox.advanceEpochs(1);
    assert.equal((await cluster.epochPosition(signal)).epoch, epoch + 1n);
    assert.equal((await cluster.limits(signal)).walletRentLamports, 325_120n);
    assert.ok((await cluster.stakeHistory(epoch + 1n, signal)).has(epoch));
    await sandbox.setRent(5_080n);
  });

  it('recovers without a restart once the RPC is available again', async () => {
    const { startFaultyProxy } = await import('../support/faulty-proxy.ts');
    await using proxy = await startFaultyProxy({ target: shared.get().rpcUrl, seed: 1 });
    await using started = await start([proxy.url], signal);
    const { cluster } = started;
    const everything = () =>
      Promise.all([cluster.limits(signal), cluster.epochPosition(signal), cluster.blockhash(signal)]);
    await everything();
    await proxy.down();
    await assert.rejects(cluster.epochPosition(signal), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
    await proxy.up();
    await everything();
  });
});
