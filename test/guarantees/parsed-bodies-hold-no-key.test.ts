// KEY-5: no value parsed from a body contains the secret key, whatever its field name, nesting, escaping or
// damage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extractSecretKey, mayNameSecret } from '../../src/adapter/extract-secret-key.ts';
import { parseJsonBody } from '../../src/adapter/parse-json-body.ts';
import { parseMessages } from '../../src/mcp/transport/json-rpc-messages.ts';

const RUNS = process.env.HOLDFAST_TEST_FULL ? 50_000 : 3_000;
const MARK = '5'.repeat(40);
const KEY = MARK.repeat(3).slice(0, 86);

const escapedAt = (text: string, places: readonly number[]): string =>
  [...text]
    .map((letter, at) =>
      places.includes(at) ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
    )
    .join('');

const names = fc
  .tuple(
    fc.constantFrom(
      ...['secretKey', 'secretKey', 'SECRETKEY', 'secret_key', 'private-key', 'privateKey', 'Secret-Key'],
      ...['walletAddress', '__proto__', 'constructor', ''],
    ),
    fc.array(fc.nat(10), { maxLength: 4 }),
  )
  .map(([name, places]) => `"${escapedAt(name, places)}"`);
const space = fc.constantFrom('', '', ' ', '\t', '\r\n');

const { object } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(`"${KEY}"`, `["${KEY}"]`, `"\\u0035${KEY.slice(1)}"`, '1', 'null', '-0.5e3', '""'),
    tie('object'),
    tie('array'),
  ),
  object: fc
    .array(fc.tuple(space, names, space, tie('value')), { maxLength: 4 })
    .map((members) => `{${members.map(([a, name, b, value]) => `${a}${name}${b}:${value}`).join(',')}}`),
  array: fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(',')}]`),
}));

const isKeyName = (name: string): boolean =>
  ['secretkey', 'privatekey'].includes(name.toLowerCase().replaceAll(/[_-]/g, ''));

/** Returns true if the secret key occurs anywhere under a secret field name. */
const holdsKey = (value: unknown, isUnderName = false): boolean => {
  if (typeof value === 'string') return isUnderName && value.includes(MARK);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => holdsKey(member, isUnderName || isKeyName(name)));
};

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

test(`KEY-5 for ${RUNS} request bodies, the parsed result contains no key, and an unparsable body is wiped completely`, (t) => {
  let [parsed, refused, withKey] = [0, 0, 0];
  const damage = fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 127 })), { freq: 2 });
  fc.assert(
    fc.property(object, damage, (text, damaged) => {
      const bytes = Buffer.from(text);
      if (damaged) bytes[damaged[0] % bytes.length] = damaged[1];
      const body = parsedOrNull(bytes.toString());
      const given = holdsKey(body);
      if (given) withKey += 1;
      assert.ok(!given || mayNameSecret(bytes), 'a body with a key is never treated as a body without one');
      try {
        extractSecretKey(bytes);
      } catch {
        refused += 1;
        assert.equal(body, null, 'only invalid JSON is refused');
        assert.ok(bytes.every((byte) => byte === 0));
        return;
      }
      parsed += 1;
      const left = parseJsonBody(bytes);
      assert.ok(!holdsKey(left) && !Object.hasOwn(left, 'secretKey'));
    }),
    { numRuns: RUNS, seed: 5 },
  );
  t.diagnostic(`${parsed} parsed, ${refused} refused, ${withKey} with a key under its name`);
  assert.ok(parsed > RUNS / 4 && refused > RUNS / 10 && withKey > RUNS / 10);
});

test(`KEY-5 for ${RUNS} tool calls, the parsed result contains no key`, () => {
  fc.assert(
    fc.property(object, (given) => {
      const params = `{"name":"stake","arguments":${given}}`;
      const read = parseMessages(
        Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`),
      );
      read?.secret?.[Symbol.dispose]();
      assert.ok(read !== null && !holdsKey(read.body));
    }),
    { numRuns: RUNS, seed: 6 },
  );
});
