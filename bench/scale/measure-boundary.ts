// Registrations and events at one epoch boundary, with one service and the embedded store. Some registrations
// are made over HTTP and respond to their pings. The others are copies of one of them. All are notified of
// the end of the epoch.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { getBase58Decoder } from '@solana/kit';
import { Agent, request } from 'undici';
import { settingsFor, startService } from '../../test/support/service-fixture.ts';
import { spawnProcess } from '../../test/support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { TypeCounts } from './counting-receiver.ts';
import { formatFigure, metricsOf, processFigures, startLoadChain } from './load-world.ts';
import { callJson } from './mixed-load.ts';
import type { Measurement } from './scale-costs.ts';

const WITHIN_MINUTES = 20;
const AT_ONCE = 32;
/**
 * Maximum number of stake accounts. At a boundary, the sandbox pays accounts one by one, and 20,000 take
 * minutes on a busy machine.
 */
const MAX_STAKE_ACCOUNTS = 1_000;
/** Maximum number of registrations from one client network. */
const PER_CLIENT = 100;
/** Number of calls in 5 s below which a restarted watcher counts as caught up. */
const QUIET_CALLS = 100;
/** Duration of the measurement without requests, in ms. */
const WATCH_MS = 20_000;

const base58 = getBase58Decoder();
/** Returns the wallet numbered `number` in `soak-sandbox.ts`. */
const walletOf = (number: number): string =>
  base58.decode(createHash('sha256').update(`wallet ${number}`).digest());

const sizeOf = (file: string): number => {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
};

/**
 * Copies a registration that has responded to its ping, for the wallets numbered from `first` up to `count`.
 * The service must not be running.
 */
const copyRegistrations = (file: string, receiverUrl: string, first: number, count: number): void => {
  const db = new DatabaseSync(file);
  const row = db.prepare('select * from webhooks where awaits_answer = 0 limit 1').get()!;
  const names = Object.keys(row);
  const insert = db.prepare(
    `insert into webhooks (${names.join()}) values (${names.map((name) => `:${name}`).join()})`,
  );
  db.exec('begin');
  for (let number = first; number < count; number += 1) {
    const id = randomBytes(16).toString('hex');
    insert.run({ ...row, id, wallet: walletOf(number), callback_url: `${receiverUrl}/${number}` });
  }
  db.exec('commit');
  db.close();
};

/**
 * Makes `overHttp` registrations over HTTP, adds copies until there are `count`, and ends one epoch. At most
 * a tenth of the registrations are for wallets with stake.
 */
