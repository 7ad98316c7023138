// Tests that an unstake is built for the stake authority, warns of surprises, and costs only the fee.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleKey, PLAN, type PlanWorld, planContext } from '../../../test/support/plan-context.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { prepareUnstake } from './prepare-unstake.ts';

const SOL = 1_000_000_000n;
const FEE = 5_000n;
const { wallet, stakeAccount, voteAccount } = PLAN;
const delegation = { voteAccount, stakeLamports: 3n * SOL, activationEpoch: 5n };

const account = (fields: Partial<StakeAccountFields> = {}) => ({
  address: stakeAccount,
  owner: STAKE_PROGRAM,
  lamports: 5n * SOL,
  data: stakeAccountBytes({ wallet, delegation, ...fields }),
});
const plan = (world: Partial<PlanWorld> = {}) =>
  prepareUnstake(
    planContext({ walletLamports: SOL, account: account(), ...world }),
    { wallet, stakeAccount },
    new AbortController().signal,
  );
const refused = async (code: ErrorCode, world: Partial<PlanWorld>) =>
  assert.rejects(plan(world), (error) => {
    assert.ok(isAppError(error, code), String(error));
    return true;
  });

test('the wallet’s own stake is deactivated without a warning', async () => {
  const { built, notices } = await plan();
  assert.deepEqual(
    built.instructions.map(({ data }) => data),
    [
      { type: 'stake.deactivate', stakeAccount, stakeAuthority: wallet },
      { type: 'memo', text: PLAN.memo },
    ],
  );
  assert.deepEqual(notices, []);
});

test('a stake at another validator or withdrawable by another wallet gets a notice', async () => {
  const elsewhere = account({ delegation: { ...delegation, voteAccount: exampleKey(8) } });
  const [foreign] = (await plan({ account: elsewhere })).notices.map(({ text }) => text);
  assert.match(foreign!, new RegExp(`another validator \\(${exampleKey(8)}\\)`));
  const lent = account({ withdrawAuthority: exampleKey(7) });
  assert.deepEqual(
    (await plan({ account: lent })).notices.map(({ text }) => text),
    [`Only ${exampleKey(7)} can withdraw from this account afterwards.`],
  );
});

test('an unstake near the end of the epoch warns of the boundary', async () => {
  const { notices } = await plan({ position: { slotIndex: 431_999n } });
  assert.equal(notices.length, 1);
  assert.match(notices[0]!.text, /^The epoch ends in about 1 slots/);
});

test('an unstake requires exactly the fee; one lamport less or a remainder below the rent-exempt minimum is refused', async () => {
  await plan({ walletLamports: FEE });
  await refused('INSUFFICIENT_BALANCE', { walletLamports: FEE - 1n });
  await refused('INSUFFICIENT_BALANCE', { walletLamports: PLAN.walletRentLamports + FEE - 1n });
});

test('an account that cannot be deactivated is refused with the reason', async () => {
  await refused('AUTHORITY_MISMATCH', { account: account({ stakeAuthority: exampleKey(7) }) });
  await refused('STAKE_ALREADY_DEACTIVATED', {
    account: account({ delegation: { ...delegation, deactivationEpoch: 19n } }),
  });
  await refused('NOT_A_STAKE_ACCOUNT', { account: null });
  await refused('EPOCH_REWARDS_ACTIVE', { position: { epochRewardsActive: true } });
  const undelegated = {
    address: stakeAccount,
    owner: STAKE_PROGRAM,
    lamports: 5n * SOL,
    data: stakeAccountBytes({ wallet }),
  };
  await refused('STAKE_NOT_DELEGATED', { account: undelegated });
});
