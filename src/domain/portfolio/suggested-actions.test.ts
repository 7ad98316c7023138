import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CUSTODIAN,
  chainFacts,
  delegatedStake,
  initializedStake,
  OWNER,
  RENT,
  SOL,
  STAKER,
} from '../../../test/support/stake-account-examples.ts';
import { AppError } from '../../kernel/app-error.ts';
import { checkRestake } from '../stake/restake-rules.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../stake/stake-account.ts';
import { assessStake } from '../stake/stake-state.ts';
import { checkUnstake } from '../stake/unstake-rules.ts';
import { checkWithdraw } from '../stake/withdraw-rules.ts';
import { suggestedActions } from './suggested-actions.ts';

const limits = { stakeRentLamports: RENT, minimumDelegationLamports: SOL };

const names = (account: StakeAccount, role: 'owner' | 'staker' = 'owner', chain = chainFacts()) =>
  suggestedActions(account, assessStake(account, chain), role, limits).map(({ action }) => action);

const locked = { unixTimestamp: 0n, epoch: 99n, custodian: CUSTODIAN };
const activating = delegatedStake({ delegation: { activationEpoch: 20n } });
const cooling = delegatedStake({ delegation: { deactivationEpoch: 20n } });
const cooled = delegatedStake({ delegation: { deactivationEpoch: 19n } });

test('in each state, the owner is offered exactly the actions that the program accepts', () => {
  assert.deepEqual(names(delegatedStake()), ['unstake']);
  assert.deepEqual(names(activating), ['unstake']);
  assert.deepEqual(names(delegatedStake({ lamports: 103n * SOL + RENT })), ['withdraw', 'unstake']);
  assert.deepEqual(names(cooling), ['wait']);
  assert.deepEqual(names(cooled), ['withdraw', 'restake']);
  assert.deepEqual(names(initializedStake()), ['withdraw', 'restake']);
});

test('the reason says whether the full balance or only the excess can be withdrawn, and whether a cooldown follows', () => {
  const reasons = (account: StakeAccount) =>
    suggestedActions(account, assessStake(account, chainFacts()), 'owner', limits).map(
      ({ reason }) => reason.text,
    );
  assert.deepEqual(reasons(cooled), [
    'The full balance of 100.00228288 SOL can be withdrawn.',
    '100 SOL of it can be delegated again and would earn from the next epoch boundary at the earliest.',
  ]);
  const [excess, unstake] = reasons(delegatedStake({ lamports: 103n * SOL + RENT }));
  assert.match(excess!, /^3 SOL beyond stake and rent can be withdrawn/);
  assert.match(unstake!, /^Starts the cooldown/);
  assert.match(reasons(activating)[0]!, /without a cooldown/);
});

test('each action has a request that can be sent as it is: a part of the balance with its amount, and with the right authority', () => {
  const requests = (account: StakeAccount, role: 'owner' | 'staker' = 'owner') =>
    suggestedActions(account, assessStake(account, chainFacts()), role, limits).map(({ action, request }) => [
      action,
      request?.walletAddress,
      request?.amountSol,
    ]);
  assert.deepEqual(requests(delegatedStake({ lamports: 103n * SOL + RENT })), [
    ['withdraw', OWNER, 3],
    ['unstake', OWNER, undefined],
  ]);
  assert.deepEqual(requests(cooled), [
    ['withdraw', OWNER, undefined],
    ['restake', OWNER, undefined],
  ]);
  assert.deepEqual(requests(delegatedStake({ stakeAuthority: STAKER }), 'staker'), [
    ['unstake', STAKER, undefined],
  ]);
  assert.deepEqual(requests(cooling), [['wait', undefined, undefined]]);
});

test('a withdrawal worth no more than its fee is not suggested', () => {
  const beyond = (lamports: bigint) => names(delegatedStake({ lamports: 100n * SOL + RENT + lamports }));
  assert.deepEqual([beyond(348n), beyond(5_000n)], [['unstake'], ['unstake']]);
  assert.deepEqual(beyond(5_001n), ['withdraw', 'unstake']);
});

test('an owner who is not the stake authority gets no suggestion to unstake', () => {
  assert.deepEqual(names(delegatedStake({ stakeAuthority: STAKER })), []);
  assert.deepEqual(names(delegatedStake({ stakeAuthority: STAKER, lamports: 103n * SOL + RENT })), [
    'withdraw',
  ]);
});

