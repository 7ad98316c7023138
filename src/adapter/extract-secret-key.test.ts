// The key is extracted from the body as bytes, and the remaining text contains no part of it.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isAppError } from '../kernel/app-error.ts';
import { encodeBase58 } from '../kernel/base58.ts';
import { collectBody, extractSecretKey, mayNameSecret } from './extract-secret-key.ts';

const keyBytes = Uint8Array.from({ length: 64 }, (_, i) => i * 3 + 1);
const key = encodeBase58(keyBytes);
const wallet = encodeBase58(new Uint8Array(32).fill(5));

/** Extracts the key from JSON text. Returns the key and the remaining text. */
const extractFrom = (text: string) => {
  const body = Buffer.from(text);
  const { secret, problem } = extractSecretKey(body);
  const bytes = secret === null ? null : secret.use((held) => [...held]);
  secret?.[Symbol.dispose]();
  return {
    bytes,
    problem,
    left: body.toString(),
    parsed: JSON.parse(body.toString()) as Record<string, unknown>,
  };
};

const escapeAll = (text: string): string =>
  [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('extracting the key', () => {
  test('returns 64 bytes or a 32-byte seed, and leaves the other fields unchanged', () => {
    const { bytes, problem, left, parsed } = extractFrom(
      `{"walletAddress":"${wallet}","secretKey":"${key}","amountSol":1.5}`,
    );
    assert.deepEqual([bytes, problem], [[...keyBytes], null]);
    assert.deepEqual([parsed.walletAddress, parsed.amountSol], [wallet, 1.5]);
    assert.doesNotMatch(left, new RegExp(key.slice(0, 20)));
    assert.deepEqual(extractFrom(`{"secretKey":"${encodeBase58(keyBytes.subarray(0, 32))}"}`).bytes, [
      ...keyBytes.subarray(0, 32),
    ]);
  });

  test('the parsed body has no secretKey field, so that no placeholder can be mistaken for a key', () => {
    assert.equal('secretKey' in extractFrom(`{"secretKey":"${key}"}`).parsed, false);
  });

  test('the name and the key are found in any escaped form', () => {
    for (const [name, value] of [
      ['\\u0073ecretKey', key],
      [escapeAll('secretKey'), escapeAll(key)],
      ['secret\\u004bey', `${escapeAll(key.slice(0, 5))}${key.slice(5)}`],
    ]) {
      const { bytes, left } = extractFrom(`{ "${name}" :\n"${value}" }`);
      assert.deepEqual(bytes, [...keyBytes]);
      assert.doesNotMatch(left, /u0073|u004b/);
      assert.equal(left.includes(key.slice(5, 25)), false);
    }
  });

  test('keys at any depth and under similar names are wiped and never used', () => {
    for (const text of [
      `{"wallet":{"secretKey":"${key}"}}`,
      `[{"a":[{"secretKey":"${key}"}]}]`,
      `{"secret_key":"${key}","privateKey":"${key}","SECRETKEY":"${key}","private-key":"${key}"}`,
    ]) {
      const { bytes, problem, left } = extractFrom(text);
      assert.deepEqual([bytes, problem], [null, 'missing']);
      assert.equal(left.includes(key.slice(0, 8)), false);
    }
  });

  test('two keys are refused, and both are wiped', () => {
    const { bytes, problem, left } = extractFrom(`{"secretKey":"${key}","secretKey":"${wallet}"}`);
    assert.deepEqual([bytes, problem], [[], 'duplicate']);
    assert.equal(left.includes(key) || left.includes(wallet), false);
  });

  test('a value that is not a string is wiped too, such as the number array of a key file', () => {
    for (const value of [`[${keyBytes.join(',')}]`, '12345678', `{"secretKey":["${key}"]}`, 'null', 'true']) {
      const { bytes, problem, left } = extractFrom(`{"secretKey":${value},"amountSol":2}`);
      assert.deepEqual([bytes, problem], [null, 'not_a_string']);
      assert.match(left, /^\{"x{9}":0 *,"amountSol":2\}$/);
    }
  });

  test('a string that is not a key is returned as empty bytes, which the operation refuses as an invalid key', () => {
    const hex = Buffer.from(keyBytes).toString('hex');
    for (const value of [
      '',
      'hello',
      hex,
      key.slice(1),
      `${key}${key}`,
      `${key} `,
      'é'.repeat(44),
      '1'.repeat(5000),
      '\\n\\"',
    ]) {
      const { bytes, problem, left } = extractFrom(`{"secretKey":"${value}"}`);
      assert.deepEqual([bytes, problem], [[], 'undecodable'], value);
      assert.match(left, /^\{"x{9}":"x*"\}$/);
    }
  });

  test('a body that is not JSON is wiped completely and refused without quoting it', () => {
    const bodies = [
      '',
      '{',
      `{"secretKey":"${key}`,
      `{"secretKey":"${key}"`,
      `{"secretKey":"${key}"}x`,
      `{'secretKey':'${key}'}`,
      `{"secretKey":${key}}`,
      `{"secretKey":"${key}",}`,
      `{"secretKey":"${key}\n"}`,
      `{"secretKey":"${key}\\x"}`,
      `{"secretKey":"${key}\\u12g4"}`,
      '01',
      '1.',
      '-',
      '1e',
      'nul',
      `\uFEFF{"secretKey":"${key}"}`,
      `${'['.repeat(100)}"${key}"${']'.repeat(100)}`,
      '[1 2]',
      '{"a" 1}',
      '{a:1}',
      '"\\',
    ];
    for (const text of bodies) {
      const body = Buffer.from(text);
      assert.throws(
        () => extractSecretKey(body),
        (error) =>
          isAppError(error, 'VALIDATION_ERROR') &&
          !JSON.stringify([error.message, error.details]).includes(key.slice(0, 8)),
        text,
      );
      assert.equal(
        body.every((byte) => byte === 0),
        true,
        text,
      );
    }
  });

  test('accepts the same JSON as JSON.parse, and leaves a body without a key unchanged', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6 }),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', '\\', '0', ' '),
        (text, at, damage) => {
          const position = at % (text.length + 1);
          const damaged = text.slice(0, position) + damage + text.slice(position);
          const body = Buffer.from(damaged);
          let parsed: unknown;
          let isJson = true;
          try {
            parsed = JSON.parse(damaged);
          } catch {
            isJson = false;
          }
          if (!isJson) return assert.throws(() => extractSecretKey(body), { code: 'VALIDATION_ERROR' });
          extractSecretKey(body);
          return assert.deepEqual(JSON.parse(body.toString()), parsed);
        },
      ),
      { seed: 7, numRuns: 2000 },
    );
  });
});

