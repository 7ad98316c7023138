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
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { parseSol } from '../lamports.ts';
import type { StakeAccount } from './stake-account.ts';
import { assessStake, type StakeChainFacts } from './stake-state.ts';
import { checkWithdraw } from './withdraw-rules.ts';

interface Asked {
  readonly wallet?: Address;
  readonly chain?: StakeChainFacts;
  readonly epochTiming?: unknown;
}

const check = (account: StakeAccount, requestedLamports: bigint | null, asked: Asked = {}) => {
  const chain = asked.chain ?? chainFacts();
  const { wallet = OWNER, epochTiming } = asked;
  return checkWithdraw(account, assessStake(account, chain), {
    wallet,
    requestedLamports,
    chain,
    epochTiming,
  });
};

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

const active = delegatedStake({ lamports: 103n * SOL + RENT });
const cooling = delegatedStake({ delegation: { deactivationEpoch: 20n } });
const cooled = delegatedStake({ delegation: { deactivationEpoch: 19n } });

test('a withdrawal without an amount takes the full balance of an inactive account', () => {
  assert.deepEqual(check(cooled, null), { lamports: 100n * SOL + RENT, custodianNeeded: false });
  assert.deepEqual(check(initializedStake(), null), { lamports: 100n * SOL + RENT, custodianNeeded: false });
});

test('part of the balance can be withdrawn as long as the rent-exempt minimum stays; otherwise, only the whole balance can be', () => {
  assert.equal(check(cooled, 100n * SOL).lamports, 100n * SOL);
  assert.equal(check(cooled, 1n).lamports, 1n);
  const below = refusal('WITHDRAW_LEAVES_BELOW_RENT', cooled, 100n * SOL + 1n);
  assert.match(
    below.message,
    /would leave 0\.002282879 SOL .* 0\.000000001 SOL less than its rent-exempt minimum of 0\.00228288 SOL/,
  );
  assert.match(
    guidanceText(below.suggestedAction),
    /at most 100 SOL to keep the account open, or leave amountSol out/,
  );
  refusal('WITHDRAW_LEAVES_BELOW_RENT', cooled, 100n * SOL + RENT - 1n);
  assert.equal(check(cooled, 100n * SOL + RENT).lamports, 100n * SOL + RENT);
  const above = refusal('INSUFFICIENT_STAKE_BALANCE', cooled, 100n * SOL + RENT + 1n);
  assert.match(above.message, /holds 100\.00228288 SOL, which is 0\.000000001 SOL less than/);
});

test('an account below the rent-exempt minimum allows no partial withdrawal', () => {
  const poor = refusal('WITHDRAW_LEAVES_BELOW_RENT', initializedStake({ lamports: RENT }), 1n);
  assert.match(guidanceText(poor.suggestedAction), /^Leave amountSol out/);
});

test('an active account allows only its excess to be withdrawn', () => {
  assert.deepEqual(check(active, 3n * SOL), { lamports: 3n * SOL, custodianNeeded: false });
  const refused = refusal('STAKE_NOT_WITHDRAWABLE', active, 3n * SOL + 1n, {
    epochTiming: { currentEpoch: 20 },
  });
  assert.equal(refused.body.currentState, 'delegated');
  assert.match(String(refused.body.stateDescription), /^Active/);
  assert.equal(refused.body.withdrawableSol, 3);
  assert.deepEqual(refused.body.epochTiming, { currentEpoch: 20 });
  const parts =
    /^3\.000000001 SOL cannot be withdrawn now\. The account holds (\S+) SOL: (\S+) staked, (\S+) for rent, (\S+) available\./;
  const [holds, ...held] = (parts.exec(refused.message) ?? [])
    .slice(1)
    .map((text) => parseSol(text) as bigint);
  assert.equal(held.length, 3);
  assert.equal(
    held.reduce((sum, part) => sum + part, 0n),
    holds,
    'the parts must add up to the balance',
  );
  assert.match(guidanceText(refused.suggestedAction), /^Call createUnstakeTransaction with .*, then poll/);
  assert.match(guidanceText(refused.suggestedAction), /Up to 3 SOL can be withdrawn now/);
});

