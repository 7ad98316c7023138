// Help texts, generated from the commands.
import type { Command, CommandOption } from './command.ts';
import { globalOptions, SHORT_NAMES } from './global-options.ts';
import { pairs } from './show/table.ts';

const optionName = (name: string, { value }: CommandOption): string => {
  const short = Object.entries(SHORT_NAMES).find(([, long]) => long === name)?.[0];
  return `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
};

const optionLines = (options: Readonly<Record<string, CommandOption>>): string[] =>
  pairs(
    Object.entries(options).map(([name, option]) => [
      `  ${optionName(name, option)}`,
      `${option.description}${option.choices ? ` (${option.choices.join(', ')})` : ''}`,
    ]),
  );

/** Returns the output of `holdfast help`. */
export const generalHelp = (commands: readonly Command[]): string[] => [
  'Stake SOL natively with one validator. Your key stays on this machine.',
  '',
  'Usage: holdfast <command> [arguments] [options]',
  '',
  ...pairs(commands.map(({ name, summary }) => [`  ${name}`, summary])),
  '',
  'Options for every command:',
  ...optionLines(globalOptions),
  '',
  'holdfast <command> --help shows an example of each.',
  'Exit codes: 0 success, 1 refused by the service or the chain, 2 invalid command line, 3 no response.',
];

/** Returns the output of `holdfast <command> --help`. */
export const commandHelp = (command: Command): string[] => [
  `${command.summary}.`,
  '',
  `Usage: holdfast ${[command.name, command.usage, '[options]'].filter(Boolean).join(' ')}`,
  ...(command.details ?? []).flatMap((paragraph) => ['', paragraph]),
  ...(command.options ? ['', 'Options:', ...optionLines(command.options)] : []),
  '',
  'Options for every command:',
  ...optionLines(globalOptions),
  '',
  command.examples.length === 1 ? 'Example:' : 'Examples:',
  ...command.examples.map((example) => `  holdfast ${example}`),
];
