// Defines the type of the command line's commands, and their input.
import type { HoldfastClient, Sent } from '../client/holdfast-client.ts';
import { plainResponse } from './show/plain-text.ts';
import { readableJson } from './show/readable-json.ts';
import type { Terminal } from './show/terminal.ts';

/** An option of a command. Options without `value` are switches. */
export interface CommandOption {
  /** Placeholder for the value in the help, e.g. `SOL`. Absent for a switch. */
  readonly value?: string;
  readonly description: string;
  /** The allowed values, also used for shell completion. */
  readonly choices?: readonly string[];
  /** Values for shell completion if other values are allowed too. */
  readonly suggestions?: readonly string[];
}

export interface Command {
  readonly name: string;
  /** One sentence without a period at the end. */
  readonly summary: string;
  /** Arguments as shown in the help, e.g. `<amountSol>` or `[wallet]`. */
  readonly usage: string;
  /** Minimum and maximum number of arguments. */
  readonly takes: readonly [least: number, most: number];
  /** Additional paragraphs of the help. */
  readonly details?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Example command lines that work, without `holdfast`. */
  readonly examples: readonly string[];
  /** Possible first arguments; also used for shell completion. */
  readonly firstWords?: readonly string[];
  /** Possible second arguments, for shell completion. */
  readonly secondWords?: readonly string[];
  /** True for commands that list what a wallet has. They warn if the service is on another chain than before. */
  readonly readsWallet?: true;
  readonly run: (call: CommandCall) => Promise<CommandOutcome>;
}

/**
 * Outcome of a command. After `refused`, the exit code is 1 and no error is printed, because the command has
 * already reported the failed check.
 */
export type CommandOutcome = 'ok' | 'refused';

export interface CommandCall {
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly terminal: Terminal;
  /** True with `--json`: exactly one JSON document on standard output. */
  readonly json: boolean;
  /** True with `--yes`: do not ask for confirmation. */
  readonly yes: boolean;
  readonly client: HoldfastClient;
  /**
   * Returns the given wallet, or otherwise the wallet of the keypair file. Throws `UsageError` if there is
   * neither.
   */
  readonly walletAddress: (given: string | undefined) => string;
  /** Returns the keypair file for signing. Throws `UsageError` if there is none. */
  readonly keypairFile: () => string;
  /** Like `keypairFile`, but returns undefined if there is none. */
  readonly keypairFileIfAny: () => string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Prints a response: unchanged with `--json`, otherwise formatted by `show`. `show` receives only text that is
 * safe for a terminal.
 */
export const printResponse = <Body>(
  { json, terminal }: Pick<CommandCall, 'json' | 'terminal'>,
  sent: Pick<Sent<Body>, 'text' | 'body'>,
  show: (body: Body) => readonly string[],
): void =>
  json ? printJson(terminal, sent.text) : terminal.out(`${show(plainResponse(sent.body)).join('\n')}\n`);

/** Prints JSON text, indented if the output is a terminal. */
export const printJson = ({ out, isScreen }: Terminal, text: string): void =>
  out(`${isScreen ? readableJson(text) : text}\n`);

/**
 * Prints a document created by the command itself. Lamport amounts become text, because a JSON parser may round
 * large numbers.
 */
export const printDocument = (
  { json, terminal }: Pick<CommandCall, 'json' | 'terminal'>,
  document: object,
  show: () => readonly string[],
): void => {
  const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  if (json) printJson(terminal, JSON.stringify(document, text));
  else terminal.out(`${show().join('\n')}\n`);
};
