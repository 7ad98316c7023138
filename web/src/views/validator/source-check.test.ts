// Tests that source hashes are recomputed from bytes, and that every failure is reported.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { checkSource, type SourceCheckPorts } from './source-check.ts';

const digest = (bytes: ArrayBuffer): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', bytes);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const serving = (bytes: Uint8Array<ArrayBuffer>, status = 200): SourceCheckPorts => ({
  fetch: async () => new Response(bytes, { status }),
  digest,
});

describe('checking a source file', () => {
  it('the bytes are hashed as received, because a conversion to text would lose byte order marks and broken characters', async () => {
    for (const bytes of [
      new TextEncoder().encode('export const one = 1;\n'),
      Uint8Array.of(0xef, 0xbb, 0xbf, 0x61),
      Uint8Array.of(0xff, 0x00, 0xc3),
      new Uint8Array(),
    ])
      assert.deepEqual(await checkSource('solana.ts', sha256(bytes), serving(bytes)), {
        state: 'equal',
        sha256: sha256(bytes),
      });
  });

  it('a file that differs in one byte is reported as different, with its computed hash', async () => {
    const bytes = new TextEncoder().encode('a');
    const expected = sha256(new TextEncoder().encode('b'));
    assert.deepEqual(await checkSource('solana.ts', expected, serving(bytes)), {
      state: 'different',
      sha256: sha256(bytes),
    });
  });

  it('requests exactly that file', async () => {
    const asked: string[] = [];
    await checkSource('stake-verifier.ts', '', {
      digest,
      fetch: async (path) => {
        asked.push(path);
        return new Response('');
      },
    });
    assert.deepEqual(asked, ['/api/v1/verify/source/stake-verifier.ts']);
  });

  it('a refusal or an outage is reported as not checked, never as equal', async () => {
    const bytes = new TextEncoder().encode('a');
    assert.deepEqual(await checkSource('solana.ts', sha256(bytes), serving(bytes, 503)), {
      state: 'failed',
      reason: 'HTTP 503',
    });
    assert.match(JSON.stringify(await checkSource('solana.ts', '', serving(bytes, 429))), /Too many/);
    const cut = await checkSource('solana.ts', '', {
      digest,
      fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    });
    assert.deepEqual(cut, { state: 'failed', reason: 'Failed to fetch' });
  });
});
