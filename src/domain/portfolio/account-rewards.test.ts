import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SOL, steadyHistory } from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT } from '../stake/stake-account.ts';
import {
  accountRewards,
  type BalanceAt,
  type EpochReward,
  type InflationPayment,
  inflationReturns,
  type RewardFacts,
} from './account-rewards.ts';

const paid = (epoch: bigint, lamports: bigint, postBalanceLamports: bigint): InflationPayment => ({
  epoch,
  lamports,
  postBalanceLamports,
  commissionPct: 5,
});

/**
 * Inputs for an account created in epoch 10 with 1,000 lamports. Inflation pays 100 lamports for each of the
 * epochs 11, 12 and 13; tips pay 7 for epoch 11 and 9 for epoch 12. The current epoch is 14.
 */
const facts = (overrides: Partial<RewardFacts> = {}): RewardFacts => ({
  payments: new Map([
    [10n, null],
    [11n, paid(11n, 100n, 1_100n)],
    [12n, paid(12n, 100n, 1_207n)],
    [13n, paid(13n, 100n, 1_316n)],
  ]),
  opening: { epoch: 10n, lamports: 1_000n },
  closing: { epoch: 14n, lamports: 1_316n },
  movements: [],
  ...overrides,
});

/** Returns the tips by epoch, or the reason why they are unknown. */
const tips = (rewards: readonly EpochReward[]) =>
  rewards.map(({ epoch, tipsLamports, unknownReason }) => [epoch, tipsLamports ?? unknownReason]);

test('inflation is the reward that was paid, and tips are any other growth of the balance until the next payment', () => {
  assert.deepEqual(accountRewards(facts()), [
    {
      epoch: 10n,
      inflationLamports: 0n,
      tipsLamports: 0n,
      tipsSettled: true,
      unknownReason: null,
      postBalanceLamports: null,
      commissionPct: null,
    },
    {
      epoch: 11n,
      inflationLamports: 100n,
      tipsLamports: 7n,
      tipsSettled: true,
      unknownReason: null,
      postBalanceLamports: 1_100n,
      commissionPct: 5,
    },
    {
      epoch: 12n,
      inflationLamports: 100n,
      tipsLamports: 9n,
      tipsSettled: true,
      unknownReason: null,
      postBalanceLamports: 1_207n,
      commissionPct: 5,
    },
    {
      epoch: 13n,
      inflationLamports: 100n,
      tipsLamports: 0n,
      tipsSettled: false,
      unknownReason: null,
      postBalanceLamports: 1_316n,
      commissionPct: 5,
    },
  ]);
});

test('deposits, withdrawals and rewards add up to the balance', () => {
  const total = accountRewards(facts()).reduce(
    (sum, { inflationLamports, tipsLamports }) => sum + inflationLamports! + tipsLamports!,
    0n,
  );
  assert.equal(facts().opening!.lamports + total, facts().closing.lamports);
});

test('a withdrawal or a deposit is not counted as a tip', () => {
  const moved = facts({
    closing: { epoch: 14n, lamports: 1_216n },
    movements: [
      { epoch: 12n, lamports: 4n },
      { epoch: 14n, lamports: -100n },
    ],
  });
  assert.deepEqual(tips(accountRewards(moved)), [
    [10n, 0n],
    [11n, 3n],
    [12n, 9n],
    [13n, 0n],
  ]);
});

test('the tips of a closed account are derived from its final withdrawal and are final', () => {
  const closed = accountRewards(
    facts({
      closing: { epoch: 14n, lamports: 0n },
      isClosed: true,
      movements: [{ epoch: 14n, lamports: -1_318n }],
    }),
  );
  assert.deepEqual(tips(closed), [
    [10n, 0n],
    [11n, 7n],
    [12n, 9n],
    [13n, 2n],
  ]);
  assert.ok(closed.every(({ tipsSettled }) => tipsSettled));
});

