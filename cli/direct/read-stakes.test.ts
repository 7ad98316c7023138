// Tests that the command line refuses values from a node that belong to different epochs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { sysvarAccounts } from '../../test/support/chain-snapshots.ts';
import { numbered } from '../../test/support/scripted-watch.ts';
import type { RpcNode } from './call-rpc-node.ts';
import { readNodeFacts } from './read-stakes.ts';

const history = { data: [Buffer.alloc(8).toString('base64'), 'base64'], lamports: 1, owner: 'Sysvar' };

/** Creates a node whose Clock reports these epochs in turn. */
const nodeOf = (epochs: readonly number[]) => {
  const asked: (readonly Address[])[] = [];
  const call = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    if (method === 'getStakeMinimumDelegation') return { value: 1_000_000_000 };
    const addresses = params[0] as readonly Address[];
    const chain = [...sysvarAccounts({ epoch: epochs[asked.length]!, slotsPerEpoch: 432_000 }), history];
    asked.push(addresses);
    return { value: [...Array(addresses.length - chain.length).fill(null), ...chain] };
  };
  return { node: { call } as RpcNode, asked };
};

test('accounts read in several calls must be from one epoch; if the epoch ends in between, the read is refused', async () => {
  const accounts = Array.from({ length: 150 }, (_, index) => numbered(1 + index));
  const request = { wallet: numbered(200), voteAccount: numbered(201), accounts };
  const { node, asked } = nodeOf([20, 20]);
  const facts = await readNodeFacts(node, request);
  assert.deepEqual([facts.chain.epoch, facts.accounts.size, asked.length], [20n, 150, 2]);
  await assert.rejects(readNodeFacts(nodeOf([20, 21]).node, request), /accounts \(from two epochs\)/);
});
