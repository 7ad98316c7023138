import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { type ContextParts, withParts } from '../../../test/support/context-parts.ts';
import { patience } from '../../../test/support/patience.ts';
import { exampleKey, PLAN, planContext } from '../../../test/support/plan-context.ts';
import { stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { exampleTransaction } from '../../../test/support/store-examples.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import type { EpochPosition } from '../../chain/ports.ts';
import { createSearchBudget } from '../../chain/rpc/search-budget.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { createRewardMemory } from '../../chain/validator/reward-cache.ts';
import type { EpochPayments } from '../../chain/validator/reward-reads.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Store } from '../../store/store.ts';
import { type RequestedPeriod, rewardEpochs } from './reward-period.ts';
import { rewards } from './wallet-rewards.ts';

const { wallet, stakeAccount: OPEN, voteAccount } = PLAN;
const CLOSED = exampleKey(50);
const common = { wallet, memo: PLAN.memo, blockhash: exampleKey(9) };
const opened = (stakeAccount: Address, lamports: bigint) =>
  encodeWire(buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports }));

interface World {
  /** Accounts owned by the wallet and delegated to us, each with a balance of 1,000 lamports. */
  readonly owned?: readonly Address[];
  /** Stake accounts in the wallet's recorded transactions. */
  readonly recorded?: readonly Address[];
  /** The kind of these transactions. Default: stake. */
  readonly recordedAs?: 'stake' | 'unstake';
  /** Withdraw authority of the accounts in `owned`. Default: the wallet. */
  readonly owner?: Address;
  readonly position?: Partial<EpochPosition>;
  readonly calls?: number;
  readonly storeAway?: boolean;
  /** The store after an earlier request, with the rewards that were final at that time. */
  readonly store?: Store;
  /** Epoch in which every account was created. Default: 18. */
  readonly createdIn?: bigint;
  /** The only epoch that was paid, and the balance after it. Default: 970 lamports after epoch 19. */
  readonly paidFor?: readonly [epoch: bigint, postBalanceLamports: bigint];
  /** True if the RPC has pruned all payments and signatures. */
  readonly pruned?: boolean;
}

/**
 * Requests the rewards. The current epoch is 20. Every account was created with 900 lamports in epoch 18 and
 * was paid 60 for epoch 19.
 */
const ask = async (t: TestContext, world: World, input: RequestedPeriod & { format?: 'csv' } = {}) => {
  const { owned = [OPEN], recorded = [], calls = 1_000, createdIn = 18n } = world;
  const [paidEpoch, postBalanceLamports] = world.paidFor ?? [19n, 970n];
  const store = world.store ?? (await openTestStore(t));
  await store.transactions.record(
    recorded.map((stakeAccountAddress, i) =>
      exampleTransaction(i + 1, { type: world.recordedAs ?? 'stake', wallet, stakeAccountAddress }),
    ),
  );
  const base = planContext({ walletLamports: 0n, account: null, ...world });
  const data = stakeAccountBytes({
    wallet,
    ...(world.owner && { withdrawAuthority: world.owner }),
    delegation: { voteAccount, stakeLamports: 500n },
  });
  const account = (address: Address) => ({ address, owner: STAKE_PROGRAM, lamports: 1_000n, data });
  const away = async () => {
    throw new AppError('STORE_UNAVAILABLE', 'away');
  };
  const paid = { epoch: paidEpoch, lamports: 60n, postBalanceLamports, commissionPct: 5, effectiveSlot: 1n };
  const chain = {
    index: null,
    searchBudget: createSearchBudget(() => 0, { burst: calls, perSecond: 0 }),
    rewardMemory: createRewardMemory(),
    cluster: {
      ...base.chain.cluster,
      recentEpochPosition: async () => ({
        epoch: 20n,
        absoluteSlot: 2_000n,
        slotIndex: 0n,
        slotsInEpoch: 100n,
      }),
    },
    rewardReads: {
      inflationPayments: async (addresses: readonly Address[], epochs: readonly bigint[]) =>
        epochs.map((epoch): EpochPayments => {
          if (world.pruned) return { epoch, state: 'unavailable' };
          const payments = new Map(addresses.map((address) => [address, epoch === paidEpoch ? paid : null]));
          return { epoch, state: 'known', payments };
        }),
      blockTimeSeconds: async () => 1_700_000_000,
    },
    reads: {
      accounts: async (asked: readonly Address[]) => ({
        slot: 2_050n,
        accounts: asked.map((address) => (owned.includes(address) ? account(address) : null)),
      }),
      stakeAccountsOf: async () => ({ slot: 2_050n, accounts: owned.map(account) }),
      signaturesFor: async (address: Address) =>
        world.pruned
          ? []
          : [
              ...(address === CLOSED ? [{ signature: `end ${address}`, slot: 2_040n, succeeded: true }] : []),
              { signature: `new ${address}`, slot: createdIn * 100n, succeeded: true },
            ],
      transaction: async (signature: string) => {
        const [kind, address] = signature.split(' ') as ['new' | 'end', Address];
        const end = { ...common, stakeAccount: address, lamports: 970n };
        const wireBytes = kind === 'new' ? opened(address, 900n) : encodeWire(buildTransaction.withdraw(end));
        return { wireBytes };
      },
    },
  };
  const parts = {
    chain,
    store: {
      transactions: world.storeAway ? { pageWalletHistory: away } : store.transactions,
      settledRewards: store.settledRewards,
    },
    service: { settings: { ...base.service.settings, voteAccount } },
    validator: {
      ...base.validator,
      facts: { chain: { own: async () => ({ state: null, listed: { epochCredits: [] } }) } },
    },
  } as unknown as ContextParts;
  const { body, text } = await rewards.run({
    ctx: withParts(base, parts),
    input: { walletAddress: wallet, format: 'json', ...input },
    signal: patience(),
    source: 'rest',
    client: 'test',
  });
  return { body, text, store };
};

