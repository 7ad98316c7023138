// The command that writes a shell completion script, generated from the commands.
import type { Command, CommandOption } from '../command.ts';
import { globalOptions, SHORT_NAMES } from '../global-options.ts';
import { LISTED_STAKES_PATH } from '../local/listed-stakes.ts';
import { UsageError } from '../usage-error.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const optionsOf = (command: Command): [string, CommandOption][] =>
  Object.entries({ ...command.options, ...globalOptions });

/** Possible completions of an option's value. */
type Completed = 'files' | 'stakes' | 'nothing' | readonly string[];

/** Returns the possible values of an option; undefined for a switch. */
const valuesOf = ({ value, choices, suggestions }: CommandOption): Completed | undefined =>
  value === undefined ? undefined : (choices ?? suggestions ?? (value === 'FILE' ? 'files' : 'nothing'));

/** Returns the long and short spellings of an option. */
const spellings = (name: string): readonly string[] => [
  `--${name}`,
  ...Object.entries(SHORT_NAMES).flatMap(([short, long]) => (long === name ? [`-${short}`] : [])),
];

/** Returns the possible first arguments of a command. */
const firstOf = (command: Command, all: readonly Command[]): Completed =>
  command.name === 'help'
    ? all.map(({ name }) => name)
    : (command.firstWords ??
      (command.usage.startsWith('<file>')
        ? 'files'
        : command.usage.includes('stakeAccount')
          ? 'stakes'
          : 'nothing'));

const bashValues = (values: Completed): string =>
  values === 'files' || values === 'stakes'
    ? `_holdfast_${values} "$current"`
    : values === 'nothing'
      ? ':'
      : `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$current"))`;

const bashCommand = (command: Command, all: readonly Command[]): string => {
  const values = optionsOf(command).flatMap(([name, option]) => {
    const completed = valuesOf(option);
    return completed === undefined ? [] : [`      ${spellings(name).join('|')}) ${bashValues(completed)} ;;`];
  });
  const { firstWords = [], secondWords = [] } = command;
  if (secondWords.length > 0) values.push(`      ${firstWords.join('|')}) ${bashValues(secondWords)} ;;`);
  const options = optionsOf(command).map(([name]) => `--${name}`);
  const first = firstOf(command, all);
  const words = [...(typeof first === 'string' ? [] : first), ...options].join(' ');
  const more = typeof first === 'string' && first !== 'nothing' ? `; ${bashValues(first)}` : '';
  return `    ${command.name}) case $previous in
${values.join('\n')}
      *) COMPREPLY=($(compgen -W '${words}' -- "$current"))${more} ;; esac ;;`;
};

const bash = (
  commands: readonly Command[],
): string => `# holdfast completion for bash: eval "$(holdfast completion bash)"
# Names may hold spaces; bash quotes them, and goes on within a folder.
_holdfast_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$1"))
  compopt -o filenames 2>/dev/null
}
# The stake accounts of the last listing (holdfast accounts).
_holdfast_stakes() {
  COMPREPLY+=($(compgen -W "$(cat ${LISTED_STAKES_PATH} 2>/dev/null)" -- "$1"))
}
_holdfast() {
  COMPREPLY=()
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${commands.map(({ name }) => name).join('|')}) command=$word; break ;; esac
  done
  case $command in
    '') case $previous in
      --keypair|-k) _holdfast_files "$current" ;;
      *) COMPREPLY=($(compgen -W '${[...commands.map(({ name }) => name), ...Object.keys(globalOptions).map((name) => `--${name}`)].join(' ')}' -- "$current")) ;; esac ;;
${commands.map((command) => bashCommand(command, commands)).join('\n')}
  esac
}
complete -F _holdfast holdfast
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Escapes square brackets and colons, which have a special meaning in zsh descriptions. */
const zshText = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');

const zshValues = (values: Completed): string =>
  values === 'files'
    ? '_files'
    : values === 'stakes'
      ? '_holdfast_stakes'
      : values === 'nothing'
        ? ' '
        : `(${values.join(' ')})`;

const zshOptions = (options: readonly (readonly [string, CommandOption])[]): string =>
  options
    .flatMap(([name, option]) => {
      const values = valuesOf(option);
      const action = values === undefined ? '' : `:${option.value}:${zshValues(values)}`;
      const all = spellings(name);
      return all.map((one) => quoted(`(${all.join(' ')})${one}[${zshText(option.description)}]${action}`));
    })
    .join(' ');

const zshSecond = ({ secondWords }: Command): string =>
  secondWords === undefined ? '' : `${quoted(`2:which:${zshValues(secondWords)}`)} `;

const zsh = (commands: readonly Command[]): string => `#compdef holdfast
# holdfast completion for zsh: source <(holdfast completion zsh)
# The stake accounts of the last listing (holdfast accounts).
_holdfast_stakes() {
  compadd -- $(cat ${LISTED_STAKES_PATH} 2>/dev/null)
}
_holdfast() {
  local curcontext=$curcontext state line
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${zshText(summary)}`)}`).join('\n')}
  )
  _arguments -C ${zshOptions(Object.entries(globalOptions))} '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe command commands ;;
  argument)
    case $words[1] in
