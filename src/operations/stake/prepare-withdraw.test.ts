// Tests that a withdrawal is exact to the lamport, or refused with an error code before anything is built.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleKey, PLAN, type PlanWorld, planContext } from '../../../test/support/plan-context.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { prepareWithdraw } from './prepare-withdraw.ts';

const SOL = 1_000_000_000n;
const FEE = 5_000n;
const { wallet, stakeAccount, voteAccount, stakeRentLamports: RENT } = PLAN;

const account = (fields: Partial<StakeAccountFields>, lamports = 5n * SOL) => ({
  address: stakeAccount,
  owner: STAKE_PROGRAM,
  lamports,
  data: stakeAccountBytes({ wallet, ...fields }),
});
const staked = (deactivationEpoch?: bigint) => ({
  voteAccount,
  stakeLamports: 3n * SOL,
  activationEpoch: 5n,
  ...(deactivationEpoch === undefined ? {} : { deactivationEpoch }),
});
const released = account({ delegation: staked(10n) });

const plan = (world: Partial<PlanWorld>, lamports: bigint | null = null) =>
  prepareWithdraw(
    planContext({ walletLamports: SOL, account: released, ...world }),
    { wallet, stakeAccount, lamports },
    new AbortController().signal,
  );
const refused = async (code: ErrorCode, world: Partial<PlanWorld>, lamports: bigint | null = null) =>
  assert.rejects(plan(world, lamports), (error) => {
    assert.ok(isAppError(error, code), String(error));
    return true;
  });

test('withdrawing a whole inactive account pays its full balance to the wallet, with a notice that the account will be closed', async () => {
  const { built, lamports, notices } = await plan({});
  assert.equal(lamports, 5n * SOL);
  assert.deepEqual(built.instructions[0]?.data, {
    type: 'stake.withdraw',
    stakeAccount,
    recipient: wallet,
    withdrawAuthority: wallet,
    custodian: null,
    lamports: 5n * SOL,
  });
  assert.deepEqual(built.instructions[1]?.data, { type: 'memo', text: PLAN.memo });
  assert.equal(notices.length, 1);
  assert.match(notices[0]!.text, /account will be closed/);
});

test('a partial withdrawal leaves the rent-exempt minimum and has no notice about closing', async () => {
  const { lamports, notices } = await plan({}, 5n * SOL - RENT);
  assert.equal(lamports, 5n * SOL - RENT);
  assert.deepEqual(notices, []);
  await refused('WITHDRAW_LEAVES_BELOW_RENT', {}, 5n * SOL - RENT + 1n);
  await refused('INSUFFICIENT_STAKE_BALANCE', {}, 5n * SOL + 1n);
});

test('only the excess over stake and rent can be withdrawn from an active account', async () => {
  const active = account({ delegation: staked() });
  const free = 2n * SOL - RENT;
  assert.equal((await plan({ account: active }, free)).lamports, free);
  await refused('STAKE_NOT_WITHDRAWABLE', { account: active });
  await refused('STAKE_NOT_WITHDRAWABLE', { account: active }, free + 1n);
});

test('only a wallet that is itself the custodian can withdraw under a lockup', async () => {
  const locked = (custodian: string, epoch: bigint) =>
    account({ delegation: staked(10n), lockup: { epoch, custodian } });
  const { built } = await plan({ account: locked(wallet, 99n) });
  const [withdraw] = built.instructions;
  assert.equal(withdraw?.data.type === 'stake.withdraw' && withdraw.data.custodian, wallet);
  assert.deepEqual(built.requiredSigners, [wallet]);
  await refused('STAKE_LOCKED', { account: locked(exampleKey(7), 99n) });
  const over = (await plan({ account: locked(exampleKey(7), PLAN.epoch) })).built.instructions[0]?.data;
  assert.equal(over?.type === 'stake.withdraw' && over.custodian, null);
});

test('a withdrawal requires exactly the fee; one lamport less or a remainder below the rent-exempt minimum is refused', async () => {
  assert.equal((await plan({ walletLamports: FEE })).lamports, 5n * SOL);
  await refused('INSUFFICIENT_BALANCE', { walletLamports: FEE - 1n });
  await refused('INSUFFICIENT_BALANCE', { walletLamports: PLAN.walletRentLamports + FEE - 1n });
});

test('a withdrawal from another wallet’s account, from an unknown account or during the distribution of rewards is refused', async () => {
  await refused('AUTHORITY_MISMATCH', {
    account: account({ withdrawAuthority: exampleKey(7), delegation: staked(10n) }),
  });
  await refused('NOT_A_STAKE_ACCOUNT', { account: null });
  await refused('EPOCH_REWARDS_ACTIVE', { position: { epochRewardsActive: true } });
});

test('a withdrawal near the end of the epoch warns of the boundary', async () => {
  const { notices } = await plan({ position: { slotIndex: 431_999n } }, SOL);
  assert.equal(notices.length, 1);
  assert.match(notices[0]!.text, /^The epoch ends in about 1 slots/);
});

test('a withdrawal that returns no more than its fee is built with a warning that states both amounts', async () => {
  const active = account({ delegation: staked() });
  const { notices } = await plan({ account: active }, 45n);
  assert.deepEqual(
    notices.map(({ code, params, text }) => [code, params, text]),
    [
      [
        'COSTS_MORE_THAN_IT_RETURNS',
        { feesSol: 0.000005, returnedSol: 0.000000045 },
        'This costs 0.000005 SOL in fees and returns 0.000000045 SOL.',
      ],
    ],
  );
  assert.equal((await plan({ account: active }, FEE)).notices.length, 1);
  assert.deepEqual((await plan({ account: active }, FEE + 1n)).notices, []);
});
