// Prints the example call of an operation in several languages, all with the same values.
import { callTarget, type ExampleCall, exampleJson } from '../openapi/openapi-operation.ts';
import type { Route } from '../pipeline/route.ts';

export interface LanguageExample {
  readonly label: string;
  readonly code: string;
}

/** Formats a value as JavaScript, e.g. `{ amountSol: 2, goal: 'unstake' }`. */
const jsLiteral = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(jsLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${jsLiteral(member)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  if (value === '<NONCE>') return '<NONCE>';
  return typeof value === 'string' ? `'${value}'` : String(value);
};

const pythonLiteral = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, member]) => `"${name}": ${pythonLiteral(member)}`)
      .join(', ')}}`;
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : exampleJson(value);
};

/**
 * Splits the fields of a call as the client and the command line expect them: the idempotency key is separate.
 */
const inputOf = ({ parameters, query, body }: ExampleCall) => {
  const { idempotencyKey, ...rest } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return { input: { ...parameters, ...query, ...rest }, idempotencyKey };
};

const typescript = ({ operation }: Route, call: ExampleCall, publicUrl: string): string => {
  const { input, idempotencyKey } = inputOf(call);
  const options = {
    ...(call.bearer === null ? {} : { bearer: call.bearer }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  const hasOptions = Object.keys(options).length > 0;
  const args = [
    ...(Object.keys(input).length > 0 || hasOptions ? [jsLiteral(input)] : []),
    ...(hasOptions ? [jsLiteral(options)] : []),
  ];
  return `import { createHoldfastClient } from '@holdfast-sol/client';

const client = createHoldfastClient({ baseUrl: '${publicUrl}' });
const answer = await client.${operation.name}(${args.join(', ')});
console.log(answer);`;
};

const python = (route: Route, call: ExampleCall, publicUrl: string): string => {
  // httpx accepts a body only for methods that usually have one.
  const verb =
    route.method === 'DELETE' && call.body !== null
      ? { name: 'request', first: [`    "DELETE",`] }
      : { name: route.method.toLowerCase(), first: [] };
  return [
    'import httpx',
    '',
    `response = httpx.${verb.name}(`,
    ...verb.first,
    `    "${publicUrl}${callTarget(call)}",`,
    ...(call.bearer === null ? [] : [`    headers={"Authorization": "Bearer ${call.bearer}"},`]),
    ...(call.body === null ? [] : [`    json=${pythonLiteral(call.body)},`]),
    ...(route.operation.effect === 'act' ? ['    timeout=120,'] : []),
    ')',
    'response.raise_for_status()',
    `print(response.${route.plainText === undefined ? 'json()' : 'text'})`,
  ].join('\n');
};

/** Commands that sign on the reader's machine, shown for REST calls that would take the secret key. */
const SIGNING: Readonly<Record<string, (input: ExampleCall) => string>> = {
  stake: ({ body }) => `holdfast stake ${body?.amountSol}`,
  unstake: ({ body }) => `holdfast unstake '${body?.stakeAccountAddress}'`,
  withdraw: ({ body }) => `holdfast withdraw '${body?.stakeAccountAddress}'`,
};

const shellWord = (name: string, value: unknown): string => {
  const text = typeof value === 'object' ? exampleJson(value) : String(value);
  return /^[\w./:-]+$/.test(text) ? `${name}=${text}` : `'${name}=${text}'`;
};

const commandLine = ({ operation }: Route, call: ExampleCall, publicUrl: string): string => {
  const url = `--url ${publicUrl}`;
  const signing = SIGNING[operation.name];
  if (signing !== undefined) return `# Signs on your machine; the key is not sent.\n${signing(call)} ${url}`;
  const { input, idempotencyKey } = inputOf(call);
  return [
    ...(call.bearer === null ? [] : [`HOLDFAST_WEBHOOK_SECRET='${call.bearer}'`]),
    `holdfast call ${operation.name}`,
    ...Object.entries(input).map(([name, value]) => shellWord(name, value)),
    ...(idempotencyKey === undefined ? [] : [`--idempotency-key '${idempotencyKey}'`]),
    url,
  ].join(' ');
};

/**
 * Returns examples in all languages except curl. The client and the command line do not include the operator's
 * routes.
 */
export const languageExamples = (
  route: Route,
  call: ExampleCall,
  publicUrl: string,
): readonly LanguageExample[] => [
  ...(route.tag === 'Operator' ? [] : [{ label: 'TypeScript', code: typescript(route, call, publicUrl) }]),
  { label: 'Python', code: python(route, call, publicUrl) },
  ...(route.tag === 'Operator' ? [] : [{ label: 'Command line', code: commandLine(route, call, publicUrl) }]),
];
