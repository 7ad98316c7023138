import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { guidanceText } from '../../../test/support/guidance-text.ts';
import {
  CUSTODIAN,
  chainFacts,
  delegatedStake,
  initializedStake,
  OWNER,
  STAKER,
} from '../../../test/support/stake-account-examples.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import type { StakeAccount } from './stake-account.ts';
import { assessStake } from './stake-state.ts';
import { checkUnstake } from './unstake-rules.ts';

const check = (account: StakeAccount, wallet: Address = OWNER, chain = chainFacts()) =>
  checkUnstake(account, assessStake(account, chain), { wallet });

const refusal = (code: ErrorCode, ...args: Parameters<typeof check>): AppError => {
  try {
    check(...args);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, code);
    return error;
  }
  throw new assert.AssertionError({ message: `${code} was not thrown` });
};

test('active and activating stakes can be unstaked, even under a lockup', () => {
  check(delegatedStake());
  check(delegatedStake({ delegation: { activationEpoch: 20n } }));
  check(delegatedStake({ lockup: { unixTimestamp: 2_000_000_000n, epoch: 99n, custodian: CUSTODIAN } }));
});

test('the stake authority can unstake, but the withdraw authority alone cannot', () => {
  const account = delegatedStake({ stakeAuthority: STAKER });
  check(account, STAKER);
  const asOwner = refusal('AUTHORITY_MISMATCH', account, OWNER);
  assert.match(asOwner.message, new RegExp(STAKER));
  assert.match(
    guidanceText(asOwner.suggestedAction),
    /back first \(planStakeChange with the goal rescue\), then/,
  );
  const asStranger = refusal('AUTHORITY_MISMATCH', account, CUSTODIAN);
  assert.match(
    guidanceText(asStranger.suggestedAction),
    /^Unstake with the wallet that is the stake authority/,
  );
});

test('stake that is not delegated cannot be unstaked, and the refusal suggests a withdrawal', () => {
  const refused = refusal('STAKE_NOT_DELEGATED', initializedStake());
  assert.equal(refused.body.currentState, 'initialized');
  assert.match(guidanceText(refused.suggestedAction), /createWithdrawTransaction/);
});

test('a second unstake is refused with the suggestion to poll while deactivating, and to withdraw afterwards', () => {
  const cooling = refusal(
    'STAKE_ALREADY_DEACTIVATED',
    delegatedStake({ delegation: { deactivationEpoch: 20n } }),
  );
  assert.match(
    guidanceText(cooling.suggestedAction),
    new RegExp(`withdrawReadiness\\(walletAddress: ${OWNER}\\)`),
  );
  assert.match(cooling.message, /deactivated in epoch 20/);
  const cooled = refusal(
    'STAKE_ALREADY_DEACTIVATED',
    delegatedStake({ delegation: { deactivationEpoch: 19n } }),
  );
  assert.match(guidanceText(cooled.suggestedAction), /createWithdrawTransaction/);
});

test('one-shot refusals name one-shot calls', () => {
  const account = delegatedStake({ delegation: { deactivationEpoch: 19n } });
  assert.throws(
    () => checkUnstake(account, assessStake(account, chainFacts()), { wallet: OWNER, isOneShot: true }),
    (error: AppError) => guidanceText(error.suggestedAction) === 'Withdraw it with withdraw.',
  );
});

test('every unstake is refused while rewards are being paid', () => {
  const frozen = chainFacts({ epochRewardsActive: true });
  for (const account of [delegatedStake(), initializedStake()]) {
    assert.ok((refusal('EPOCH_REWARDS_ACTIVE', account, OWNER, frozen).retryAfterSeconds ?? 0) > 0);
  }
});