test('the full balance of a staked account, or more, is refused as not withdrawable', () => {
  refusal('STAKE_NOT_WITHDRAWABLE', active, null);
  refusal('STAKE_NOT_WITHDRAWABLE', active, 10_000n * SOL);
  assert.equal('epochTiming' in refusal('STAKE_NOT_WITHDRAWABLE', active, null).body, false);
});

test('a deactivating stake suggests polling, with the wallet filled in', () => {
  const refused = refusal('STAKE_NOT_WITHDRAWABLE', cooling, null);
  assert.match(
    guidanceText(refused.suggestedAction),
    new RegExp(`poll withdrawReadiness\\(walletAddress: ${OWNER}\\)`),
  );
  assert.doesNotMatch(guidanceText(refused.suggestedAction), /createUnstakeTransaction|can be withdrawn now/);
});

test('if another address is the stake authority, the refusal says that this address has to unstake', () => {
  const refused = refusal('STAKE_NOT_WITHDRAWABLE', delegatedStake({ stakeAuthority: STAKER }), null);
  assert.match(
    guidanceText(refused.suggestedAction),
    new RegExp(`stake authority ${STAKER} has to deactivate`),
  );
  assert.doesNotMatch(guidanceText(refused.suggestedAction), /create/);
});

test('an activating stake allows no withdrawal', () => {
  refusal('STAKE_NOT_WITHDRAWABLE', delegatedStake({ delegation: { activationEpoch: 20n } }), 1n);
});

test('only the withdraw authority can withdraw, and this refusal precedes all others', () => {
  const refused = refusal('AUTHORITY_MISMATCH', delegatedStake({ stakeAuthority: STAKER }), null, {
    wallet: STAKER,
    chain: chainFacts({ epochRewardsActive: true }),
  });
  assert.match(refused.message, new RegExp(OWNER));
});

test('every withdrawal is refused with a retry time while rewards are being paid', () => {
  for (const account of [cooled, active, cooling, initializedStake()]) {
    const refused = refusal('EPOCH_REWARDS_ACTIVE', account, 1n, {
      chain: chainFacts({ epochRewardsActive: true }),
    });
    assert.ok((refused.retryAfterSeconds ?? 0) > 0);
    assert.equal(refused.retryable, true);
  }
});

test('a refusal due to a lockup contains its end and its custodian', () => {
  const lockup = { unixTimestamp: 1_800_000_000n, epoch: 30n, custodian: CUSTODIAN };
  const refused = refusal('STAKE_LOCKED', initializedStake({ lockup }), null);
  assert.deepEqual(refused.body.lockup, { custodian: CUSTODIAN, unixTimestamp: 1_800_000_000, epoch: 30 });
  assert.match(refused.message, /epoch 30/);
});

test('a wallet that is its own custodian can withdraw as if there were no lockup, and the withdrawal names the custodian', () => {
  const lockup = { unixTimestamp: 1_800_000_000n, epoch: 30n, custodian: OWNER };
  assert.deepEqual(check(initializedStake({ lockup }), null), {
    lamports: 100n * SOL + RENT,
    custodianNeeded: true,
  });
  refusal('STAKE_NOT_WITHDRAWABLE', delegatedStake({ lockup }), null);
  refusal('WITHDRAW_LEAVES_BELOW_RENT', initializedStake({ lockup }), 100n * SOL + 1n);
});

test('an expired lockup requires no custodian', () => {
  const lockup = { unixTimestamp: 1_600_000_000n, epoch: 20n, custodian: OWNER };
  assert.equal(check(initializedStake({ lockup }), null).custodianNeeded, false);
});

test('zero and negative amounts are refused', () => {
  for (const lamports of [0n, -1n]) refusal('VALIDATION_ERROR', cooled, lamports);
});
