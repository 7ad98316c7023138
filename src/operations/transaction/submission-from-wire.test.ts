// Tests that the block height from which expiry can be proven is never too low, whatever the source of the
// blockhash.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import type { Context } from '../context.ts';
import { submissionFromWire } from './submission-from-wire.ts';

const addressOf = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, stakeAccount, blockhash] = [addressOf(1), addressOf(2), addressOf(3)];

const wire = (() => {
  const built = buildTransaction.unstake({ wallet, stakeAccount, memo: 'holdfast.example', blockhash });
  return decodeWire(encodeWire(built, new Map([[wallet, new Uint8Array(64).fill(7)]])));
})();

const clusterAt = (blockHeight: bigint, known?: bigint) =>
  ({
    service: { lifetime: new AbortController().signal },
    chain: {
      cluster: {
        lastValidBlockHeightOf: (asked: string) => (asked === blockhash ? known : undefined),
        blockHeight: async () => blockHeight,
      },
    },
  }) as unknown as Context;

test('the last valid height of our own blockhash is the one reported by the cluster', async () => {
  assert.equal(
    (await submissionFromWire(clusterAt(1_000n, 1_150n), wire, { ok: true })).lastValidBlockHeight,
    1_150n,
  );
});

test('the last valid height of a foreign blockhash allows for nodes that are ahead of ours, up to the lag of a usable node', async () => {
  const { lastValidBlockHeight } = await submissionFromWire(clusterAt(1_000n), wire, { ok: true });
  const newestPossible = 1_000n + 64n;
  assert.ok(lastValidBlockHeight >= newestPossible + 150n, `${lastValidBlockHeight}`);
});

test('with a leading nonce advance, the blockhash counts as a nonce only if it is not a recent blockhash', async () => {
  const nonceAccount = addressOf(4);
  const built = buildTransaction.unstake({
    ...{ wallet, stakeAccount, blockhash, nonceAccount },
    memo: 'holdfast.example',
  });
  const advancing = decodeWire(encodeWire(built, new Map([[wallet, new Uint8Array(64).fill(7)]])));
  const nonceOf = async (known?: bigint) =>
    (await submissionFromWire(clusterAt(1_000n, known), advancing, { ok: true })).nonce;
  assert.deepEqual(await nonceOf(), { account: nonceAccount, value: blockhash });
  assert.equal(await nonceOf(1_150n), undefined);
});
