// UP-1: no response from a statistics provider causes a crash, an exception, or a reported number that the
// provider did not send.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { createJito } from '../../src/upstream/jito.ts';
import { describeWarning, type Snapshot } from '../../src/upstream/provider-snapshot.ts';
import { createStakewiz } from '../../src/upstream/stakewiz.ts';
import { patience } from '../support/patience.ts';
import {
  type ProviderCall,
  type ProviderResponse,
  startScriptedProvider,
} from '../support/scripted-provider.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { createManualClock } from '../support/steerable-clock.ts';
import { newWallet } from '../support/wallets.ts';
import { mutate, mutationNames } from './upstream-mutations.ts';
import {
  checkCommission,
  checkRewards,
  checkStakeHistory,
  checkValidator,
  checkValidators,
  sentBy,
} from './upstream-oracle.ts';
import { mutateRpc } from './upstream-rpc-mutations.ts';
import { startMutatedWorld, type Target } from './upstream-service.ts';
import {
  type Answered,
  checkApy,
  checkHistory,
  checkLive,
  checkPeers,
  checkProfile,
  checkSimulation,
  type SentRound,
} from './upstream-service-oracle.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const ANSWERS = FULL ? 10_000 : 1_000;
/** `HOLDFAST_TEST_SEED` replays a single response. */
const FIRST_SEED = 20_261_121;
/** Each round with a service uses five responses. */
const SERVED_ANSWERS = FULL ? 10_000 : 150;
const RPC_ANSWERS = FULL ? 10_000 : 200;
const LANES = 8;
/**
 * Timeout in milliseconds for the few responses that never end. The test waits for all others, even on the
 * slowest machine.
 */
const IMPATIENT_MS = 400;
const PATIENT_MS = 25_000;

const OURS = 'Babwmn9mc6PDaj1MHY6cgZ7YSTbqfASo8XXbDfEmQ3ua';
const EPOCH = 1_047;
/** A balance with more digits than a double can hold. */
const HELD_LAMPORTS = 7_123_456_789n;
const OLDER = { epoch: 1_046, commissionBps: 0, runsJito: null };

const fixtures = join(import.meta.dirname, '../../src/upstream/fixtures');
const right = Object.fromEntries(
  await Promise.all(
    [
      ['validators', 'stakewiz-validators.json'],
      ['validator', 'stakewiz-validator.json'],
      ['stakeHistory', 'stakewiz-validator-total-stakes.json'],
      ['commission', 'jito-validators.json'],
      ['rewards', 'jito-validator-rewards.json'],
    ].map(async ([name = '', file = '']) => [name, await readFile(join(fixtures, file), 'utf8')] as const),
  ),
);
const targets = Object.keys(right);

/** Opens the real adapters without caching, so every call sends a request. */
const openAdapters = (url: string, timeoutMs: number) => {
  const options = {
    url,
    voteAccount: OURS,
    timeoutMs,
    clock: createManualClock(),
    logger: createLogger('silent'),
  };
  return {
    stakewiz: createStakewiz({
      ...options,
      lifetimes: { validatorsMs: 0, validatorMs: 0, stakeHistoryMs: 0 },
    }),
    jito: createJito({ ...options, lifetimes: { commissionMs: 0, rewardsMs: 0 } }),
  };
};

const endsNever = (answer: ProviderResponse): boolean =>
  answer === 'silence' || (typeof answer === 'object' && answer.unfinished === true);

/** Opens one server and the adapters that use it. */
const openLane = async () => {
  let answer: ProviderResponse = 'silence';
  const script = ({ method, url }: ProviderCall): ProviderResponse =>
    // The commission may come from the rewards. They are requested here.
    method === 'GET' && url.startsWith('/api/') && target === 'commission'
      ? { body: right.rewards ?? '' }
      : answer;
  let target = '';
  const server = await startScriptedProvider(script);
  const patient = openAdapters(server.url, PATIENT_MS);
  const impatient = openAdapters(server.url, IMPATIENT_MS);
  const { signal } = new AbortController();

  const evaluate = async (sent: unknown): Promise<Snapshot<unknown>> => {
    const { stakewiz, jito } = endsNever(answer) ? impatient : patient;
    if (target === 'validators') {
      const snapshot = await stakewiz.validators(signal);
      checkValidators(snapshot, sent);
      return snapshot;
    }
    if (target === 'validator') {
      const snapshot = await stakewiz.validator(signal);
      checkValidator(snapshot, sent, OURS);
      return snapshot;
    }
    if (target === 'stakeHistory') {
      const snapshot = await stakewiz.stakeHistory(signal);
      checkStakeHistory(snapshot, sent);
      return snapshot;
    }
    if (target === 'rewards') {
      const snapshot = await jito.rewards(signal);
      checkRewards(snapshot, sent);
      return snapshot;
    }
    const soon = await jito.commission(EPOCH, signal);
    // Next, the rewards with the commission are requested, which may take a while on a busy machine.
    const snapshot = soon.value === null ? await patient.jito.commission(EPOCH, signal) : soon;
    checkCommission(snapshot, sent, { ours: OURS, epoch: EPOCH, older: OLDER });
    return snapshot;
  };
  return {
    evaluate: (asked: string, given: ProviderResponse) => {
      target = asked;
      answer = given;
      return evaluate(sentBy(given));
    },
    [Symbol.asyncDispose]: async () => {
      for (const { stakewiz, jito } of [patient, impatient]) {
        await stakewiz.close();
        await jito.close();
      }
      await server[Symbol.asyncDispose]();
    },
  };
};

