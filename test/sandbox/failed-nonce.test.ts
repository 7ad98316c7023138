// Checks that a failed durable-nonce transaction pays its fee and advances the nonce, and that the next
// transaction needs the new value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';

const SOL = 1_000_000_000;

const landed = async (sandbox: Sandbox, connection: Connection, signature: string): Promise<unknown> => {
  const signal = patience();
  for (;;) {
    const { value } = await connection.getSignatureStatuses([signature]);
    if (value[0]) return value[0].err;
    await sandbox.nextBlock(signal);
  }
};

test('a failed transaction with a nonce advances the nonce, and only then does the next transaction land', async () => {
  await withSandbox({}, async (sandbox) => {
    await withLegacyConnection(sandbox, async (connection) => {
      const [payer, nonceKey] = [Keypair.generate(), Keypair.generate()];
      const noncePubkey = nonceKey.publicKey;
      await sandbox.airdrop(payer.publicKey.toBase58(), BigInt(10 * SOL), patience());
      const create = new Transaction({
        feePayer: payer.publicKey,
        ...(await connection.getLatestBlockhash()),
      }).add(
        SystemProgram.createNonceAccount({
          fromPubkey: payer.publicKey,
          noncePubkey,
          authorizedPubkey: payer.publicKey,
          lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
        }),
      );
      create.sign(payer, nonceKey);
      assert.equal(
        await landed(sandbox, connection, await connection.sendRawTransaction(create.serialize())),
        null,
      );
      const value = async () =>
        NonceAccount.fromAccountData((await connection.getAccountInfo(noncePubkey))!.data).nonce;
      const pay = async (nonce: string, lamports: number, skipPreflight = true): Promise<unknown> => {
        const authorizedPubkey = payer.publicKey;
        const nonceInstruction = SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey });
        const transfer = new Transaction({
          feePayer: payer.publicKey,
          nonceInfo: { nonce, nonceInstruction },
        } as never).add(
          SystemProgram.transfer({
            fromPubkey: payer.publicKey,
            toPubkey: Keypair.generate().publicKey,
            lamports,
          }),
        );
        transfer.sign(payer);
        // A nonce can advance only once per block.
        await sandbox.nextBlock(patience());
        const wire = transfer.serialize();
        return landed(sandbox, connection, await connection.sendRawTransaction(wire, { skipPreflight }));
      };
      const first = await value();
      const before = await connection.getBalance(payer.publicKey);
      assert.deepEqual(await pay(first, 1_000 * SOL), { InstructionError: [1, { Custom: 1 }] });
      assert.equal(before - (await connection.getBalance(payer.publicKey)), 5_000);
      const second = await value();
      assert.notEqual(second, first);
      await assert.rejects(pay(first, SOL, false), /Blockhash not found/);
      assert.equal(await pay(second, SOL), null);
      assert.notEqual(await value(), second);
    });
  });
});
