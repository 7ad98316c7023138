// IDEM-3: an outsider whose transaction mentions another wallet's future stake address can neither block that
// wallet's stake nor have its own transaction mistaken for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { getDelegateStakeInstruction, getInitializeInstruction } from '@solana-program/stake';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { createHttpClient } from '../../demo/http-client.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { refused } from '../support/service-calls.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

const SOL = 1_000_000_000n;

test('IDEM-3 the stake address of a guessable key stays usable after an outsider’s transaction mentions it, and the real stake is still found', async (t) => {
  const { app, sandbox } = await startTestApp(t);
  const { post } = createHttpClient(app.url);
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  const build = () =>
    post('/api/v1/stake/transaction', { walletAddress, amountSol: 2, idempotencyKey: 'order-1' });
  const { stakeAccountAddress } = await build();

  const outsider = await SandboxStaker.fund(sandbox, 100n * SOL);
  const payer = outsider.wallet;
  const own = await generateKeyPairSigner();
  await outsider.send([
    getCreateAccountInstruction({
      payer,
      newAccount: own,
      lamports: 2n * SOL,
      space: 200n,
      programAddress: STAKE_PROGRAM,
    }),
    getInitializeInstruction({
      stake: own.address,
      arg0: { staker: payer.address, withdrawer: payer.address },
      arg1: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
    }),
    getDelegateStakeInstruction({
      stake: own.address,
      vote: sandbox.voteAccount as Address,
      stakeAuthority: payer,
    }),
    getTransferSolInstruction({ source: payer, destination: stakeAccountAddress as Address, amount: 0n }),
  ]);

  const again = await build();
  assert.equal(again.stakeAccountAddress, stakeAccountAddress);
  const submitted = await post('/api/v1/transaction/submit', {
    signedTransaction: signedBy(wallet, again.transaction),
  });
  const { status, body } = await refused(build());
  assert.deepEqual(
    [status, body.errorCode, body.signature, body.stakeAccountAddress],
    [409, 'STAKE_ADDRESS_OCCUPIED', submitted.signature, stakeAccountAddress],
  );
});
