// UP-1: whatever a statistics provider answers, nothing crashes, nothing is thrown, and no number is told that was not sent.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLogger } from '../../src/kernel/logger.ts';
import { createJito } from '../../src/upstream/jito.ts';
import { describeWarning, type Snapshot } from '../../src/upstream/snapshot.ts';
import { createStakewiz } from '../../src/upstream/stakewiz.ts';
import { createManualClock } from '../support/manual-clock.ts';
import {
  type ProviderAnswer,
  type ProviderCall,
  startScriptedProvider,
} from '../support/scripted-provider.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { mutate, mutationNames } from './up-1-mutations.ts';
import {
  judgeCommission,
  judgeRewards,
  judgeStakeHistory,
  judgeValidator,
  judgeValidators,
  sentBy,
} from './up-1-oracle.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const ANSWERS = FULL ? 10_000 : 1_000;
/** `HOLDFAST_TEST_SEED` replays one answer. */
const FIRST_SEED = 20_261_121;
const LANES = 8;
// Long for loopback, short for the few answers that never end.
const TIMEOUT_MS = 400;

const OURS = 'Babwmn9mc6PDaj1MHY6cgZ7YSTbqfASo8XXbDfEmQ3ua';
const EPOCH = 1_047;
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

/** One server and the real adapters in front of it; nothing is kept, so that every call asks. */
const openLane = async () => {
  let answer: ProviderAnswer = 'silence';
  const script = ({ method, url }: ProviderCall): ProviderAnswer =>
    // The commission may be taken from the rewards, which are sent right then.
    method === 'GET' && url.startsWith('/api/') && target === 'commission'
      ? { body: right.rewards ?? '' }
      : answer;
  let target = '';
  const server = await startScriptedProvider(script);
  const options = {
    url: server.url,
    voteAccount: OURS,
    timeoutMs: TIMEOUT_MS,
    clock: createManualClock(),
    logger: createLogger('silent'),
  };
  const stakewiz = createStakewiz({
    ...options,
    lifetimes: { validatorsMs: 0, validatorMs: 0, stakeHistoryMs: 0 },
  });
  const jito = createJito({ ...options, lifetimes: { commissionMs: 0, rewardsMs: 0 } });
  const { signal } = new AbortController();

  const judge = async (sent: unknown): Promise<Snapshot<unknown>> => {
    if (target === 'validators') {
      const snapshot = await stakewiz.validators(signal);
      judgeValidators(snapshot, sent);
      return snapshot;
    }
    if (target === 'validator') {
      const snapshot = await stakewiz.validator(signal);
      judgeValidator(snapshot, sent, OURS);
      return snapshot;
    }
    if (target === 'stakeHistory') {
      const snapshot = await stakewiz.stakeHistory(signal);
      judgeStakeHistory(snapshot, sent);
      return snapshot;
    }
    if (target === 'rewards') {
      const snapshot = await jito.rewards(signal);
      judgeRewards(snapshot, sent);
      return snapshot;
    }
    const snapshot = await jito.commission(EPOCH, signal);
    judgeCommission(snapshot, sent, { ours: OURS, epoch: EPOCH, older: OLDER });
    return snapshot;
  };
  return {
    judge: (asked: string, given: ProviderAnswer) => {
      target = asked;
      answer = given;
      return judge(sentBy(given));
    },
    [Symbol.asyncDispose]: async () => {
      await stakewiz.close();
      await jito.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

test(`UP-1 ${ANSWERS} mutated upstream answers: no crash, no throw, never a number that was not sent`, async (t) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  t.after(() => process.off('unhandledRejection', note).off('uncaughtException', note));
  const named = process.env.HOLDFAST_TEST_SEED;
  const seeds = named ? [Number(named)] : Array.from({ length: ANSWERS }, (_, index) => FIRST_SEED + index);
  const counts = new Map<string, { total: number; withValue: number }>();
  const run = async (): Promise<void> => {
    await using lane = await openLane();
    for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
      const random = seededRandom(seed);
      const target = targets[Math.floor(random() * targets.length)] ?? 'validator';
      const { name, answer } = mutate(random, right[target] ?? '');
      try {
        const { value, warnings } = await lane.judge(target, answer);
        for (const warning of warnings) assert.match(describeWarning(warning), /^(StakeWiz|Jito) .*\.$/);
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
  if (!named) assert.deepEqual([...counts.keys()].sort(), [...mutationNames].sort());
});
