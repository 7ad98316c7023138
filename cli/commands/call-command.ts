// The command that calls any operation by its name, including those without their own command.
import { type OperationName, operations } from '../../client/generated/all-operations.ts';
import type { OperationFacts } from '../../client/operation-facts.ts';
import type { Command } from '../command.ts';
import { suggestName } from '../parse-command-line.ts';
import { formatTable } from '../show/align-columns.ts';
import { plainJson } from '../show/plain-text.ts';
import { tableColumns } from '../show/terminal.ts';
import { wrapText } from '../show/wrap-text.ts';
import { UsageError } from '../usage-error.ts';

const facts: Readonly<Record<string, OperationFacts>> = operations;

/**
 * Names of callable operations. Operations that take a secret key are excluded, because every process can
 * read a command line.
 */
const callable = (): string[] =>
  Object.keys(facts)
    .filter((name) => facts[name]!.carriesSecretKey !== true)
    .sort();

const membersOf = ({ path, query, body }: OperationFacts): string[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
  ...query,
  ...body,
];

/** Refuses unknown fields before the service does, with a suggestion for the command line. */
export const checkMembers = (operation: string, facts: OperationFacts, given: readonly string[]): void => {
  const known = membersOf(facts);
  for (const name of given) {
    if (known.includes(name)) continue;
    const hint = name === 'idempotencyKey' ? ' Use --idempotency-key.' : suggestName(name, known);
    throw new UsageError(`${operation} has no field ${name}.${hint}`);
  }
};

/**
 * Parses `name=value` as a field. Numbers, booleans, null and JSON are parsed. All other values stay text,
 * including amounts and digits that would change as a number, such as those of an id.
 */
export const readMember = (argument: string): [string, unknown] => {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(argument) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`${argument} is not a parameter; write name=value, for example amountSol=1.5`);
  if (name.endsWith('Sol') || !/^(-?\d|true$|false$|null$|[[{"])/.test(value)) return [name, value];
  try {
    const parsed: unknown = JSON.parse(value);
    return [name, typeof parsed === 'number' && String(parsed) !== value ? value : parsed];
  } catch {
    return [name, value];
  }
};

/** Formats all operations. Each field has its own line, because some operations have many. */
const operationLines = (columns: number): string[] => {
  const names = callable();
  const [header = '', ...rows] = formatTable(
    [{ title: 'OPERATION' }, { title: 'ROUTE' }],
    names.map((name) => [name, `${facts[name]!.method} ${facts[name]!.path}`]),
  );
  return [
    header,
    ...rows.flatMap((row, at) => {
      const members = membersOf(facts[names[at]!]!);
      const lines = members.length === 0 ? [] : wrapText(members.join(' '), columns - 4);
      return [row, ...lines.map((line) => `    ${line}`)];
    }),
  ];
};

/** `holdfast call` */
export const call: Command = {
  name: 'call',
  summary: 'Call any operation of the service by its name',
  usage: '[operation] [name=value …]',
  takes: [0, 32],
  firstWords: callable(),
  details: [
    'Without an operation, lists all operations. walletAddress is the wallet of your keypair file unless you pass another. Webhook secrets are read from HOLDFAST_WEBHOOK_SECRET.',
  ],
  options: {
    'idempotency-key': { value: 'KEY', description: 'idempotency key (default: a new one)' },
  },
  examples: [
    'call',
    'call peerDensity',
    'call planStakeChange goal=unstake amountSol=1.5',
    'call walletHistory walletAddress=7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 limit=5',
  ],
  async run({ args: [name, ...members], values, terminal, json, client, signal, ...call }) {
    if (name === undefined) {
      terminal.out(
        json ? `${JSON.stringify(callable())}\n` : `${operationLines(tableColumns(terminal)).join('\n')}\n`,
      );
      return 'ok';
    }
    const known = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (known === undefined)
      throw new UsageError(
        `unknown operation ${name}.${suggestName(name, callable()) || ' holdfast call lists all operations.'}`,
      );
    if (known.carriesSecretKey === true)
      throw new UsageError(`${name} takes a secret key; use holdfast ${name} instead, which does not`);
    const given = Object.fromEntries(members.map(readMember));
    checkMembers(name, known, Object.keys(given));
    const isForWallet = membersOf(known).includes('walletAddress') && !Object.hasOwn(given, 'walletAddress');
    const input =
      isForWallet && call.keypairFileIfAny() !== undefined
        ? { walletAddress: call.walletAddress(undefined), ...given }
        : given;
    const key = values['idempotency-key'];
    const { body, text } = await client.send(name as OperationName, input as never, {
      signal,
      idempotencyKey: typeof key === 'string' ? key : undefined,
      bearer: known.bearer ? terminal.environment.HOLDFAST_WEBHOOK_SECRET || undefined : undefined,
    });
    // A JSON response is printed unchanged. Other text is converted to JSON.
    const exact = json && known.text === undefined;
    terminal.out(`${exact ? text : json ? JSON.stringify(body) : plainJson(body)}\n`);
    return 'ok';
  },
};
