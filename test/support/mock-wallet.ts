// A Wallet Standard wallet for tests, registered in the page like that of a browser extension. It signs,
// refuses, waits or tampers as configured.
import type { Page } from 'playwright-core';

/** The wallet's behavior when asked to sign. `fee` adds a priority fee, as many wallets do. */
type WalletMode = 'sign' | 'refuse' | 'hold' | 'tamper' | 'fee';

interface MockWalletOptions {
  readonly name: string;
  readonly chains: readonly string[];
  readonly mode: WalletMode;
  /** True if the wallet refuses to connect. */
  readonly refusesConnection: boolean;
  /** True if the wallet lacks `solana:signTransaction`. */
  readonly cannotSign: boolean;
  /** True if the wallet lacks `solana:signMessage`. */
  readonly cannotSignTexts: boolean;
  /** The private fields of its key as a JWK, or null to generate a key. */
  readonly key: { readonly d: string; readonly x: string } | null;
  /**
   * The announced address as bytes, such as that of a vault, which has no private key. Null for the address of
   * the wallet's own key.
   */
  readonly announces: readonly number[] | null;
  readonly versions: readonly ('legacy' | 0 | 1)[];
}

interface Control {
  mode: WalletMode;
  asked: number;
  signed: number;
  address: string;
  release: () => void;
}

// Runs in the page, so it must not use anything from outside itself.
const install = (options: MockWalletOptions): void => {
  const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const base58 = (bytes: Uint8Array): string => {
    let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    let text = '';
    for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text;
    for (const byte of bytes) {
      if (byte !== 0) break;
      text = `1${text}`;
    }
    return text;
  };
  const waiting: (() => void)[] = [];
  const control: Control = {
    mode: options.mode,
    asked: 0,
    signed: 0,
    address: '',
    release: () => {
      for (const go of waiting.splice(0)) go();
    },
  };
  Object.assign(globalThis, { mockWallet: control });
  let pair: { privateKey: CryptoKey; publicKey: CryptoKey } | undefined;
  const makePair = async () =>
    (await crypto.subtle.generateKey({ name: 'Ed25519' }, false, [
      'sign',
      'verify',
    ])) as unknown as NonNullable<typeof pair>;
  const importPair = async ({ d, x }: { d: string; x: string }) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x };
    return {
      privateKey: await crypto.subtle.importKey('jwk', { ...jwk, d }, 'Ed25519', false, ['sign']),
      publicKey: await crypto.subtle.importKey('jwk', jwk, 'Ed25519', true, ['verify']),
    };
  };
  let accounts: object[] = [];
  const connect = async () => {
    if (options.refusesConnection)
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    pair ??= await (options.key === null ? makePair() : importPair(options.key));
    const publicKey = options.announces
      ? Uint8Array.from(options.announces)
      : new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
    control.address = base58(publicKey);
    accounts = [
      { address: control.address, publicKey, chains: options.chains, features: ['solana:signTransaction'] },
    ];
    return { accounts };
  };
  // Adds one program after the accounts, and one instruction that sets a unit price of one micro-lamport.
  const COMPUTE_BUDGET = '0306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a40000000';
  const withFee = (message: Uint8Array): Uint8Array => {
    const versioned = message[0] === 0x80;
    const header = versioned ? 1 : 0;
    const accounts = message[header + 3]!;
    const accountsEnd = header + 4 + accounts * 32;
    const instructionsAt = accountsEnd + 32;
    const program = Uint8Array.from(COMPUTE_BUDGET.match(/../g)!, (pair) => Number.parseInt(pair, 16));
    const end = versioned ? message.length - 1 : message.length;
    return Uint8Array.from([
      ...message.subarray(0, header + 2),
      message[header + 2]! + 1,
      accounts + 1,
      ...message.subarray(header + 4, accountsEnd),
      ...program,
      ...message.subarray(accountsEnd, instructionsAt),
      message[instructionsAt]! + 1,
      ...message.subarray(instructionsAt + 1, end),
      ...[accounts, 0, 9, 3, 1, 0, 0, 0, 0, 0, 0, 0],
      ...message.subarray(end),
    ]);
  };
  const attend = async (): Promise<void> => {
    control.asked += 1;
    if (control.mode === 'refuse')
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    if (control.mode === 'hold') await new Promise<void>((go) => waiting.push(go));
  };
  const signBytes = async (bytes: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', pair!.privateKey, Uint8Array.from(bytes)));
  const signText = async ({ message }: { message: Uint8Array }) => {
    await attend();
    // Adds a prefix, as hardware wallets do.
    const signedMessage =
      control.mode === 'tamper' ? Uint8Array.from([0xff, ...message]) : Uint8Array.from(message);
    control.signed += 1;
    return { signedMessage, signature: await signBytes(signedMessage) };
  };
  const sign = async ({ transaction }: { transaction: Uint8Array }) => {
    await attend();
    // In version 1, the signatures come last.
    const isVersion1 = transaction[0] === 0x81;
    const messageAt = isVersion1 ? 0 : 1 + transaction[0]! * 64;
    const signaturesAt = isVersion1 ? transaction.length - 64 * transaction[1]! : 1;
    const signed =
      control.mode === 'fee'
        ? Uint8Array.from([
            ...transaction.subarray(0, messageAt),
            ...withFee(transaction.subarray(messageAt)),
          ])
        : Uint8Array.from(transaction);
    // Changes one letter of the memo, so the transaction stays well-formed but becomes a different one.
    if (control.mode === 'tamper') signed[signed.length - 3]! ^= 1;
    const message = signed.slice(messageAt, isVersion1 ? signaturesAt : undefined);
    // The wallet pays the fee, so its signature comes first.
    signed.set(await signBytes(message), signaturesAt);
    control.signed += 1;
    return { signedTransaction: signed };
  };
  const wallet = {
    version: '1.0.0',
    name: options.name,
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiLz4=',
    chains: options.chains,
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:events': { version: '1.0.0', on: () => () => undefined },
      ...(options.cannotSign
        ? {}
        : {
            'solana:signTransaction': {
              version: '1.0.0',
              supportedTransactionVersions: options.versions,
              signTransaction: (...inputs: { transaction: Uint8Array }[]) => Promise.all(inputs.map(sign)),
            },
          }),
      ...(options.cannotSignTexts
        ? {}
        : {
            'solana:signMessage': {
              version: '1.0.0',
              signMessage: (...inputs: { message: Uint8Array }[]) => Promise.all(inputs.map(signText)),
            },
          }),
    },
    get accounts() {
      return accounts;
    },
  };
  const target = globalThis as unknown as EventTarget & { CustomEvent: typeof CustomEvent };
  const register = ({ register: accept }: { register: (added: object) => void }) => accept(wallet);
  target.dispatchEvent(new target.CustomEvent('wallet-standard:register-wallet', { detail: register }));
  target.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail));
};