describe('collecting the body', () => {
  const chunked = (text: string, size: number): Buffer[] => {
    const slab = Buffer.from(text);
    return Array.from({ length: Math.ceil(slab.length / size) }, (_, i) =>
      slab.subarray(i * size, (i + 1) * size),
    );
  };

  test('collects every chunk and overwrites the original chunks', async () => {
    const stream = new PassThrough();
    const text = `{"secretKey":"${key}","pad":"${'p'.repeat(20_000)}"}`;
    const chunks = chunked(text, 777);
    const collected = collectBody(stream, 65_536);
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    assert.equal((await collected).toString(), text);
    assert.equal(
      chunks.every((chunk) => chunk.every((byte) => byte === 0)),
      true,
    );
  });

  test('uses its own memory, so that the caller can wipe it', async () => {
    const stream = new PassThrough();
    stream.end('{"a":1}');
    const body = await collectBody(stream, 65_536);
    assert.equal(body.byteOffset, 0);
    assert.notEqual(body.buffer, Buffer.from('x').buffer);
  });

  test('accepts a body of exactly the limit, and refuses a longer one and overwrites the rest of it', async () => {
    const exact = new PassThrough();
    exact.end('x'.repeat(100));
    assert.equal((await collectBody(exact, 100)).length, 100);
    const over = new PassThrough();
    const chunks = chunked('k'.repeat(300), 60);
    const refused = assert.rejects(collectBody(over, 100), { code: 'BODY_TOO_LARGE' });
    for (const chunk of chunks) over.write(chunk);
    over.end();
    await refused;
    assert.equal(
      chunks.every((chunk) => chunk.every((byte) => byte === 0)),
      true,
    );
  });

  test('fails when the client disconnects, the stream fails or the signal aborts', async () => {
    const gone = new PassThrough();
    const fails = assert.rejects(collectBody(gone, 100), /disconnected/);
    gone.write('half');
    gone.destroy();
    await fails;
    const broken = new PassThrough();
    const errs = assert.rejects(collectBody(broken, 100), /reset/);
    broken.destroy(new Error('reset'));
    await errs;
    const controller = new AbortController();
    const aborts = assert.rejects(
      collectBody(new PassThrough(), 100, { signal: controller.signal }),
      /enough/,
    );
    controller.abort(new Error('enough'));
    await aborts;
    await assert.rejects(
      collectBody(new PassThrough(), 100, { signal: AbortSignal.abort(new Error('early')) }),
      /early/,
    );
  });
});