/** Collects uncaught errors until the test ends. */
const watchUnhandled = (t: TestContext): unknown[] => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  t.after(() => process.off('unhandledRejection', note).off('uncaughtException', note));
  return unhandled;
};

test(`UP-1 ${ANSWERS} mutated upstream responses cause no crash, no exception, and no number that was not sent`, async (t) => {
  const unhandled = watchUnhandled(t);
  const named = process.env.HOLDFAST_TEST_SEED;
  const seeds = named ? [Number(named)] : Array.from({ length: ANSWERS }, (_, index) => FIRST_SEED + index);
  const counts = new Map<string, { total: number; withValue: number }>();
  const run = async (): Promise<void> => {
    await using lane = await openLane();
    for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
      const random = seededRandom(seed);
      const target = targets[Math.floor(random() * targets.length)] ?? 'validator';
      const { name, response } = mutate(random, right[target] ?? '');
      try {
        const { value, warnings } = await lane.evaluate(target, response);
        for (const warning of warnings) assert.match(describeWarning(warning).text, /^(StakeWiz|Jito) .*\.$/);
        const count = counts.get(name) ?? { total: 0, withValue: 0 };
        counts.set(name, { total: count.total + 1, withValue: count.withValue + (value === null ? 0 : 1) });
      } catch (cause) {
        throw new Error(`${target}, ${name}: replay with HOLDFAST_TEST_SEED=${seed}`, { cause });
      }
    }
  };
  await Promise.all(Array.from({ length: named ? 1 : LANES }, run));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
  for (const [name, { total, withValue }] of counts)
    t.diagnostic(`${name}: ${total}, ${withValue} with a value`);
  if (named) return;
  assert.deepEqual([...counts.keys()].sort(), [...mutationNames].sort());
  // An adapter that rejected everything would never report a wrong number, so it must use most values.
  const used = [...counts.values()].reduce((sum, { withValue }) => sum + withValue, 0);
  assert.ok(used >= ANSWERS / 2, `${used} of ${ANSWERS} responses provided a value`);
});

// The service waits 10 s for a provider and reads up to 32 MiB. These three cases are tested above with lower
// limits.
const tooSlow = new Set(['slow', 'silent', 'huge']);

const jitoTargets = new Set<Target>(['commission', 'rewards']);

const mutateSoon = (random: () => number, text: string) => {
  for (;;) {
    const mutated = mutate(random, text);
    if (!tooSlow.has(mutated.name)) return mutated;
  }
};

