// Tests parsing of command lines: options before and after the command, values that look like options, and
// suggestions for misspelled names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from './command.ts';
import { parseCommandLine } from './parse-command-line.ts';

const command = (name: string, takes: Command['takes'], options: Command['options'] = {}): Command => ({
  name,
  summary: name,
  usage: '',
  takes,
  options,
  examples: [name],
  run: async () => 'ok',
});
const commands = [
  command('stake', [1, 1], { vote: { value: 'ADDRESS', description: 'x' } }),
  command('unstake', [1, 1]),
  command('list', [0, 1], {
    state: { value: 'STATE', description: 'x', choices: ['dead', 'alive'] },
    all: { description: 'x' },
  }),
];
const parse = (...argv: string[]) => parseCommandLine(argv, commands);
const problem = (...argv: string[]): string => {
  try {
    parse(...argv);
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

test('options may come before and after the command', () => {
  assert.deepEqual(
    { ...parse('--url', 'http://x', '-y', 'stake', '2', '--vote', 'v').values },
    { url: 'http://x', yes: true, vote: 'v' },
  );
  assert.equal(
    parse('-u', 'list', 'stake', '2').command?.name,
    'stake',
    'the value of an option is not a command',
  );
});

test('values follow a space or an equals sign, and are never taken from the next option', () => {
  assert.equal(parse('stake', '2', '--vote=-odd').values.vote, '-odd');
  assert.equal(problem('stake', '2', '--vote', '--json'), '--vote needs a value: ADDRESS');
  assert.equal(problem('stake', '2', '--vote'), '--vote needs a value: ADDRESS');
  assert.equal(problem('list', '--all=yes'), '--all takes no value');
  assert.equal(problem('list', '--state', 'half'), '--state is one of dead, alive');
  assert.equal(parse('list', '--state', 'dead').values.state, 'dead');
});

test('an unknown name is refused with the closest known name if one is similar', () => {
  assert.equal(problem('stakes', '2'), 'unknown command stakes. Did you mean stake?');
  assert.equal(problem('satke', '2'), 'unknown command satke. Did you mean stake?');
  assert.equal(problem('deactivate', '2'), 'unknown command deactivate. Did you mean unstake?');
  assert.equal(problem('status'), 'unknown command status.', 'the command is not available here');
  assert.equal(problem('xyz'), 'unknown command xyz.');
  assert.equal(problem('stake', '2', '--vot', 'x'), 'unknown option --vot. Did you mean --vote?');
  assert.equal(problem('unstake', '2', '--state', 'dead'), 'unknown option --state.');
  assert.equal(problem('list', '-q'), 'unknown option -q.');
});

test('a command name that means a preview is refused with a hint to use --dry-run', () => {
  for (const name of ['plan', 'preview'])
    assert.equal(
      problem(name, 'unstake', '2'),
      `unknown command ${name}. To see a change without making it, add --dry-run, for example: holdfast unstake 1.5 --dry-run`,
    );
});

test('an amount may be followed by its unit, and `all` means ALL', () => {
  const withdraw = { ...command('withdraw', [0, 2]), usage: '[stakeAccount] [amountSol]' };
  const args = (...argv: string[]) => parseCommandLine(['withdraw', ...argv], [withdraw]).args;
  assert.deepEqual(args('1.5', 'SOL'), ['1.5']);
  assert.deepEqual(args('9WzD', '1.5', 'sol'), ['9WzD', '1.5']);
  assert.deepEqual(args('all'), ['ALL']);
  assert.deepEqual(args('9WzD', 'SOL'), ['9WzD', 'SOL']);
  assert.deepEqual(parse('list', 'all').args, ['all'], 'only where an amount is expected');
});

test('--direct with a command that needs a service is refused, with the commands that work without one', () => {
  assert.equal(
    problem('stake', '2', '--direct'),
    'stake needs a service. Without one (--direct) you can list, unstake and withdraw.',
  );
});

test('too few or too many arguments are refused, except with --help', () => {
  assert.equal(problem('stake'), 'an argument is missing, for example: holdfast stake');
  assert.equal(problem('stake', '1', '2'), 'unexpected argument 2; stake takes one argument');
  assert.equal(parse('stake', '--help').values.help, true);
  assert.equal(parse('list', '--', '--json').args[0], '--json', 'after two dashes everything is an argument');
});

test('without a command, the help is printed and the exit code is 0', () => {
  assert.equal(parse().command, undefined);
  assert.equal(parse('--help').command, undefined);
});

test('names of inherited object properties are neither options nor commands', () => {
  for (const name of ['toString', 'constructor', 'hasOwnProperty', '__proto__']) {
    assert.match(problem('list', `--${name}`), /^unknown option /, name);
    assert.match(problem('list', `--${name}=x`), /^unknown option /, name);
    assert.match(problem(name), /^unknown command /, name);
  }
});

test('the last value of a repeated option counts, and empty and non-Latin values are accepted', () => {
  assert.equal(parse('stake', '2', '--vote', 'a', '--vote', 'b').values.vote, 'b');
  assert.equal(parse('stake', '2', '--vote=').values.vote, '');
  assert.equal(parse('stake', '2', '--vote', 'ž漢').values.vote, 'ž漢');
  assert.equal(parse('stake', '2', '--vote=a=b').values.vote, 'a=b');
  assert.equal(problem('ставка'), 'unknown command ставка.');
});

test('a usage error names the recognized command, so its help can be suggested', () => {
  const about = (...argv: string[]): unknown => {
    try {
      return parse(...argv);
    } catch (error) {
      return (error as { command?: string }).command;
    }
  };
  assert.equal(about('stake'), 'stake');
  assert.equal(about('--nonsense', 'list'), 'list');
  assert.equal(about('nonsense'), undefined);
});
