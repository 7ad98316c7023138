// "Never landed" requires complete evidence from a single node and no contradiction from any other.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type Address, getBase58Encoder, type Signature } from '@solana/kit';
import { patience } from '../../../test/support/patience.ts';
import {
  atSlot,
  type ScriptedResponse,
  type ScriptedRpc,
  startScriptedRpc,
} from '../../../test/support/scripted-rpc.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { checkExpiry, type ExpiringTransaction } from './prove-never-landed.ts';

const SIGNATURE = '5'.repeat(88) as Signature;
const OTHER = '4'.repeat(88) as Signature;
const expiring = (lastValidBlockHeight: bigint, signature = SIGNATURE): ExpiringTransaction => ({
  signature,
  lastValidBlockHeight,
});
const landedAt = (slot: number, err: unknown = null) => ({
  slot,
  err,
  confirmations: null,
  confirmationStatus: 'finalized',
});

/** A node's state. Heights are slots − 1,000 by default. */
interface View {
  readonly finalizedHeight: number;
  readonly infoHeight?: number;
  readonly infoSlot?: number;
  readonly statusSlot: number;
  readonly statuses?: Readonly<Record<string, unknown>>;
  readonly oldestHeight?: number;
  readonly nonceData?: Buffer | null;
  readonly nonceSlot?: number;
}

const account = (data: Buffer) => ({
  data: [data.toString('base64'), 'base64'],
  lamports: 1,
  owner: '1'.repeat(32),
});