test(`UP-1 with ${SERVED_ANSWERS} mutated provider responses, every status of the service is 200 or 502, and each number comes from the chain, was sent, or is null with a warning`, {}, async (t) => {
  const unhandled = watchUnhandled(t);
  const { served, right: sources, respondWith, ask, nextRound } = await startMutatedWorld(t);
  const reads = {
    validator: checkProfile,
    'validator/apy': checkApy,
    'validator/history': checkHistory,
    'validator/live': checkLive,
  };
  const chain = new Map<string, Answered>();
  for (const path of Object.keys(reads)) chain.set(path, await ask(path));
  const names = Object.keys(sources) as Target[];
  const named = process.env.HOLDFAST_TEST_SEED;
  let responses = 0;
  const statuses = new Map<string, number>();
  const note = (path: string, status: number) => {
    assert.ok(status === 200 || status === 502, `${path}: ${status}`);
    statuses.set(`${path} ${status}`, (statuses.get(`${path} ${status}`) ?? 0) + 1);
  };
  for (let seed = Number(named ?? FIRST_SEED); responses < (named ? 1 : SERVED_ANSWERS); seed += 1) {
    const random = seededRandom(seed);
    // In every fourth round, one provider is down, so the other provider's responses are used.
    const isJitoAway = random() < 0.25;
    const mutated = new Map(
      names.map((name) => [
        name,
        isJitoAway && jitoTargets.has(name)
          ? { name: 'away', response: { status: 503, body: '' } }
          : mutateSoon(random, sources[name]),
      ]),
    );
    const sent = Object.fromEntries(
      names.map((name) => [name, sentBy(mutated.get(name)!.response)]),
    ) as unknown as SentRound;
    const given = new Set<Target>();
    respondWith((target) => {
      given.add(target);
      return mutated.get(target)!.response;
    });
    nextRound();
    try {
      for (const [path, evaluate] of Object.entries(reads)) {
        const response = await ask(path);
        note(path, response.status);
        assert.equal(response.status, 200, `${path}: the chain provides the answer`);
        evaluate(response.body, chain.get(path)!.body, sent, served);
      }
      const peers = await ask('network/peer-density');
      note('network/peer-density', peers.status);
      checkPeers(peers, sent);
      const apy = await ask('validator/apy');
      const simulation = await ask('stake/simulate', { amountSol: 100, durationDays: 365 });
      note('stake/simulate', simulation.status);
      checkSimulation(simulation.body, apy.body);
      // Proves that the service did request the responses.
      assert.ok(given.size >= 4 && given.has('validators') && given.has('commission'), [...given].join());
    } catch (cause) {
      const what = [...mutated].map(([name, mutation]) => `${name} ${mutation.name}`).join(', ');
      throw new Error(`${what}: replay with HOLDFAST_TEST_SEED=${seed}`, { cause });
    }
    responses += given.size;
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
  for (const [what, count] of statuses) t.diagnostic(`${what}: ${count}`);
});

test('UP-1 a tip yield that no provider sent is null with a warning, even if every response is valid', {}, async (t) => {
  const { right, served, respondWith, ask, nextRound } = await startMutatedWorld(t);
  const { body: chain } = await ask('validator/apy');
  const given: Record<Target, string> = {
    ...right,
    rewards: '[]',
    validator: right.validator.replace('"jito_apy"', '"xjito_apy"'),
  };
  respondWith((target) => ({ body: given[target] }));
  nextRound();
  const { status, body } = await ask('validator/apy');
  assert.deepEqual([status, body.jitoMevApy, body.totalApy], [200, null, null]);
  const sent = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, sentBy({ body: text })]),
  ) as unknown as SentRound;
  checkApy(body, chain, sent, served);
});

const rpcMethods = [
  'getMultipleAccounts',
  'getVoteAccounts',
  'getEpochInfo',
  'getInflationRate',
  'getBlockProduction',
  'getProgramAccounts',
];