test('an unexplained outflow makes only the tips of its epoch unknown', () => {
  assert.deepEqual(tips(accountRewards(facts({ closing: { epoch: 14n, lamports: 1_000n } }))), [
    [10n, 0n],
    [11n, 7n],
    [12n, 9n],
    [13n, 'UNEXPLAINED_OUTFLOW'],
  ]);
});

test('if movements are unknown, tips are null but inflation is still reported', () => {
  const rewards = accountRewards(facts({ movements: null }));
  assert.ok(tips(rewards).every(([, amount]) => amount === 'TRANSACTIONS_UNREAD'));
  assert.deepEqual(
    rewards.map(({ inflationLamports }) => inflationLamports),
    [0n, 100n, 100n, 100n],
  );
});

test('an unknown payment is reported as null and is not counted as tips', () => {
  const { payments } = facts();
  const rewards = accountRewards(
    facts({ payments: new Map([...payments].filter(([epoch]) => epoch !== 12n)) }),
  );
  assert.deepEqual(
    rewards.map(({ epoch, inflationLamports, tipsLamports }) => [epoch, inflationLamports, tipsLamports]),
    [
      [10n, 0n, 0n],
      [11n, 100n, null],
      [12n, null, null],
      [13n, 100n, 0n],
    ],
  );
});

test('the rewards of the last epoch are unknown while they are being distributed', () => {
  const { payments } = facts();
  const rewards = accountRewards(
    facts({
      payments: new Map([...payments].filter(([epoch]) => epoch < 13n)),
      closing: { epoch: 14n, lamports: 1_316n },
    }),
  );
  assert.deepEqual(rewards.at(-1), {
    epoch: 13n,
    inflationLamports: null,
    tipsLamports: null,
    tipsSettled: false,
    postBalanceLamports: null,
    commissionPct: null,
    unknownReason: 'PAYMENT_UNREAD',
  });
  assert.equal(rewards.at(-2)?.tipsLamports, null);
});

test('without an opening balance, rewards begin with the first epoch whose payment is known, and the tips before that payment are unknown', () => {
  assert.deepEqual(tips(accountRewards(facts({ opening: null }))), [
    [10n, 'TRANSACTIONS_UNREAD'],
    [11n, 7n],
    [12n, 9n],
    [13n, 0n],
  ]);
});

/** 7 lamports arrived after the payment for epoch 11, and nothing was paid for the epochs 12 and 13. */
const unpaid = (overrides: Partial<RewardFacts> = {}): RewardFacts =>
  facts({
    payments: new Map([
      [11n, paid(11n, 100n, 1_100n)],
      [12n, null],
      [13n, null],
    ]),
    closing: { epoch: 14n, lamports: 1_107n },
    opening: null,
    ...overrides,
  });
const FOR_EPOCH_11 = [
  [11n, 7n],
  [12n, 0n],
  [13n, 0n],
];
const unknown = (reason: string) => [
  [11n, reason],
  [12n, reason],
  [13n, reason],
];
const attributed: readonly (readonly [what: string, facts: Partial<RewardFacts>, tips: unknown])[] = [
  ['unknown if they may belong to several epochs', {}, unknown('SEVERAL_EPOCHS')],
  [
    'those of the last epoch with stake after a deactivation',
    { delegationChanges: [{ epoch: 11n, to: 'deactivating' }] },
    FOR_EPOCH_11,
  ],
  [
    'unknown if the deactivation was undone',
    {
      delegationChanges: [
        { epoch: 11n, to: 'deactivating' },
        { epoch: 11n, to: 'activating' },
      ],
    },
    unknown('SEVERAL_EPOCHS'),
  ],
  [
    'unknown if active stake was moved in after the deactivation',
    {
      delegationChanges: [
        { epoch: 11n, to: 'deactivating' },
        { epoch: 12n, to: 'active' },
      ],
    },
    unknown('SEVERAL_EPOCHS'),
  ],
  ['those of the only epoch that can have some', { tiplessEpochs: new Set([12n, 13n]) }, FOR_EPOCH_11],
  [
    'unknown if a later payment is unknown',
    { payments: new Map([[11n, paid(11n, 100n, 1_100n)]]) },
    unknown('PAYMENT_UNREAD'),
  ],
  [
    'those of the epoch before each of them arrived, if all have a transaction',
    {
      datedTips: [
        { epoch: 12n, lamports: 3n },
        { epoch: 14n, lamports: 4n },
      ],
    },
    [
      [11n, 3n],
      [12n, 0n],
      [13n, 4n],
    ],
  ],
  [
    'unknown if some have no transaction',
    { datedTips: [{ epoch: 13n, lamports: 5n }] },
    unknown('SEVERAL_EPOCHS'),
  ],
];
for (const [what, overrides, expected] of attributed)
  test(`the tips of epochs without payments are ${what}`, () => {
    const rewards = accountRewards(unpaid(overrides));
    assert.deepEqual(tips(rewards), expected);
  });

