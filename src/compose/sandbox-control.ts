// The sandbox's control interface over HTTP: the service reaches its sandbox by URL only, like any other cluster.
import { request } from 'undici';
import { z } from 'zod';
import { AppError } from '../kernel/app-error.ts';
import type { SandboxControl } from '../operations/context.ts';

// Ending a hundred epochs takes some ten seconds on the shared two-core machine (2026-11).
const CONTROL_TIMEOUT_MS = 60_000;

const stateSchema = z.object({
  rpcUrl: z.string(),
  wsUrl: z.string(),
  epoch: z.number(),
  voteAccount: z.string(),
  faucetAddress: z.string(),
});
const airdropSchema = z.object({ signature: z.string() });
const epochSchema = z.object({ epoch: z.number() });

/** Talks to the sandbox at `controlUrl`. Every failure is `UPSTREAM_UNAVAILABLE`. */
export const createSandboxControl = (controlUrl: string): SandboxControl => {
  const ask = async <Result>(
    schema: z.ZodType<Result>,
    signal: AbortSignal,
    path: string,
    body?: object,
  ): Promise<Result> => {
    try {
      const answer = await request(`${controlUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
        headersTimeout: CONTROL_TIMEOUT_MS,
        bodyTimeout: CONTROL_TIMEOUT_MS,
        signal,
      });
      const members: unknown = await answer.body.json();
      if (answer.statusCode !== 200) throw new Error(`the sandbox answered ${answer.statusCode}`);
      return schema.parse(members);
    } catch (cause) {
      throw new AppError('UPSTREAM_UNAVAILABLE', 'The sandbox did not do it.', { cause });
    }
  };
  return {
    state: (signal) => ask(stateSchema, signal, '/state'),
    airdrop: (walletAddress, lamports, signal) =>
      ask(airdropSchema, signal, '/airdrop', { walletAddress, lamports: lamports.toString() }),
    endEpochs: (count, signal) => ask(epochSchema, signal, '/epoch', { count }),
  };
};
