// Common calls in tests of the running service: refusals as values, raw bodies, and unsigned transactions that
// are signed and submitted.
import assert from 'node:assert/strict';
import { Refusal } from '../../demo/http-client.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from './patience.ts';
import type { RunningService } from './service-fixture.ts';
import { signedBy, type TestWallet } from './wallets.ts';

/** Returns the refusal of a call that must be refused. */
export const refused = (call: Promise<unknown>): Promise<Refusal> =>
  call.then(
    (response) => assert.fail(`it should have been refused: ${JSON.stringify(response)}`),
    (error: unknown) => {
      assert.ok(error instanceof Refusal, String(error));
      return error;
    },
  );

/** Returns the status, title and code of a call that must be refused. */
export const refusalFacts = async (call: Promise<unknown>): Promise<readonly unknown[]> => {
  const { status, body } = await refused(call);
  return [status, body.error, body.errorCode];
};

/** Sends a body as written. Returns the response with its headers. */
export const sendText = async (
  { url }: Pick<RunningService, 'url'>,
  path: string,
  text: string,
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> => {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
    signal: patience(),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
};

/** Builds at `path`, signs with the wallet and submits. Returns both responses. */
export const buildAndSubmit = async (
  { client }: Pick<RunningService, 'client'>,
  wallet: TestWallet,
  path: string,
  body: Readonly<Record<string, unknown>>,
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
): Promise<{ built: any; submitted: any }> => {
  const built = await client.post(path, { walletAddress: wallet.walletAddress, ...body });
  const signedTransaction = signedBy(wallet, built.transaction);
  return { built, submitted: await client.post('/api/v1/transaction/submit', { signedTransaction }) };
};

/** Stakes `amountSol` with one call. Returns the address of the new stake account. */
export const stakeNow = async (
  { client }: Pick<RunningService, 'client'>,
  { walletAddress, secretKey }: TestWallet,
  amountSol = 2,
): Promise<string> =>
  (await client.post('/api/v1/stake', { walletAddress, secretKey, amountSol })).stakeAccountAddress;

/** Converts SOL as returned by the service to lamports. */
export const lamportsOf = (sol: unknown): bigint => BigInt(Math.round(Number(sol) * 1e9));

export const fund = (sandbox: Sandbox, address: string, lamports: bigint): Promise<string> =>
  sandbox.airdrop(address, lamports, patience());

/** Reads the balance of an address directly from the chain. */
export const balanceOf = async (sandbox: Sandbox, address: string): Promise<bigint> => {
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getBalance',
      params: [address, { commitment: 'confirmed' }],
    }),
    signal: patience(),
  });
  return BigInt(((await response.json()) as { result: { value: number } }).result.value);
};
