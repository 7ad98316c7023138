// Tests that a request to sign always ends with signed bytes, a signature, or an error with a text for users.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { otherVersion, signWithWallet } from './sign.ts';
import { walletState } from './wallet-connection.ts';
import { isWalletError, type WalletErrorKind } from './wallet-error.ts';

const TRANSACTION = Uint8Array.of(1, 2, 3);
const FOR = { walletAddress: 'mine', chain: 'solana:devnet' } as const;

type Work = (...inputs: readonly object[]) => Promise<unknown>;

/** Connects a wallet with these features. Returns its calls. */
const connect = (work: Partial<Record<'signTransaction' | 'signAndSendTransaction', Work>>) => {
  const asked: { how: string; inputs: readonly object[] }[] = [];
  const account = { address: 'mine', publicKey: new Uint8Array(32) } as unknown as WalletAccount;
  const features = Object.fromEntries(
    Object.entries(work).map(([how, act]) => [
      `solana:${how}`,
      {
        version: '1.0.0',
        [how]: (...inputs: readonly object[]) => {
          asked.push({ how, inputs });
          return act(...inputs);
        },
      },
    ]),
  );
  const wallet = { name: 'Signer', features } as unknown as Wallet;
  walletState.set({ status: 'connected', wallet, account, error: null });
  return { asked, account };
};

const rejectsAs = (kind: WalletErrorKind, words: RegExp) =>
  assert.rejects(
    signWithWallet(TRANSACTION, FOR),
    (error) => isWalletError(error, kind) && words.test(`${error.title} ${error.message}`),
  );

afterEach(() => walletState.set({ status: 'disconnected', wallet: null, account: null, error: null }));

describe('signing a transaction', () => {
  it('returns a copy of the bytes that the wallet signed, for this account on this chain', async () => {
    const theirs = Uint8Array.of(9, 9);
    const { asked, account } = connect({ signTransaction: async () => [{ signedTransaction: theirs }] });
    const signed = await signWithWallet(TRANSACTION, FOR);
    theirs.fill(0);
    assert.deepEqual(signed, { how: 'signed', bytes: Uint8Array.of(9, 9) });
    assert.deepEqual(asked, [
      { how: 'signTransaction', inputs: [{ account, transaction: TRANSACTION, chain: 'solana:devnet' }] },
    ]);
  });

  it('a wallet that can both sign and send is asked only to sign', async () => {
    const { asked } = connect({
      signAndSendTransaction: async () => [{ signature: new Uint8Array(64) }],
      signTransaction: async () => [{ signedTransaction: TRANSACTION }],
    });
    assert.equal((await signWithWallet(TRANSACTION, FOR)).how, 'signed');
    assert.deepEqual(
      asked.map(({ how }) => how),
      ['signTransaction'],
    );
  });

  it('a wallet that only sends returns a signature, which is encoded in base58 including its leading zeros', async () => {
    const signature = Uint8Array.from([0, 0, ...new Uint8Array(62).fill(255)]);
    connect({ signAndSendTransaction: async () => [{ signature }] });
    assert.deepEqual(await signWithWallet(TRANSACTION, FOR), {
      how: 'sent',
      signature: encodeBase58(signature),
    });
  });

  it('the error for a wallet that does less than required names the wallet and what it did', async () => {
    connect({ signTransaction: async () => [] });
    await rejectsAs('failed', /Signer .*it returned nothing/);
    connect({ signAndSendTransaction: async () => [] });
    await rejectsAs('failed', /it returned nothing/);
    connect({ signTransaction: async () => [{}] });
    await rejectsAs('failed', /^Signer could not sign/);
    connect({ signTransaction: async () => undefined });
    await rejectsAs('failed', /^Signer could not sign/);
    connect({
      signTransaction: () => {
        throw new Error('the device is locked');
      },
    });
    await rejectsAs('failed', /the device is locked/);
    connect({ signTransaction: () => Promise.reject({ code: 4001 }) });
    await rejectsAs('refused', /declined/);
    connect({});
    await rejectsAs('failed', /it cannot sign transactions/);
  });

  it('is requested only from the account that it was prepared for', async () => {
    const { asked } = connect({ signTransaction: async () => [{ signedTransaction: TRANSACTION }] });
    await assert.rejects(
      signWithWallet(TRANSACTION, { ...FOR, walletAddress: 'yours' }),
      (error) => isWalletError(error, 'wrong-account') && /Select yours in Signer/.test(error.message),
    );
    assert.deepEqual(asked, []);
    walletState.set({ ...walletState.get(), account: null });
    await rejectsAs('unsupported', /No wallet is connected/);
  });
});

describe('the version to build for a wallet', () => {
  const announcing = (supportedTransactionVersions: readonly unknown[], how = 'signTransaction') => {
    const features = { [`solana:${how}`]: { version: '1.0.0', supportedTransactionVersions } };
    const wallet = { name: 'Signer', features } as unknown as Wallet;
    const account = { address: 'mine', publicKey: new Uint8Array(32) } as unknown as WalletAccount;
    walletState.set({ status: 'connected', wallet, account, error: null });
  };

  it('is the version that the service chose, if the wallet announces it', () => {
    announcing(['legacy', 0, 1]);
    for (const version of ['legacy', 0, 1] as const) assert.equal(otherVersion(version), null);
  });

  it('is otherwise the announced version that most wallets support', () => {
    announcing([1, 0]);
    assert.equal(otherVersion('legacy'), 0);
    announcing([1], 'signAndSendTransaction');
    assert.equal(otherVersion('legacy'), 1);
  });

  it('is not changed if the wallet announces none that the service builds', () => {
    announcing([7]);
    assert.equal(otherVersion('legacy'), null);
    announcing([]);
    assert.equal(otherVersion(undefined), null);
    walletState.set({ status: 'disconnected', wallet: null, account: null, error: null });
    assert.equal(otherVersion('legacy'), null);
  });
});
