// Wallets register at any time: each is listed, and the previously connected one is connected again, silently
// and once.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { getWallets } from '@wallet-standard/app';
import type { Wallet } from '@wallet-standard/base';

const CHAIN = 'solana:devnet';
let stored: string | null = null;
let isBlocked = false;
Object.defineProperty(globalThis, 'localStorage', {
  get: () => {
    if (isBlocked) throw new DOMException('Access is denied for this document.', 'SecurityError');
    return {
      getItem: () => stored,
      setItem: (_key: string, name: string) => {
        stored = name;
      },
      removeItem: () => {
        stored = null;
      },
    };
  },
});
const { connectWallet, disconnectWallet, installedWallets, startWallets, walletState } = await import(
  './wallet-connection.ts'
);

const asked: unknown[] = [];
const walletOf = (name: string): Wallet => {
  const account = { address: `account of ${name}`, chains: [CHAIN] };
  const connect = async (input: unknown) => {
    asked.push(name, input);
    return { accounts: [account] };
  };
  const features = { 'standard:connect': { connect }, 'solana:signTransaction': {} };
  return { name, chains: [CHAIN], features } as unknown as Wallet;
};
const { register } = getWallets();
const connected = () => walletState.get().account?.address;
/** Waits for everything that was started in the background. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(async () => {
  await disconnectWallet();
  asked.length = 0;
  stored = null;
  isBlocked = false;
});

describe('the wallets of a browser', () => {
  it('are listed as they are added and removed, until the list is unsubscribed', (t) => {
    const [first, second, later] = ['First', 'Second', 'Later'].map(walletOf) as [Wallet, Wallet, Wallet];
    t.after(register(first));
    const stop = startWallets(CHAIN);
    assert.deepEqual(installedWallets.get(), [first]);
    const leave = register(second);
    assert.deepEqual(installedWallets.get(), [first, second]);
    leave();
    stop();
    t.after(register(later));
    assert.deepEqual(installedWallets.get(), [first]);
    assert.deepEqual(asked, [], 'no wallet is connected that was not connected before');
  });

  it('reconnect silently if remembered, even if they register late, but not after a disconnect', async (t) => {
    stored = 'Remembered';
    t.after(startWallets(CHAIN));
    t.after(register(walletOf('Other')));
    const leave = register(walletOf('Remembered'));
    await turn();
    assert.deepEqual([connected(), asked], ['account of Remembered', ['Remembered', { silent: true }]]);
    await disconnectWallet();
    stored = 'Remembered';
    leave();
    t.after(register(walletOf('Remembered')));
    await turn();
    assert.equal(connected(), undefined);
  });

  it('do not replace one that was chosen meanwhile', async (t) => {
    t.after(startWallets(CHAIN));
    await connectWallet(walletOf('Chosen'), CHAIN);
    stored = 'Remembered';
    t.after(register(walletOf('Remembered')));
    await turn();
    assert.equal(connected(), 'account of Chosen');
  });

  it('connect even if the browser cannot store data, but are not remembered', async (t) => {
    isBlocked = true;
    t.after(startWallets(CHAIN));
    await connectWallet(walletOf('Chosen'), CHAIN);
    assert.deepEqual([connected(), walletState.get().error], ['account of Chosen', null]);
    await disconnectWallet();
    assert.deepEqual([connected(), stored], [undefined, null]);
  });
});
