// What a command of the command line is, and what it gets when it runs.
import type { HoldfastClient, Sent } from '../client/holdfast-client.ts';
import { plainAnswer } from './show/plain-text.ts';
import { readableJson } from './show/readable-json.ts';
import type { Terminal } from './show/terminal.ts';

/** One option of a command; without `value` it is a switch. */
export interface CommandOption {
  /** Placeholder of the value in the help, e.g. `SOL`. */
  readonly value?: string;
  readonly description: string;
  /** The only values allowed; completed by the shell. */
  readonly choices?: readonly string[];
}

/** A command. */
export interface Command {
  readonly name: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  /** The arguments as the help shows them, e.g. `<amountSol>` or `[wallet]`. */
  readonly usage: string;
  /** Least and most arguments. */
  readonly takes: readonly [least: number, most: number];
  /** Further paragraphs of the help. */
  readonly details?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Command lines that work as they stand, without `holdfast`. */
  readonly examples: readonly string[];
  /** Words that the first argument may be; completed by the shell. */
  readonly firstWords?: readonly string[];
  readonly run: (call: CommandCall) => Promise<CommandOutcome>;
}

/** `refused`: answered, and the answer is no (exit code 1 without an error). */
export type CommandOutcome = 'ok' | 'refused';

/** What a command gets. */
export interface CommandCall {
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly terminal: Terminal;
  /** `--json`: exactly one JSON document on standard output. */
  readonly json: boolean;
  /** `--yes`: do not ask. */
  readonly yes: boolean;
  readonly client: HoldfastClient;
  /** The wallet that is meant: what is given, else the one of the keypair file. Throws `UsageError` without either. */
  readonly walletAddress: (given: string | undefined) => string;
  /** The keypair file to sign with. Throws `UsageError` where there is none. */
  readonly keypairFile: () => string;
  /** As `keypairFile`, undefined where there is none. */
  readonly keypairFileIfAny: () => string | undefined;
  readonly signal: AbortSignal;
}

/** Prints an answer: as it came for programs, by `show`, which gets only harmless text, for people. */
export const printAnswer = <Body>(
  { json, terminal }: Pick<CommandCall, 'json' | 'terminal'>,
  sent: Pick<Sent<Body>, 'text' | 'body'>,
  show: (body: Body) => readonly string[],
): void =>
  json ? printJson(terminal, sent.text) : terminal.out(`${show(plainAnswer(sent.body)).join('\n')}\n`);

/** Prints JSON text: for a person at a screen indented, else as it is. */
export const printJson = ({ out, isScreen }: Terminal, text: string): void =>
  out(`${isScreen ? readableJson(text) : text}\n`);

/** Prints a document made here. Amounts in lamports become text, which no parser rounds. */
export const printDocument = (
  { json, terminal }: Pick<CommandCall, 'json' | 'terminal'>,
  document: object,
  show: () => readonly string[],
): void => {
  const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  if (json) printJson(terminal, JSON.stringify(document, text));
  else terminal.out(`${show().join('\n')}\n`);
};