test(`UP-1 with ${RPC_ANSWERS} mutated RPC responses, every status of the service is 200 or 502, and a balance matches the chain or is missing`, {}, async (t) => {
  const unhandled = watchUnhandled(t);
  const { world, ask, nextRound } = await startMutatedWorld(t, { longestMs: 5 });
  const wallet = newWallet().walletAddress;
  await world.sandbox.airdrop(wallet, HELD_LAMPORTS, patience());
  // Values that must be correct whenever they are reported. Null means unknown.
  const truths = {
    [`wallet/balance/${wallet}`]: ({ lamports, sol, readyToStake, minimumStakeSol }) => [
      lamports,
      sol,
      readyToStake,
      minimumStakeSol,
    ],
    validator: ({ activatedStakeSol, commission, identity, voteAccount }) => [
      activatedStakeSol,
      commission,
      identity,
      voteAccount,
    ],
    'validator/live': ({ activatedStakeSol, commission, currentEpoch }) => [
      activatedStakeSol,
      commission,
      currentEpoch,
    ],
    'validator/apy': ({ commission }) => [commission],
    'validator/history': ({ epochs }) => [epochs.at(0)?.activeStakeSol],
    [`stake/accounts/${wallet}`]: () => [],
  } satisfies Record<string, (body: Answered['body']) => unknown[]>;
  const right = new Map<string, unknown[]>();
  for (const [path, truth] of Object.entries(truths)) {
    const { status, body } = await ask(path);
    assert.equal(status, 200, path);
    right.set(path, truth(body));
  }
  assert.equal(right.get(`wallet/balance/${wallet}`)?.[0], Number(HELD_LAMPORTS));
  const random = seededRandom(FIRST_SEED);
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let responses = 0;
  let broken = '';
  let last = '';
  world.rpc.rewrite((method, text) => {
    if (method !== broken) return text;
    responses += 1;
    count(method);
    last = mutateRpc(random, text);
    return last;
  });
  const evaluate = async (path: string, truth: (body: Answered['body']) => unknown[]): Promise<void> => {
    const { status, body } = await ask(path);
    count(`${path.split('/', 2).join('/')} ${status}`);
    const where = `${broken}: ${path} ${JSON.stringify(body).slice(0, 300)} after ${last.slice(0, 300)}`;
    if (status !== 200) {
      assert.deepEqual([status, body.errorCode], [502, 'UPSTREAM_UNAVAILABLE'], where);
      return;
    }
    const known = right.get(path)!;
    truth(body).forEach((value, index) => {
      if (value !== null) assert.equal(value, known[index], where);
    });
    if (path.startsWith('wallet/balance')) assert.deepEqual(truth(body), known, where);
  };
  for (let round = 0; responses < RPC_ANSWERS && round < RPC_ANSWERS; round += 1) {
    broken = rpcMethods[round % rpcMethods.length]!;
    nextRound();
    await Promise.all(Object.entries(truths).map(([path, truth]) => evaluate(path, truth)));
  }
  broken = '';
  nextRound();
  for (const path of Object.keys(truths)) assert.equal((await ask(path)).status, 200, `${path}, afterwards`);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
  for (const [what, times] of counts) t.diagnostic(`${what}: ${times}`);
  assert.ok(responses >= RPC_ANSWERS, `${responses} responses were broken`);
  const answered = [...counts].flatMap(([what, times]) => (what.endsWith(' 200') ? [times] : []));
  const failed = [...counts].flatMap(([what, times]) => (what.endsWith(' 502') ? [times] : []));
  const sum = (all: readonly number[]) => all.reduce((total, times) => total + times, 0);
  assert.ok(sum(answered) >= sum(failed), `${sum(answered)} answered with 200 and ${sum(failed)} with 502`);
});

for (const where of ['before', 'inside'] as const)
  test(`UP-1 with an RPC whose every method hangs ${where === 'before' ? 'before its response' : 'in the middle of its response'}, requests fail with 502 at worst, and everything recovers`, {}, async (t) => {
    const unhandled = watchUnhandled(t);
    const { world, ask, nextRound } = await startMutatedWorld(t);
    const wallet = newWallet();
    const { walletAddress, secretKey } = wallet;
    await world.sandbox.airdrop(walletAddress, HELD_LAMPORTS, patience());
    const document = (await (await fetch(`${world.app.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const reads = Object.entries(document.paths)
      .filter(([path, methods]) => 'get' in methods && path.startsWith('/api/v1/'))
      .map(([path]) =>
        path
          .replace('/api/v1/', '')
          .replaceAll(/\{(walletAddress|address)\}/g, walletAddress)
          .replaceAll(/\{[^}]+\}/g, '1'.repeat(64)),
      );
    assert.ok(reads.length >= 15, reads.join());
    const acts = {
      'stake/transaction': { walletAddress, amountSol: 2 },
      'stake/simulate': { amountSol: 2, durationDays: 30 },
      donate: { walletAddress, amountSol: 0.1 },
      stake: { walletAddress, secretKey, amountSol: 2 },
    };
    const calls = [
      ...reads.map((path) => ({ path, body: undefined })),
      ...Object.entries(acts).map(([path, body]) => ({ path, body })),
    ];
    nextRound();
    world.rpc.hang(where);
    const response = await Promise.all(
      calls.map(async ({ path, body }) => ({ path, ...(await ask(path, body)) })),
    );
    const statuses = new Map<string, number>();
    for (const { path, status, body } of response) {
      const name = `${status}${status === 200 ? '' : ` ${body.errorCode}`}`;
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
      if (status >= 500)
        assert.deepEqual(
          [status, body.errorCode],
          [502, 'UPSTREAM_UNAVAILABLE'],
          `${path}: ${JSON.stringify(body)}`,
        );
    }
    assert.ok(response.filter(({ status }) => status === 502).length >= 10, 'most responses need the chain');
    world.rpc.hang(null);
    nextRound();
    for (const path of ['validator', `wallet/balance/${walletAddress}`, 'epoch'])
      while ((await ask(path)).status !== 200) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
    for (const [name, count] of statuses) t.diagnostic(`${name}: ${count}`);
  });