test('any incoming SOL other than inflation rewards counts as tips, whether it arrives before or after a payment', async (t) => {
  const { body } = await ask(t, {});
  assert.deepEqual(
    body.rewards.map(({ epoch, balanceBeforeSol, inflationSol, tipsSol, balanceAfterSol, paidAt }) => [
      ...[epoch, balanceBeforeSol, inflationSol, tipsSol, balanceAfterSol, paidAt],
    ]),
    [
      // The balance on chain is 1000.
      [19, 9.1e-7, 6e-8, 3e-8, 1e-6, '2023-11-14T22:13:20.000Z'],
      // Created in epoch 18: 910 before the payment, which is 10 more than initially.
      [18, null, 0, 1e-8, null, null],
    ],
  );
  assert.deepEqual(body.totals, {
    inflationSol: 6e-8,
    tipsSol: 4e-8,
    unknownInflation: 0,
    unknownTips: 0,
  });
  assert.deepEqual([body.fromEpoch, body.toEpoch], [0, 19]);
});

const figures = (body: Awaited<ReturnType<typeof ask>>['body']) =>
  body.rewards.map(({ stakeAccountAddress, epoch, inflationSol, tipsSol }) => [
    ...[stakeAccountAddress, epoch, inflationSol, tipsSol],
  ]);

test('a closed account known only from records keeps its payments and tips, up to the epoch in which it was closed', async (t) => {
  const { body } = await ask(t, { owned: [], recorded: [CLOSED, CLOSED] });
  assert.deepEqual(figures(body), [
    [CLOSED, 19, 6e-8, 0],
    [CLOSED, 18, 0, 1e-8],
  ]);
  assert.deepEqual([body.totals.unknownTips, body.warnings], [0, []]);
});

test('final rewards and their dates stay the same after the RPC has pruned them', async (t) => {
  const first = await ask(t, { owned: [], recorded: [CLOSED] });
  const later = await ask(t, { owned: [], store: first.store, pruned: true });
  assert.deepEqual(later.body.rewards, first.body.rewards);
  assert.deepEqual(later.body.totals, first.body.totals);
});

test('tips that may still grow are not final', async (t) => {
  const { store } = await ask(t, {});
  const settled = await store.settledRewards.find([OPEN], 0n);
  assert.deepEqual(
    settled.map(({ epoch, tipsLamports }) => [epoch, tipsLamports]),
    [
      [18n, 10n],
      [19n, null],
    ],
  );
});

test('an epoch outside the requested range is left out', async (t) => {
  const { body } = await ask(t, {}, { epochs: 1 });
  assert.deepEqual(
    body.rewards.map(({ epoch }) => epoch),
    [19],
  );
  assert.equal(body.fromEpoch, 19);
});

test('a period has the same figures as the newest epochs, although later epochs are left out', async (t) => {
  const { body } = await ask(t, {}, { fromEpoch: 18, toEpoch: 18 });
  assert.deepEqual(figures(body), [[OPEN, 18, 0, 1e-8]]);
  assert.deepEqual([body.fromEpoch, body.toEpoch], [18, 18]);
  const [toEpoch, none] = [await ask(t, {}, { toEpoch: 18 }), await ask(t, {}, { epochs: 3, toEpoch: 17 })];
  assert.deepEqual(toEpoch.body.rewards, body.rewards);
  assert.deepEqual([none.body.rewards, none.body.fromEpoch, none.body.toEpoch], [[], 15, 17]);
});

