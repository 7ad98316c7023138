// Starts the Surfpool runtime as a child process, or throws an error that names the alternative.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SurfnetMessage } from './surfnet-child.ts';

/** Handle of a running runtime. Everything else goes through its RPC (`RuntimeClient`). */
export type Surfnet = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Resolves once the runtime's process has exited. */
  stop(): Promise<void>;
};

const MODULES: Readonly<Record<string, string>> = {
  'linux-x64': '@solana/surfpool-linux-x64-gnu',
  'darwin-arm64': '@solana/surfpool-darwin-arm64',
  'darwin-x64': '@solana/surfpool-darwin-x64',
};

/** The native runtime does not run on this machine. The message names the alternative. */
export class SandboxUnavailableError extends Error {
  override readonly name = 'SandboxUnavailableError';
}

const unavailable = (reason: string): SandboxUnavailableError =>
  new SandboxUnavailableError(
    `The sandbox cluster cannot run here: ${reason} Use another cluster instead: set HOLDFAST_RPC_URL and ` +
      'HOLDFAST_VOTE_ACCOUNT (and HOLDFAST_MEMO, HOLDFAST_DONATION_ADDRESS), for example to a local or devnet RPC.',
  );

/** Options of `startSurfnet`. Only tests set them. */
export type SurfnetOptions = {
  /** Default: the current platform, such as `linux-x64`. */
  readonly platform?: string;
  /** Program of the child process. Default: `surfnet-child.ts`. */
  readonly program?: URL;
};

// Maximum number of starts. The runtime picks two free ports and opens them about 30 ms later. If another
// process takes one of them in between, the runtime reports this on standard error and its start call never
// returns (Surfpool 1.5.0; this ended two of about 30 full test runs).
const ATTEMPTS = 5;
const PORT_TAKEN = /already in use|panicked/;
// Starting takes 60 ms on an idle machine.
const START_TIMEOUT_MS = 10_000;

/** Resolves with the child's first message, or with the reason why there was none. */
async function firstMessage(child: ChildProcess): Promise<SurfnetMessage | string> {
  const settled = new AbortController();
  const { signal } = settled;
  const portTaken = new Promise<string>((resolve) => {
    child.stderr!.on('data', (chunk: Buffer) => {
      if (PORT_TAKEN.test(chunk.toString())) resolve('another process took its port');
    });
  });
  const exited = async (): Promise<string> => {
    const [code] = (await once(child, 'exit', { signal })) as [number | null];
    return `it exited with code ${code}`;
  };
  const timedOut = async (): Promise<string> => {
    await delay(START_TIMEOUT_MS, undefined, { signal });
    return `no response for ${START_TIMEOUT_MS / 1_000} s`;
  };
  const message = once(child, 'message', { signal }).then(([first]) => first as SurfnetMessage);
  try {
    return await Promise.race([message, portTaken, exited(), timedOut()]);
  } finally {
    settled.abort();
  }
}

/**
 * Starts an offline Surfpool runtime that produces blocks only on request. Takes about 50 ms (November 2026,
 * 2 cores). If the runtime exits on its own, this process fails with an uncaught error.
 * @throws {SandboxUnavailableError} if there is no module for this platform or it does not load.
 */
export async function startSurfnet(options: SurfnetOptions = {}): Promise<Surfnet> {
  const {
    platform = `${process.platform}-${process.arch}`,
    program = new URL('./surfnet-child.ts', import.meta.url),
  } = options;
  const name = MODULES[platform];
  if (name === undefined) throw unavailable(`there is no native Solana runtime for ${platform}.`);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const child = fork(program, [name], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.stderr!.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    const exited = once(child, 'exit');
    const message = await firstMessage(child);
    if (typeof message !== 'string' && 'rpcUrl' in message) {
      const fail = (code: number | null): never => {
        throw new Error(`The Solana runtime exited unexpectedly (code ${code}).`);
      };
      child.on('exit', fail);
      return {
        ...message,
        stop: async () => {
          child.off('exit', fail);
          child.kill('SIGKILL');
          await exited;
        },
      };
    }
    child.kill('SIGKILL');
    await exited;
    if (typeof message !== 'string')
      throw unavailable(`the native module ${name} did not load (${message.unavailable}).`);
    process.stderr.write(`sandbox: start ${attempt} of the Solana runtime failed: ${message}\n`);
  }
  throw new Error(`The Solana runtime did not start in ${ATTEMPTS} attempts.`);
}