test('an address that is only the stake authority can unstake but not withdraw', () => {
  const foreign = { stakeAuthority: STAKER };
  assert.deepEqual(names(delegatedStake({ ...foreign, lamports: 103n * SOL + RENT }), 'staker'), ['unstake']);
  for (const delegation of [{ deactivationEpoch: 20n }, { deactivationEpoch: 19n }]) {
    assert.deepEqual(names(delegatedStake({ ...foreign, delegation }), 'staker'), []);
  }
  assert.deepEqual(names(initializedStake(foreign), 'staker'), []);
});

test('inactive stake can be delegated again only if it is at least the minimum delegation, and only by its stake authority', () => {
  const least = delegatedStake({ lamports: SOL + RENT, delegation: { deactivationEpoch: 19n } });
  assert.deepEqual(names(least), ['withdraw', 'restake']);
  assert.deepEqual(names({ ...least, lamports: SOL + RENT - 1n }), ['withdraw']);
  assert.deepEqual(names({ ...cooled, stakeAuthority: STAKER }), ['withdraw']);
});

test('a lockup prevents withdrawals but not changes of the delegation', () => {
  assert.deepEqual(names(initializedStake({ lockup: locked })), ['restake', 'wait']);
  assert.deepEqual(names(delegatedStake({ lockup: locked, delegation: { deactivationEpoch: 19n } })), [
    'restake',
    'wait',
  ]);
  assert.deepEqual(names(delegatedStake({ lockup: locked, lamports: 103n * SOL + RENT })), ['unstake']);
});

test('while rewards are being paid, the owner is advised to wait and a stake authority gets no suggestion', () => {
  const frozen = chainFacts({ epochRewardsActive: true });
  for (const account of [delegatedStake(), cooled, initializedStake()]) {
    assert.deepEqual(names(account, 'owner', frozen), ['wait']);
    assert.deepEqual(names(account, 'staker', frozen), []);
  }
});

test("the suggestions contain the account's own amounts and addresses", () => {
  const [withdraw, unstake] = suggestedActions(
    delegatedStake({ lamports: 103n * SOL + RENT }),
    assessStake(delegatedStake({ lamports: 103n * SOL + RENT }), chainFacts()),
    'owner',
    limits,
  );
  assert.match(withdraw?.reason.text ?? '', /^3 SOL beyond stake and rent/);
  assert.deepEqual([withdraw?.action, withdraw?.operation], ['withdraw', 'createWithdrawTransaction']);
  assert.deepEqual([unstake?.action, unstake?.operation], ['unstake', 'createUnstakeTransaction']);
  const [wait] = suggestedActions(cooling, assessStake(cooling, chainFacts()), 'owner', limits);
  assert.deepEqual([wait?.operation, wait?.params], ['withdrawReadiness', { walletAddress: OWNER }]);
});

test('no suggested action is refused by the rules, in every combination of state, authority, lockup, excess and reward distribution', () => {
  let suggested = 0;
  for (const stakeAuthority of [OWNER, STAKER]) {
    for (const lockup of [locked, { ...locked, epoch: 0n }]) {
      for (const lamports of [RENT, 100n * SOL + RENT, 103n * SOL + RENT]) {
        for (const activationEpoch of [10n, 20n]) {
          for (const deactivationEpoch of [19n, 20n, EPOCH_ABSENT, null]) {
            for (const epochRewardsActive of [false, true]) {
              const common = { stakeAuthority, lockup, lamports };
              const account =
                deactivationEpoch === null
                  ? initializedStake(common)
                  : delegatedStake({ ...common, delegation: { activationEpoch, deactivationEpoch } });
              const chain = chainFacts({ epochRewardsActive });
              const assessment = assessStake(account, chain);
              for (const role of ['owner', 'staker'] as const) {
                const wallet = role === 'owner' ? OWNER : stakeAuthority;
                for (const { action } of suggestedActions(account, assessment, role, limits)) {
                  suggested += 1;
                  try {
                    if (action === 'unstake') checkUnstake(account, assessment, { wallet });
                    if (action === 'restake') checkRestake(account, assessment, { wallet, ...limits });
                    if (action === 'withdraw') {
                      const requestedLamports = assessment.withdrawReady
                        ? null
                        : assessment.withdrawableLamports;
                      checkWithdraw(account, assessment, { wallet, requestedLamports, chain });
                    }
                  } catch (error) {
                    assert.ok(error instanceof AppError);
                    assert.fail(`${action} suggested to the ${role} in ${assessment.state}: ${error.code}`);
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  assert.ok(suggested > 100);
});
