// The command that calls any operation by its name: what has no command of its own is in reach as well.
import { type OperationName, operations } from '../../client/generated/all-operations.ts';
import type { OperationFacts } from '../../client/operation-facts.ts';
import type { Command } from '../command.ts';
import { meant } from '../parse-command-line.ts';
import { plainJson } from '../show/plain-text.ts';
import { table } from '../show/table.ts';
import { UsageError } from '../usage-error.ts';

const facts: Readonly<Record<string, OperationFacts>> = operations;

/** Names that may be called: a secret key has no place on a command line, which every process may read. */
const callable = (): string[] =>
  Object.keys(facts)
    .filter((name) => facts[name]!.carriesSecretKey !== true)
    .sort();

const membersOf = ({ path, query, body }: OperationFacts): string[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
  ...query,
  ...body,
];

/** The client sends what it knows: what was meant otherwise must not be lost without a word. */
const checkMembers = (operation: string, facts: OperationFacts, given: readonly string[]): void => {
  const known = membersOf(facts);
  for (const name of given) {
    if (known.includes(name)) continue;
    const hint = name === 'idempotencyKey' ? ' Use --idempotency-key.' : meant(name, known);
    throw new UsageError(`${operation} has no member ${name}.${hint}`);
  }
};

/**
 * `name=value` as a member: numbers, truths, null and JSON as such, everything else as text. Amounts
 * stay text, which is exact, and so do digits that no number keeps, such as those of an address.
 */
const readMember = (argument: string): [string, unknown] => {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(argument) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`${argument} is not a member; write name=value`);
  if (name.endsWith('Sol') || !/^(-?\d|true$|false$|null$|[[{"])/.test(value)) return [name, value];
  try {
    const parsed: unknown = JSON.parse(value);
    return [name, typeof parsed === 'number' && String(parsed) !== value ? value : parsed];
  } catch {
    return [name, value];
  }
};

const operationLines = (): string[] =>
  table(
    [{ title: 'OPERATION' }, { title: 'MEMBERS' }, { title: 'ROUTE' }],
    callable().map((name) => {
      const operation = facts[name]!;
      return [name, membersOf(operation).join(' '), `${operation.method} ${operation.path}`];
    }),
  );

/** `holdfast call` */
export const call: Command = {
  name: 'call',
  summary: 'Call any operation of the service by its name',
  usage: '[operation] [name=value …]',
  takes: [0, 32],
  firstWords: callable(),
  details: ['Without an operation it lists them all. Webhook secrets come from HOLDFAST_WEBHOOK_SECRET.'],
  options: {
    'idempotency-key': { value: 'KEY', description: 'idempotency key (default: a new one)' },
  },
  examples: [
    'call',
    'call peerDensity',
    'call walletHistory walletAddress=7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 limit=5',
  ],
  async run({ args: [name, ...members], values, terminal, json, client, signal }) {
    if (name === undefined) {
      terminal.out(json ? `${JSON.stringify(callable())}\n` : `${operationLines().join('\n')}\n`);
      return 'ok';
    }
    const known = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (known === undefined) throw new UsageError(`unknown operation ${name}.${meant(name, callable())}`);
    if (known.carriesSecretKey === true)
      throw new UsageError(`${name} takes a secret key; use holdfast ${name}, which needs none`);
    const input = Object.fromEntries(members.map(readMember));
    checkMembers(name, known, Object.keys(input));
    const key = values['idempotency-key'];
    const { body, text } = await client.send(name as OperationName, input as never, {
      signal,
      idempotencyKey: typeof key === 'string' ? key : undefined,
      bearer: known.bearer ? terminal.environment.HOLDFAST_WEBHOOK_SECRET || undefined : undefined,
    });
    // As it came, to the last digit; what is no JSON becomes some.
    const exact = json && known.text === undefined;
    terminal.out(`${exact ? text : json ? JSON.stringify(body) : plainJson(body)}\n`);
    return 'ok';
  },
};
