// Creates test wallets with real key pairs, funded from the sandbox's faucet.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { getBase58Decoder } from '@solana/kit';
import { takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from './patience.ts';

/** A test wallet with the API's field names. */
export interface TestWallet {
  readonly walletAddress: string;
  /** 64 bytes in base58. */
  readonly secretKey: string;
  /** The private fields of its JWK, base64url. */
  readonly jwk: { readonly d: string; readonly x: string };
  readonly publicKeyBytes: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

const base58 = getBase58Decoder();
const bytesOf = (part: string): Buffer => Buffer.from(part, 'base64url');

const walletOf = (key: KeyObject): TestWallet => {
  const { d, x } = key.export({ format: 'jwk' });
  return {
    walletAddress: base58.decode(bytesOf(x!)),
    secretKey: base58.decode(Buffer.concat([bytesOf(d!), bytesOf(x!)])),
    jwk: { d: d!, x: x! },
    publicKeyBytes: bytesOf(x!),
    sign: (message) => sign(null, message, key),
  };
};

export const newWallet = (): TestWallet => walletOf(generateKeyPairSync('ed25519').privateKey);

/** Returns the wallet of a 32-byte seed. */
export const walletOfSeed = (seed: Uint8Array): TestWallet =>
  walletOf(createPrivateKey({ format: 'raw-private', key: seed, asymmetricKeyType: 'ed25519' } as never));

/** Creates a new wallet with `sol` SOL, confirmed. */
export const fundedWallet = async (sandbox: Sandbox, sol: number): Promise<TestWallet> => {
  const wallet = newWallet();
  await sandbox.airdrop(wallet.walletAddress, BigInt(sol) * 1_000_000_000n, patience());
  return wallet;
};

/** Returns the base64 transaction with the wallet's signature as the fee payer's. */
export const signedBy = (wallet: TestWallet, transaction: string): string => {
  const wire = Buffer.from(transaction, 'base64');
  const { message } = takeApart(wire);
  return Buffer.from(withSignature(wire, wallet.walletAddress, wallet.sign(message))).toString('base64');
};
