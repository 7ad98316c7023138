// Tests that a restake is built only for an inactive account, delegates to our validator, warns of surprises,
// and costs only the fee.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleKey, PLAN, type PlanWorld, planContext } from '../../../test/support/plan-context.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { fromBase64 } from '../../chain/transactions/wire-base64.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { createRestakeTransaction } from './create-restake-transaction.ts';

const SOL = 1_000_000_000n;
const FEE = 5_000n;
const { wallet, stakeAccount, voteAccount } = PLAN;
const delegation = { voteAccount, stakeLamports: 3n * SOL, activationEpoch: 5n, deactivationEpoch: 6n };

const account = (fields: Partial<StakeAccountFields> = {}, lamports = 5n * SOL) => ({
  address: stakeAccount,
  owner: STAKE_PROGRAM,
  lamports,
  data: stakeAccountBytes({ wallet, delegation, ...fields }),
});
const build = async (world: Partial<PlanWorld> = {}) => {
  const { body } = await createRestakeTransaction.run({
    ctx: planContext({ walletLamports: SOL, account: account(), ...world }),
    input: { walletAddress: wallet, stakeAccountAddress: stakeAccount },
    signal: new AbortController().signal,
    source: 'rest',
    client: '',
  });
  return body;
};
const refused = (code: ErrorCode, world: Partial<PlanWorld>) =>
  assert.rejects(build(world), (error) => isAppError(error, code));

test('a restake delegates everything except the rent-exempt minimum to our validator, whatever the previous validator was', async () => {
  const elsewhere = account({ delegation: { ...delegation, voteAccount: exampleKey(8) } });
  for (const [world, warnings] of [
    [{}, []],
    [{ account: elsewhere }, [`It was previously delegated to another validator (${exampleKey(8)}).`]],
    [
      { account: account({ withdrawAuthority: exampleKey(7) }) },
      [`Only ${exampleKey(7)} can withdraw from this account.`],
    ],
  ] as const) {
    const body = await build(world);
    assert.deepEqual(
      decodeWire(fromBase64(body.transaction)!).instructions.map(({ data }) => data),
      [
        { type: 'stake.delegateStake', stakeAccount, voteAccount, stakeAuthority: wallet },
        { type: 'memo', text: PLAN.memo },
      ],
    );
    assert.equal(body.delegatedSol, Number(5n * SOL - PLAN.stakeRentLamports) / 1e9);
    assert.deepEqual(body.warnings, warnings);
  }
});

test('a restake requires only the fee in the wallet', async () => {
  await build({ walletLamports: FEE });
  await refused('INSUFFICIENT_BALANCE', { walletLamports: FEE - 1n });
});

test('an account that cannot be delegated again, such as a deactivating one, is refused with the reason', async () => {
  await refused('NOT_A_STAKE_ACCOUNT', { account: null });
  await refused('AUTHORITY_MISMATCH', { account: account({ stakeAuthority: exampleKey(7) }) });
  await refused('EPOCH_REWARDS_ACTIVE', { position: { epochRewardsActive: true } });
  await refused('STAKE_NOT_INACTIVE', {
    account: account({ delegation: { ...delegation, deactivationEpoch: undefined } }),
  });
  await refused('BELOW_MINIMUM_STAKE', { account: account({}, SOL) });
});
