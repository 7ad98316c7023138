// A service whose providers and RPC respond as a test specifies, round after round, with nothing cached between
// rounds.
import assert from 'node:assert/strict';
import { systemClock } from '../../src/kernel/clock.ts';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { patience } from '../support/patience.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import {
  type ProviderCall,
  type ProviderResponse,
  startScriptedProvider,
} from '../support/scripted-provider.ts';
import { createRunningClock, type SteerableClock } from '../support/steerable-clock.ts';
import type { Scope } from '../support/temporary-folder.ts';
import type { Answered, SentRound, Served } from './upstream-service-oracle.ts';

export type Target = keyof SentRound;

/** More than twice the longest lifetime of a cached response (300 s), so not even a stale one remains. */
const ROUND_MS = 700_000;
/** Number of loops that run every 20 s: the validator's status, the sampler and the operator alerts. */
const SLOW_LOOPS = 3;
/**
 * Returns true for the pause of a slow loop after the first second. The runner waits for these separately.
 * Nothing else in the service sleeps between 15 and 20 s.
 */
const isPauseOfSlowLoop = (ms: number): boolean => ms > 15_000 && ms <= 20_000;

/**
 * Creates a clock on which everything runs normally, except that the slow loops run only once. A second run
 * would carry a round's responses into the next.
 */
const clockOfOneRun = (longestMs: number): SteerableClock & { readonly ranOnce: Promise<void> } => {
  const clock = createRunningClock();
  const { promise, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  return {
    ...clock,
    ranOnce: promise,
    sleep: (ms, signal) => {
      if (!isPauseOfSlowLoop(ms)) return systemClock.sleep(Math.min(ms, longestMs), signal);
      runs += 1;
      if (runs === SLOW_LOOPS) resolve();
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    },
  };
};

const SAMPLES = 'getRecentPerformanceSamples';
/** The number of slots in 60 s at the sandbox's configured rate. */
const SET_RATE = `"numSlots":${60_000 / QUICK_SANDBOX.slotMs!}`;

interface MutatedWorld {
  readonly world: TestApp;
  readonly served: Served;
  /** The correct responses. */
  readonly right: Readonly<Record<Target, string>>;
  /** Sets the providers' responses, which are correct by default. */
  readonly respondWith: (answer: (target: Target) => ProviderResponse) => void;
  readonly ask: (path: string, body?: object) => Promise<Answered>;
  /** Expires everything cached. */
  readonly nextRound: () => void;
}

const targetOf = ({ method, url }: ProviderCall): Target => {
  if (url.startsWith('/api/')) return method === 'POST' ? 'commission' : 'rewards';
  if (url.startsWith('/validators')) return 'validators';
  return url.startsWith('/validator/') ? 'validator' : 'stakeHistory';
};

/**
 * Returns the current responses of the sandbox's providers, with a history of five epochs, which a new sandbox
 * does not have.
 */
const rightResponses = async ({ sandbox }: TestApp, epoch: number): Promise<Record<Target, string>> => {
  const { stakewizUrl, jitoUrl, voteAccount } = sandbox;
  const text = async (url: string, init: RequestInit = {}) => await (await fetch(url, init)).text();
  const ended = [1, 2, 3, 4, 5].map((ago) => epoch - ago);
  return {
    validators: await text(`${stakewizUrl}/validators`),
    // The commission is not 0, because an invented 0 would go unnoticed.
    validator: (await text(`${stakewizUrl}/validator/${voteAccount}`)).replace(
      /"jito_commission_bps":\s*0\b/,
      '"jito_commission_bps":600',
    ),
    stakeHistory: JSON.stringify(ended.map((one) => ({ epoch: one, stake: 120_000.5 + one }))),
    commission: (
      await text(`${jitoUrl}/api/v1/validators`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ epoch }),
      })
    ).replaceAll(/"mev_commission_bps":\s*0\b/g, '"mev_commission_bps":700'),
    rewards: JSON.stringify(
      ended.map((one) => ({
        epoch: one,
        mev_commission_bps: 800,
        mev_rewards: 12_345_678_901 + one,
        priority_fee_commission_bps: 10_000,
        priority_fee_rewards: 1_000 + one,
      })),
    ),
  };
};

/**
 * Starts the service and its providers, and closes both when the scope ends. `longestMs` limits every pause of
 * the service, such as those between two attempts.
 */
export const startMutatedWorld = async (
  scope: Scope,
  { longestMs = Number.POSITIVE_INFINITY }: { readonly longestMs?: number } = {},
): Promise<MutatedWorld> => {
  let right: Record<Target, string> | null = null;
  let answer = (target: Target): ProviderResponse =>
    right === null ? { status: 503, body: '' } : { body: right[target] };
  const provider = await startScriptedProvider((call) => answer(targetOf(call)));
  scope.after(async () => await provider[Symbol.asyncDispose]());
  const clock = clockOfOneRun(longestMs);
  const world = await startTestApp(scope, {
    places: () => ({ stakewizUrl: provider.url, jitoUrl: provider.url }),
    clock,
  });
  await clock.ranOnce;
  // After a minute, the sandbox would report the actual duration of its slots and thereby change every yield.
  world.rpc.rewrite((method, text) =>
    method === SAMPLES ? text.replaceAll(/"numSlots":\d+/g, SET_RATE) : text,
  );
  const ask = async (path: string, body?: object): Promise<Answered> => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${world.app.url}/api/v1/${path}`, {
      ...init,
      signal: patience(),
    });
    return { status: response.status, body: await response.json() };
  };
  const live = await ask('validator/live');
  assert.equal(live.status, 200);
  const epoch: number = live.body.currentEpoch;
  right = await rightResponses(world, epoch);
  const nextRound = () => clock.advance(ROUND_MS);
  nextRound();
  return {
    world,
    served: { voteAccount: world.sandbox.voteAccount, epoch },
    right,
    respondWith: (given) => {
      answer = given;
    },
    ask,
    nextRound,
  };
};
