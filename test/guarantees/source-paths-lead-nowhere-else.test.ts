// VERIFY-2: no spelling of a path to the published sources reaches any other file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashSourceCode } from '../../src/compose/hash-source-code.ts';
import type { HttpServer } from '../../src/http/pipeline/server.ts';
import { verifyRoutes } from '../../src/http/routes/verify-routes.ts';
import { startTestServer } from '../support/http-operations.ts';
import { exchangeRaw, rawGet } from '../support/http-raw.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SPELLINGS = 5_000;
const root = join(import.meta.dirname, '..', '..');
const source = hashSourceCode({ root, processStartedAtMs: 0, nowMs: 0 });

let server: HttpServer;
before(async () => {
  server = await startTestServer({ routes: verifyRoutes, ctx: { service: { source } } as never });
});
after(() => server.close());

/** Targets of path traversals. The last ones exist, some of them in the folders of published files. */
const TARGETS = [
  'etc/passwd',
  'proc/self/environ',
  'package.json',
  'package-lock.json',
  '.git/config',
  'src/main.ts',
  'src/config/secret-settings.ts',
  'config.ts',
  'secret-settings.ts',
  'wire-message.ts',
  'chain/transaction.ts',
  'src/chain/transactions/transaction.ts',
  'domain/stake-verifier.ts',
  'transaction.ts',
  'transaction.test.ts',
];
const UPS = [
  '..',
  '.',
  '...',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '%252e%252e',
  '%ef%bc%8e%ef%bc%8e',
  '\\.\\.',
  '..;',
  '..%00',
  '%20..',
  '~',
  '',
];
const SEPARATORS = [
  '/',
  '//',
  '%2f',
  '%2F',
  '%252f',
  '\\',
  '%5c',
  '%255c',
  '%e2%88%95',
  ';/',
  '/./',
  '%2f%2e%2f',
  '%00/',
];
const ENDINGS = [
  '',
  '%00',
  '%00.ts',
  '%20',
  '.',
  '/',
  '%2f',
  '/.',
  ';x',
  '::$DATA',
  '~',
  '%0a',
  '%0d%0aX-A:%20b',
  '#',
  '?',
  '.bak',
];
const PREFIXES = [
  '',
  '/',
  'file:%2f%2f%2f',
  'C:%5c',
  root,
  encodeURIComponent(root),
  'src/',
  'transaction.ts/',
  'transaction.ts%2f',
  'solana.ts%00',
];
/** Overlong, truncated, foreign and raw encodings. They are not valid UTF-8 and therefore not a path. */
const UNDECODABLE = [
  '．．',
  '%c0%ae%c0%ae',
  '%e0%80%ae',
  '%u002e',
  '%c0%af',
  '%u2215',
  '%ff',
  '%',
  '%zz',
  '%2',
];

const random = seededRandom(2);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const spelling = (): string => {
  const separator = pick(SEPARATORS);
  const climb = Array.from(
    { length: Math.floor(random() * 9) },
    () => pick(UPS) + pick([separator, separator, pick(SEPARATORS)]),
  );
  const target = pick(TARGETS).split('/').join(separator);
  const cased = random() < 0.1 ? target.toUpperCase() : target;
  const undecodable = random() < 0.15 ? pick(UNDECODABLE) : '';
  return pick(PREFIXES) + climb.join('') + undecodable + cased + pick(ENDINGS);
};

const decoded = (path: string): string | null => {
  if (/[\x80-\xff]/.test(path)) return null;
  try {
    return decodeURIComponent(path.split('?')[0]!);
  } catch {
    return null;
  }
};

/** Encodes whitespace and `#`, which a request line cannot contain. Everything else is sent as written. */
const sendable = (path: string): string =>
  Buffer.from(path.replaceAll(/[\s#]/g, encodeURIComponent)).toString('latin1');

test(`VERIFY-2 ${SPELLINGS} spellings of path traversals get 404, or 400 if they cannot be decoded, and never return the content of a file`, async (t) => {
  const spellings = new Set<string>();
  while (spellings.size < SPELLINGS) {
    const written = spelling();
    // Skips spellings of a published name, which return its file.
    if (!source.files.has(decoded(sendable(written)) ?? '')) spellings.add(written);
  }
  const statuses: Record<number, number> = {};
  const ask = async (lane: readonly string[]): Promise<void> => {
    for (const written of lane) {
      // Opens one connection per request, because the server closes it after bytes that are not HTTP.
      const response = await exchangeRaw(server.port, rawGet(`/api/v1/verify/source/${sendable(written)}`));
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      assert.equal(response.status, decoded(sendable(written)) === null ? 400 : 404, written);
      assert.match(response.head, /content-type: application\/json/, written);
      const { errorCode } = JSON.parse(response.body);
      assert.equal(errorCode, response.status === 400 ? 'VALIDATION_ERROR' : 'NOT_FOUND', written);
      assert.doesNotMatch(response.head, /x-sha256:/i, written);
    }
  };
  const all = [...spellings];
  const lanes = 8;
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) => ask(all.filter((_spelling, index) => index % lanes === lane))),
  );
  t.diagnostic(JSON.stringify(statuses));
  assert.equal((statuses[404] ?? 0) + (statuses[400] ?? 0), SPELLINGS);
  assert.ok(statuses[404]! > SPELLINGS / 2 && statuses[400]! > SPELLINGS / 20);
});

test('VERIFY-2 an undecodable path gets 400, an unknown name gets 404, and a published name returns its file even if percent-encoded', async () => {
  const status = async (path: string) => (await fetch(`${server.url}/api/v1/verify/source/${path}`)).status;
  for (const path of ['%', '%zz', '%ff', 'transaction.ts%c0%af', '%e0%80%ae'])
    assert.equal(await status(path), 400, path);
  for (const path of [
    '',
    'x',
    'TRANSACTION.TS',
    'transaction.ts%00',
    'transaction.ts/',
    'constructor',
    '__proto__',
    'a'.repeat(5_000),
  ])
    assert.equal(await status(path), 404, path);
  const response = await fetch(`${server.url}/api/v1/verify/source/%74ransaction%2Ets?x=1`);
  assert.equal(response.status, 200);
  assert.deepEqual(
    Buffer.from(await response.bytes()),
    readFileSync(join(root, 'src/chain/transactions/transaction.ts')),
  );
});
