// A snapshot comes from one call and one slot, and a self-contradictory response is rejected.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { sysvarAccounts } from '../../../test/support/chain-snapshots.ts';
import { PATIENCE_MS } from '../../../test/support/patience.ts';
import { atSlot, type Script, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import type { ReadOptions } from '../ports.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { readChainSnapshot } from './chain-snapshot.ts';
import { SYSVAR_ADDRESSES } from './decode-sysvars.ts';

const SLOTS = 432_000;
const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2' as Address;
const SYSTEM = '11111111111111111111111111111111';
const signal = new AbortController().signal;
const logger = createLogger('silent');
const slotTimes = { slotDurationMs: 200, fastestSlotMs: 190, slowestSlotMs: 210 };

const wallet = {
  data: ['', 'base64'],
  executable: false,
  lamports: 5,
  owner: SYSTEM,
  rentEpoch: 0,
  space: 0,
};
const sysvarsOf = (epoch: number, rewards = false) =>
  sysvarAccounts({ epoch, slotsPerEpoch: SLOTS, rewards });
const answering =
  (slot: number, accounts: readonly unknown[]): Script =>
  () =>
    atSlot(slot, accounts);

const read = async (
  scripts: readonly Script[],
  addresses: readonly Address[],
  options: Partial<ReadOptions> = {},
) => {
  await using stack = new AsyncDisposableStack();
  const nodes = [];
  for (const script of scripts) nodes.push(stack.use(await startScriptedRpc(script)));
  const pool = createRpcPool({
    urls: nodes.map(({ url }) => url),
    timeoutMs: PATIENCE_MS,
    maxConcurrent: 4,
    clock: systemClock,
    logger,
  });
  stack.defer(() => pool.close());
  const clock = createManualClock(1_000);
  const deps = { pool, clock, slotTime: async () => slotTimes };
  const snapshot = await readChainSnapshot(deps, addresses, { signal, ...options });
  return { snapshot, asked: nodes.map(({ requests }) => requests) };
};

const unavailable = (error: unknown) => isAppError(error, 'UPSTREAM_UNAVAILABLE');

describe('a snapshot', () => {
  it('reads accounts, position, freeze and rent in one call', async () => {
    const script = answering(800 * SLOTS + 5, [wallet, null, ...sysvarsOf(800, true)]);
    const { snapshot, asked } = await read([script], [WALLET, SYSTEM as Address]);
    assert.deepEqual(snapshot.position, {
      epoch: 800n,
      absoluteSlot: 345_600_005n,
      slotIndex: 5n,
      slotsInEpoch: 432_000n,
      readAtMs: 1_000,
      ...slotTimes,
      epochRewardsActive: true,
      unixTimestamp: 1_800_000_123n,
    });
    assert.deepEqual(snapshot.rent, { stakeRentLamports: 328n * 5_080n, walletRentLamports: 128n * 5_080n });
    assert.deepEqual(snapshot.accounts, [
      { address: WALLET, owner: SYSTEM, lamports: 5n, data: new Uint8Array(0) },
      null,
    ]);
    assert.deepEqual(
      asked[0]!.map(({ method, params }) => [method, params]),
      [
        [
          'getMultipleAccounts',
          [[WALLET, SYSTEM, ...SYSVAR_ADDRESSES], { commitment: 'confirmed', encoding: 'base64' }],
        ],
      ],
    );
  });

  it('requests the given commitment and minimum slot', async () => {
    const { asked } = await read([answering(SLOTS, sysvarsOf(1))], [], {
      commitment: 'finalized',
      minContextSlot: 3n,
    });
    assert.deepEqual(asked[0]![0]!.params[1], {
      commitment: 'finalized',
      minContextSlot: 3,
      encoding: 'base64',
    });
  });

  it("is rejected if the node's Clock and its slot are in different epochs, and another node is queried", async () => {
    const { snapshot } = await read(
      [answering(800 * SLOTS, sysvarsOf(799)), answering(800 * SLOTS, sysvarsOf(800, true))],
      [],
    );
    assert.deepEqual([snapshot.position.epoch, snapshot.position.epochRewardsActive], [800n, true]);
    await assert.rejects(read([answering(800 * SLOTS, sysvarsOf(799))], []), unavailable);
  });

  it('fails with UPSTREAM_UNAVAILABLE if nodes omit the sysvars or return a different number of accounts', async () => {
    const refused: readonly Script[] = [
      answering(5, [wallet, null, null, null, null]),
      answering(5, [wallet, ...sysvarsOf(0).slice(1)]),
      answering(5, sysvarsOf(0)),
      answering(5, []),
      () => ({ error: { code: -32602, message: 'sysvars are not served' } }),
    ];
    for (const script of refused) await assert.rejects(read([script], [WALLET]), unavailable);
  });
});