describe('checkExpiry', () => {
  let nodes: ScriptedRpc[] = [];
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });

  const response = (view: View, method: string, params: readonly unknown[]): ScriptedResponse => {
    switch (method) {
      case 'getBlockHeight':
        return { result: view.finalizedHeight };
      case 'getEpochInfo': {
        const blockHeight = view.infoHeight ?? view.finalizedHeight;
        const absoluteSlot = view.infoSlot ?? blockHeight + 1_000;
        return { result: { absoluteSlot, blockHeight, epoch: 1, slotIndex: 0, slotsInEpoch: 10 } };
      }
      case 'getSignatureStatuses':
        return atSlot(
          view.statusSlot,
          (params[0] as string[]).map((signature) => view.statuses?.[signature] ?? null),
        );
      case 'getFirstAvailableBlock':
        return view.oldestHeight === undefined ? { error: { code: -32601, message: 'no' } } : { result: 5 };
      case 'getBlock':
        return { result: { blockHeight: view.oldestHeight } };
      case 'getMultipleAccounts':
        return atSlot(view.nonceSlot ?? view.statusSlot, [view.nonceData ? account(view.nonceData) : null]);
      default:
        return { error: { code: -32601, message: 'Method not found' } };
    }
  };

  const evaluate = async (views: readonly (View | 'reset')[], ...asked: readonly ExpiringTransaction[]) => {
    nodes = await Promise.all(
      views.map((view) =>
        startScriptedRpc(({ method, params }) =>
          view === 'reset' ? 'reset' : response(view, method, params),
        ),
      ),
    );
    const urls = nodes.map(({ url }) => url);
    const pool = createRpcPool({
      urls,
      timeoutMs: 500,
      maxConcurrent: 8,
      clock,
      logger: createLogger('silent'),
    });
    opened.push(pool.close, ...nodes.map((node) => async () => node[Symbol.asyncDispose]()));
    return checkExpiry(pool, asked, patience());
  };

  it('a transaction never landed if the finalized height is past its last valid height and the history contains no status for it', async () => {
    const results = await evaluate([{ finalizedHeight: 101, statusSlot: 1_140 }], expiring(100n));
    assert.deepEqual([...results], [[SIGNATURE, 'never-landed']]);
    assert.deepEqual(nodes[0]!.requests.find((r) => r.method === 'getSignatureStatuses')!.params[1], {
      searchTransactionHistory: true,
    });
    assert.deepEqual(
      nodes[0]!.requests.filter((r) => /Height|Info/.test(r.method)).map((r) => r.params[0].commitment),
      ['finalized', 'finalized'],
    );
  });

  it('at the last valid height itself the outcome is unknown', async () => {
    assert.equal((await evaluate([{ finalizedHeight: 100, statusSlot: 1_140 }], expiring(100n))).size, 0);
    assert.equal(nodes[0]!.count('getSignatureStatuses'), 0);
  });

  it('a status read from a bank before the finalized slot proves nothing', async () => {
    const lagging = { finalizedHeight: 101, statusSlot: 1_100 };
    assert.equal((await evaluate([lagging], expiring(100n))).size, 0);
  });

  it('a node that reports epoch info for the tip of the chain is evaluated by its finalized height', async () => {
    const tip = { finalizedHeight: 90, infoHeight: 121, statusSlot: 1_140 };
    assert.equal((await evaluate([tip], expiring(100n))).size, 0);
  });

  it('epoch info older than the finalized height proves nothing', async () => {
    const stale = { finalizedHeight: 120, infoHeight: 99, statusSlot: 1_140 };
    assert.equal((await evaluate([stale], expiring(100n))).size, 0);
  });

  it('evidence combined from two nodes proves nothing', async () => {
    const ahead = { finalizedHeight: 101, statusSlot: 1_050 };
    const behind = { finalizedHeight: 80, statusSlot: 1_140 };
    assert.equal((await evaluate([ahead, behind], expiring(100n))).size, 0);
  });

  it('a node that saw the transaction outweighs a node that did not', async () => {
    const blind = { finalizedHeight: 101, statusSlot: 1_140 };
    const seeing = { ...blind, statuses: { [SIGNATURE]: landedAt(1_090, { InstructionError: [0, 'x'] }) } };
    for (const views of [
      [blind, seeing],
      [seeing, blind],
    ]) {
      const result = (await evaluate(views, expiring(100n))).get(SIGNATURE);
      assert.deepEqual(result, {
        slot: 1_090n,
        confirmationStatus: 'finalized',
        error: { InstructionError: [0, 'x'] },
      });
    }
  });

  it('an unavailable node does not prevent a proof by another node', async () => {
    const results = await evaluate(['reset', { finalizedHeight: 101, statusSlot: 1_140 }], expiring(100n));
    assert.equal(results.get(SIGNATURE), 'never-landed');
  });

  it('checkExpiry throws if no node responds', async () => {
    await assert.rejects(evaluate(['reset'], expiring(100n)), /No node could prove the outcome/);
  });

  it('several transactions are checked with the same calls, each by its own height', async () => {
    const results = await evaluate(
      [{ finalizedHeight: 101, statusSlot: 1_140 }],
      expiring(100n),
      expiring(101n, OTHER),
    );
    assert.deepEqual([...results.keys()], [SIGNATURE]);
    assert.equal(nodes[0]!.count('getSignatureStatuses'), 1);
  });

  it('an old transaction is proven never to have landed only if the node shows that its history reaches back far enough', async () => {
    const late = { finalizedHeight: 5_000, statusSlot: 6_040 };
    assert.equal(
      (await evaluate([late], expiring(1_000n))).size,
      0,
      'the node does not report its oldest block',
    );
    assert.equal(
      (await evaluate([{ ...late, oldestHeight: 900 }], expiring(1_000n))).size,
      0,
      'begins too late',
    );
    const deep = await evaluate([{ ...late, oldestHeight: 786 }], expiring(1_000n));
    assert.equal(deep.get(SIGNATURE), 'never-landed');
    assert.equal((await evaluate([{ ...late, oldestHeight: 787 }], expiring(1_000n))).size, 0);
  });

  it('a history that begins with the chain covers every transaction sent on it, even if the chain is young', async () => {
    const late = { finalizedHeight: 600, statusSlot: 2_000 };
    const whole = await evaluate([{ ...late, oldestHeight: 2 }], expiring(180n));
    assert.equal(
      whole.get(SIGNATURE),
      'never-landed',
      "the earliest block it could be in would be before the chain's first",
    );
    assert.equal((await evaluate([{ ...late, oldestHeight: 3 }], expiring(180n))).size, 0);
  });

  it('a transaction counts as old once it may have landed more than 300 blocks ago', async () => {
    const at = (finalizedHeight: number) => ({ finalizedHeight, statusSlot: finalizedHeight + 1_040 });
    assert.equal((await evaluate([at(1_080)], expiring(1_000n))).get(SIGNATURE), 'never-landed');
    assert.equal((await evaluate([at(1_081)], expiring(1_000n))).size, 0);
  });

  describe('for a durable-nonce transaction', () => {
    const value = '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY';
    const nonce = { account: '1'.repeat(32) as Address, value };
    const asked: ExpiringTransaction = { signature: SIGNATURE, lastValidBlockHeight: 9_990n, nonce };
    const nonceAccount = (held: string, state = 1) => {
      const data = Buffer.alloc(80);
      data.writeUInt32LE(1, 0);
      data.writeUInt32LE(state, 4);
      data.set(getBase58Encoder().encode(held), 40);
      return data;
    };
    const view = (nonceData: Buffer | null, statusSlot = 1_140): View => ({
      finalizedHeight: 9_999,
      statusSlot,
      nonceData,
      nonceSlot: 1_100,
    });

    it('the outcome is unknown while the nonce is unchanged, whatever the block height', async () => {
      // The statuses are newer than the finalized blocks, so only the unchanged nonce prevents the proof.
      assert.equal((await evaluate([view(nonceAccount(value), 12_000)], asked)).size, 0);
    });

    it('the transaction counts as never landed once the finalized nonce has advanced or the nonce account is closed', async () => {
      for (const data of [
        nonceAccount('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'),
        null,
        nonceAccount(value, 0),
      ]) {
        assert.equal((await evaluate([view(data)], asked)).get(SIGNATURE), 'never-landed');
      }
      assert.equal(
        nodes[0]!.requests.find((r) => r.method === 'getMultipleAccounts')!.params[1].commitment,
        'finalized',
      );
    });

    it('a nonce that advanced much later proves nothing without enough history, because the transaction may have advanced it', async () => {
      const old = { ...asked, lastValidBlockHeight: 5_000n };
      assert.equal((await evaluate([view(null)], old)).size, 0, 'the node does not report its oldest block');
      assert.equal((await evaluate([{ ...view(null), oldestHeight: 4_900 }], old)).size, 0);
      const deep = await evaluate([{ ...view(null), oldestHeight: 4_786 }], old);
      assert.equal(deep.get(SIGNATURE), 'never-landed');
    });

    it('a status from before the slot of the nonce read proves nothing', async () => {
      assert.equal((await evaluate([view(null, 1_099)], asked)).size, 0);
    });
  });
});
