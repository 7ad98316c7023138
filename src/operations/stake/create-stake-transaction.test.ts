// Tests that a builder refuses an idempotency key at once while it belongs to another request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withParts } from '../../../test/support/context-parts.ts';
import { exampleIntent, exampleSubmission } from '../../../test/support/intent-examples.ts';
import { exampleKey, PLAN, planContext } from '../../../test/support/plan-context.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { createStakeTransaction } from './create-stake-transaction.ts';

const SOL = 1_000_000_000n;
const { wallet, stakeAccount, voteAccount, memo } = PLAN;

test('a stake with the key of another request is refused while that request is in flight, and built if it is the same one or nothing was submitted', async (t) => {
  const { intents } = await openTestStore(t);
  let find = intents.find;
  const ctx = withParts(planContext({ walletLamports: 100n * SOL, account: null }), {
    service: { signLinks: null },
    validator: { status: { rewardsEstimate: () => null, notices: () => [] } },
    chain: {
      stakeKeys: {
        derive: () => ({
          address: stakeAccount,
          sign: () => new Uint8Array(64),
          [Symbol.dispose]: () => undefined,
        }),
      },
      reads: { signaturesFor: async () => [] },
    },
    store: { intents: { find: (id: Parameters<typeof find>[0]) => find(id) } },
  } as never);
  const build = async (idempotencyKey: string, sol: bigint) => {
    const input = { walletAddress: wallet, amountSol: sol * SOL, cosign: 'now', idempotencyKey } as const;
    const { signal } = new AbortController();
    await createStakeTransaction.run({ ctx, input, signal, source: 'rest', client: '' });
  };
  const common = { wallet, memo, blockhash: exampleKey(9) };
  const sent = {
    stake: buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 2n * SOL }),
    unstake: buildTransaction.unstake({ ...common, stakeAccount }),
  };
  for (const [key, transaction] of Object.entries(sent)) {
    const submission = exampleSubmission(key, { wireBytes: encodeWire(transaction) });
    await intents.recordSigned(exampleIntent(key, { operation: 'submit', wallet, key, submission }), null);
  }
  for (const [key, sol] of [
    ['stake', 3n],
    ['unstake', 2n],
  ] as const)
    await assert.rejects(build(key, sol), (error) => isAppError(error, 'IDEMPOTENCY_KEY_REUSED'), key);
  await build('stake', 2n);
  await build('never submitted', 3n);
  for (const state of ['expired', 'refused'] as const) {
    await intents.settle('stake', { state, slot: null, error: null, response: null });
    await build('stake', 3n);
  }
  find = async () => {
    throw new AppError('STORE_UNAVAILABLE', 'away');
  };
  await build('unstake', 2n);
});
