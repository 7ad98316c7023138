// Breaks a JSON-RPC response in a detectable way: no mutation turns a correct number into a different valid
// one.

type Random = () => number;
type Node = Record<string, unknown> | unknown[];

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

interface Place {
  readonly parent: Node;
  readonly key: string;
  readonly value: unknown;
}

/** Returns every field below `node`, including list entries. */
const placesIn = (node: Node): Place[] =>
  Object.entries(node).flatMap(([key, value]) => [
    { parent: node, key, value },
    ...(isNode(value) ? placesIn(value) : []),
  ]);

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
};

/** Returns the value in other types, which no reader may accept. */
const otherTypes = (value: unknown): readonly unknown[] => [
  typeof value === 'string' ? 7.5 : String(value),
  typeof value === 'boolean' ? 'true' : true,
  Array.isArray(value) ? { 0: value[0] } : [value],
  { value },
  nested(40),
];

/**
 * Returns true where null is a valid response: for an account or a payment that does not exist. Elsewhere, null
 * means a missing value.
 */
const isNullable = ({ parent }: Place): boolean => Array.isArray(parent);

const swapType = (random: Random, { result }: { result?: unknown }): void => {
  const place = isNode(result) ? pick(random, placesIn(result)) : undefined;
  if (place === undefined) return;
  const others = isNullable(place) ? otherTypes(place.value) : [null, ...otherTypes(place.value)];
  (place.parent as Record<string, unknown>)[place.key] = pick(random, others);
};

const dropMember = (random: Random, { result }: { result?: unknown }): void => {
  if (!isNode(result)) return;
  const members = placesIn(result).filter(({ parent }) => !Array.isArray(parent));
  if (members.length === 0) return;
  const { parent, key } = pick(random, members);
  delete (parent as Record<string, unknown>)[key];
};

const wholes: readonly string[] = [
  '',
  'null',
  '[]',
  '{}',
  '5',
  '<!doctype html><title>502</title>',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":1,"result":null}',
  '{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal"},"id":null}',
  '{"jsonrpc":"2.0","error":"no object","id":1}',
  '['.repeat(50_000),
];

const inside = (text: string, random: Random, change: (random: Random, response: object) => void): string => {
  const response = JSON.parse(text);
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) change(random, response);
  return JSON.stringify(response);
};

const kinds: readonly ((random: Random, text: string) => string)[] = [
  (random, text) => inside(text, random, swapType),
  (random, text) => inside(text, random, swapType),
  (random, text) => inside(text, random, dropMember),
  (random, text) => text.slice(0, Math.floor(random() * (text.length - 1))),
  (random) => pick(random, wholes),
  (random, text) => inside(text, random, (_random, response) => Object.assign(response, { id: 'another' })),
  (random, text) =>
    inside(text, random, (_random, response) => Object.assign(response, { result: nested(500) })),
];

/** Breaks a correct response. */
export const mutateRpc = (random: Random, text: string): string => pick(random, kinds)(random, text);
