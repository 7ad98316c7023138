// Parses a command line strictly. Refuses unknown commands and options, with a suggestion.
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { nearestName } from '../src/config/nearest-name.ts';
import type { Command, CommandOption } from './command.ts';
import { globalOptions, SHORT_NAMES } from './global-options.ts';
import { UsageError } from './usage-error.ts';

/** A parsed command line. */
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

/** Suggests the known name that was probably meant; empty if no name is similar. */
export const meant = (name: string, known: readonly string[]): string => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
};

/** Names of commands in other tools that people may type out of habit. */
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

/** Creates the error for a command that does not exist, with a suggestion. */
export const unknownCommand = (name: string, commands: readonly Command[]): UsageError => {
  const names = commands.map((each) => each.name);
  const synonym = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name]! : name;
  const suggestion = names.includes(synonym) ? ` Did you mean ${synonym}?` : meant(name, names);
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
      throw new UsageError(`unknown option ${token.rawName}.${meant(token.rawName!, known)}`, command?.name);
    }
    if (option.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`, command?.name);
      return;
    }
    // A value that begins with a dash is most likely the next option: `--keypair --json`.
    if (token.value === undefined || (token.value.startsWith('-') && token.inlineValue !== true))
      throw new UsageError(`${token.rawName} needs a value: ${option.value}`, command?.name);
    if (option.choices && !option.choices.includes(token.value))
      throw new UsageError(`${token.rawName} is one of ${option.choices.join(', ')}`, command?.name);
  };
};

/** Returns the placeholder of the first missing argument. */
const missingWords = ({ usage }: Command, given: number): string => {
  const name = /^<(\w+)/.exec(usage.split(' ')[given] ?? '')?.[1];
  return name === 'amountSol' ? 'the amount' : (name ?? 'something');
};

/** Parses `argv` (without node and script). Throws `UsageError`. */
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
  const [least, most] = command?.takes ?? [0, 0];
  const wantsHelp = values.help === true || command === undefined;
  if (!wantsHelp && (positionals.length < least || positionals.length > most))
    throw new UsageError(
      positionals.length < least
        ? `${missingWords(command, positionals.length)} is missing`
        : `what is ${positionals[most]}?`,
      command.name,
    );
  return { command, args: positionals, values: values as CommandLine['values'] };
};
