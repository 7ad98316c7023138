// Tests that a wallet that was disconnected or cannot be used here is never shown as connected, that no wallet
// opens unprompted, and that wallets may register at any time.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';

const stored = new Map<string, string>();
let isStorageBlocked = false;
Object.defineProperty(globalThis, 'localStorage', {
  get: () => {
    if (isStorageBlocked) throw new DOMException('Access is denied for this document.', 'SecurityError');
    return {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
  },
});
const { connectWallet, disconnectWallet, forgetWalletError, installedWallets, startWallets, walletState } =
  await import('./wallet-connection.ts');

const CHAIN = 'solana:devnet';
const account = (address: string, chain: `solana:${string}` = CHAIN): WalletAccount => ({
  address,
  publicKey: new Uint8Array(32),
  chains: [chain],
  features: [],
});

type Changed = { readonly accounts?: readonly WalletAccount[] };

const walletWith = (
  connect: (input?: { silent?: boolean }) => Promise<{ accounts: readonly WalletAccount[] }>,
  more: { chains?: readonly `solana:${string}`[]; features?: object; name?: string } = {},
) => {
  const listeners = new Set<(changed: Changed) => void>();
  const wallet: Wallet = {
    version: '1.0.0',
    name: more.name ?? 'Signer',
    icon: 'data:image/png;base64,',
    chains: more.chains ?? [CHAIN],
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'solana:signTransaction': {},
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (changed: Changed) => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      ...more.features,
    },
    accounts: [],
  };
  const change = (changed: Changed): void => {
    for (const listener of listeners) listener(changed);
  };
  return { wallet, listeners, change };
};

afterEach(async () => {
  await disconnectWallet();
  stored.clear();
  isStorageBlocked = false;
});

it('the page keeps the address of a wallet that locks itself, and forgets it on disconnect', async () => {
  const { wallet, change } = walletWith(async () => ({ accounts: [account('here')] }));
  await connectWallet(wallet, CHAIN);
  change({ accounts: [] });
  assert.equal(walletState.get().status, 'disconnected');
  assert.equal(stored.get('holdfast-address'), 'here');
  await disconnectWallet();
  assert.equal(stored.get('holdfast-address'), undefined);
});

describe('connecting', () => {
  it('uses the account of this chain, is remembered, and follows changes in the wallet', async () => {
    const asked: unknown[] = [];
    const { wallet, change, listeners } = walletWith(async (input) => {
      asked.push(input);
      return { accounts: [account('elsewhere', 'solana:mainnet'), account('here')] };
    });
    const connecting = connectWallet(wallet, CHAIN);
    assert.equal(walletState.get().status, 'connecting');
    await connecting;
    assert.deepEqual([walletState.get().status, walletState.get().account?.address], ['connected', 'here']);
    assert.deepEqual(asked, [{}]);
    assert.equal(stored.get('holdfast-wallet'), 'Signer');
    change({ accounts: [account('another')] });
    assert.equal(walletState.get().account?.address, 'another');
    assert.equal(stored.get('holdfast-address'), 'another');
    change({});
    assert.equal(walletState.get().account?.address, 'another');
    change({ accounts: [] });
    assert.equal(walletState.get().status, 'disconnected');
    assert.equal(listeners.size, 0, 'no listener remains on a disconnected wallet');
  });

  it('reports a refusal, which can be dismissed', async () => {
    const { wallet } = walletWith(() => Promise.reject(new Error('User rejected the request.')));
    await connectWallet(wallet, CHAIN);
    assert.equal(walletState.get().status, 'disconnected');
    const { kind, title, message } = walletState.get().error!;
    assert.deepEqual(
      [kind, title, message],
      ['refused', 'Connection declined', 'Signer did not share anything with this page.'],
    );
    forgetWalletError();
    assert.equal(walletState.get().error, null);
    assert.equal(stored.size, 0);
  });

  it('treats a response without accounts as a refusal, but not when connecting silently', async () => {
    const { wallet } = walletWith(async () => ({ accounts: [] }));
    await connectWallet(wallet, CHAIN);
    assert.equal(walletState.get().error?.kind, 'refused');
    await connectWallet(wallet, CHAIN, true);
    assert.deepEqual([walletState.get().status, walletState.get().error], ['disconnected', null]);
  });

  it('silently requests only earlier permissions, and reports no failure', async () => {
    const asked: unknown[] = [];
    const { wallet } = walletWith((input) => {
      asked.push(input);
      return Promise.reject(new Error('locked'));
    });
    await connectWallet(wallet, CHAIN, true);
    assert.deepEqual(asked, [{ silent: true }]);
    assert.deepEqual([walletState.get().status, walletState.get().error], ['disconnected', null]);
  });

  it('does not ask a wallet that cannot be used here', async () => {
    let asked = 0;
    const connect = async () => {
      asked += 1;
      return { accounts: [account('here')] };
    };
    for (const [more, kind] of [
      [{ chains: ['solana:mainnet'] }, 'wrong-chain'],
      [{ chains: [] }, 'unsupported'],
      [{ features: { 'solana:signTransaction': undefined } }, 'unsupported'],
      [{ features: { 'standard:connect': undefined } }, 'unsupported'],
    ] as const) {
      await connectWallet(walletWith(connect, more).wallet, CHAIN);
      assert.equal(walletState.get().error?.kind, kind);
    }
    assert.equal(asked, 0);
    const { wallet } = walletWith(connect, {
      features: { 'solana:signTransaction': undefined, 'solana:signAndSendTransaction': {} },
    });
    await connectWallet(wallet, CHAIN);
    assert.equal(walletState.get().status, 'connected', 'a wallet that only sends is enough');
  });

  it('ignores a late response or failure after another wallet was chosen', async () => {
    const late: { give: () => void; fail: () => void }[] = [];
    const slow = walletWith(
      () =>
        new Promise((resolve, reject) => {
          late.push({
            give: () => resolve({ accounts: [account('late')] }),
            fail: () => reject(new Error('late')),
          });
        }),
      { name: 'Slow' },
    );
    const quick = walletWith(async () => ({ accounts: [account('quick')] }));
    for (const end of ['give', 'fail'] as const) {
      const first = connectWallet(slow.wallet, CHAIN);
      await connectWallet(quick.wallet, CHAIN);
      late.pop()![end]();
      await first;
      assert.equal(walletState.get().account?.address, 'quick', end);
      assert.equal(stored.get('holdfast-wallet'), 'Signer');
    }
  });

  it('uses only the last of two attempts with one wallet, in any order of the responses', async () => {
    const responses: PromiseWithResolvers<{ accounts: readonly WalletAccount[] }>[] = [];
    const { wallet, listeners } = walletWith(() => {
      responses.push(Promise.withResolvers());
      return responses.at(-1)!.promise;
    });
    const silent = connectWallet(wallet, CHAIN, true);
    const clicked = connectWallet(wallet, CHAIN);
    responses[0]!.reject(new Error('locked'));
    await silent;
    assert.equal(
      walletState.get().status,
      'connecting',
      'the failure of the silent attempt is not reported for the click',
    );
    responses[1]!.resolve({ accounts: [account('clicked')] });
    await clicked;
    assert.equal(walletState.get().account?.address, 'clicked');

    const attempts = [connectWallet(wallet, CHAIN), connectWallet(wallet, CHAIN)];
    responses[2]!.resolve({ accounts: [account('first')] });
    responses[3]!.resolve({ accounts: [account('last')] });
    await Promise.all(attempts);
    assert.deepEqual([walletState.get().account?.address, listeners.size], ['last', 1]);
    await disconnectWallet();
    assert.equal(listeners.size, 0, 'no listener is left behind that would connect again');
  });

  it('forgets the wallet on disconnect, without waiting for the wallet', async () => {
    const { wallet, change } = walletWith(async () => ({ accounts: [account('here')] }), {
      features: {
        'standard:disconnect': { version: '1.0.0', disconnect: () => Promise.reject(new Error('no')) },
      },
    });
    await connectWallet(wallet, CHAIN);
    await disconnectWallet();
    assert.deepEqual([walletState.get().status, stored.size], ['disconnected', 0]);
    change({ accounts: [account('back')] });
    assert.equal(walletState.get().status, 'disconnected');
  });
});

