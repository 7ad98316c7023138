// Runs `holdfast` command lines in this process with a scripted terminal. Returns the output, the prompts and
// the exit code.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../cli/all-commands.ts';
import { runCli } from '../../cli/run-cli.ts';
import type { Terminal } from '../../cli/show/terminal.ts';
import { type ClientClock, machineClock } from '../../client/client-clock.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';

/** Config folder of these command lines, so they never use the developer's own. */
export const configFolder = mkdtempSync(join(tmpdir(), 'holdfast-config-'));
process.once('exit', () => rmSync(configFolder, { recursive: true, force: true }));

export interface KeypairFile {
  readonly path: string;
  readonly walletAddress: string;
  /** The seed in every encoding in which it could be sent. */
  readonly secrets: readonly string[];
}

/** Writes a new wallet's keypair file in solana-keygen's format. */
export const keypairFile = (scope: Scope): KeypairFile => {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, publicKey] = [Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')];
  const bytes = Buffer.concat([seed, publicKey]);
  const path = join(temporaryFolder(scope), 'id.json');
  writeFileSync(path, JSON.stringify([...bytes]), { mode: 0o600 });
  return {
    path,
    walletAddress: encodeBase58(publicKey),
    secrets: [
      encodeBase58(bytes),
      encodeBase58(seed),
      seed.toString('base64').replace(/=+$/, ''),
      seed.toString('base64url'),
      seed.toString('hex'),
      [...seed].join(','),
    ],
  };
};

interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  readonly json: () => Record<string, unknown>;
  /** The error body printed with `--json`. */
  readonly error: () => Record<string, unknown>;
}

/** Settings of the scripted terminal. */
export interface CliSurroundings {
  /** The user's replies to the prompts, in order. A prompt without a reply throws. */
  readonly responses?: readonly (string | (() => string | Promise<string>))[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly clock?: ClientClock;
  /** Default: false. */
  readonly isScreen?: boolean;
  /** Width of the terminal. Default: 80. */
  readonly columns?: number;
  /** Receives stdout as it is written. */
  readonly onOut?: (text: string) => void;
  /** Receives stderr as it is written. */
  readonly onErr?: (text: string) => void;
}

/** Runs `holdfast ...argv`. */
export const holdfast = async (
  argv: readonly string[],
  {
    responses,
    environment = {},
    signal = new AbortController().signal,
    clock = machineClock,
    isScreen = false,
    columns = 80,
    onOut,
    onErr,
  }: CliSurroundings = {},
): Promise<CliRun> => {
  let [stdout, stderr] = ['', ''];
  const left = [...(responses ?? [])];
  const unpainted: Terminal['paintOut'] = (_tone, text) => text;
  const terminal: Terminal = {
    out: (text) => {
      stdout += text;
      onOut?.(text);
    },
    err: (text) => {
      stderr += text;
      onErr?.(text);
    },
    environment: { HOME: configFolder, XDG_CONFIG_HOME: configFolder, ...environment },
    isScreen,
    columns,
    canAsk: responses !== undefined,
    paintOut: unpainted,
    paintErr: unpainted,
    ask: async (question) => {
      stderr += question;
      const response = left.shift();
      if (response === undefined)
        throw new Error('the command line prompted more often than the test replies');
      return typeof response === 'string' ? response : response();
    },
    clock,
  };
  const code = await runCli(argv, commands, terminal, signal);
  return {
    code,
    stdout,
    stderr,
    json: () => JSON.parse(stdout) as Record<string, unknown>,
    error: () => JSON.parse(stderr) as Record<string, unknown>,
  };
};

/** Makes the command lines in this process trust the service at `url`, like a user's one-time approval. */
export const trustService = async (url: string, environment?: Readonly<Record<string, string>>) => {
  const { code, stderr } = await holdfast(['trust', '--yes', '--url', url], {
    environment: environment ?? {},
  });
  if (code !== 0) throw new Error(stderr);
};
