import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  CUSTODIAN,
  chainFacts,
  delegatedStake,
  initializedStake,
  OWNER,
  RENT,
  SOL,
  STAKE_ADDRESS,
  STAKER,
} from '../../../test/support/stake-account-examples.ts';
import { sentence, textOf } from '../../kernel/sentence.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { assessStake } from '../stake/stake-state.ts';
import {
  type OwnedStake,
  type RecommendationInput,
  recommendAction,
  recommendationFacts,
} from './recommended-action.ts';
import {
  factMeanings,
  type RecommendationFact,
  type RecommendationFacts,
  recommendationRow,
  recommendationRows,
} from './recommended-action-table.ts';

const FEE = 5_000n;
const WALLET_RENT = 890_880n;
const RESERVE = 5_000_000n;
const MINIMUM = SOL + RENT;

const stakes = (accounts: readonly StakeAccount[], epochRewardsActive = false): readonly OwnedStake[] =>
  accounts.map((account) => ({
    account,
    assessment: assessStake(account, chainFacts({ epochRewardsActive })),
  }));

const FAILING = 'The validator is delinquent.';
const poor = MINIMUM + RESERVE - 1n;
const rich = MINIMUM + RESERVE;
const input = (
  accounts: readonly StakeAccount[],
  liquidLamports: bigint,
  overrides: Partial<RecommendationInput> = {},
): RecommendationInput => ({
  wallet: OWNER,
  liquidLamports,
  stakes: stakes(accounts, overrides.epochRewardsActive),
  minimumStakeLamports: MINIMUM,
  feeReserveLamports: RESERVE,
  walletRentLamports: WALLET_RENT,
  feeLamports: FEE,
  epochRewardsActive: false,
  criticalNotice: null,
  ...overrides,
});

const active = delegatedStake();
const idle = delegatedStake({ lamports: 100n * SOL + RENT + 400_000_000n });
const warming = delegatedStake({ delegation: { activationEpoch: 20n } });
const cooling = delegatedStake({ delegation: { deactivationEpoch: 20n } });
const cooled = delegatedStake({ delegation: { deactivationEpoch: 19n } });
const lockup = { unixTimestamp: 0n, epoch: 99n, custodian: CUSTODIAN };
const locked = delegatedStake({ lockup, delegation: { deactivationEpoch: 19n } });
const balance = 100n * SOL + RENT;

/** At least one wallet for every row, and the expected recommendation. */
const wallets: readonly {
  readonly row: number;
  readonly wallet: string;
  readonly input: RecommendationInput;
  readonly expected: readonly [
    action: string,
    call: string,
    amount: bigint | null,
    stakeAccount: string | null,
  ];
}[] = [
  {
    row: 1,
    wallet: 'with an inactive stake while rewards are being distributed',
    input: input([cooled], rich, { epochRewardsActive: true }),
    expected: ['WAIT', 'epoch', null, null],
  },
  {
    row: 1,
    wallet: 'with enough to stake while rewards are being distributed',
    input: input([], rich, { epochRewardsActive: true }),
    expected: ['WAIT', 'epoch', null, null],
  },
  {
    row: 2,
    wallet: 'with an inactive stake but without enough SOL for the fee',
    input: input([cooled], 1_000n),
    expected: ['FUND', 'balance', FEE + WALLET_RENT - 1_000n, null],
  },
  {
    row: 3,
    wallet: 'with several inactive stakes, even if it could stake and another is deactivating',
    input: input([active, cooling, cooled, initializedStake({ address: STAKER, lamports: 7n * SOL })], rich),
    expected: ['WITHDRAW', 'createWithdrawTransaction', balance + 7n * SOL, null],
  },
  {
    row: 4,
    wallet: 'with an inactive stake, even if it could stake and another is deactivating',
    input: input([active, cooling, cooled], rich),
    expected: ['WITHDRAW', 'createWithdrawTransaction', balance, STAKE_ADDRESS],
  },
  {
    row: 5,
    wallet: 'that could stake although another address may unstake one of its stakes',
    input: input([delegatedStake({ stakeAuthority: STAKER })], rich, {
      criticalNotice: sentence('FAILING', FAILING),
    }),
    expected: ['HOLD', 'walletAlerts', null, null],
  },
  {
    row: 5,
    wallet: 'with a deactivating stake, and a stake that only another address may unstake',
    input: input([delegatedStake({ stakeAuthority: STAKER }), cooling], poor),
    expected: ['HOLD', 'walletAlerts', null, null],
  },
  {
    row: 6,
    wallet: 'with a deactivating stake, even if it could stake',
    input: input([active, cooling], rich),
    expected: ['WAIT', 'withdrawReadiness', null, null],
  },
  {
    row: 7,
    wallet: 'that could stake although the validator is delinquent',
    input: input([active], rich, { criticalNotice: sentence('FAILING', FAILING) }),
    expected: ['HOLD', 'validatorProfile', null, null],
  },
  {
    row: 8,
    wallet: 'that has exactly enough to stake',
    input: input([], rich),
    expected: ['STAKE', 'createStakeTransaction', MINIMUM, null],
  },
  {
    row: 9,
    wallet: 'whose idle tips add up to a stake together with its balance',
    input: input([idle], rich - 400_000_000n),
    expected: ['WITHDRAW', 'createWithdrawTransaction', 400_000_000n, STAKE_ADDRESS],
  },
  {
    row: 10,
    wallet: 'with an activating stake at a delinquent validator',
    input: input([active, warming], poor, { criticalNotice: sentence('FAILING', FAILING) }),
    expected: ['HOLD', 'validatorProfile', null, null],
  },
  {
    row: 11,
    wallet: 'with an activating stake next to an active one',
    input: input([active, warming], poor),
    expected: ['WAIT', 'listStakeAccounts', null, null],
  },
  {
    row: 12,
    wallet: 'with an active stake at a delinquent validator',
    input: input([active], poor, { criticalNotice: sentence('FAILING', FAILING) }),
    expected: ['HOLD', 'validatorProfile', null, null],
  },
  {
    row: 13,
    wallet: 'with an active stake and nothing more to stake',
    input: input([active], poor),
    expected: ['HOLD', 'listStakeAccounts', null, null],
  },
  {
    row: 14,
    wallet: 'whose inactive stake is locked',
    input: input([locked], poor),
    expected: ['WAIT', 'withdrawReadiness', null, null],
  },
  {
    row: 15,
    wallet: 'with no stake and one lamport too few',
    input: input([], poor),
    expected: ['FUND', 'balance', 1n, null],
  },
  {
    row: 15,
    wallet: 'that is empty while rewards are being distributed',
    input: input([], 0n, { epochRewardsActive: true }),
    expected: ['FUND', 'balance', MINIMUM + RESERVE, null],
  },
];

