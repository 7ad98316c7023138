// Breaks a provider's response in one of the usual ways, chosen by a seeded random generator.
import type { ProviderResponse } from '../support/scripted-provider.ts';

type Random = () => number;

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const upTo = (random: Random, most: number): number => Math.floor(random() * most);

/** JSON texts that can replace a field. Numbers stay text, so no digit is lost. */
const replacements: readonly string[] = [
  'null',
  'true',
  'false',
  '""',
  '"NaN"',
  '"Infinity"',
  '"5"',
  '"0x10"',
  '"1e3"',
  '" 7 "',
  '[]',
  '{}',
  '[5]',
  '{"value":5}',
  '-1',
  '-0',
  '0',
  '0.5',
  '1',
  '99.999',
  '100',
  '101',
  '10000',
  '10001',
  '1e3',
  '1e15',
  '1e30',
  '1e999',
  '-1e999',
  '9007199254740991',
  '9007199254740993',
  '18446744073709551615',
  '123456789012345678901234567890',
  '0.1234567890123456789',
  '"\\u0000\\u202e<script>"',
  '"\\ud800"',
  `"${'x'.repeat(3_000)}"`,
  `${'['.repeat(500)}${']'.repeat(500)}`,
  `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
];

/** Finds the start and the end of each field's value in the text, for values other than lists and objects. */
const membersOf = (
  text: string,
): { readonly start: number; readonly end: number; readonly keyStart: number }[] =>
  [...text.matchAll(/"[a-z_]+":\s*("(?:[^"\\]|\\.)*"|[^\s,[\]{}]+)/g)].map((match) => {
    const end = match.index + match[0].length;
    return { start: end - (match[1] ?? '').length, end, keyStart: match.index };
  });

const replaceMember = (random: Random, text: string): string => {
  const members = membersOf(text);
  if (members.length === 0) return text;
  const { start, end } = pick(random, members);
  return `${text.slice(0, start)}${pick(random, replacements)}${text.slice(end)}`;
};

const renameMember = (random: Random, text: string): string => {
  const members = membersOf(text);
  if (members.length === 0) return text;
  const { keyStart } = pick(random, members);
  return `${text.slice(0, keyStart + 1)}x${text.slice(keyStart + 1)}`;
};

const flipByte = (random: Random, text: string): Buffer => {
  const bytes = Buffer.from(text);
  const at = upTo(random, bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << upTo(random, 8));
  return bytes;
};

const several = (random: Random, text: string, change: (random: Random, text: string) => string): string => {
  let changed = text;
  for (let count = 1 + upTo(random, 6); count > 0; count -= 1) changed = change(random, changed);
  return changed;
};

const wholes: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '5',
  '"text"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"validators":null}',
  '{"error":"rate limit"}',
  '<!doctype html><title>502</title>',
  '\ufeff[]',
  '[1,2,3',
  'NaN',
  '['.repeat(100_000),
  '{"a":'.repeat(20_000),
];

/** Mutations and their weights. `slow` and `large` are rarer because they take time. */
const mutations: readonly {
  readonly name: string;
  readonly weight: number;
  readonly apply: (random: Random, text: string) => ProviderResponse;
}[] = [
  { name: 'untouched', weight: 4, apply: (_random, text) => ({ body: text }) },
  {
    name: 'fields replaced',
    weight: 40,
    apply: (random, text) => ({ body: several(random, text, replaceMember) }),
  },
  {
    name: 'members renamed',
    weight: 8,
    apply: (random, text) => ({ body: several(random, text, renameMember) }),
  },
  { name: 'a bit flipped', weight: 14, apply: (random, text) => ({ body: flipByte(random, text) }) },
  {
    name: 'truncated JSON',
    weight: 6,
    apply: (random, text) => ({ body: text.slice(0, upTo(random, text.length)) }),
  },
  {
    name: 'a piece doubled',
    weight: 5,
    apply: (random, text) => {
      const [from, to] = [upTo(random, text.length), upTo(random, text.length)].sort((a, b) => a - b);
      return { body: text.slice(0, to) + text.slice(from) };
    },
  },
  { name: 'something else', weight: 6, apply: (random) => ({ body: pick(random, wholes) }) },
  {
    name: 'cut in the middle',
    weight: 4,
    apply: (random, text) => ({ body: text, cutAfter: upTo(random, text.length) }),
  },
  { name: 'reset', weight: 3, apply: () => 'reset' },
  {
    name: 'another status',
    weight: 5,
    apply: (random, text) => ({
      body: text,
      status: pick(random, [201, 204, 301, 302, 400, 403, 404, 429, 500, 502, 503]),
    }),
  },
  {
    name: 'a different content type or encoding',
    weight: 4,
    apply: (random, text) => ({
      body: text,
      headers: pick(random, [
        { 'content-type': 'text/html' },
        { 'content-type': 'application/octet-stream' },
        { 'content-encoding': 'br' },
        { 'content-encoding': 'gzip' },
      ]),
    }),
  },
  { name: 'slow', weight: 0.6, apply: (_random, text) => ({ body: text.slice(0, 20), unfinished: true }) },
  { name: 'silent', weight: 0.3, apply: () => 'silence' },
  {
    name: 'huge',
    weight: 0.1,
    apply: (_random, text) => ({
      body: Buffer.concat([Buffer.from(text), Buffer.alloc(34 * 1024 * 1024, ' ')]),
    }),
  },
];

const totalWeight = mutations.reduce((sum, { weight }) => sum + weight, 0);

/** Breaks a correct response. Returns the result and the name of its mutation. */
export const mutate = (
  random: Random,
  text: string,
): { readonly name: string; readonly response: ProviderResponse } => {
  const chosen = random() * totalWeight;
  let weightSoFar = 0;
  const mutation =
    mutations.find(({ weight }) => {
      weightSoFar += weight;
      return chosen < weightSoFar;
    }) ?? mutations[0]!;
  return { name: mutation.name, response: mutation.apply(random, text) };
};

export const mutationNames: readonly string[] = mutations.map(({ name }) => name);