/**
 * Returns the script to pass to the page as `initScript`. Without `key`, the wallet generates one when it is
 * first connected, and a reload discards it.
 */
export const mockWalletScript = (options: Partial<MockWalletOptions> = {}): string =>
  `(${install.toString()})(${JSON.stringify({
    name: 'Test wallet',
    chains: ['solana:localnet'],
    mode: 'sign',
    refusesConnection: false,
    cannotSign: false,
    cannotSignTexts: false,
    key: null,
    announces: null,
    versions: ['legacy', 0],
    ...options,
  })})`;

/** Reads the requests to the wallet in `page`, and sets its next behavior. */
export const mockWallet = (page: Page) => ({
  state: (): Promise<Omit<Control, 'release'>> =>
    page.evaluate('(({ mode, asked, signed, address }) => ({ mode, asked, signed, address }))(mockWallet)'),
  setMode: (mode: WalletMode): Promise<void> => page.evaluate(`void (mockWallet.mode = '${mode}')`),
  /** Resolves once `times` requests have been made. */
  asked: async (times: number): Promise<void> => {
    await page.waitForFunction(
      (wanted) => (globalThis as unknown as { mockWallet: Control }).mockWallet.asked >= wanted,
      times,
    );
  },
  /** Releases signing requests held in the mode `hold`. */
  release: (): Promise<void> => page.evaluate('mockWallet.release()'),
});
