// What exists at a path, and by which methods.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPathTable } from './path-table.ts';

it('finds every method of a concrete path, with HEAD beside GET and OPTIONS everywhere', () => {
  const at = createPathTable([
    { method: 'GET', path: '/a/{id}' },
    { method: 'DELETE', path: '/a/{id}' },
    { method: 'POST', path: '/a' },
    { method: 'GET', path: '/b.json' },
  ]);
  assert.deepEqual(at('/a/1').methods, ['GET', 'DELETE', 'HEAD', 'OPTIONS']);
  assert.deepEqual(at('/a').methods, ['POST', 'OPTIONS']);
  assert.deepEqual(at('/b.json').entries, [{ method: 'GET', path: '/b.json' }]);
  for (const path of ['/', '/a/', '/a/1/2', '/bxjson', '/A', ''])
    assert.deepEqual(at(path), { entries: [], methods: [] }, path);
});
