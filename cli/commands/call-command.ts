// The command that calls any operation by its name: what has no command of its own is in reach as well.
import { type OperationName, operations } from '../../client/generated/all-operations.ts';
import type { OperationFacts } from '../../client/operation-facts.ts';
import { nearestName } from '../../src/config/nearest-name.ts';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { UsageError } from '../usage-error.ts';

const facts: Readonly<Record<string, OperationFacts>> = operations;

/** Names that may be called: a secret key has no place on a command line, which every process may read. */
const callable = (): string[] =>
  Object.keys(facts)
    .filter((name) => facts[name]!.carriesSecretKey !== true)
    .sort();

const pathMembers = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** `name=value` as a member: numbers, truths, null and JSON as such, everything else as text; amounts stay text, which is exact. */
const readMember = (argument: string): [string, unknown] => {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(argument) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`${argument} is no member; write name=value`);
  if (name.endsWith('Sol') || !/^(-?\d|true$|false$|null$|[[{"])/.test(value)) return [name, value];
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
};

const operationLines = (): string[] =>
  table(
    [{ title: 'OPERATION' }, { title: 'MEMBERS' }, { title: 'ROUTE' }],
    callable().map((name) => {
      const { method, path, query, body } = facts[name]!;
      return [name, [...pathMembers(path), ...query, ...body].join(' '), `${method} ${path}`];
    }),
  );

/** `holdfast call` */
export const call: Command = {
  name: 'call',
  summary: 'Call any operation of the service by its name',
  usage: '[operation] [name=value …]',
  takes: [0, 32],
  firstWords: callable(),
  details: ['Without an operation it lists them. Secrets of webhooks come from HOLDFAST_WEBHOOK_SECRET.'],
  options: {
    'idempotency-key': { value: 'KEY', description: 'names this intent (default: a new one)' },
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
    if (facts[name]?.carriesSecretKey === true)
      throw new UsageError(`${name} takes a secret key; use holdfast ${name}, which needs none`);
    if (facts[name] === undefined) {
      const nearest = nearestName(name, callable());
      throw new UsageError(`unknown operation ${name}.${nearest ? ` Did you mean ${nearest}?` : ''}`);
    }
    const key = values['idempotency-key'];
    const { body, text } = await client.send(
      name as OperationName,
      Object.fromEntries(members.map(readMember)) as never,
      {
        signal,
        idempotencyKey: typeof key === 'string' ? key : undefined,
        bearer: facts[name].bearer ? terminal.environment.HOLDFAST_WEBHOOK_SECRET || undefined : undefined,
      },
    );
    // As it came, to the last digit; what is no JSON becomes some.
    const exact = json && facts[name].text === undefined;
    terminal.out(`${exact ? text : JSON.stringify(body, null, json ? undefined : 2)}\n`);
    return 'ok';
  },
};