describe('a key in a nested object', () => {
  const at = ['params', 'arguments'];
  const nested = (text: string) => {
    const body = Buffer.from(text);
    const { secret, problem } = extractSecretKey(body, at);
    const length = secret?.length ?? null;
    secret?.[Symbol.dispose]();
    return { length, problem, left: body.toString() };
  };

  test('is read only from the given path, even if the path is JSON-escaped', () => {
    for (const text of [
      `{"params":{"arguments":{"secretKey":"${key}"}}}`,
      `{"id":1,"params":{"name":"stake","arguments":{"amountSol":1,"secretKey":"${key}"}}}`,
      `{"${escapeAll('params')}":{"argu\\u006dents":{"${escapeAll('secretKey')}":"${key}"}}}`.replaceAll(
        '\\\\',
        '\\',
      ),
    ])
      assert.deepEqual([nested(text).length, nested(text).problem], [64, null], text);
    for (const text of [
      `{"secretKey":"${key}"}`,
      `{"arguments":{"params":{"secretKey":"${key}"}}}`,
      `{"params":{"secretKey":"${key}"}}`,
      `{"params":{"arguments":{"arguments":{"secretKey":"${key}"}}}}`,
      `{"params":{"arguments":[{"secretKey":"${key}"}]}}`,
      `[{"params":{"arguments":{"secretKey":"${key}"}}}]`,
    ]) {
      const { length, problem, left } = nested(text);
      assert.deepEqual([length, problem], [null, 'missing'], text);
      assert.equal(left.includes(key.slice(0, 20)), false, 'the key is still wiped');
    }
  });

  test('is refused if it occurs twice', () => {
    const twice = `{"params":{"arguments":{"secretKey":"${key}","secretKey":"${key}"}}}`;
    assert.equal(nested(twice).problem, 'duplicate');
  });
});

describe('bodies without a key', () => {
  test('mayNameSecret detects every body that may contain a key, without parsing it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'secretKey',
          'secret_key',
          'SECRET-KEY',
          'privateKey',
          's_e_c_r_e_t_k_e_y',
          'secret__ke-y',
          'secretk.ey',
          'secret k e y',
          'secretk–ey',
        ),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.boolean(),
        (name, others, escaped) => {
          const body = { ...others, deep: { [name]: key } };
          const text = JSON.stringify(body).replace(
            `"${name}"`,
            escaped ? `"${escapeAll(name)}"` : `"${name}"`,
          );
          assert.equal(mayNameSecret(Buffer.from(text)), true);
        },
      ),
    );
    assert.equal(
      mayNameSecret(Buffer.from('{"method":"tools/call","params":{"name":"stake","ok":"yes"}}')),
      false,
    );
  });

  test('are not copied if they arrive in one chunk, unlike bodies in several chunks or with a key', async () => {
    const collect = (chunks: Buffer[], announcedBytes: number) => {
      const stream = new PassThrough();
      const collected = collectBody(stream, 1_000, { announcedBytes });
      for (const chunk of chunks) stream.write(chunk);
      stream.end();
      return collected;
    };
    const whole = Buffer.from('{"method":"ping"}');
    assert.equal((await collect([whole], whole.length)).buffer, whole.buffer);
    const [one, two] = [Buffer.from('{"a":'), Buffer.from('1}')];
    assert.equal((await collect([one, two], 7)).toString(), '{"a":1}');
    const secret = Buffer.from(`{"secretKey":"${key}"}`);
    const copy = await collect([secret], secret.length);
    assert.ok(copy.toString().includes(key) && secret.every((byte) => byte === 0));
    await assert.rejects(collect([Buffer.alloc(2_000, 0x20)], 2_000), { code: 'BODY_TOO_LARGE' });
  });
});
