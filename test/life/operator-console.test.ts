// Checks the operator console: access control, the delegator list across a restart, dead letters and
// submissions.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { splitOff, until } from '../support/index-fixture.ts';
import { operatorConsoleAt, operatorConsoleOf } from '../support/operator-console-client.ts';
import { startReceiver } from '../support/receiver.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { buildAndSubmit, stakeNow } from '../support/service-calls.ts';
import { settingsFor, sharedService, startService, startServiceHere } from '../support/service-fixture.ts';
import { createTestDatabase } from '../support/store-postgres.ts';
import { startTcpProxy } from '../support/store-tcp-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet } from '../support/wallets.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const SOL = 1_000_000_000n;

/** Sends a request with headers that `fetch` cannot send. Returns the status. */
const statusWith = (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });

const setLabel = (
  operatorConsole: Pick<Awaited<ReturnType<typeof operatorConsoleOf>>, 'fetch'>,
  walletAddress: string,
  label: unknown,
) =>
  operatorConsole.fetch('labels', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress, label }),
  });

/** Returns the charts of `deploy/grafana.json`, without the row titles. */
const dashboardPanels = () => {
  const { panels } = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as {
    panels: {
      type: string;
      title: string;
      fieldConfig: { defaults: { unit?: string } };
      gridPos: { x: number; y: number };
      targets: { expr: string }[];
    }[];
  };
  return panels.filter(({ type }) => type !== 'row');
};

