// Tests that a watch reports each change once and in order, continues after outages, ends on permanent errors,
// and always pauses between polls.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { json, type ScriptedResponse, startScriptedService } from '../test/client/scripted-service.ts';
import type { StakingSummaryAnswer, SummarisedStakeAccount } from './generated/stake-operations.ts';
import { createHoldfastClient } from './holdfast-client.ts';
import { changesBetween, type ObservedChange, type WatchOptions, watchWallet } from './watch-wallet.ts';

const account = (address: string, more: Partial<SummarisedStakeAccount> = {}): SummarisedStakeAccount =>
  ({
    address,
    state: 'active',
    sol: 2,
    lamports: 2e9,
    withdrawReady: false,
    ...more,
  }) as SummarisedStakeAccount;
const summary = (
  accounts: readonly SummarisedStakeAccount[],
  { epoch = 7 as number | null, liquidSol = 5 } = {},
): StakingSummaryAnswer =>
  ({
    accounts,
    portfolio: { liquidSol },
    ...(epoch === null ? {} : { epochTiming: { currentEpoch: epoch } }),
    _meta: { timestamp: `2026-11-21T10:00:0${liquidSol}Z` },
  }) as StakingSummaryAnswer;
/** Formats changes with the address of their account. */
const changesOf = (before: StakingSummaryAnswer, now: StakingSummaryAnswer): string[] =>
  changesBetween(before, now).map((change) =>
    'account' in change ? `${change.type} ${change.account.address}` : change.type,
  );

test('changes come in a fixed order: epoch, wallet, listed accounts, closed accounts', () => {
  const before = summary([account('gone'), account('a'), account('b')]);
  const now = summary(
    [
      account('b', { state: 'inactive', sol: 3, lamports: 3e9, withdrawReady: true }),
      account('new'),
      account('a'),
    ],
    { epoch: 8, liquidSol: 4 },
  );
  assert.deepEqual(changesOf(before, now), [
    ...['epoch_changed', 'liquid_changed'],
    ...['account_state_changed b', 'account_balance_changed b', 'withdraw_ready b'],
    ...['account_added new', 'account_removed gone'],
  ]);
});

test('each change contains the old and new value, and the current account', () => {
  const [was, is] = [account('a'), account('a', { state: 'deactivating', sol: 2.5, lamports: 25e8 })];
  const changes = changesBetween(summary([was]), summary([is], { epoch: 9, liquidSol: 1 }));
  assert.deepEqual(changes, [
    { type: 'epoch_changed', from: 7, to: 9 },
    { type: 'liquid_changed', fromSol: 5, toSol: 1 },
    { type: 'account_state_changed', account: is, from: 'active', to: 'deactivating' },
    { type: 'account_balance_changed', account: is, fromSol: 2, toSol: 2.5 },
  ]);
});

test('an epoch missing from one of two polls is not a change, and a stake that is no longer ready is not reported as ready', () => {
  assert.deepEqual(changesOf(summary([], { epoch: null }), summary([])), []);
  assert.deepEqual(changesOf(summary([]), summary([], { epoch: null })), []);
  assert.deepEqual(changesOf(summary([account('a', { withdrawReady: true })]), summary([account('a')])), []);
});

test('a change of one lamport is reported even if both balances are the same number of SOL', () => {
  const [was, is] = [9_000_000_000_000_001, 9_000_000_000_000_002].map((lamports) =>
    account('a', { lamports, sol: 9_000_000 }),
  ) as [SummarisedStakeAccount, SummarisedStakeAccount];
  assert.deepEqual(changesOf(summary([was]), summary([is])), ['account_balance_changed a']);
});

const refusal = json(400, { errorCode: 'VALIDATION_ERROR', message: 'No wallet.' });
const down = json(503, { errorCode: 'UPSTREAM_UNAVAILABLE', message: 'No RPC answers.' });

/** Watches a service that gives these responses, without pausing. */
const watched = async (
  t: TestContext,
  responses: readonly ScriptedResponse[],
  options: WatchOptions = {},
) => {
  const service = await startScriptedService(t, responses);
  const client = createHoldfastClient({ baseUrl: service.url, retries: 0 });
  const pausesMs: number[] = [];
  const clock = {
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    sleep: async (ms: number) => void pausesMs.push(ms),
  };
  return { service, pausesMs, changes: watchWallet(client, 'w', { clock, ...options }) };
};
const next = async (changes: AsyncGenerator<ObservedChange>): Promise<ObservedChange> =>
  (await changes.next()).value as ObservedChange;

test('an outage is reported once, with its reason and the local time, and changes during it are reported afterwards', async (t) => {
  const { changes, service } = await watched(t, [
    ...[json(200, summary([])), down, 'drop' as const, down],
    ...[json(200, summary([account('a')], { liquidSol: 3 })), refusal],
  ]);
  assert.equal((await next(changes)).type, 'watching');
  const interrupted = await next(changes);
  assert.ok(interrupted.type === 'interrupted');
  assert.deepEqual(
    [interrupted.error.errorCode, interrupted.observedAt],
    ['UPSTREAM_UNAVAILABLE', '2026-01-01T00:00:00.000Z'],
  );
  const after = [await next(changes), await next(changes), await next(changes)];
  assert.deepEqual(
    after.map(({ type, observedAt }) => [type, observedAt]),
    ['resumed', 'liquid_changed', 'account_added'].map((type) => [type, '2026-11-21T10:00:03Z']),
  );
  assert.equal(service.seen.length, 5);
  await changes.return();
});

test('a watch waits for a service that is down at the start, and the first response still counts as the first poll', async (t) => {
  const { changes } = await watched(t, [down, json(200, summary([])), refusal]);
  const types = [await next(changes), await next(changes), await next(changes)].map(({ type }) => type);
  assert.deepEqual(types, ['interrupted', 'resumed', 'watching']);
  await changes.return();
});

test('a failure that retrying cannot fix ends the watch, even after a successful poll', async (t) => {
  const { changes, service } = await watched(t, [json(200, summary([])), refusal]);
  await next(changes);
  await assert.rejects(changes.next(), { errorCode: 'VALIDATION_ERROR' });
  assert.equal(service.seen.length, 2);
});

test('the pause between two polls has the requested length, with a minimum of a quarter of a second', async (t) => {
  for (const [intervalMs, pause] of [
    [undefined, 10_000],
    [60_000, 60_000],
    [0, 250],
    [-1, 250],
    [Number.NaN, 250],
  ] as const) {
    const stop = new AbortController();
    const { changes, pausesMs } = await watched(t, [json(200, summary([])), down], {
      intervalMs,
      signal: stop.signal,
    });
    await next(changes);
    await next(changes);
    assert.deepEqual(pausesMs, [pause], String(intervalMs));
    stop.abort();
    await changes.return();
  }
});

test('an already aborted signal sends no request', async (t) => {
  const { changes, service } = await watched(t, [json(200, summary([]))], { signal: AbortSignal.abort() });
  assert.deepEqual(await changes.next(), { done: true, value: undefined });
  assert.equal(service.seen.length, 0);
});