describe('the wallets of a browser', () => {
  const { register } = getWallets();
  const connectedAddress = () => walletState.get().account?.address;
  /** Resolves after pending promises have run. */
  const idle = () => new Promise((resolve) => setImmediate(resolve));
  /** A wallet that records the inputs of its `connect`. */
  const recordingWallet = (name: string) => {
    const connections: unknown[] = [];
    const { wallet } = walletWith(
      async (input) => {
        connections.push(input);
        return { accounts: [account(`account of ${name}`)] };
      },
      { name },
    );
    return { wallet, connections };
  };

  it('are listed as they are added and removed, until the list is unsubscribed', (t) => {
    const [first, second, later] = ['First', 'Second', 'Later'].map(recordingWallet);
    t.after(register(first!.wallet));
    const stop = startWallets(CHAIN);
    assert.deepEqual(installedWallets.get(), [first!.wallet]);
    const unregister = register(second!.wallet);
    assert.deepEqual(installedWallets.get(), [first!.wallet, second!.wallet]);
    unregister();
    stop();
    t.after(register(later!.wallet));
    assert.deepEqual(installedWallets.get(), [first!.wallet]);
    assert.deepEqual(
      [first, second, later].flatMap((one) => one!.connections),
      [],
      'no wallet was connected',
    );
  });

  it('reconnect silently if remembered, even if they register late, but not after a disconnect', async (t) => {
    stored.set('holdfast-wallet', 'Remembered');
    t.after(startWallets(CHAIN));
    const [other, remembered] = ['Other', 'Remembered'].map(recordingWallet);
    t.after(register(other!.wallet));
    const unregister = register(remembered!.wallet);
    await idle();
    assert.equal(connectedAddress(), 'account of Remembered');
    assert.deepEqual([other!.connections, remembered!.connections], [[], [{ silent: true }]]);
    await disconnectWallet();
    stored.set('holdfast-wallet', 'Remembered');
    unregister();
    t.after(register(remembered!.wallet));
    await idle();
    assert.equal(connectedAddress(), undefined);
  });

  it('do not replace a wallet that was chosen in the meantime', async (t) => {
    t.after(startWallets(CHAIN));
    await connectWallet(recordingWallet('Chosen').wallet, CHAIN);
    stored.set('holdfast-wallet', 'Remembered');
    t.after(register(recordingWallet('Remembered').wallet));
    await idle();
    assert.equal(connectedAddress(), 'account of Chosen');
  });

  it('connect even if the browser cannot store data, but are not remembered', async (t) => {
    isStorageBlocked = true;
    t.after(startWallets(CHAIN));
    await connectWallet(recordingWallet('Chosen').wallet, CHAIN);
    assert.deepEqual([connectedAddress(), walletState.get().error], ['account of Chosen', null]);
    await disconnectWallet();
    assert.deepEqual([connectedAddress(), stored.size], [undefined, 0]);
  });
});