test('the tips of an epoch without a payment are the same for every period: payments before and after it are read too', async (t) => {
  const world = { createdIn: 3n, paidFor: [4n, 1_000n] } as const;
  const whole = figures((await ask(t, world, { fromEpoch: 3 })).body);
  assert.deepEqual(whole.slice(-3), [
    [OPEN, 5, 0, 0],
    [OPEN, 4, 6e-8, 0],
    [OPEN, 3, 0, 4e-8],
  ]);
  for (const period of [{ epochs: 1 }, { fromEpoch: 15 }, { fromEpoch: 6, toEpoch: 7 }]) {
    const { body } = await ask(t, world, period);
    const { fromEpoch, toEpoch } = body;
    assert.deepEqual(
      figures(body),
      whole.filter(([, epoch]) => Number(epoch) >= fromEpoch && Number(epoch) <= toEpoch),
    );
    assert.deepEqual(body.warnings, []);
  }
});

test('a period that contradicts itself, has not ended or is too long is refused with the epochs that are possible', async (t) => {
  for (const [period, message] of [
    [{ epochs: 5, fromEpoch: 3 }, 'epochs: must be omitted, because fromEpoch is given'],
    [{ toEpoch: 20 }, 'toEpoch: must be at most 19, the last completed epoch'],
    [{ fromEpoch: 20 }, 'fromEpoch: must be at most 19, the last completed epoch'],
    [{ fromEpoch: 9, toEpoch: 8 }, 'fromEpoch: must be at most toEpoch, 8'],
  ] as const)
    await assert.rejects(ask(t, {}, period), { code: 'VALIDATION_ERROR', message });
  assert.throws(() => rewardEpochs({ fromEpoch: 100 }, 301n), {
    message: 'fromEpoch: must be at least 101, for at most 200 epochs',
  });
  assert.equal(rewardEpochs({ fromEpoch: 101 }, 301n).length, 200);
});

test('in the first epoch of a cluster no epoch has ended, and no node is queried', async (t) => {
  const { body } = await ask(t, { position: { epoch: 0n } });
  assert.deepEqual([body.rewards, body.totals.inflationSol, body.fromEpoch], [[], 0, 0]);
});

test('if the store fails, the current accounts are reported with a warning', async (t) => {
  const { body } = await ask(t, { recorded: [CLOSED], storeAway: true });
  assert.deepEqual(
    new Set(body.rewards.map(({ stakeAccountAddress }) => stakeAccountAddress)),
    new Set([OPEN]),
  );
  assert.match(body.warnings.join(), /closed accounts may be missing/);
});

test('the rewards of an account that only another wallet can withdraw are not the stake authority’s, open or closed', async (t) => {
  const owner = exampleKey(51);
  for (const recordedAs of ['stake', 'unstake'] as const) {
    const { body, text } = await ask(t, { owner, recorded: [OPEN], recordedAs }, { format: 'csv' });
    assert.deepEqual([body.rewards, body.totals.inflationSol], [[], 0]);
    assert.doesNotMatch(String(text?.content), new RegExp(OPEN));
  }
  const closed = await ask(t, { owned: [], recorded: [CLOSED], recordedAs: 'unstake' });
  assert.deepEqual(closed.body.rewards, []);
});

test('at most a hundred accounts are listed, current accounts before former ones', async (t) => {
  const recorded = Array.from({ length: 100 }, (_, i) => exampleKey(i + 100));
  const { body } = await ask(t, { recorded }, { epochs: 1 });
  const listed = new Set(body.rewards.map(({ stakeAccountAddress }) => stakeAccountAddress));
  assert.deepEqual([listed.size, listed.has(OPEN)], [100, true]);
  assert.match(body.warnings.join(), /the 100 largest of 101/);
});

test('without budget for an account’s transactions, its inflation reward is reported and its tips are null (empty in CSV, with the reason)', async (t) => {
  const { body, text } = await ask(t, { calls: 2 }, { epochs: 2, format: 'csv' });
  assert.deepEqual(
    body.rewards.map(({ inflationSol, tipsSol }) => [inflationSol, tipsSol]),
    [[6e-8, null]],
  );
  assert.deepEqual([body.totals.tipsSol, body.totals.unknownTips], [null, 1]);
  assert.match(body.warnings.join(), /Tips are partly unavailable \(1 of 1\)/);
  assert.deepEqual(
    body.notices.map(({ code, params }) => [code, params]),
    [['REWARDS_UNKNOWN', { part: 'tips', unknown: 1, count: 1 }]],
  );
  assert.equal(
    text?.content.split('\r\n')[1],
    `19,,${OPEN},0.00000091,0.00000006,,,5,TRANSACTIONS_UNREAD,${voteAccount}`,
  );
});