export const measureBoundary = async (
  scope: Scope,
  {
    count,
    overHttp,
    say,
  }: { readonly count: number; readonly overHttp: number; readonly say: (text: string) => void },
): Promise<Measurement> => {
  const stakeAccounts = Math.min(Math.ceil(count / 10) * 2, MAX_STAKE_ACCOUNTS);
  const { sandbox } = await startLoadChain(scope, { accounts: stakeAccounts, epochSeconds: 0 });
  say(`${stakeAccounts} stake accounts exist`);
  const receiver = spawnProcess(scope, { file: 'bench/scale/counting-receiver.ts' });
  const [, receiverPort] = await receiver.output(/port (\d+)/);
  const receiverUrl = `http://127.0.0.1:${receiverPort}`;
  const folder = temporaryFolder(scope);
  const settings = {
    ...settingsFor(sandbox),
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
    HOLDFAST_WEBHOOKS_PER_HOST: '1000000',
    HOLDFAST_WEBHOOKS_IN_ALL: '10000000',
    LOG_LEVEL: 'warn',
  };
  let service = await startService(scope, settings, folder);
  const dispatcher = new Agent({ connections: AT_ONCE });
  scope.after(() => dispatcher.close());
  const countsOf = async (type: string): Promise<TypeCounts> =>
    (await callJson(receiverUrl, { method: 'GET' })).body[type] ?? { deliveries: 0, ids: 0, facts: 0 };
  /** Measures the duration of `work`, and the service's CPU time and peak memory during it. */
  const measured = async <T>(work: () => Promise<T>) => {
    const pid = service.process.child.pid!;
    const [beganMs, cpuMs] = [performance.now(), processFigures(pid).cpuMs!];
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, processFigures(pid).rss ?? 0);
    }, 500);
    const result = await work();
    clearInterval(watch);
    return {
      result,
      seconds: (performance.now() - beganMs) / 1_000,
      cpuSeconds: (processFigures(pid).cpuMs! - cpuMs) / 1_000,
      peak,
    };
  };
  const arrived = async (type: string, wanted: number): Promise<void> => {
    const untilMs = Date.now() + 2 * WITHIN_MINUTES * 60_000;
    for (let last = -1; ; await delay(1_000)) {
      const { facts } = await countsOf(type);
      if (facts >= wanted) return;
      assert.ok(Date.now() < untilMs, `${facts} of ${wanted} ${type} arrived`);
      if (facts - last >= wanted / 10) {
        last = facts;
        say(`${facts} of ${wanted} ${type} arrived`);
      }
    }
  };

  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < overHttp) {
      const number = next;
      next += 1;
      const client = Math.floor(number / PER_CLIENT);
      const { statusCode, body } = await request(`${service.url}/api/v1/webhooks`, {
        dispatcher,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
        },
        body: JSON.stringify({
          walletAddress: walletOf(number),
          callbackUrl: `${receiverUrl}/${number}`,
          events: ['epoch_complete'],
        }),
      });
      const text = await body.text();
      assert.equal(statusCode, 200, `registration ${number}: ${text}`);
      if ((number + 1) % (overHttp / 10) === 0) say(`${number + 1} registered`);
    }
  };
  const registering = await measured(() => Promise.all(Array.from({ length: AT_ONCE }, lane)));
  const pinging = await measured(() => arrived('ping', overHttp));
  const file = join(folder, 'holdfast.db');
  const storeBytes = (): number => ['', '-wal'].reduce((sum, end) => sum + sizeOf(file + end), 0);
  if (overHttp < count) {
    await service.process.stop('SIGTERM');
    copyRegistrations(file, receiverUrl, overHttp, count);
    service = await startService(scope, settings, folder);
    say(`${count - overHttp} copied`);
  }
  const metric = await metricsOf(service);
  // A new leader's watcher first searches the transactions of every wallet.
  const catchingUp = await measured(async () => {
    for (let before = Number.NEGATIVE_INFINITY; ; ) {
      const calls = await metric('holdfast_rpc_calls_total');
      if (calls >= count && calls - before < QUIET_CALLS) return calls;
      before = calls;
      await delay(5_000);
    }
  });
  say(`caught up in ${catchingUp.seconds.toFixed(0)} s with ${catchingUp.result} calls`);
  const idle = await measured(() => delay(WATCH_MS));
  const storeBefore = storeBytes();
  const ending = await measured(async () => {
    await callJson(`${sandbox.controlUrl}/epoch`, { body: {} });
    await arrived('epoch_complete', count);
  });
  await delay(3_000);
  const events = await countsOf('epoch_complete');
  const storeAfter = storeBytes();
  const duplicates = events.ids - events.facts;
  const isMet = events.facts === count && duplicates === 0 && ending.seconds <= WITHIN_MINUTES * 60;
  return {
    title: `${count.toLocaleString('en')} registrations and events at one boundary`,
    head: ['', ''],
    rows: [
      ['stake accounts of these wallets', stakeAccounts.toLocaleString('en')],
      [
        'registered over HTTP',
        `${overHttp.toLocaleString('en')} in ${formatFigure(registering.seconds, 's')}, ${formatFigure((registering.cpuSeconds * 1e6) / overHttp, 'µs')} of CPU each; ${(count - overHttp).toLocaleString('en')} more were copied within the store`,
      ],
      ['last ping answered', `${formatFigure(pinging.seconds, 's')} after the last registration`],
      [
        'caught up after restart',
        `${formatFigure(catchingUp.seconds, 's')} and ${catchingUp.result.toLocaleString('en')} upstream calls, before any event is sent`,
      ],
      [
        'last event delivered',
        `${formatFigure(ending.seconds, 's')} after the epoch ended (goal: ${WITHIN_MINUTES} minutes), ${formatFigure((ending.cpuSeconds * 1e6) / count, 'µs')} of CPU each`,
      ],
      [
        'delivered',
        `${events.facts.toLocaleString('en')} events under ${events.ids.toLocaleString('en')} ids in ${events.deliveries.toLocaleString('en')} deliveries`,
      ],
      ['events under two ids', duplicates],
      ['deliveries repeated under the same id', events.deliveries - events.ids],
      [
        'peak resident memory of the service',
        `${formatFigure(registering.peak / 1e6, 'MB')} while registering, ${formatFigure(ending.peak / 1e6, 'MB')} at the boundary`,
      ],
      [
        'without requests, with all registrations',
        `${formatFigure((idle.cpuSeconds / idle.seconds) * 100, '%')} of a core`,
      ],
      [
        'store',
        `${formatFigure(storeBefore / 1e6, 'MB')} before, ${formatFigure(storeAfter / 1e6, 'MB')} after`,
      ],
      ['goal', isMet ? 'met' : '**not met**'],
    ],
    costs: {
      deliveryCpuUs: (ending.cpuSeconds * 1e6) / count,
      deliveriesPerSecond: count / ending.seconds,
      registrationStoreBytes: storeBefore / count,
      eventStoreBytes: Math.max(0, storeAfter - storeBefore) / count,
      registrationCpuUs: (registering.cpuSeconds * 1e6) / overHttp,
    },
  };
};
