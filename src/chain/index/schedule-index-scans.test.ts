// Only the complete response of a scan counts, not an interrupted one.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { positionAt } from '../../../test/support/chain-snapshots.ts';
import { until } from '../../../test/support/index-fixture.ts';
import { atSlot, type ScriptedResponse, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createSolanaReads } from '../solana.ts';
import { createStakeIndex } from './stake-index.ts';

const DAY_MS = 86_400_000;
const [VOTER, WALLET, STAYS, LEAVES] = [90, 80, 1, 2].map((tag) =>
  encodeBase58(new Uint8Array(32).fill(tag)),
) as [Address, Address, Address, Address];
const logger = createLogger('silent');

const shown = (length = 200) => {
  const delegation = { voteAccount: VOTER, stakeLamports: 5n };
  const data = Buffer.from(stakeAccountBytes({ wallet: WALLET, delegation }));
  return {
    data: [data.toString('base64', 0, length), 'base64'],
    executable: false,
    lamports: 9,
    owner: STAKE_PROGRAM,
    rentEpoch: 0,
    space: 200,
  };
};

const listed = (slot: number, addresses: readonly Address[], length: number): ScriptedResponse =>
  atSlot(
    slot,
    addresses.map((pubkey) => ({ pubkey, account: shown(length) })),
  );

/** The beginning of a response, cut off after its last row. */
const brokenOff = (slot: number, addresses: readonly Address[], length: number): ScriptedResponse => {
  const whole = listed(slot, addresses, length) as { readonly result: unknown };
  const text = JSON.stringify({ jsonrpc: '2.0', result: whole.result });
  return { status: 200, text: text.slice(0, text.lastIndexOf(']')) };
};

/**
 * Two nodes at one address. `responses` are returned to the scans in order, the last one repeatedly. Only the
 * accounts in `living` exist.
 */
const open = async (
  t: TestContext,
  responses: ((length: number) => ScriptedResponse)[],
  living: ReadonlySet<Address>,
) => {
  const node = await startScriptedRpc(({ method, params }) => {
    if (method === 'getMultipleAccounts')
      return atSlot(
        300,
        (params[0] as Address[]).map((address) => (living.has(address) ? shown() : null)),
      );
    if (method !== 'getProgramAccounts') return { result: 'genesis' };
    const response = responses.length > 1 ? responses.shift()! : responses[0]!;
    return response(params[1].dataSlice.length);
  });
  const pool = createRpcPool({
    urls: [node.url, `${node.url}/second`],
    timeoutMs: 60_000,
    maxConcurrent: 4,
    clock,
    logger,
  });
  const position = async () => positionAt(300n, clock.now());
  const index = createStakeIndex({
    pool,
    reads: createSolanaReads(pool),
    cluster: {
      epochPosition: position,
      recentEpochPosition: position,
      readChainSnapshot: () => Promise.reject(new Error('no wallet is requested')),
    },
    voteAccount: VOTER,
    wsUrls: [],
    clock,
    logger,
    signal: new AbortController().signal,
    times: { pollMs: 5, keyScanMs: 20, listAgeMs: DAY_MS },
  });
  t.after(async () => {
    await index.close();
    await pool.close();
    await node[Symbol.asyncDispose]();
  });
  const addresses = () => index.walletRows(WALLET)?.rows.map(({ account }) => account.address);
  return { index, node, addresses };
};

test('an account listed in an interrupted response but missing from the next one counts as gone', async (t) => {
  const both = [STAYS, LEAVES];
  const { addresses, node } = await open(
    t,
    [
      (length) => listed(100, both, length),
      (length) => brokenOff(200, both, length),
      (length) => listed(210, [STAYS], length),
      () => 'silence',
    ],
    new Set([STAYS]),
  );
  await until(() => addresses()?.length === 2, 'the first scan');
  // The fourth scan never ends, so only the results of the second and third count.
  await node.asked('getProgramAccounts', 4);
  assert.deepEqual(addresses(), [STAYS]);
});