/** Returns the metric names in a PromQL expression, without functions and labels. */
const metricsIn = (expr: string): readonly string[] =>
  expr.replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '').match(/\b[a-z]\w*\b(?! *\()/g)!;

describe('the operator console', () => {
  const shared = sharedService(
    { before, after },
    { settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } },
  );

  test('access requires the token from the file, the right host and the same origin, and each refusal is counted', async () => {
    const { service } = shared();
    const operatorConsole = await operatorConsoleOf(service);
    assert.equal(statSync(operatorConsole.tokenPath).mode & 0o777, 0o600);
    assert.match(operatorConsole.url, /^http:\/\/127\.0\.0\.1:/);
    const wrong = await operatorConsole.fetch('stake', {
      headers: { authorization: `Bearer ${'0'.repeat(64)}` },
    });
    assert.equal(wrong.status, 401);
    assert.equal(wrong.headers.get('www-authenticate'), 'Bearer');
    assert.equal((await wrong.json()).errorCode, 'OPERATOR_TOKEN_REQUIRED');
    assert.equal((await operatorConsole.fetch('stake', { headers: { authorization: '' } })).status, 401);
    const health = `${operatorConsole.url}/api/v1/operator/health`;
    const authorization = `Bearer ${operatorConsole.token()}`;
    assert.equal(await statusWith(health, { authorization, host: 'operatorConsole.example' }), 403);
    assert.equal(await statusWith(health, { authorization, origin: 'https://evil.example' }), 403);
    assert.equal(await statusWith(health, { authorization, origin: operatorConsole.url }), 200);
    const { metricsUrl } = service.app;
    assert.match(await (await fetch(metricsUrl!)).text(), /^holdfast_operator_refused_total 2$/m);
  });

  test('a flood of calls with a wrong token, above the rate limit, does not lock out clients with the right token', async (t) => {
    const { sandbox } = shared();
    const settings = { ...settingsFor(sandbox), HOLDFAST_RATE_LIMIT: '1' };
    const operatorConsole = await operatorConsoleOf(await startServiceHere(t, settings));
    for (let sent = 0; sent < 601; sent += 1) {
      const wrong = await operatorConsole.fetch('health', { headers: { authorization: 'Bearer wrong' } });
      await wrong.arrayBuffer();
      assert.equal(wrong.status, 401);
    }
    assert.equal((await operatorConsole.fetch('health')).status, 200);
  });

  test('every metric used by the shipped alerts and the dashboard is served', async (t) => {
    const { sandbox } = shared();
    const service = await startServiceHere(t, settingsFor(sandbox));
    const scrape = async () => (await fetch(service.app.metricsUrl!)).text();
    assert.match(
      await scrape(),
      /^holdfast_validator_delinquent 0$/m,
      'the first scrape contains the validator',
    );
    const operatorConsole = await operatorConsoleOf(service);
    const epochsAre = (count: number) =>
      until(async () => {
        const answer = await operatorConsole.fetch('stake');
        return answer.status === 200 && (await answer.json()).epochs.length === count;
      }, `epoch ${count}`);
    await epochsAre(1);
    await sandbox.advanceEpochs(1);
    await epochsAre(2);
    const asked = new Set([
      ...readFileSync('deploy/alerts.yml', 'utf8').match(/holdfast_\w+/g)!,
      ...dashboardPanels().flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))),
    ]);
    // This metric is served only with Redis.
    asked.delete('holdfast_redis_up');
    // This metric is served only if operator alerts are configured and the epochs left on the validator
    // admission ticket are known.
    asked.delete('holdfast_vat_epochs_left');
    assert.ok(asked.size > 20);
    let missing: readonly string[] = [...asked];
    await until(async () => {
      const text = await scrape();
      missing = [...asked].filter((name) => !text.includes(`# TYPE ${name.replace(/_bucket$/, '')} `));
      return missing.length === 0;
    }, 'the metrics that need a second epoch').catch(() => undefined);
    assert.deepEqual(missing, []);
  });

  test('every panel of the dashboard has a title, a unit and a position of its own', () => {
    const panels = dashboardPanels();
    assert.ok(panels.length > 15);
    for (const { title, fieldConfig } of panels) {
      assert.ok(title, 'a panel without a title');
      assert.ok(fieldConfig.defaults.unit, title);
    }
    for (const distinct of [
      panels.map(({ title }) => title),
      panels.map(({ gridPos: { x, y } }) => `${x} ${y}`),
    ])
      assert.equal(new Set(distinct).size, panels.length);
  });

  test('the console API has its own OpenAPI document and is available neither on the public listener nor through MCP', async () => {
    const { service } = shared();
    const operatorConsole = await operatorConsoleOf(service);
    const document = (await (await fetch(`${operatorConsole.url}/openapi.json`)).json()) as {
      paths: object;
      security: unknown;
    };
    const paths = Object.keys(document.paths);
    assert.equal(paths.length, 12);
    for (const path of paths) {
      assert.match(path, /^\/api\/v1\/operator\//);
      assert.equal((await fetch(service.url + path)).status, 404, path);
    }
    assert.deepEqual(document.security, [{ bearer: [] }]);
    for (const path of ['/mcp', '/llms.txt', '/server.json', '/api/v1/validator'])
      assert.equal((await fetch(operatorConsole.url + path)).status, 404, path);
    const open = await (await fetch(`${service.url}/openapi.json`)).text();
    assert.doesNotMatch(open, /operator\//);
  });

  test('each listener serves only its own documents and assets', async () => {
    const { service } = shared();
    const { url } = await operatorConsoleOf(service);
    const assetsOf = async (from: string) => {
      const document = await fetch(from);
      assert.match(document.headers.get('content-security-policy')!, /script-src 'self'; style-src 'self'/);
      return [...(await document.text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    };
    const [own, open] = [await assetsOf(`${url}/`), await assetsOf(`${service.url}/`)];
    assert.ok(own.length >= 2 && open.length >= 2);
    for (const path of ['/stakers', '/alerts', '/deliveries', ...own]) {
      assert.equal((await fetch(url + path)).status, 200, path);
      assert.equal((await fetch(service.url + path)).status, 404, path);
    }
    const { icons } = (await (await fetch(`${url}/manifest.webmanifest`)).json()) as {
      icons: readonly { src: string }[];
    };
    assert.ok(icons.length > 0);
    for (const { src } of icons) assert.equal((await fetch(url + src)).status, 200, src);
    for (const path of [
      '/console',
      '/console/index.html',
      `/console${own[0]}`,
      '/assets/console%2findex.html',
    ])
      assert.equal((await fetch(service.url + path)).status, 404, path);
    for (const path of ['/portfolio', ...open.filter((one) => !own.includes(one))])
      assert.equal((await fetch(url + path)).status, 404, path);
  });

  test('if the page is not built, the console says how to build it, and its API still responds', async (t) => {
    const { app } = await startTestApp(t);
    const { url } = app.operatorConsole!;
    const document = await fetch(url);
    assert.equal(document.status, 200);
    assert.match(await document.text(), /npm run build/);
    assert.equal((await operatorConsoleAt(app.operatorConsole!).fetch('health')).status, 200);
  });

  test('a token written to the file is valid immediately and replaces the old one, and no client is admitted while others can read the file', async () => {
    const { service } = shared();
    const operatorConsole = await operatorConsoleOf(service);
    const before = operatorConsole.token();
    const status = async (token: string) =>
      (await operatorConsole.fetch('health', { headers: { authorization: `Bearer ${token}` } })).status;
    const next = 'ab'.repeat(32);
    writeFileSync(operatorConsole.tokenPath, `${next}\n`);
    assert.deepEqual([await status(before), await status(next)], [401, 200]);
    chmodSync(operatorConsole.tokenPath, 0o644);
    assert.equal(await status(next), 401);
    chmodSync(operatorConsole.tokenPath, 0o600);
    writeFileSync(operatorConsole.tokenPath, 'no token');
    assert.deepEqual([await status('no token'), await status('')], [401, 401]);
    writeFileSync(operatorConsole.tokenPath, before);
    assert.equal(await status(before), 200);
  });

  test('a label is plain text of at most 60 characters and is shown with its wallet until it is removed', async () => {
    const { service, sandbox } = shared();
    const operatorConsole = await operatorConsoleOf(service);
    const staker = await SandboxStaker.fund(sandbox, 10n * SOL);
    const account = await staker.stake(2n * SOL);
    await until(
      async () => (await operatorConsole.fetch(`delegators/${account}`)).status === 200,
      'the staker',
    );
    for (const wrong of ['', '  ', 'x'.repeat(61), 'two\nlines', 'reversed \u202e', 7])
      assert.equal(
        (await setLabel(operatorConsole, staker.wallet.address, wrong)).status,
        400,
        String(wrong),
      );
    assert.equal((await setLabel(operatorConsole, 'nobody', 'x')).status, 400);
    const label = '<b>Fund</b> & Söhne 🙂';
    const set = await setLabel(operatorConsole, staker.wallet.address, ` ${label} `);
    assert.equal((await set.json()).label, label, 'trimmed');
    const shown = async (): Promise<unknown[]> => {
      const { delegators } = await operatorConsole.get(`delegators?wallet=${staker.wallet.address}`);
      const [ofWallet, ofAccount] = [
        await operatorConsole.get(`delegators/${staker.wallet.address}`),
        await operatorConsole.get(`delegators/${account}`),
      ];
      return [delegators[0].label, ofWallet.label, ofWallet.isWallet, ofAccount.label, ofAccount.isWallet];
    };
    assert.deepEqual(await shown(), [label, label, true, null, false]);
    const table = await (await operatorConsole.fetch('delegators?format=csv')).text();
    assert.ok(table.includes(`,${label},`));
    await setLabel(operatorConsole, staker.wallet.address, null);
    assert.deepEqual(await shown(), [null, null, true, null, false]);
  });

  test('the validator’s rank and vote latency are shown, and figures without a source are null with the reason', async (t) => {
    const { sandbox } = shared();
    const settings = settingsFor(sandbox);
    const known = await operatorConsoleOf(await startServiceHere(t, settings));
    const without = await operatorConsoleOf(
      await startServiceHere(t, { ...settings, HOLDFAST_JITO_URL: '' }),
    );
    for (const operatorConsole of [known, without])
      await until(async () => (await operatorConsole.get('validator')).epochs.length > 0, 'the first sample');
    await until(
      async () => (await known.get('validator')).voteLatencySlots === 1,
      'the first votes of the sandbox, which land in the next slot',
    );
    const { epochs, warnings } = await known.get('validator');
    assert.deepEqual(warnings, []);
    await until(
      async () => (await known.get('validator')).blockRewardsOffered === false,
      'the check of the node: this sandbox node serves blocks without rewards',
    );
    const ports = { HOLDFAST_OPERATOR_PORT: '0', HOLDFAST_METRICS_PORT: 'off' };
    const inSandbox = await operatorConsoleOf(await startServiceHere(t, ports));
    assert.equal((await inSandbox.get('validator')).blockRewardsOffered, false);
    const [{ epoch, stakeRank, validators, ...rest }] = epochs;
    assert.equal(epoch, sandbox.epoch());
    assert.ok(stakeRank >= 1 && stakeRank <= validators);
    assert.deepEqual([rest.commissionSol, rest.tipsSol], [null, null], 'only paid after the epoch');
    assert.match((await without.get('validator')).warnings.join(), /MEV statistics/);
  });

  test('while no RPC node responds, the yield is shown as last read, with its time', async (t) => {
    const { app, rpc, clock } = await startTestApp(t);
    const operatorConsole = operatorConsoleAt(app.operatorConsole!);
    const { apy } = await operatorConsole.get('validator');
    assert.ok(apy.stakingApy > 0);
    rpc.cut(true);
    clock.advance(600_000);
    await until(async () => {
      const { apy: shown } = await operatorConsole.get('validator');
      if (shown?.notices[0]?.code !== 'YIELD_AS_OF') return false;
      assert.equal(shown.stakingApy, apy.stakingApy);
      return true;
    }, 'the yield as last read');
  });

  test('a test alert reaches each configured destination and appears in the list of alerts with its outcome', async (t) => {
    const { service, sandbox } = shared();
    const without = await operatorConsoleOf(service);
    const refused = await without.fetch('alerts/test', { method: 'POST' });
    assert.equal(refused.status, 404);
    assert.equal((await refused.json()).errorCode, 'NOT_CONFIGURED');
    assert.deepEqual((await without.get('alerts')).destinations, []);
    const { dependencies } = await without.get('health');
    const off = dependencies.find(({ name }: { name: string }) => name === 'alerts');
    assert.deepEqual([off.ok, off.details.destinations], [true, []], 'listed even though alerts are off');

    const [plain, webhook] = [await startReceiver(t), await startReceiver(t)];
    const alerting = await operatorConsoleOf(
      await startServiceHere(t, {
        ...settingsFor(sandbox),
        HOLDFAST_OPERATOR_NOTIFY_URL: `${plain.url}/topic`,
        HOLDFAST_OPERATOR_WEBHOOK_URL: `${webhook.url}/hook`,
      }),
    );
    assert.deepEqual((await alerting.get('alerts')).destinations, ['webhook', 'notify']);
    const sendTest = async () => {
      const answer = await alerting.fetch('alerts/test', { method: 'POST' });
      return answer.status === 200 && (await answer.json()).destinations.length === 2;
    };
    await until(sendTest, 'both destinations');
    await until(
      () => plain.received.some(({ headers }) => headers.title === 'Holdfast: Test alert'),
      'the text notification',
    );
    const outcomes = async (): Promise<string> =>
      (await alerting.get('alerts')).alerts
        .map(({ alert, destination, state, lastStatus }: Record<string, unknown>) =>
          [alert, destination, state, lastStatus].join(' '),
        )
        .join();
    await until(
      async () =>
        /test notify delivered 204/.test(await outcomes()) &&
        /test webhook delivered 204/.test(await outcomes()),
      'the outcomes',
    );
  });

  test('health reports a disabled destination as a fault, and a test alert enables it again', async (t) => {
    const { sandbox } = shared();
    let status = 410;
    const receiver = await startReceiver(t, (_request, response) => void response.writeHead(status).end());
    const alerting = await operatorConsoleOf(
      await startServiceHere(t, {
        ...settingsFor(sandbox),
        HOLDFAST_OPERATOR_WEBHOOK_URL: `${receiver.url}/hook`,
      }),
    );
    const health = async () => {
      const { dependencies } = await alerting.get('health');
      return dependencies.find(({ name }: { name: string }) => name === 'alerts');
    };
    const sendTest = async (): Promise<string | null> => {
      const answer = await alerting.fetch('alerts/test', { method: 'POST' });
      return answer.status === 200 ? (await answer.json()).ids[0] : null;
    };
    const settled = async (id: string | null): Promise<string> => {
      let state = 'pending';
      await until(async () => {
        const { alerts } = await alerting.get('alerts');
        state = alerts.find((alert: { id: string }) => alert.id === id)?.state ?? 'pending';
        return state !== 'pending';
      }, 'the outcome');
      return state;
    };
    let id: string | null = null;
    await until(async () => {
      id = await sendTest();
      return id !== null;
    }, 'the registration');
    assert.equal(await settled(id), 'dead');
    const disabled = await alerting.get('alerts');
    assert.equal(disabled.destinationStates[0].disabledReason, 'gone');
    assert.deepEqual([(await health()).ok, (await health()).optional], [false, true]);
    status = 204;
    assert.equal(await settled(await sendTest()), 'delivered');
    const { destinationStates } = await alerting.get('alerts');
    assert.deepEqual(destinationStates, [
      { destination: 'webhook', disabledReason: null, failingSince: null },
    ]);
    assert.equal((await health()).ok, true);
  });

  test('dead letters are listed with their last attempt and can be sent again, and signed and submitted transactions are listed', async (t) => {
    const { service, sandbox } = shared();
    const operatorConsole = await operatorConsoleOf(service);
    const calls = webhookCalls(() => service.url);
    let answer = 204;
    const receiver = await startReceiver(t, (_request, response) => void response.writeHead(answer).end());
    const wallet = await fundedWallet(sandbox, 10);
    const hook = await calls.register({
      walletAddress: wallet.walletAddress,
      callbackUrl: `${receiver.url}/hook`,
      events: ['stake_activated'],
    });
    await receiver.got(1);
    // A 410 response disables the webhook and ends the delivery immediately.
    answer = 410;
    const stakeAccountAddress = await stakeNow(service, wallet, 2);
    await sandbox.advanceEpochs(1);
    await until(
      async () => (await operatorConsole.get('dead-letters')).deadLetters.length > 0,
      'the dead letter',
    );
    const found = await operatorConsole.get('dead-letters');
    const [letter] = found.deadLetters;
    const host = new URL(receiver.url).host;
    const behind = found.receivers.find(
      ({ callbackHost }: { callbackHost: string }) => callbackHost === host,
    );
    assert.deepEqual(
      [behind.webhooks, behind.disabledWebhooks, behind.waiting, behind.dead, behind.lastOutcome],
      [1, 1, 0, 1, 'gone'],
    );
    assert.ok(behind.failingSince !== null && behind.lastStatus === 410 && behind.nextAttemptAt === null);
    assert.deepEqual(
      [letter.type, letter.walletAddress, letter.lastOutcome, letter.lastStatus, letter.callbackHost],
      ['stake_activated', wallet.walletAddress, 'gone', 410, new URL(receiver.url).host],
    );
    const replay = () =>
      operatorConsole.fetch('dead-letters/replay', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorConsole.token()}` },
        body: JSON.stringify({ webhookId: letter.webhookId, id: letter.id }),
      });
    assert.equal((await (await replay()).json()).errorCode, 'WEBHOOK_DISABLED');
    answer = 204;
    await calls.call('POST', `/api/v1/webhooks/${hook.id}/ping`, { secret: hook.secret });
    await until(
      async () => (await operatorConsole.get('dead-letters')).deadLetters[0].webhookDisabled === null,
      'the webhook to be active again',
    );
    assert.deepEqual((await (await replay()).json()).replayed, true);
    await until(
      () => receiver.received.filter(({ headers }) => headers['webhook-id'] === letter.id).length === 2,
      'the second delivery under the same id',
    );
    assert.deepEqual((await operatorConsole.get('dead-letters')).deadLetters, []);
    const { submissions } = await operatorConsole.get('submissions');
    const own = submissions.find(
      (one: { walletAddress: string }) => one.walletAddress === wallet.walletAddress,
    );
    assert.deepEqual(
      [own.operation, own.kind, own.walletAddress, own.source, own.state, own.error],
      ['stake', 'stake', wallet.walletAddress, 'rest', 'confirmed', null],
    );
    await buildAndSubmit(service, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress });
    const label = await operatorConsole.fetch('labels', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: wallet.walletAddress, label: 'Fund' }),
    });
    assert.equal(label.status, 200);
    const { submissions: later } = await operatorConsole.get('submissions');
    const byWallet = later.find(
      (one: Record<string, unknown>) =>
        one.walletAddress === wallet.walletAddress && one.operation === 'submit',
    );
    assert.deepEqual([byWallet.kind, byWallet.title, byWallet.walletLabel], ['unstake', 'Unstake', 'Fund']);
    const isChangeOf = (signature: string, kind: string, title: string) =>
      until(async () => {
        const { changes } = await operatorConsole.get('stake');
        return changes.some(
          (one: Record<string, unknown>) =>
            one.signature === signature && one.kind === kind && one.title === title,
        );
      }, `${title} with its transaction`);
    await isChangeOf(byWallet.signature, 'leaving', 'Unstake');
    await buildAndSubmit(service, wallet, '/api/v1/unstake/undo/transaction', { stakeAccountAddress });
    const [undo] = (await operatorConsole.get('submissions')).submissions;
    assert.equal(undo.title, 'Undo unstake');
    await isChangeOf(undo.signature, 'stayed', 'Undo unstake');
    const { changes } = await operatorConsole.get('stake');
    const joined = changes.find((one: Record<string, unknown>) => one.walletAddress === wallet.walletAddress);
    assert.equal(joined.walletLabel, 'Fund');
    const { network } = await operatorConsole.get('health');
    assert.deepEqual([network.priorityPrices, network.recentlyExpired], [{ low: 0, medium: 0, high: 0 }, 0]);
    assert.ok(network.recentTransactions >= 1);
    const ready = (await service.client.get('/ready')) as { network: unknown };
    assert.deepEqual(ready.network, network, '/ready reports the same network load');
  });
});

test('after a restart, the delegator list still shows when and how each account joined', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const dataDir = temporaryFolder(t);
  const outside = await SandboxStaker.fund(sandbox, 100n * SOL);
  const early = await outside.stake(3n * SOL);
  const first = await startService(t, settingsFor(sandbox), dataDir);
  const operatorConsole = await operatorConsoleOf(first);
  assert.equal(first.process.stdout.includes(operatorConsole.token()), false, 'only the path is printed');
  await until(async () => (await operatorConsole.fetch('stake')).status === 200, 'the index');
  const list = async (query = '') => (await operatorConsole.get(`delegators?${query}`)).delegators;
  const find = async (account: string) =>
    (await list(`search=${account}`)).find(
      (row: { stakeAccountAddress: string }) => row.stakeAccountAddress === account,
    );
  await until(async () => (await find(early))?.firstSeenEpoch === 800, 'the delegator list to be filled');
  const seenAt = (await find(early)).firstSeenAt;

  const wallet = await fundedWallet(sandbox, 10);
  const through = await stakeNow(first, wallet, 4);
  const joined = await outside.stake(5n * SOL);
  await until(
    async () => (await find(joined))?.firstSeenAt && (await find(through))?.wayIn,
    'both accounts to be recorded',
  );
  assert.deepEqual(
    [(await find(through)).throughThisService, (await find(through)).wayIn, (await find(through)).state],
    [true, 'rest', 'activating'],
  );
  assert.deepEqual([(await find(joined)).throughThisService, (await find(joined)).wayIn], [false, null]);
  const child = await splitOff(outside, joined, 2n * SOL, (await outside.account(early))!.lamports / 100n);
  await outside.send(child.instructions);
  await outside.deactivate(child.address);
  await outside.deactivate(early);
  await outside.send([outside.delegateInstruction(early, sandbox.voteAccount)]).catch(() => undefined);

  const kinds = async (address: string): Promise<string[]> =>
    (await operatorConsole.get(`delegators/${address}`)).history.map(({ kind }: { kind: string }) => kind);
  await until(async () => (await kinds(child.address)).includes('leaving'), 'the leaver');
  assert.deepEqual(await kinds(early).then((all) => all.includes('joined')), false, 'it existed before');
  const leaving = await list('state=inactive');
  assert.ok(leaving.length > 0, 'a stake that was never active is inactive immediately');

  const all = await list('sort=stake&order=desc&limit=500');
  for (const { stakeSol, sharePct, state } of all)
    if (state === 'inactive') assert.deepEqual([stakeSol, sharePct], [0, 0], 'inactive stake has no share');
  const amounts = all.map(({ stakeSol }: { stakeSol: number }) => stakeSol);
  assert.deepEqual(
    amounts,
    amounts.toSorted((a: number, b: number) => b - a),
  );
  for (const sort of ['stake', 'firstSeen', 'wallet', 'account'])
    for (const order of ['asc', 'desc']) {
      const paged: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await operatorConsole.get(
          `delegators?sort=${sort}&order=${order}&limit=2${cursor && `&cursor=${cursor}`}`,
        );
        paged.push(...page.delegators.map((row: { stakeAccountAddress: string }) => row.stakeAccountAddress));
        cursor = page.nextCursor;
      }
      assert.deepEqual(paged.length, new Set(paged).size, `${sort} ${order} has no duplicates`);
      assert.deepEqual(
        new Set(paged),
        new Set(all.map((row: { stakeAccountAddress: string }) => row.stakeAccountAddress)),
        `${sort} ${order} is complete`,
      );
    }
  const table = await (await operatorConsole.fetch('delegators?format=csv')).text();
  assert.equal(table.trimEnd().split('\r\n').length, all.length + 1);

  await sandbox.advanceEpochs(1);
  await until(async () => {
    const stake = await operatorConsole.get('stake');
    return stake.isSettled && stake.epochs.some(({ epoch }: { epoch: number }) => epoch === 801);
  }, 'the next epoch');
  const { epochs, activeSol } = await operatorConsole.get('stake');
  for (const { stakeSol, sharePct, state } of await list('limit=500'))
    if (state === 'active')
      assert.ok(Math.abs(sharePct - (100 * stakeSol) / activeSol) < 0.001, 'of active stake');
  const flow = epochs.find(({ epoch }: { epoch: number }) => epoch === 800);
  assert.ok(flow.inSol > 6 && flow.inSol < 11, `${flow.inSol} of inflow`);
  assert.equal((await setLabel(operatorConsole, outside.wallet.address, 'Outsider')).status, 200);
  await first.process.stop('SIGKILL');

  // While the service is stopped, one delegator leaves and one joins.
  const gone = await outside.account(child.address);
  await outside.withdraw(child.address, gone!.lamports);
  const late = await outside.stake(6n * SOL);
  const second = await startServiceHere(t, settingsFor(sandbox), dataDir);
  const again = await operatorConsoleOf(second);
  await until(async () => (await again.fetch('stake')).status === 200, 'the index');
  await until(
    async () => (await again.get(`delegators?search=${late}`)).delegators[0]?.firstSeenEpoch === 801,
    'the delegator that joined in the meantime',
  );
  const [known] = (await again.get(`delegators?search=${early}`)).delegators;
  assert.equal(known.label, 'Outsider', 'labels are kept');
  assert.equal(known.firstSeenAt, seenAt, 'the time when an account was first seen does not change');
  const history = (await again.get(`delegators/${child.address}`)).history;
  assert.deepEqual(
    history.map(({ kind }: { kind: string }) => kind),
    ['left', 'leaving', 'joined'],
  );
  assert.deepEqual((await again.get(`delegators/${child.address}`)).delegators, []);
  assert.ok((await again.get('stake')).epochs.some(({ epoch }: { epoch: number }) => epoch === 800));
});

test('while the store is unavailable, the console shows the last known records with their time, also those that nobody had opened', async (t) => {
  const database = await createTestDatabase();
  if (typeof database === 'string') return t.skip(database);
  t.after(() => database.drop());
  const proxy = await startTcpProxy(t, 5432);
  const databaseUrl = Object.assign(new URL(database.url), { port: String(proxy.port) }).href;
  const { app, sandbox } = await startTestApp(t, { databaseUrl });
  const operatorConsole = operatorConsoleAt(app.operatorConsole!);
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  const account = await staker.stake(5n * SOL);
  const recorded = async () => {
    const response = await operatorConsole.fetch('stake');
    return response.status === 200 ? response.json() : null;
  };
  await until(async () => (await recorded())?.changes.length > 0, 'the delegator list');
  assert.equal((await setLabel(operatorConsole, staker.wallet.address, 'Fund')).status, 200);
  const list = async () => (await operatorConsole.get('delegators')).delegators;
  await until(async () => (await list())[0]?.firstSeenAt, 'the first sight');
  const before = await recorded();
  assert.equal(before.recordsAsOf, null);
  const [known] = await list();

  proxy.cut();
  const away = await operatorConsole.get('stake');
  assert.deepEqual([away.epochs, away.changes], [before.epochs, before.changes]);
  assert.ok(Date.parse(away.recordsAsOf) <= Date.parse(away._meta?.timestamp ?? new Date().toISOString()));
  const delegators = await operatorConsole.get('delegators');
  assert.deepEqual(delegators.delegators, [known], 'with its label and its first sight');
  assert.notEqual(delegators.recordsAsOf, null);
  const [unopened] = (await operatorConsole.get(`delegators?state=${known.state}&sort=wallet`)).delegators;
  assert.equal(unopened.stakeAccountAddress, account);
  for (const path of ['validator', 'alerts?limit=200', 'dead-letters?limit=100', 'submissions'])
    assert.notEqual((await operatorConsole.get(path)).recordsAsOf, null, path);
  assert.equal(
    (await operatorConsole.fetch('delegators?format=csv')).status,
    503,
    'never a table without labels',
  );
  assert.equal((await setLabel(operatorConsole, staker.wallet.address, 'Other')).status, 503);
  const { dependencies } = await operatorConsole.get('health');
  const { ok, ageSeconds } = dependencies.find(({ name }: { name: string }) => name === 'store');
  assert.deepEqual([ok, typeof ageSeconds], [false, 'number']);

  proxy.mend();
  await until(async () => (await recorded())?.recordsAsOf === null, 'the store');

  proxy.silence();
  let hasFailed = false;
  const hanging = app.ctx.store.outbox.backlog().catch(() => (hasFailed = true));
  const [health] = await Promise.all(
    ['health', 'stake', 'delegators', 'validator', 'alerts', 'dead-letters?limit=100', 'submissions'].map(
      (path) => operatorConsole.get(path),
    ),
  );
  assert.equal(hasFailed, false, 'nothing waits as long as a call of the store');
  assert.equal(health.dependencies.find(({ name }: { name: string }) => name === 'store').ok, false);
  await hanging;
});
