// Tests that settings are passed in the connection URL. The operator's own settings come last and take
// precedence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSessionSettings } from './postgres-engine.ts';

const optionsOf = (url: string): string | null => new URL(url).searchParams.get('options');

test('our settings become options of the PostgreSQL session, and the rest of the URL is unchanged', () => {
  const url = withSessionSettings('postgres://user:p%40ss@db.example:5433/stakes?sslmode=require', {
    search_path: 'holdfast',
    statement_timeout: 5_000,
  });
  assert.equal(optionsOf(url), '-c search_path=holdfast -c statement_timeout=5000');
  const { username, password, host, pathname, searchParams } = new URL(url);
  assert.deepEqual([username, password, host, pathname], ['user', 'p%40ss', 'db.example:5433', '/stakes']);
  assert.equal(searchParams.get('sslmode'), 'require');
});

test("the operator's own session options follow ours and take precedence", () => {
  const url = withSessionSettings('postgres://db.example/stakes?options=-c%20statement_timeout%3D9', {
    statement_timeout: 5_000,
  });
  assert.equal(optionsOf(url), '-c statement_timeout=5000 -c statement_timeout=9');
});