test('two periods meet in the first epoch of a split, and its tips are the sum of both', () => {
  const split = facts({
    payments: new Map([[10n, paid(10n, 100n, 1_103n)]]),
    closing: { epoch: 11n, lamports: 1_107n },
  });
  assert.deepEqual(tips(accountRewards(split)), [[10n, 7n]]);
});

test('in random histories, tips with transactions belong to the epoch before they arrived, and everything adds up to the balance', () => {
  const amount = fc.bigInt({ min: 0n, max: 50n });
  const epochOfLife = fc.record({ inflation: fc.option(amount), tips: amount, deposit: amount });
  fc.assert(
    fc.property(fc.array(epochOfLife, { minLength: 1, maxLength: 12 }), fc.boolean(), (lives, isClosed) => {
      const payments = new Map<bigint, InflationPayment | null>();
      const [movements, datedTips]: [BalanceAt[], BalanceAt[]] = [[], []];
      let lamports = 1_000n;
      for (const [i, { inflation, tips: tip, deposit }] of lives.entries()) {
        // Rewards of an epoch arrive in the next one: inflation first.
        const epoch = 10n + BigInt(i);
        lamports += inflation ?? 0n;
        payments.set(epoch, inflation === null ? null : paid(epoch, inflation, lamports));
        lamports += tip + deposit;
        datedTips.push({ epoch: epoch + 1n, lamports: tip });
        movements.push({ epoch: epoch + 1n, lamports: deposit });
      }
      const closing = { epoch: 10n + BigInt(lives.length), lamports: isClosed ? 0n : lamports };
      if (isClosed) movements.push({ epoch: closing.epoch, lamports: -lamports });
      const rewards = accountRewards(facts({ payments, closing, isClosed, movements, datedTips }));
      assert.deepEqual(
        rewards.map(({ inflationLamports, tipsLamports }) => [inflationLamports, tipsLamports]),
        lives.map((life) => [life.inflation ?? 0n, life.tips]),
      );
      const earned = rewards.reduce((sum, one) => sum + one.inflationLamports! + one.tipsLamports!, 0n);
      const moved = movements.reduce((sum, movement) => sum + movement.lamports, 0n);
      assert.equal(1_000n + earned + moved, closing.lamports);
    }),
  );
});

test('an account without payments has no rewards, and neither does one created in this epoch', () => {
  assert.deepEqual(accountRewards(facts({ payments: new Map(), opening: null })), []);
  assert.deepEqual(accountRewards(facts({ payments: new Map(), opening: { epoch: 14n, lamports: 5n } })), []);
});

const delegation = {
  stakeLamports: 1_003n * SOL,
  activationEpoch: 10n,
  deactivationEpoch: EPOCH_ABSENT,
};
/** Holds 2 SOL of rent and tips in addition to its stake. */
const account = { delegation, lamports: 1_005n * SOL };

