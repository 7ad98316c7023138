// Tests the transaction bytes of a prepared plan whose memo contains non-ASCII characters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withParts } from '../../../test/support/context-parts.ts';
import { PLAN, planContext } from '../../../test/support/plan-context.ts';
import { stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { preparePlan } from './prepare-plan.ts';

test('the planner counts a memo with non-ASCII characters in bytes', async () => {
  const { wallet, voteAccount, stakeAccount: address, epoch: deactivationEpoch } = PLAN;
  const stakeLamports = 5_000_000_000n;
  const delegation = { voteAccount, stakeLamports, activationEpoch: 10n, deactivationEpoch };
  const context = planContext({
    walletLamports: 10n ** 9n,
    account: {
      address,
      owner: STAKE_PROGRAM,
      lamports: stakeLamports + PLAN.stakeRentLamports,
      data: stakeAccountBytes({ wallet, delegation }),
    },
    position: { absoluteSlot: PLAN.epoch * 432_000n },
  });
  const memo = 'bewährt für alle ✓';
  const asked = { wallet, goal: 'undo', accounts: [address], key: 'key' } as const;
  const { signal } = new AbortController();
  const { plan } = await preparePlan(
    withParts(context, { service: { settings: { ...context.service.settings, memo } } }),
    asked,
    signal,
  );
  const [{ operations, bytes } = { operations: [], bytes: 0 }] = plan.transactions;
  const built = buildTransaction.rearrange({ wallet, memo, blockhash: wallet, operations });
  assert.equal(bytes, encodeWire(built).length);
});
