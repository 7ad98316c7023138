// Secret bytes are wiped at the end of their scope and are never shown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { SecretBytes } from './secret-bytes.ts';

describe('SecretBytes', () => {
  test('overwrites its bytes with zeros when its scope ends', () => {
    let inside: Uint8Array | undefined;
    {
      using secret = SecretBytes.take(Uint8Array.of(1, 2, 3));
      inside = secret.use((bytes) => bytes);
      assert.deepEqual([...inside], [1, 2, 3]);
    }
    assert.deepEqual([...inside], [0, 0, 0]);
  });

  test('leaves zeros in the source of the bytes', () => {
    const source = Uint8Array.of(1, 2, 3);
    using secret = SecretBytes.take(source);
    assert.deepEqual([...source], [0, 0, 0]);
    assert.equal(secret.length, 3);
  });

  test('keeps its bytes in a dedicated ArrayBuffer, which the garbage collector does not move', () => {
    using secret = new SecretBytes(32);
    secret.use((bytes) => assert.deepEqual([bytes.byteOffset, bytes.buffer.byteLength], [0, 32]));
  });

  test('cannot be read after wiping, and wiping again is harmless', () => {
    const secret = SecretBytes.take(Uint8Array.of(7));
    secret[Symbol.dispose]();
    secret[Symbol.dispose]();
    assert.equal(secret.wiped, true);
    assert.throws(() => secret.use((bytes) => bytes), /after being wiped/);
  });

  test('is hidden from JSON, text, inspection and enumeration', () => {
    using secret = SecretBytes.take(Buffer.from('TOPSECRET'));
    const shown = [
      JSON.stringify({ secret }),
      `${secret}`,
      inspect({ secret }, { depth: 9, showHidden: true }),
      Object.keys(secret).join(),
    ].join();
    assert.doesNotMatch(shown, /TOPSECRET|84|0x54/);
    assert.match(shown, /\(secret\)/);
  });
});