${commands
  .map(
    (command) =>
      `    ${command.name}) _arguments ${quoted(`1:what:${zshValues(firstOf(command, commands))}`)} ${zshSecond(command)}${zshOptions(optionsOf(command))} ;;`,
  )
  .join('\n')}
    esac ;;
  esac
}
compdef _holdfast holdfast
`;

const fishOption = ([name, option]: readonly [string, CommandOption]): string => {
  const values = valuesOf(option);
  const short = spellings(name)
    .filter((one) => !one.startsWith('--'))
    .map((one) => ` -s ${one.slice(1)}`);
  const argument =
    values === undefined
      ? ''
      : values === 'files'
        ? ' -r -F'
        : typeof values === 'string'
          ? ' -x'
          : ` -x -a ${quoted(values.join(' '))}`;
  return `-l ${name}${short.join('')}${argument} -d ${quoted(option.description)}`;
};

const fish = (commands: readonly Command[]): string => {
  const names = commands.map(({ name }) => name).join(' ');
  const noCommand = quoted(`not __fish_seen_subcommand_from ${names}`);
  return [
    '# holdfast completion for fish: holdfast completion fish | source',
    '# The stake accounts of the last listing (holdfast accounts).',
    'function __holdfast_stakes',
    '    set -l folder $XDG_CONFIG_HOME',
    '    test -n "$folder"; or set folder $HOME/.config',
    '    cat $folder/holdfast/stake-accounts 2>/dev/null',
    'end',
    'complete -c holdfast -f',
    ...Object.entries(globalOptions).map((option) => `complete -c holdfast ${fishOption(option)}`),
    ...commands.map(
      ({ name, summary }) => `complete -c holdfast -n ${noCommand} -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap((command) => {
      const within = `complete -c holdfast -n '__fish_seen_subcommand_from ${command.name}'`;
      const first = firstOf(command, commands);
      return [
        ...(first === 'files' ? [`${within} -F`] : []),
        ...(first === 'stakes' ? [`${within} -a '(__holdfast_stakes)'`] : []),
        ...(typeof first === 'string' ? [] : first.map((word) => `${within} -a ${word}`)),
        ...(command.secondWords ?? []).map(
          (word) =>
            `complete -c holdfast -n '__fish_seen_subcommand_from ${command.name}; and __fish_seen_subcommand_from ${(command.firstWords ?? []).join(' ')}' -a ${word}`,
        ),
        ...Object.entries(command.options ?? {}).map((option) => `${within} ${fishOption(option)}`),
      ];
    }),
    '',
  ].join('\n');
};

const scripts: Readonly<Record<(typeof SHELLS)[number], (commands: readonly Command[]) => string>> = {
  bash,
  zsh,
  fish,
};

/** `holdfast completion`. `all` returns every command, including this one. */
export const completion = (all: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print the completion script for a shell',
  usage: `<${SHELLS.join('|')}>`,
  takes: [1, 1],
  firstWords: SHELLS,
  examples: ['completion bash', 'completion zsh', 'completion fish'],
  async run({ args: [shell], terminal }) {
    const known = SHELLS.find((each) => each === shell);
    if (known === undefined) throw new UsageError(`completion is for ${SHELLS.join(', ')}`, 'completion');
    terminal.out(scripts[known](all()));
    return 'ok';
  },
});
