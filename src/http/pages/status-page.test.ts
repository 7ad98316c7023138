// Tests that the status page describes readiness in plain language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusPage } from './status-page.ts';

const works = { ok: true, ageSeconds: 0, error: null };
const broken = { ok: false, ageSeconds: null, error: 'a <b> away' };
const votes = {
  voting: true,
  votedLast: true,
  lastVoteSlot: 7,
  slotsSinceVote: 2,
  commissionPct: 5,
  asOf: null,
};
const shown = (body: Readonly<Record<string, unknown>>, url = '/ready') => {
  const { content } = statusPage(
    { validator: votes, ...body, _meta: { timestamp: '2026-11-26T12:34:56.789Z' } },
    url,
  );
  const rows = /<tr><td>(.*?)<div.*?<td><span class="(.*?)"><\/span>(.*?)<\/td>/g;
  const states = [...content.matchAll(rows)].map(([, ...cells]) => cells);
  return { title: /<h1>(.*?)<\/h1>/.exec(content)?.[1], states, content };
};

test('the status page describes a working, a limited and an unavailable service', () => {
  assert.equal(shown({ status: 'ready', dependencies: { rpc: works } }).title, 'Everything works');
  const limited = shown({
    status: 'ready',
    dependencies: { rpc: works, index: { ...broken, optional: true } },
  });
  assert.equal(limited.title, 'Working, with limits');
  assert.deepEqual(limited.states, [
    ['Connection to Solana', 'dot ok', 'Works'],
    ['List of stake accounts', 'dot limited', 'Limited'],
    ['Validator', 'dot ok', 'Voting'],
  ]);
  const away = shown({ errorCode: 'NOT_READY', dependencies: { rpc: broken, unknownPart: works } });
  assert.equal(away.title, 'Temporarily unavailable');
  assert.deepEqual(away.states, [
    ['Connection to Solana', 'dot', 'Unavailable'],
    ['unknownPart', 'dot ok', 'Works'],
    ['Validator', 'dot ok', 'Voting'],
  ]);
  assert.match(away.content, /a &lt;b&gt; away/);
});

test('the validator’s votes and commission are shown, and it limits the service if it does not vote', () => {
  const withValidator = (changes: Partial<Record<keyof typeof votes, unknown>>) => {
    const page = shown({
      status: 'ready',
      dependencies: { rpc: works },
      validator: { ...votes, ...changes },
    });
    return [
      page.title,
      ...page.states.at(-1)!.slice(1),
      /Validator<div class="soft">(.*?)</.exec(page.content)?.[1],
    ];
  };
  assert.deepEqual(withValidator({}), [
    'Everything works',
    'dot ok',
    'Voting',
    'Last vote: 2 slots ago. Commission: 5%',
  ]);
  assert.deepEqual(withValidator({ voting: false, slotsSinceVote: null }), [
    'Working, with limits',
    'dot ',
    'Not voting',
    'Commission: 5%',
  ]);
  assert.deepEqual(withValidator({ voting: null, slotsSinceVote: null, asOf: '2026-11-26T12:34:56.789Z' }), [
    'Everything works',
    'dot limited',
    'Unknown',
    'Last seen voting at 26 Nov 2026, 12:34 UTC. Commission: 5%',
  ]);
});

test('a busy network is shown without affecting the title', () => {
  const { title, states } = shown({
    status: 'ready',
    dependencies: { rpc: works },
    network: { isBusy: true },
  });
  assert.equal(title, 'Everything works');
  assert.deepEqual(states.at(-1), ['Solana network', 'dot limited', 'Busy']);
});

test('the age of the last response is shown as in the console and in alerts, and omitted if unknown', () => {
  const detailsAfter = (ageSeconds: number | null) =>
    /<div class="soft">(.*?)<\/div>/.exec(
      shown({ dependencies: { rpc: { ...works, ageSeconds } } }).content,
    )?.[1];
  assert.deepEqual([0, 59, 60, 112, 7_199, 172_800, null].map(detailsAfter), [
    'Last response: now',
    'Last response: 59 s ago',
    'Last response: 1 min ago',
    'Last response: 1 min 52 s ago',
    'Last response: 1 h 59 min ago',
    'Last response: 2 d ago',
    '',
  ]);
});

test('the status page shows the time of the check and reloads every 30 seconds until the reader stops it', () => {
  const { content } = shown({ status: 'ready' });
  assert.match(content, /<meta http-equiv="refresh" content="30">/);
  assert.match(content, /Checked at 12:34:56 UTC\./);
  const [, link] = /href="(.*?)">Stop reloading</.exec(content)!;
  const stopped = shown({ status: 'ready' }, `/ready${link}`).content;
  assert.doesNotMatch(stopped, /http-equiv/);
  assert.match(stopped, /<a href="\/ready">/);
});

test('a shutdown is shown as a restart', () => {
  const { title, states } = shown({ errorCode: 'SHUTTING_DOWN' });
  assert.deepEqual([title, states], ['Restarting', []]);
});
