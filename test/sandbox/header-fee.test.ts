// Checks that a version 1 transaction pays the priority fee in its header first and once, even if it fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { patience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';

const FUNDS = 1_000_000_000n;
const FEE = 777n;
const SIGNATURE_FEE = 5_000n;
// A transfer uses 150 units, and loads 14 bytes for the System program and 64 bytes for each of two or three
// accounts.
const ENOUGH = { computeUnitLimit: 150, loadedAccountsDataSizeLimit: 206 };

test('the fee in a version 1 transaction’s header is charged once before it runs, even if it fails', async () => {
  await withSandbox({}, async (sandbox) => {
    const rpc = createSolanaRpc(sandbox.rpcUrl);
    const [payer, receiver] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    await sandbox.airdrop(payer.address, FUNDS, patience());
    const balance = async (): Promise<bigint> =>
      (await rpc.getBalance(payer.address, { commitment: 'confirmed' }).send()).value;
    const signed = async (amount: bigint, limits: Partial<typeof ENOUGH> = {}) => {
      const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
      return signTransactionMessageWithSigners(
        pipe(
          createTransactionMessage({ version: 1 }),
          (m) => setTransactionMessageFeePayerSigner(payer, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(value, m),
          (m) => setTransactionMessageConfig({ ...ENOUGH, priorityFeeLamports: FEE, ...limits }, m),
          (m) =>
            appendTransactionMessageInstructions(
              [getTransferSolInstruction({ source: payer, destination: receiver.address, amount })],
              m,
            ),
        ),
      );
    };
    const send = async (transaction: Awaited<ReturnType<typeof signed>>, skipPreflight: boolean) => {
      const sent = await rpc
        .sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64', skipPreflight })
        .send();
      assert.equal(sent, getSignatureFromTransaction(transaction));
      await sandbox.nextBlock(patience());
      return rpc
        .getTransaction(sent, {
          encoding: 'json',
          maxSupportedTransactionVersion: 1 as 0,
          commitment: 'confirmed',
        })
        .send();
    };

    for (const [limits, reason] of [
      [{ computeUnitLimit: 0 }, /Computational budget exceeded \(instruction #1\)/],
      [{ computeUnitLimit: 149 }, /Computational budget exceeded \(instruction #1\)/],
      [{ loadedAccountsDataSizeLimit: 0 }, /max loaded accounts data size/i],
      [{ loadedAccountsDataSizeLimit: 14 + 2 * 64 - 1 }, /max loaded accounts data size/i],
    ] as const)
      await assert.rejects(send(await signed(FUNDS / 2n, limits), false), (error: Error) =>
        reason.test(String(error.cause)),
      );
    assert.equal(await balance(), FUNDS, 'a limit that is too low is refused, and costs nothing here');

    // The lamports that pay the fee cannot be transferred as well.
    await assert.rejects(send(await signed(FUNDS - SIGNATURE_FEE - FEE + 1n), false));
    assert.equal(await balance(), FUNDS, 'a transaction refused by preflight costs nothing');

    const paid = await signed(FUNDS / 2n);
    const landed = await send(paid, false);
    const left = FUNDS / 2n - SIGNATURE_FEE - FEE;
    assert.equal(await balance(), left);
    assert.equal(landed?.meta?.fee, SIGNATURE_FEE + FEE);
    assert.equal(landed?.meta?.preBalances[0], FUNDS);
    assert.equal(landed?.meta?.postBalances[0], left);

    await rpc
      .sendTransaction(getBase64EncodedWireTransaction(paid), { encoding: 'base64', skipPreflight: true })
      .send()
      .catch(() => undefined);
    assert.equal(await balance(), left, 'a repeated transaction pays nothing');

    const failed = await send(await signed(FUNDS), true);
    assert.notEqual(failed?.meta?.err, null);
    assert.equal(await balance(), left - SIGNATURE_FEE - FEE);

    // Empties the wallet, so it cannot pay the next fee.
    const emptied = await send(await signed(left - 2n * (SIGNATURE_FEE + FEE)), false);
    assert.equal(emptied?.meta?.err, null);
    assert.equal(await balance(), 0n);
    await assert.rejects(send(await signed(0n), false), (error: Error) =>
      /Insufficient funds for fee/.test(String(error.cause)),
    );
  });
});
