// Completes a staking lifecycle with an independent client library, which decodes, signs, submits and reads the
// chain itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Keypair,
  PublicKey,
  StakeProgram,
  SystemProgram,
  Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import { patience } from '../support/patience.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';
import { sharedService } from '../support/service-fixture.ts';

// A blockhash is valid for 150 slots (30 s here), so the library can decode, sign and send even on a busy
// machine.
const shared = sharedService({ before, after }, { sandbox: { slotMs: 200 } });

interface ParsedStake {
  readonly meta: { readonly authorized: { readonly staker: string; readonly withdrawer: string } };
  readonly stake?: { readonly delegation: { readonly voter: string; readonly stake: string } };
}

test('legacy web3.js stakes, unstakes and withdraws with unsigned transactions from the service', (t) =>
  withLegacyConnection(shared().sandbox, async (connection) => {
    const { sandbox, service } = shared();
    const wallet = Keypair.generate();
    const walletAddress = wallet.publicKey.toBase58();
    await sandbox.airdrop(walletAddress, 10_000_000_000n, patience());

    const parsedStake = async (address: string): Promise<ParsedStake> => {
      const { value } = await connection.getParsedAccountInfo(new PublicKey(address));
      assert.ok(value && 'parsed' in value.data);
      return value.data.parsed.info as ParsedStake;
    };
    // The library's older class reads only legacy messages. The newer one reads both kinds.
    const signed = (bytes: Buffer): Uint8Array => {
      if (VersionedTransaction.deserialize(bytes).version === 0) {
        const versioned = VersionedTransaction.deserialize(bytes);
        versioned.sign([wallet]);
        return versioned.serialize();
      }
      const legacy = Transaction.from(bytes);
      legacy.partialSign(wallet);
      return legacy.serialize();
    };
    const signAndSubmit = async (transaction: string, viaService: boolean): Promise<string> => {
      const wire = signed(Buffer.from(transaction, 'base64'));
      if (!viaService) {
        const signature = await connection.sendRawTransaction(wire);
        const { value } = await connection.confirmTransaction(signature, 'confirmed');
        assert.equal(value.err, null);
        return signature;
      }
      const signedTransaction = Buffer.from(wire).toString('base64');
      return (await service.client.post('/api/v1/transaction/submit', { signedTransaction })).signature;
    };

    const built = await service.client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 3 });
    await t.test(
      'the built message contains exactly the four instructions and is signed by the new account',
      () => {
        const { message, signatures } = VersionedTransaction.deserialize(
          Buffer.from(built.transaction, 'base64'),
        );
        assert.equal(built.transactionVersion, 'legacy');
        assert.equal(message.version, 'legacy');
        assert.equal(Transaction.from(Buffer.from(built.transaction, 'base64')).instructions.length, 4);
        const programs = message.compiledInstructions.map(({ programIdIndex }) =>
          message.staticAccountKeys[programIdIndex]!.toBase58(),
        );
        const stakeProgram = StakeProgram.programId.toBase58();
        assert.deepEqual(programs.slice(0, 3), [
          SystemProgram.programId.toBase58(),
          stakeProgram,
          stakeProgram,
        ]);
        assert.match(programs[3]!, /^Memo/);
        assert.equal(Buffer.from(message.compiledInstructions[3]!.data).toString(), sandbox.memo);
        assert.ok(
          signatures[0]!.every((byte) => byte === 0),
          'the wallet has not signed yet',
        );
        assert.ok(
          signatures[1]!.some((byte) => byte !== 0),
          'the new stake account has signed',
        );
      },
    );

    const stakeAccountAddress: string = built.stakeAccountAddress;
    await signAndSubmit(built.transaction, false);
    await t.test(
      'the stake account on chain belongs to the wallet and is delegated to the validator',
      async () => {
        const { meta, stake } = await parsedStake(stakeAccountAddress);
        assert.deepEqual(meta.authorized, { staker: walletAddress, withdrawer: walletAddress });
        assert.equal(stake?.delegation.voter, sandbox.voteAccount);
        assert.equal(Number(stake?.delegation.stake), Math.round(built.delegatedSol * 1e9));
      },
    );

    await t.test("after two epochs the stake has earned the chain's rewards", async () => {
      await sandbox.advanceEpochs(2);
      const { accounts } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
      assert.equal(accounts[0].state, 'active');
      assert.equal(accounts[0].lamports, await connection.getBalance(new PublicKey(stakeAccountAddress)));
      assert.ok(accounts[0].sol > 3);
    });

    await t.test(
      'the wallet unstakes through submit, withdraws through its own RPC node, and gets its SOL back',
      async () => {
        const unstake = await service.client.post('/api/v1/unstake/transaction', {
          walletAddress,
          stakeAccountAddress,
        });
        await signAndSubmit(unstake.transaction, true);
        await sandbox.advanceEpochs(1);
        const stakedLamports = await connection.getBalance(new PublicKey(stakeAccountAddress));
        const before = await connection.getBalance(wallet.publicKey);
        const withdraw = await service.client.post('/api/v1/withdraw/transaction', {
          walletAddress,
          stakeAccountAddress,
          transactionVersion: 0,
        });
        assert.equal(withdraw.transactionVersion, 0);
        assert.throws(() => Transaction.from(Buffer.from(withdraw.transaction, 'base64')));
        await signAndSubmit(withdraw.transaction, false);
        assert.equal(await connection.getBalance(wallet.publicKey), before + stakedLamports - 5_000);
        assert.equal(await connection.getAccountInfo(new PublicKey(stakeAccountAddress)), null);
      },
    );
  }));
