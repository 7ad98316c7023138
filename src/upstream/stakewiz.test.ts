// StakeWiz's requests, warnings, cache and logs. The test of guarantee UP-1 mutates every field of its
// responses.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { type ProviderResponse, startScriptedProvider } from '../../test/support/scripted-provider.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { createLogger } from '../kernel/log/logger.ts';
import { describeWarning } from './provider-snapshot.ts';
import { createStakewiz } from './stakewiz.ts';
import { readValidators } from './stakewiz-entries.ts';

const OURS = 'Babwmn9mc6PDaj1MHY6cgZ7YSTbqfASo8XXbDfEmQ3ua';
const signal = new AbortController().signal;
const fixture = (name: string) => readFile(join(import.meta.dirname, 'fixtures', name), 'utf8');

const LIFETIMES = { validatorsMs: 60_000, validatorMs: 60_000, stakeHistoryMs: 60_000 };

const provider = async (script: (path: string) => ProviderResponse, base = '') => {
  const server = await startScriptedProvider(({ url }) => script(url));
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const clock = createManualClock();
  const url = base === '' ? server.url : base.replace('ORIGIN', server.url.slice('http://'.length));
  const stakewiz = createStakewiz({
    url,
    voteAccount: OURS,
    timeoutMs: 60_000,
    clock,
    logger: createLogger('info', sink),
    lifetimes: LIFETIMES,
  });
  return {
    server,
    clock,
    lines,
    stakewiz,
    [Symbol.asyncDispose]: async () => {
      await stakewiz.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

const json = (value: unknown): ProviderResponse => ({
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

test('the documented list is read in full, and missing values become null without a warning', async () => {
  const body = await fixture('stakewiz-validators.json');
  await using it = await provider(() => json(body));
  const { value, warnings, fetchedAtMs, stale } = await it.stakewiz.validators(signal);
  assert.deepEqual([warnings, fetchedAtMs, stale], [[], it.clock.now(), false]);
  assert.equal(it.server.calls[0]?.url, '/validators');
  assert.equal(value?.length, 3);
  const [ours, two, three] = value;
  assert.deepEqual(ours, {
    voteAccount: OURS,
    identity: ours?.identity,
    name: 'Built Example One',
    description: 'An invented validator.',
    website: 'https://one.example.org/',
    iconUrl: 'https://one.example.org/icon.png',
    epoch: 1047,
    runsJito: true,
    jitoCommissionBps: 0,
    activatedStakeSol: 454083.86648638104,
    delinquent: false,
    skipRatePct: 0.42,
    voteSuccessPct: 99.12,
    creditsThisEpoch: 3120456,
    stakingApyPct: 6.29,
    jitoApyPct: 0.47,
    totalApyPct: 6.76,
    softwareVersion: '4.1.2',
    city: 'Frankfurt am Main',
    country: 'Germany',
  });
  assert.deepEqual([two?.name, two?.city, two?.jitoCommissionBps, two?.jitoApyPct], [null, null, null, null]);
  assert.equal(two?.totalApyPct, 0, 'if the total is absent, the older estimate is used');
  assert.equal(three?.name, 'Built Example Three 🦀');
});

test('only our validator and its stake history are requested, by vote account', async () => {
  const [one, stakes] = await Promise.all([
    fixture('stakewiz-validator.json'),
    fixture('stakewiz-validator-total-stakes.json'),
  ]);
  await using it = await provider((path) => json(path.includes('total_stakes') ? stakes : one));
  const validator = await it.stakewiz.validator(signal);
  assert.equal(validator.value?.skipRatePct, 0.42);
  assert.deepEqual(validator.warnings, []);
  const history = await it.stakewiz.stakeHistory(signal);
  assert.deepEqual(history.value, [
    { epoch: 1047, activeStakeSol: 454083.86648638104 },
    { epoch: 1046, activeStakeSol: 453900.1 },
    { epoch: 1045, activeStakeSol: 450000 },
  ]);
  assert.deepEqual(
    it.server.calls.map(({ url }) => url),
    [`/validator/${OURS}`, `/validator_total_stakes/${OURS}`],
  );
});

test('skips invalid list entries and keeps only the first of duplicate validators', async () => {
  const [one, two, three] = JSON.parse(await fixture('stakewiz-validators.json'));
  const list = [
    null,
    5,
    [],
    {},
    { ...two, vote_identity: 'nonsense' },
    one,
    { ...one, skip_rate: 99 },
    three,
  ];
  await using it = await provider(() => json(list));
  const { value, warnings } = await it.stakewiz.validators(signal);
  assert.deepEqual(
    value?.map(({ skipRatePct }) => skipRatePct),
    [one.skip_rate, three.skip_rate],
  );
  assert.deepEqual(warnings, [
    { provider: 'stakewiz', word: 'row-invalid', count: 5 },
    { provider: 'stakewiz', word: 'row-duplicate', count: 1 },
  ]);
});

test('reading a list of thousands of entries yields regularly to timers and sockets', async () => {
  const [one] = JSON.parse(await fixture('stakewiz-validators.json'));
  const list = Array.from({ length: 2_000 }, () => one);
  let turns = 0;
  let reading = true;
  const count = (): void => {
    turns += 1;
    if (reading) setImmediate(count);
  };
  const read = readValidators(list);
  setImmediate(count);
  const { value, warnings } = await read;
  reading = false;
  assert.deepEqual([value.length, warnings[0]?.count], [1, 1_999]);
  assert.ok(turns >= 19, String(turns));
});

const failures: readonly (readonly [string, ProviderResponse, string])[] = [
  ['an error', { status: 500, body: '[]' }, 'http-error'],
  [
    'a redirect, which is not followed',
    { status: 302, headers: { location: '/validators' }, body: '' },
    'http-error',
  ],
  ['a temporary refusal', { status: 429, body: '' }, 'rate-limited'],
  ['not found', { status: 404, body: '' }, 'not-found'],
  ['half a response', { body: '[{"rank":1', promised: 100 }, 'reset'],
  ['an empty list', { body: '[]' }, 'garbage'],
  ['more than the size limit', { body: `[${' '.repeat(33 * 1024 * 1024)}]` }, 'too-large'],
];
test('the warning about a response that cannot be used names its failure', async () => {
  for (const [name, response, word] of failures) {
    await using it = await provider(() => response);
    const { value, warnings } = await it.stakewiz.validators(signal);
    assert.deepEqual([value, warnings], [null, [{ provider: 'stakewiz', word }]], name);
    assert.equal(it.server.calls.length, 1, name);
  }
});

test('a provider that is silent or stops midway causes a timeout; a provider that refuses connections is unreachable', async () => {
  const server = await startScriptedProvider(() => 'silence');
  const options = {
    voteAccount: OURS,
    timeoutMs: 50,
    clock: createManualClock(),
    logger: createLogger('silent'),
    lifetimes: LIFETIMES,
  };
  const wordOf = async (url: string) => {
    const stakewiz = createStakewiz({ ...options, url });
    const { warnings } = await stakewiz.validator(signal);
    await stakewiz.close();
    return warnings[0]?.word;
  };
  assert.equal(await wordOf(server.url), 'timeout');
  server.script = () => ({ body: '{"rank":1,', unfinished: true });
  assert.equal(await wordOf(server.url), 'timeout');
  await server[Symbol.asyncDispose]();
  assert.equal(await wordOf(server.url), 'unreachable');
});

test('keys in the URL are sent with every request but never appear in a message, warning or log line', async () => {
  let status = 500;
  const body = await fixture('stakewiz-validators.json');
  await using it = await provider(
    () => ({ status, body: status === 200 ? body : 'geheim' }),
    'http://user:geheim@ORIGIN/geheim/v2/?key=geheim',
  );
  const snapshot = await it.stakewiz.validators(signal);
  const [call] = it.server.calls;
  assert.equal(call?.url, '/geheim/v2/validators?key=geheim');
  assert.equal(call?.headers.authorization, `Basic ${Buffer.from('user:geheim').toString('base64')}`);
  assert.equal(call?.headers['accept-encoding'], 'identity');
  status = 200;
  it.clock.advance(15_000);
  assert.equal((await it.stakewiz.validators(signal)).value?.length, 3);
  const output = [JSON.stringify(snapshot), ...snapshot.warnings.map(describeWarning), ...it.lines].join(
    '\n',
  );
  assert.ok(!output.includes('geheim'), output);
  assert.deepEqual(
    it.lines.map((line) => JSON.parse(line).msg),
    ['a statistics provider fails', 'a statistics provider is responding again'],
  );
});

test('a stale list is returned with its age and the reason why there is no newer list', async () => {
  let response: ProviderResponse = json(await fixture('stakewiz-validators.json'));
  await using it = await provider(() => response);
  const { fetchedAtMs } = await it.stakewiz.validators(signal);
  response = { status: 503, body: '' };
  it.clock.advance(60_000);
  const renewing = it.server.asked(2);
  assert.deepEqual((await it.stakewiz.validators(signal)).warnings, []);
  await renewing;
  let cached = await it.stakewiz.validators(signal);
  while (cached.warnings.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
    cached = await it.stakewiz.validators(signal);
  }
  assert.deepEqual([cached.value?.length, cached.fetchedAtMs, cached.stale], [3, fetchedAtMs, true]);
  assert.deepEqual(cached.warnings, [{ provider: 'stakewiz', word: 'http-error' }]);
});

test('closing ends a request in progress, and later requests fail because the service is stopping', async () => {
  await using it = await provider(() => 'silence');
  const waiting = it.stakewiz.validator(signal);
  await it.server.asked(1);
  await it.stakewiz.close();
  assert.deepEqual((await waiting).warnings, [{ provider: 'stakewiz', word: 'closed' }]);
  assert.deepEqual((await it.stakewiz.validators(signal)).warnings, [
    { provider: 'stakewiz', word: 'closed' },
  ]);
});
