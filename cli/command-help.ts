// Generates help texts from the commands.
import type { Command, CommandOption } from './command.ts';
import { globalOptions, SHORT_NAMES } from './global-options.ts';
import { formatPairs } from './show/align-columns.ts';
import { wrapText } from './show/wrap-text.ts';

/**
 * Commands by purpose, in the order in which the help lists them. All other commands follow without a title.
 */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    'Look',
    [
      'balance',
      'summary',
      'accounts',
      'list',
      'status',
      'history',
      'rewards',
      'watch',
      'sheet',
      'simulate',
      'validator',
      'epoch',
    ],
  ],
  [
    'Change your stake',
    ['stake', 'unstake', 'undo', 'withdraw', 'restake', 'topup', 'tidy', 'sweep', 'rescue', 'migrate'],
  ],
  ['Sign apart', ['build', 'rebuild', 'nonce', 'show', 'verify', 'sign', 'attach', 'submit']],
  ['Notifications', ['alerts', 'webhooks']],
  ['Agents', ['mcp', 'policy', 'audit']],
  ['Set up', ['keygen', 'trust', 'config', 'airdrop', 'completion', 'call', 'version', 'help']],
];

const optionName = (name: string, { value }: CommandOption): string => {
  const short = Object.entries(SHORT_NAMES).find(([, long]) => long === name)?.[0];
  return `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
};

const optionLines = (options: Readonly<Record<string, CommandOption>>, columns: number): string[] =>
  formatPairs(
    Object.entries(options).map(([name, option]) => [
      `  ${optionName(name, option)}`,
      `${option.description}${option.choices ? ` (${option.choices.join(', ')})` : ''}`,
    ]),
    columns,
  );

const groupsOf = (
  commands: readonly Command[],
): (readonly [title: string, commands: readonly Command[]])[] => {
  const named = GROUPS.map(
    ([title, names]) =>
      [title, names.flatMap((name) => commands.filter((command) => command.name === name))] as const,
  );
  const others = commands.filter(({ name }) => !GROUPS.some(([, names]) => names.includes(name)));
  return [...named, ['Other', others] as const].filter(([, members]) => members.length > 0);
};

/** Returns the output of `holdfast help` for a terminal with this number of columns. */
export const generalHelp = (commands: readonly Command[], columns: number): string[] => {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Stake SOL natively with one validator. Your key stays on this machine.',
    '',
    'Usage: holdfast <command> [arguments] [options]',
    ...groupsOf(commands).flatMap(([title, members]) => [
      '',
      `${title}:`,
      ...formatPairs(
        members.map(({ name, summary }) => [`  ${name.padEnd(width)}`, summary]),
        columns,
      ),
    ]),
    '',
    'Options for every command:',
    ...optionLines(globalOptions, columns),
    '',
    'holdfast <command> --help shows an example of each.',
    ...wrapText(
      'Exit codes: 0 success, 1 refused by the service or the chain, 2 invalid command line, 3 no response or outcome unknown, 130 interrupted.',
      columns,
    ),
  ];
};

/** Returns the output of `holdfast <command> --help` for a terminal with this number of columns. */
export const commandHelp = (command: Command, columns: number): string[] => [
  ...wrapText(`${command.summary}.`, columns),
  '',
  ...wrapText(
    `Usage: holdfast ${[command.name, command.usage, '[options]'].filter(Boolean).join(' ')}`,
    columns,
  ),
  ...(command.details ?? []).flatMap((paragraph) => ['', ...wrapText(paragraph, columns)]),
  ...(command.options ? ['', 'Options:', ...optionLines(command.options, columns)] : []),
  '',
  'Options for every command:',
  ...optionLines(globalOptions, columns),
  '',
  command.examples.length === 1 ? 'Example:' : 'Examples:',
  ...command.examples.map((example) => `  holdfast ${example}`),
];
