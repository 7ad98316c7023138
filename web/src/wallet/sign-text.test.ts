// Tests that a text is signed by the account that it was prepared for, and that a signature of any other text
// is refused.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Wallet } from '@wallet-standard/base';
import { decodeBase58Bytes, encodeBase58 } from '../../../src/kernel/base58.ts';
import { canSignTexts } from './features.ts';
import { signTextWithWallet } from './sign-text.ts';
import { walletState } from './wallet-connection.ts';
import { isWalletError, type WalletErrorKind } from './wallet-error.ts';

const TEXT = 'holdfast-autopilot-delete:v1\nnonce=1\n– not only ASCII';

type SignMessage = (...inputs: readonly { message: Uint8Array }[]) => Promise<object[]>;

const walletWith = async (how: (sign: SignMessage) => SignMessage) => {
  const pair = (await crypto.subtle.generateKey({ name: 'Ed25519' }, false, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const honest: SignMessage = (...inputs) =>
    Promise.all(
      inputs.map(async ({ message }) => ({
        signedMessage: message,
        signature: new Uint8Array(
          await crypto.subtle.sign('Ed25519', pair.privateKey, Uint8Array.from(message)),
        ),
      })),
    );
  const account = { address: encodeBase58(publicKey), publicKey, chains: [], features: [] };
  const wallet: Wallet = {
    version: '1.0.0',
    name: 'Signer',
    icon: 'data:image/png;base64,',
    chains: [],
    features: { 'solana:signMessage': { version: '1.0.0', signMessage: how(honest) } },
    accounts: [account],
  };
  walletState.set({ status: 'connected', wallet, account, error: null });
  return { address: account.address, publicKey: pair.publicKey, wallet };
};

const isKind = (kind: WalletErrorKind) => (error: unknown) => isWalletError(error, kind);

afterEach(() => walletState.set({ status: 'disconnected', wallet: null, account: null, error: null }));

describe('a text', () => {
  it('is signed as its UTF-8 bytes, and the signature returned in base58', async () => {
    let given: Uint8Array | undefined;
    const { address, publicKey } = await walletWith((sign) => async (...inputs) => {
      given = inputs[0]!.message;
      return sign(...inputs);
    });
    const text = await signTextWithWallet(TEXT, address);
    assert.deepEqual(given, new TextEncoder().encode(TEXT));
    const signature = new Uint8Array(64);
    assert.equal(decodeBase58Bytes(Buffer.from(text), 0, text.length, signature), 64);
    assert.ok(await crypto.subtle.verify('Ed25519', publicKey, signature, new TextEncoder().encode(TEXT)));
  });

  it('is refused if the wallet changed it before signing, even by one byte', async () => {
    const edits: readonly ((message: Uint8Array) => Uint8Array)[] = [
      (message) => Uint8Array.from([0xff, ...message]),
      (message) => message.subarray(0, -1),
      (message) => message.with(3, message[3]! ^ 1),
    ];
    for (const edit of edits) {
      const { address } = await walletWith(
        (sign) =>
          (...inputs) =>
            sign(...inputs.map(({ message }) => ({ message: edit(message) }))),
      );
      await assert.rejects(signTextWithWallet(TEXT, address), isKind('changed'));
    }
  });

  it('is signed only by the account that it was prepared for', async () => {
    let asked = 0;
    await walletWith((sign) => (...inputs) => {
      asked += 1;
      return sign(...inputs);
    });
    await assert.rejects(signTextWithWallet(TEXT, '1'.repeat(32)), isKind('wrong-account'));
    walletState.set({ status: 'disconnected', wallet: null, account: null, error: null });
    await assert.rejects(signTextWithWallet(TEXT, '1'.repeat(32)), isKind('unsupported'));
    assert.equal(asked, 0);
  });

  it('a refusal, an empty response and a wallet that cannot sign texts have different errors', async () => {
    const declined = await walletWith(() => () => Promise.reject(new Error('User rejected the request.')));
    await assert.rejects(signTextWithWallet(TEXT, declined.address), isKind('refused'));
    const silent = await walletWith(() => async () => []);
    await assert.rejects(signTextWithWallet(TEXT, silent.address), isKind('failed'));
    const { address, wallet } = await walletWith((sign) => sign);
    assert.equal(canSignTexts(wallet), true);
    const without = { ...wallet, features: {} };
    assert.equal(canSignTexts(without), false);
    assert.equal(canSignTexts(null), false);
    walletState.set({ ...walletState.get(), wallet: without });
    await assert.rejects(signTextWithWallet(TEXT, address), isKind('unsupported'));
  });
});