describe('the recommended action', () => {
  for (const { row, wallet, input: asked, expected } of wallets) {
    it(`row ${row} applies to a wallet ${wallet}`, () => {
      assert.equal(recommendationRows.indexOf(recommendationRow(recommendationFacts(asked))), row - 1);
      const { action, operation, params, amountLamports, stakeAccountAddress, reason } =
        recommendAction(asked);
      assert.deepEqual([action, operation, amountLamports, stakeAccountAddress], expected);
      assert.deepEqual(params, { walletAddress: OWNER });
      assert.doesNotMatch(textOf(reason), /[{}]/);
      assert.ok(reason.length > 0);
      if (operation === 'validatorProfile') assert.ok(textOf(reason).includes(FAILING));
    });
  }

  it('every row of the table has an example wallet', () => {
    assert.deepEqual(
      [...new Set(wallets.map(({ row }) => row))],
      recommendationRows.map((_, index) => index + 1),
    );
  });
});

test('every combination of conditions matches a row, and staking is never recommended while there is a critical notice', () => {
  const facts = Object.keys(factMeanings) as RecommendationFact[];
  for (let bits = 0; bits < 2 ** facts.length; bits += 1) {
    const combination = Object.fromEntries(
      facts.map((fact, index) => [fact, ((bits >> index) & 1) === 1]),
    ) as RecommendationFacts;
    const { action } = recommendationRow(combination);
    if (combination.validatorFailing || combination.controlledByOthers) assert.notEqual(action, 'STAKE');
    if (combination.blockedByRewards) assert.equal(action, 'WAIT');
  }
});

test('idle lamports that do not exceed the fee of their withdrawal do not count towards a stake', () => {
  const beyond = (lamports: bigint) =>
    recommendAction(input([delegatedStake({ lamports: 100n * SOL + RENT + lamports })], rich - 1n)).action;
  assert.deepEqual([beyond(348n), beyond(FEE), beyond(FEE + 1n)], ['HOLD', 'HOLD', 'WITHDRAW']);
});

test('idle lamports are withdrawn only if they add up to a stake, and never under a lockup', () => {
  assert.equal(recommendAction(input([idle], rich - 400_000_001n)).action, 'HOLD');
  assert.equal(recommendAction(input([{ ...idle, lockup }], rich - 400_000_000n)).action, 'HOLD');
  const delinquent = input([idle], rich - 400_000_000n, { criticalNotice: sentence('FAILING', FAILING) });
  assert.equal(recommendAction(delinquent).action, 'HOLD');
});

test('idle lamports are not recommended for withdrawal to a wallet that cannot pay its fee', () => {
  const withIdle = delegatedStake({ lamports: 100n * SOL + RENT + rich });
  assert.equal(recommendAction(input([withIdle], FEE - 1n)).action, 'HOLD');
  assert.equal(recommendAction(input([withIdle], FEE)).action, 'WITHDRAW');
});

test('a wallet may spend its last lamport on a fee but may not keep a remainder below its rent-exempt minimum', () => {
  assert.equal(recommendAction(input([cooled], FEE)).action, 'WITHDRAW');
  assert.equal(recommendAction(input([cooled], FEE + 1n)).action, 'FUND');
  assert.equal(recommendAction(input([cooled], FEE + WALLET_RENT)).action, 'WITHDRAW');
});

test('several inactive stakes are withdrawn together, and of several stakes with idle lamports the largest is named', () => {
  const released = [STAKER, CUSTODIAN, OWNER].map((address, index) =>
    initializedStake({ address, lamports: BigInt(index === 1 ? 9 : 4 + index) * SOL }),
  );
  const beyond = [1n, 3n, 2n].map((sol, index) =>
    delegatedStake({
      address: [STAKER, CUSTODIAN, OWNER][index]!,
      lamports: 100n * SOL + RENT + (sol * MINIMUM) / 3n,
    }),
  );
  for (const turn of [0, 1, 2]) {
    const turned = <Item>(all: readonly Item[]) => [...all.slice(turn), ...all.slice(0, turn)];
    const cooledFirst = recommendAction(input(turned(released), rich));
    assert.deepEqual(
      [cooledFirst.all, cooledFirst.stakeAccountAddress, cooledFirst.amountLamports],
      [true, null, 19n * SOL],
    );
    const idleFirst = recommendAction(input(turned(beyond), poor));
    assert.deepEqual([idleFirst.stakeAccountAddress, idleFirst.amountLamports], [CUSTODIAN, MINIMUM]);
  }
});

test('the recommended amount never exceeds the maximum of one request', () => {
  assert.equal(recommendAction(input([], 20_000_000n * SOL)).amountLamports, 9_000_000n * SOL);
});
