// Determines which accounts can be delegated again, by which authority and with which amount. The test of
// guarantee TRUTH-1 compares the same rules with the real program.

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
  RENT,
  SOL,
  STAKER,
} from '../../../test/support/stake-account-examples.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { checkRestake } from './restake-rules.ts';
import type { StakeAccount } from './stake-account.ts';
import { assessStake } from './stake-state.ts';

const check = (account: StakeAccount, wallet: Address = OWNER, chain = chainFacts()) =>
  checkRestake(account, assessStake(account, chain), {
    wallet,
    stakeRentLamports: RENT,
    minimumDelegationLamports: SOL,
  });

const refusal = (code: ErrorCode, ...args: Parameters<typeof check>) => {
  try {
    check(...args);
  } catch (error) {
    assert.ok(isAppError(error, code), String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `${code} was not thrown` });
};

const cooled = { deactivationEpoch: 19n };

test('stake that is inactive, was never effective or has moved away is delegated with everything except the rent-exempt minimum, even under a lockup', () => {
  const lockup = { unixTimestamp: 2_000_000_000n, epoch: 99n, custodian: CUSTODIAN };
  assert.equal(check(delegatedStake({ lamports: 103n * SOL + RENT, delegation: cooled })), 103n * SOL);
  assert.equal(check(delegatedStake({ lockup, delegation: cooled })), 100n * SOL);
  const sameEpoch = { activationEpoch: 20n, deactivationEpoch: 20n };
  assert.equal(check(delegatedStake({ delegation: sameEpoch })), 100n * SOL);
  assert.equal(check(initializedStake()), initializedStake().lamports - RENT);
});

test('active and deactivating stake is refused with a suggested alternative, because the same instruction would have a different effect', () => {
  for (const delegation of [{}, { activationEpoch: 20n }])
    assert.match(
      guidanceText(refusal('STAKE_NOT_INACTIVE', delegatedStake({ delegation })).suggestedAction),
      /already/,
    );
  const cooling = refusal('STAKE_NOT_INACTIVE', delegatedStake({ delegation: { deactivationEpoch: 20n } }));
  assert.match(
    guidanceText(cooling.suggestedAction),
    new RegExp(`withdrawReadiness\\(walletAddress: ${OWNER}\\)`),
  );
  assert.equal(cooling.body.currentState, 'deactivating');
});

test('the minimum delegation is enough, and one lamport less is refused with the missing amount', () => {
  const holding = (lamports: bigint) => delegatedStake({ lamports, delegation: cooled });
  assert.equal(check(holding(SOL + RENT)), SOL);
  assert.equal(refusal('BELOW_MINIMUM_STAKE', holding(SOL + RENT - 1n)).body.shortfallSol, 1e-9);
});

test('only the stake authority can delegate, and no authority can while rewards are being paid', () => {
  const account = delegatedStake({ stakeAuthority: STAKER, delegation: cooled });
  assert.equal(check(account, STAKER), 100n * SOL);
  assert.match(refusal('AUTHORITY_MISMATCH', account, OWNER).message, new RegExp(STAKER));
  refusal(
    'EPOCH_REWARDS_ACTIVE',
    delegatedStake({ delegation: cooled }),
    OWNER,
    chainFacts({ epochRewardsActive: true }),
  );
});
