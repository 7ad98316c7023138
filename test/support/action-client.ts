// A wallet that follows the Solana Actions standard: it is strict about headers and signatures, and sends the
// transaction itself.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import type {
  ActionGetResponse,
  CompletedAction,
  LinkedAction,
  TransactionResponse,
} from '@solana/actions-spec';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from './patience.ts';
import type { TestWallet } from './wallets.ts';

/** A response from an action's endpoint, with any status. */
interface ActionResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Checks the headers that the standard requires on every response, with this chain's values. */
const checkActionHeaders = (headers: Headers, genesisHash: string): void => {
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('access-control-allow-methods'), 'GET,POST,PUT,OPTIONS');
  const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase();
  for (const name of ['content-type', 'authorization', 'content-encoding', 'accept-encoding'])
    assert.ok(allowed.includes(name), name);
  const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase();
  for (const name of ['x-action-version', 'x-blockchain-ids']) assert.ok(exposed.includes(name), name);
  assert.match(headers.get('x-action-version') ?? '', /^2\.\d+(\.\d+)?$/);
  assert.equal(headers.get('x-blockchain-ids'), `solana:${genesisHash.slice(0, 32)}`);
};

/** Returns the link with the user's values in place of its parameters. */
export const fillLink = (
  { href }: Pick<LinkedAction, 'href'>,
  typed: Readonly<Record<string, string>> = {},
) => href.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(typed[name] ?? ''));

const isSignedBy = (key: PublicKey, message: Uint8Array, signature: Uint8Array): boolean => {
  const x = Buffer.from(key.toBytes()).toString('base64url');
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, message, publicKey, signature);
};

const isEmpty = (signature: Uint8Array): boolean => signature.every((byte) => byte === 0);

/**
 * Signs as the standard requires: rejects missing or invalid signatures of others, and adds only the wallet's
 * own.
 */
const signAsActionWallet = (wallet: TestWallet, transaction: string, latestBlockhash: string): Buffer => {
  const decoded = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  const { message, signatures } = decoded;
  const keys = message.staticAccountKeys;
  const signed = signatures.map((signature) => !isEmpty(signature));
  if (signed.some(Boolean)) {
    const bytes = message.serialize();
    signatures.forEach((signature, index) => {
      if (signed[index] === true) assert.ok(isSignedBy(keys[index]!, bytes, signature), 'malformed');
    });
  } else message.recentBlockhash = latestBlockhash;
  const missing = keys.slice(0, signatures.length).filter((_key, index) => signed[index] === false);
  assert.deepEqual(missing.map(String), [wallet.walletAddress], 'malicious: other signatures are missing');
  decoded.addSignature(new PublicKey(wallet.walletAddress), wallet.sign(message.serialize()));
  return Buffer.from(decoded.serialize());
};

/** Creates a wallet that uses one service's actions. */
export const createActionClient = (
  url: string,
  sandbox: Pick<Sandbox, 'genesisHash' | 'rpcUrl' | 'nextBlock'>,
) => {
  const ask = async <Body>(path: string, init: RequestInit = {}): Promise<ActionResponse<Body>> => {
    const response = await fetch(new URL(path, url), { ...init, signal: patience() });
    checkActionHeaders(response.headers, sandbox.genesisHash);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  };
  const post = <Body>(path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    ask<Body>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  const rpc = async <Result>(method: string, params: readonly unknown[]): Promise<Result> => {
    const response = await fetch(sandbox.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: patience(),
    });
    const { result, error } = (await response.json()) as { result: Result; error?: unknown };
    assert.equal(error, undefined, JSON.stringify(error));
    return result;
  };
  const confirmed = async (signature: string): Promise<unknown> => {
    for (;;) {
      const { value } = await rpc<{ value: ({ err: unknown; confirmationStatus: string } | null)[] }>(
        'getSignatureStatuses',
        [[signature]],
      );
      if (value[0] && value[0].confirmationStatus !== 'processed') return value[0].err ?? null;
      await sandbox.nextBlock(patience());
    }
  };

  const show = async (path: string): Promise<ActionGetResponse> => {
    const { status, body } = await ask<ActionGetResponse>(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  const build = async (path: string, account: string, data?: object): Promise<TransactionResponse> => {
    const { status, body } = await post<TransactionResponse>(path, { account, ...(data ? { data } : {}) });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.type, 'transaction');
    return body;
  };

  /**
   * Signs, sends to the chain without the service, and waits for confirmation. Returns the chain's error if the
   * transaction failed.
   */
  const send = async (
    wallet: TestWallet,
    { transaction }: Pick<TransactionResponse, 'transaction'>,
  ): Promise<{ signature: string; error: unknown }> => {
    const { value: latest } = await rpc<{ value: { blockhash: string } }>('getLatestBlockhash', [
      { commitment: 'confirmed' },
    ]);
    const wire = signAsActionWallet(wallet, transaction, latest.blockhash).toString('base64');
    const signature = await rpc<string>('sendTransaction', [
      wire,
      { encoding: 'base64', skipPreflight: true },
    ]);
    return { signature, error: await confirmed(signature) };
  };

  /** Sends the signed transaction and follows `links.next`. */
  const run = async (
    wallet: TestWallet,
    { transaction, links }: TransactionResponse,
  ): Promise<{ signature: string; completed: CompletedAction }> => {
    const { signature, error } = await send(wallet, { transaction });
    assert.equal(error, null);
    assert.equal(links?.next.type, 'post');
    const href = (links.next as { href: string }).href;
    assert.equal(new URL(href, url).origin, new URL(url).origin);
    const { status, body } = await post<CompletedAction>(href, { account: wallet.walletAddress, signature });
    assert.equal(status, 200, JSON.stringify(body));
    return { signature, completed: body };
  };

  return { ask, post, show, build, send, run };
};
