// The status page shows the readiness answer in words for people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusPage } from './status-page.ts';

const works = { ok: true, ageSeconds: 0, error: null };
const broken = { ok: false, ageSeconds: null, error: 'a <b> away' };
const shown = (body: Readonly<Record<string, unknown>>) => {
  const { content } = statusPage(body);
  const states = [...content.matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td>/g)].map(([, ...cells]) => cells);
  return { title: /<h1>(.*?)<\/h1>/.exec(content)?.[1], states, content };
};

test('everything works, some parts are limited, or the service is unavailable', () => {
  assert.equal(shown({ status: 'ready', dependencies: { rpc: works } }).title, 'Everything works');
  const limited = shown({
    status: 'ready',
    dependencies: { rpc: works, index: { ...broken, optional: true } },
  });
  assert.equal(limited.title, 'Working, with limits');
  assert.deepEqual(limited.states, [
    ['Connection to Solana', 'Works'],
    ['List of stake accounts', 'Limited'],
  ]);
  const away = shown({ errorCode: 'NOT_READY', dependencies: { rpc: broken, unknownPart: works } });
  assert.equal(away.title, 'Temporarily unavailable');
  assert.deepEqual(away.states, [
    ['Connection to Solana', 'Unavailable'],
    ['unknownPart', 'Works'],
  ]);
  assert.match(away.content, /a &lt;b&gt; away/);
});

test('a shutdown is shown as a restart', () => {
  const { title, states } = shown({ errorCode: 'SHUTTING_DOWN' });
  assert.deepEqual([title, states], ['Restarting', []]);
});