test('the return of an epoch is calculated from the stake of that epoch, which was smaller in earlier epochs', () => {
  const payments = new Map([
    [10n, null],
    [11n, paid(11n, SOL, 1_002n * SOL)],
    [12n, paid(12n, 2n * SOL, 1_004n * SOL)],
  ]);
  assert.deepEqual(inflationReturns(account, payments, 13n, steadyHistory(0n, 13n)), [
    { epoch: 11n, lamports: SOL, effectiveLamports: 1_000n * SOL },
    { epoch: 12n, lamports: 2n * SOL, effectiveLamports: 1_001n * SOL },
  ]);
});

const CHANGES: readonly {
  readonly name: string;
  readonly since: bigint;
  readonly isStake: boolean;
  readonly idle?: bigint;
}[] = [
  { name: 'a split of 500 SOL', since: -500n, isStake: true },
  {
    name: 'a split of 500 SOL off an account with 900 idle SOL',
    since: -500n,
    isStake: true,
    idle: 900n,
  },
  { name: 'a merge of 400 SOL', since: 400n, isStake: true },
  {
    name: 'a merge of 400 SOL into an account with 900 idle SOL',
    since: 400n,
    isStake: true,
    idle: 900n,
  },
  { name: 'a top-up of 5 SOL', since: 5n, isStake: true },
  { name: 'a deposit of 30 SOL that is still idle', since: 30n, isStake: false, idle: 32n },
  { name: 'a withdrawal of 9 SOL of tips', since: -9n, isStake: false },
  { name: 'a withdrawal of 30 idle SOL', since: -30n, isStake: false },
  { name: 'a withdrawal of 700 idle SOL', since: -700n, isStake: false },
];
for (const { name, since, isStake, idle = 2n } of CHANGES)
  for (const credits of [8n, 4n])
    test(`after ${name}, the returns of earlier epochs are calculated from the stake at that time, with ${credits} of 8 credits`, () => {
      const lamports = (1_003n + idle) * SOL;
      const stakeAfter = (1_002n - (isStake ? since : 0n)) * SOL;
      // 8 credits earn a thousandth of the stake.
      const before = (stakeAfter * 8_000n) / (8_000n + credits);
      const payments = new Map([
        [10n, null],
        [11n, paid(11n, stakeAfter - before, lamports - (1n + since) * SOL)],
        [12n, paid(12n, SOL, lamports)],
      ]);
      assert.deepEqual(
        inflationReturns({ delegation, lamports }, payments, 13n, steadyHistory(0n, 13n), (epoch) =>
          epoch === 11n ? credits : 8n,
        ),
        [
          { epoch: 11n, lamports: stakeAfter - before, effectiveLamports: before },
          { epoch: 12n, lamports: SOL, effectiveLamports: 1_002n * SOL },
        ],
      );
    });

test('an effective epoch without a payment counts as a return of zero, and the activation epoch is left out', () => {
  const payments = new Map([
    [10n, null],
    [11n, null],
    [12n, paid(12n, 3n * SOL, 1_005n * SOL)],
  ]);
  assert.deepEqual(inflationReturns(account, payments, 13n, steadyHistory(0n, 13n)), [
    { epoch: 11n, lamports: 0n, effectiveLamports: 1_000n * SOL },
    { epoch: 12n, lamports: 3n * SOL, effectiveLamports: 1_000n * SOL },
  ]);
});

test('calculated backwards in time, the list of returns ends at an unknown payment, because the stake before it is unknown too', () => {
  const payments = new Map([
    [11n, paid(11n, SOL, 1_002n * SOL)],
    [13n, paid(13n, 3n * SOL, 1_005n * SOL)],
  ]);
  assert.deepEqual(
    inflationReturns(account, payments, 14n, steadyHistory(0n, 14n)).map(({ epoch }) => epoch),
    [13n],
  );
});
