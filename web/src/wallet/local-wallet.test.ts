// Tests the sandbox's wallet: one key per browser despite concurrent tabs, no address without its key, and
// valid signatures.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Wallet } from '@wallet-standard/base';
import { takeApart } from '../../../client/staking/wire-signatures.ts';
import { buildTransaction } from '../../../src/chain/transactions/transaction.ts';
import { encodeWire } from '../../../src/chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { featuresOf } from './features.ts';
import { readKey, readOrMakeKey } from './key-store.ts';
import { createLocalWallet } from './local-wallet.ts';
import { isWalletError } from './wallet-error.ts';

/**
 * A fake of the part of IndexedDB that the code uses, asynchronous like the real one, because Node has none.
 */
class BrowserDatabase {
  readonly stored = new Map<string, unknown>();
  opened = 0;
  /** If set, the next `add` fails with this error. */
  refusal: Error | null = null;
  /** Simulates another tab just before the next `add`. */
  meanwhile: () => void = () => undefined;
  #isMade = false;

  readonly #later = (work: () => unknown) => {
    const request: Record<string, unknown> = {};
    queueMicrotask(() => {
      try {
        request.result = work();
        (request.onsuccess as () => void)();
      } catch (error) {
        request.error = error;
        (request.onerror as () => void)();
      }
    });
    return request;
  };

  open() {
    this.opened += 1;
    const request = this.#later(() => {
      if (!this.#isMade) (request.onupgradeneeded as () => void)();
      return request.result;
    });
    request.result = {
      createObjectStore: () => {
        this.#isMade = true;
      },
      close: () => {
        this.opened -= 1;
      },
      transaction: () => ({ objectStore: () => this.#store }),
    };
    return request;
  }

  readonly #store = {
    get: (key: string) => this.#later(() => this.stored.get(key)),
    add: (value: unknown, key: string) =>
      this.#later(() => {
        this.meanwhile();
        if (this.refusal !== null) throw this.refusal;
        if (this.stored.has(key)) throw new DOMException('Key already exists', 'ConstraintError');
        this.stored.set(key, structuredClone(value));
      }),
  };
}

let database: BrowserDatabase;
beforeEach(() => {
  database = new BrowserDatabase();
  Object.assign(globalThis, { indexedDB: database, isSecureContext: true });
});

const key = (tag: number) => encodeBase58(new Uint8Array(32).fill(tag)) as never;
const makeKey = async () =>
  (await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])) as CryptoKeyPair;
const addressOf = async ({ publicKey }: CryptoKeyPair): Promise<string> =>
  encodeBase58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));

const connect = async (wallet: Wallet, silent?: boolean) => {
  const { accounts } = await featuresOf(wallet)['standard:connect']!.connect(silent ? { silent } : undefined);
  return accounts;
};

describe('the key', () => {
  it('is created once, kept across reloads, and unreadable for scripts', async () => {
    assert.equal(await readKey(), null);
    const made = await readOrMakeKey();
    assert.equal(made.privateKey.extractable, false);
    assert.equal(await addressOf(await readOrMakeKey()), await addressOf(made));
    assert.equal(database.opened, 0, 'every connection to the database is closed');
  });

  it('that another tab created first is used in this tab as well', async () => {
    const theirs = await makeKey();
    database.meanwhile = () => database.stored.set('wallet', theirs);
    assert.equal(await addressOf(await readOrMakeKey()), await addressOf(theirs));
  });

  it('that the browser cannot store is not returned, because it could never sign', async () => {
    database.refusal = new DOMException('The quota is exceeded', 'QuotaExceededError');
    await assert.rejects(connect(createLocalWallet()), /quota/);
    assert.equal(database.opened, 0);
  });
});

describe('the sandbox wallet', () => {
  it('creates no key before a user connects it', async () => {
    const wallet = createLocalWallet();
    assert.deepEqual([wallet.accounts, await connect(wallet, true), database.stored.size], [[], [], 0]);
    const [account] = await connect(wallet);
    assert.equal(account?.address, await addressOf((await readKey())!));
    assert.equal(account?.publicKey.length, 32);
    assert.deepEqual(await connect(createLocalWallet(), true), [account], 'a reload finds it again');
  });

  it('notifies every listener of every change until the listener is removed', async () => {
    const wallet = createLocalWallet();
    const notified: string[][] = [];
    const off = featuresOf(wallet)['standard:events']!.on('change', ({ accounts = [] }) =>
      notified.push(accounts.map(({ address }) => address)),
    );
    const [account] = await connect(wallet);
    await featuresOf(wallet)['standard:disconnect']!.disconnect();
    off();
    await connect(wallet);
    assert.deepEqual(notified, [[account!.address], []]);
    assert.deepEqual(wallet.accounts, [account]);
  });

  it('puts a valid signature at its own position in each transaction', async () => {
    const wallet = createLocalWallet();
    const [account] = await connect(wallet);
    const payer = account!.address as never;
    const common = { wallet: payer, stakeAccount: key(2), memo: 'example.org', blockhash: key(16) };
    const wires = [
      encodeWire(buildTransaction.stake({ ...common, voteAccount: key(3), lamports: 5n })),
      encodeWire(buildTransaction.unstake(common)),
      encodeWire(buildTransaction.unstake({ ...common, version: 1 })),
    ];
    const outputs = await featuresOf(wallet)['solana:signTransaction']!.signTransaction(
      ...wires.map((transaction) => ({ account: account!, transaction })),
    );
    const { publicKey } = (await readKey())!;
    for (const [index, { signedTransaction }] of outputs.entries()) {
      const wire = wires[index]!;
      const { message, signaturesAt } = takeApart(wire);
      const end = signaturesAt + 64;
      const signature = signedTransaction.slice(signaturesAt, end);
      assert.ok(await crypto.subtle.verify('Ed25519', publicKey, signature, message));
      const others = (bytes: Uint8Array) => [...bytes.slice(0, signaturesAt), ...bytes.slice(end)];
      assert.deepEqual(others(signedTransaction), others(wire), 'nothing else is changed');
    }
  });

  it('does not sign unless its signature is required, nor after its key was deleted', async () => {
    const wallet = createLocalWallet();
    const [account] = await connect(wallet);
    const outsiders = encodeWire(
      buildTransaction.unstake({ wallet: key(1), stakeAccount: key(2), memo: 'm', blockhash: key(16) }),
    );
    const { signTransaction } = featuresOf(wallet)['solana:signTransaction']!;
    await assert.rejects(
      signTransaction({ account: account!, transaction: outsiders }),
      /not a required signer/,
    );
    database.stored.clear();
    const { signMessage } = featuresOf(wallet)['solana:signMessage']!;
    await assert.rejects(
      signMessage({ account: account!, message: Uint8Array.of(1) }),
      /does not have a sandbox key/,
    );
  });

  it('returns the exact bytes of the text that it signed', async () => {
    const wallet = createLocalWallet();
    const [account] = await connect(wallet);
    const message = new TextEncoder().encode('nonce=1\n– not only ASCII');
    const [output] = await featuresOf(wallet)['solana:signMessage']!.signMessage({
      account: account!,
      message,
    });
    assert.deepEqual(output?.signedMessage, message);
    const { publicKey } = (await readKey())!;
    assert.ok(await crypto.subtle.verify('Ed25519', publicKey, Uint8Array.from(output!.signature), message));
  });

  it('reports an insecure page before anything is created', async () => {
    Object.assign(globalThis, { isSecureContext: false });
    await assert.rejects(connect(createLocalWallet()), (error) => isWalletError(error, 'insecure'));
    assert.equal(database.stored.size, 0);
  });
});
