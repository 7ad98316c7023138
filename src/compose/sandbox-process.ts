// Starts the sandbox as a child process, reads its addresses and controls it. The child never outlives this
// process. If the child dies, `main.ts` restarts it.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Address } from '@solana/kit';
import { request } from 'undici';
import { z } from 'zod';
import type { SandboxCluster } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { AppError } from '../kernel/app-error.ts';
import type { SandboxControl } from '../operations/service-ports.ts';
import type { ServedCluster } from './service-settings.ts';

export interface SandboxProcess {
  readonly cluster: ServedCluster;
  /** Resolves once the child has exited, for whatever reason. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

// Messages from the child. Declared here, so nothing in src/ depends on the sandbox's code.
interface ReadyMessage {
  readonly type: 'ready';
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly controlUrl: string;
  readonly voteAccount: string;
  readonly donationAddress: string;
  readonly memo: string;
  readonly stakewizUrl: string;
  readonly jitoUrl: string;
  readonly profileFile: string;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * Starts the sandbox. Throws `StartError` if it cannot run here; the message explains how to use another
 * cluster.
 */
export const startSandboxProcess = async (settings: SandboxCluster): Promise<SandboxProcess> => {
  const child = fork(fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url)), [], {
    env: {
      HOLDFAST_SANDBOX_EPOCH_SECONDS: String(settings.epochSeconds),
      HOLDFAST_SANDBOX_SLOT_MS: String(settings.slotMs),
      HOLDFAST_SANDBOX_BUSY: settings.busy ? 'on' : 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => undefined);
  try {
    const ready = await readyMessage(child);
    return {
      cluster: {
        endpoints: [{ httpUrl: ready.rpcUrl, wsUrl: ready.wsUrl }],
        voteAccount: ready.voteAccount as Address,
        memo: settings.memo ?? ready.memo,
        donationAddress: settings.donationAddress ?? (ready.donationAddress as Address),
        controlUrl: ready.controlUrl,
        providers: {
          stakewizUrl: ready.stakewizUrl,
          jitoUrl: ready.jitoUrl,
          profileFile: ready.profileFile,
        },
      },
      ended,
      close: () => stop(child, ended),
    };
  } catch (error) {
    await stop(child, ended);
    throw error;
  }
};

const readyMessage = async (child: ChildProcess): Promise<ReadyMessage> => {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]) }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new StartError(`The sandbox exited before it was ready (exit code ${code}).`);
      }),
    ]);
    const outcome = message as ReadyMessage | { type: 'failed'; message: string };
    if (outcome.type !== 'ready') throw new StartError(outcome.message);
    return outcome;
  } finally {
    settled.abort();
  }
};

const stop = async (child: ChildProcess, ended: Promise<void>): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (child.connected) child.disconnect();
  const impatient = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(impatient);
};

// Timeout of a control call, in ms. Skipping a hundred epochs takes about ten seconds on a shared two-core
// machine (2026-11).
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
const validatorSchema = z.object({
  commissionBps: z.number(),
  votes: z.boolean(),
  ticketLamports: z.coerce.bigint(),
  admitted: z.boolean(),
  balanceLamports: z.coerce.bigint(),
});
const networkSchema = z.object({
  busy: z.boolean(),
  waiting: z.number(),
  transactionsPerBlock: z.number().optional(),
  backgroundPerBlock: z.number().optional(),
  unitPrices: z.array(z.number()).optional(),
  waveBlocks: z.number().optional(),
  seed: z.number().optional(),
});

/** Calls the sandbox at `controlUrl`. Throws `AppError('UPSTREAM_UNAVAILABLE')` for every failure. */
export const createSandboxControl = (controlUrl: string): SandboxControl => {
  const ask = async <Result>(
    schema: z.ZodType<Result>,
    signal: AbortSignal,
    path: string,
    body?: object,
  ): Promise<Result> => {
    try {
      const response = await request(`${controlUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
        headersTimeout: CONTROL_TIMEOUT_MS,
        bodyTimeout: CONTROL_TIMEOUT_MS,
        signal,
      });
      const members: unknown = await response.body.json();
      if (response.statusCode !== 200) throw new Error(`the sandbox responded with ${response.statusCode}`);
      return schema.parse(members);
    } catch (cause) {
      throw new AppError('UPSTREAM_UNAVAILABLE', 'The sandbox could not carry out the request.', {
        reason: 'SANDBOX',
        cause,
      });
    }
  };
  return {
    state: (signal) => ask(stateSchema, signal, '/state'),
    airdrop: (walletAddress, lamports, signal) =>
      ask(airdropSchema, signal, '/airdrop', { walletAddress, lamports: lamports.toString() }),
    endEpochs: (count, signal) => ask(epochSchema, signal, '/epoch', { count }),
    setValidator: (conduct, signal) => ask(validatorSchema, signal, '/validator', conduct),
    setNetwork: (load, signal) => ask(networkSchema, signal, '/network', load),
  };
};
