// Parses a command line strictly. Refuses unknown commands and options, with a suggestion.
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { nearestName } from '../src/config/nearest-name.ts';
import type { Command, CommandOption } from './command.ts';
import { globalOptions, SHORT_NAMES } from './global-options.ts';
import { UsageError } from './usage-error.ts';

export interface CommandLine {
  /** Undefined if only the help can be shown. */
  readonly command: Command | undefined;
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

const descriptors = (
  options: Readonly<Record<string, CommandOption>>,
): Record<string, ParseArgsOptionDescriptor> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => {
      const short = Object.entries(SHORT_NAMES).find(([, long]) => long === name)?.[0];
      return [name, { type: value === undefined ? 'boolean' : 'string', ...(short ? { short } : {}) }];
    }),
  );

const MIN_BEGINNING = 4;

/** Suggests the most likely known name: the nearest one, or the only one that begins with `name`. Returns an empty text if none is similar. */
export const suggestName = (name: string, known: readonly string[]): string => {
  const begun = name.length < MIN_BEGINNING ? [] : known.filter((each) => each.startsWith(name));
  const nearest = nearestName(name, known) ?? (begun.length === 1 ? begun[0] : undefined);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
};

/** Command names from other tools that users may type out of habit. */
const SYNONYMS: Readonly<Record<string, string>> = {
  delegate: 'stake',
  deactivate: 'unstake',
  undelegate: 'unstake',
  redelegate: 'restake',
  claim: 'withdraw',
  status: 'summary',
  portfolio: 'summary',
  wallet: 'balance',
  info: 'validator',
  login: 'config',
  init: 'config',
  merge: 'tidy',
};

/** Names that users may try in order to preview a change. */
const PREVIEWS: readonly string[] = ['plan', 'preview', 'quote', 'dry-run'];

/** Creates the error for a command that does not exist, with a suggestion. */
export const unknownCommand = (name: string, commands: readonly Command[]): UsageError => {
  const names = commands.map((each) => each.name);
  if (PREVIEWS.includes(name) && names.includes('unstake'))
    return new UsageError(
      `unknown command ${name}. To see a change without making it, add --dry-run, for example: holdfast unstake 1.5 --dry-run`,
    );
  const synonym = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name]! : name;
  const suggestion = names.includes(synonym) ? ` Did you mean ${synonym}?` : suggestName(name, names);
  return new UsageError(`unknown command ${name}.${suggestion}`);
};

/**
 * Returns the index of the command's name: the first argument that is neither an option nor an option's
 * value.
 */
const commandAt = (argv: readonly string[]): number => {
  const takesValue = (arg: string): boolean => {
    const name = /^--([\w-]+)$/.exec(arg)?.[1] ?? SHORT_NAMES[/^-(\w)$/.exec(arg)?.[1] ?? ''];
    const option = name === undefined ? undefined : (globalOptions as Record<string, CommandOption>)[name];
    return option?.value !== undefined;
  };
  for (let at = 0; at < argv.length; at += 1) {
    if (!argv[at]!.startsWith('-')) return at;
    if (takesValue(argv[at]!)) at += 1;
  }
  return -1;
};

const checkOption = (command: Command | undefined, options: Readonly<Record<string, CommandOption>>) => {
  const known = Object.keys(options).map((name) => `--${name}`);
  return (token: {
    kind: string;
    name?: string;
    rawName?: string;
    value?: string | undefined;
    inlineValue?: boolean | undefined;
  }): void => {
    if (token.kind !== 'option') return;
    const option = Object.hasOwn(options, token.name!) ? options[token.name!] : undefined;
    if (option === undefined) {
      if (token.name === 'direct' && command !== undefined)
        throw new UsageError(
          `${command.name} needs a service. Without one (--direct) you can list, unstake and withdraw.`,
          command.name,
        );
      if (token.name === 'rpc' && command?.name === 'sign')
        throw new UsageError('sign works offline and contacts no RPC node: leave out --rpc', command.name);
      if (/^-\d/.test(token.rawName!) && command?.usage.includes('amountSol'))
        throw new UsageError('the amount must be greater than 0', command.name);
      throw new UsageError(
        `unknown option ${token.rawName}.${suggestName(token.rawName!, known)}`,
        command?.name,
      );
    }
    if (option.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`, command?.name);
      return;
    }
    // A value that begins with a dash is most likely the next option, as in `--keypair --json`.
    if (token.value === undefined || (token.value.startsWith('-') && token.inlineValue !== true))
      throw new UsageError(`${token.rawName} needs a value: ${option.value}`, command?.name);
    if (option.choices && !option.choices.includes(token.value))
      throw new UsageError(`${token.rawName} is one of ${option.choices.join(', ')}`, command?.name);
  };
};

/** Describes the first missing argument. */
const missingText = ({ usage, firstWords = [], examples }: Command, given: number): string => {
  const name = /^<(\w+)/.exec(usage.split(' ')[given] ?? '')?.[1];
  const example = `for example: holdfast ${examples[0]}`;
  if (name === 'amountSol') return `the amount is missing, ${example}`;
  if (name === 'file') return `name a file, ${example}`;
  return given === 0 && firstWords.length > 1
    ? `choose one of: ${firstWords.join(', ')}`
    : `an argument is missing, ${example}`;
};

/** Describes the first surplus argument. */
const surplusText = ({ name, usage, takes: [, most] }: Command, surplus: string): string => {
  const taken =
    most === 0
      ? 'no argument'
      : most > 1
        ? `at most ${most} arguments`
        : usage === '<amountSol>'
          ? 'one amount'
          : 'one argument';
  return `unexpected argument ${surplus}; ${name} takes ${taken}`;
};

/** Joins an amount and its unit, as in `1.5 SOL`, and converts `all` to capitals. */
const plainAmounts = (args: readonly string[]): readonly string[] =>
  args
    .filter((arg, at) => !(/^sol$/i.test(arg) && /^[\d.]+$/.test(args[at - 1] ?? '')))
    .map((arg) => (/^all$/i.test(arg) ? arg.toUpperCase() : arg));

/** Parses `argv` (without node and script). Throws `UsageError` if it is invalid. */
export const parseCommandLine = (argv: readonly string[], commands: readonly Command[]): CommandLine => {
  const at = commandAt(argv);
  const name = at < 0 ? undefined : argv[at]!;
  const command = commands.find((each) => each.name === name);
  if (name !== undefined && command === undefined) throw unknownCommand(name, commands);
  const options = { ...globalOptions, ...command?.options };
  const rest = at < 0 ? [...argv] : argv.toSpliced(at, 1);
  const { values, positionals, tokens } = parseArgs({
    args: rest,
    options: descriptors(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) checkOption(command, options)(token as never);
  const args = command?.usage.includes('amountSol') ? plainAmounts(positionals) : positionals;
  const [least, most] = command?.takes ?? [0, 0];
  const wantsHelp = values.help === true || command === undefined;
  if (!wantsHelp && (args.length < least || args.length > most))
    throw new UsageError(
      args.length < least ? missingText(command, args.length) : surplusText(command, args[most]!),
      command.name,
    );
  return { command, args, values: values as CommandLine['values'] };
};
