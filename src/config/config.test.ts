// Startup accepts only valid settings. Otherwise it reports all problems at once without revealing any value.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { deriveWsUrl, loadConfig, printableConfig } from './config.ts';
import type { Environment } from './read-settings.ts';
import { commandLineNames, settingRows } from './settings.ts';
import { ConfigError } from './start-error.ts';

const CLI = join(import.meta.dirname, '../../cli');

const VOTE = 'Vote111111111111111111111111111111111111111';
const WALLET = 'So11111111111111111111111111111111111111112';
const realCluster: Environment = {
  HOLDFAST_RPC_URL: 'https://rpc.example.org/',
  HOLDFAST_VOTE_ACCOUNT: VOTE,
  HOLDFAST_MEMO: 'stake.example.org',
  HOLDFAST_DONATION_ADDRESS: WALLET,
};

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    loadConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
};

const without = (environment: Environment, ...names: string[]): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));

test('without settings, the service runs its sandbox and listens on loopback only', () => {
  const { config, secrets } = loadConfig({});
  assert.equal(config.port, 3000);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.logLevel, 'info');
  assert.ok(isAbsolute(config.dataDir) && config.dataDir.endsWith('/data'));
  assert.deepEqual(config.cluster, {
    kind: 'sandbox',
    epochSeconds: 300,
    slotMs: 400,
    busy: false,
    memo: undefined,
    donationAddress: undefined,
  });
  assert.equal(config.feeReserveLamports, 5_000_000n);
  assert.equal(config.rateLimit, 100);
  assert.equal(config.explorerUrl, 'https://explorer.solana.com');
  assert.equal(config.oneShot, 'on');
  assert.equal(config.oneShotLoopback, true);
  assert.equal(config.submit, 'any');
  assert.deepEqual(config.warnings, []);
  assert.equal(secrets.rpcEndpoints, undefined);
  assert.equal(secrets.serverSecret, undefined);
});

test('defaults are stricter on a real cluster: only our own transactions, and no secret keys over plain HTTP', () => {
  const { config, secrets } = loadConfig(realCluster);
  assert.deepEqual(config.cluster, {
    kind: 'real',
    voteAccount: VOTE,
    memo: 'stake.example.org',
    donationAddress: WALLET,
    rpcOrigins: ['https://rpc.example.org'],
  });
  assert.equal(config.submit, 'own');
  assert.equal(config.oneShotLoopback, false);
  assert.deepEqual(secrets.rpcEndpoints?.reveal(), [
    { httpUrl: 'https://rpc.example.org/', wsUrl: 'wss://rpc.example.org/' },
  ]);
});

test("a setting overrides the cluster's default", () => {
  const { config } = loadConfig({ ...realCluster, HOLDFAST_SUBMIT: 'any', HOLDFAST_ONE_SHOT_LOOPBACK: 'on' });
  assert.equal(config.submit, 'any');
  assert.equal(config.oneShotLoopback, true);
  const sandbox = loadConfig({ HOLDFAST_SUBMIT: 'own', HOLDFAST_ONE_SHOT_LOOPBACK: 'off' }).config;
  assert.equal(sandbox.submit, 'own');
  assert.equal(sandbox.oneShotLoopback, false);
});

test('an RPC URL without a vote account, or a vote account without an RPC URL, prevents startup instead of running a sandbox', () => {
  assert.match(
    problemsOf(without(realCluster, 'HOLDFAST_VOTE_ACCOUNT')).join(),
    /HOLDFAST_VOTE_ACCOUNT is missing/,
  );
  assert.match(problemsOf(without(realCluster, 'HOLDFAST_RPC_URL')).join(), /HOLDFAST_RPC_URL is missing/);
  assert.match(problemsOf({ HOLDFAST_RPC_URL: 'not a url' }).join(), /HOLDFAST_VOTE_ACCOUNT is missing/);
});

test('a real cluster without memo or donation address prevents startup', () => {
  const problems = problemsOf(without(realCluster, 'HOLDFAST_MEMO', 'HOLDFAST_DONATION_ADDRESS'));
  assert.equal(problems.length, 2);
  assert.match(problems[0] ?? '', /^HOLDFAST_MEMO is missing/);
  assert.match(problems[1] ?? '', /^HOLDFAST_DONATION_ADDRESS is missing/);
});

test('all problems with the settings are reported together', () => {
  const problems = problemsOf({
    PORT: '70000',
    LOG_LEVEL: 'loud',
    HOLDFAST_RPC_URL: 'https://ok.example.org,ftp://bad.example.org',
    HOLDFAST_WS_URL: 'wss://one.example.org',
    HOLDFAST_MEMO: 'm',
    HOLDFAST_DONATION_ADDRESS: 'not-base58',
    HOLDFAST_FEE_RESERVE_SOL: '0.0000000001',
    HOLDFAST_RATELIMIT: '5',
    DATABASE_URL: 'mysql://localhost/x',
    REDIS_URL: 'http://localhost',
  });
  for (const name of [
    'PORT',
    'LOG_LEVEL',
    'HOLDFAST_RPC_URL entry 2',
    'HOLDFAST_DONATION_ADDRESS',
    'HOLDFAST_FEE_RESERVE_SOL',
    'HOLDFAST_RATELIMIT',
    'DATABASE_URL',
    'REDIS_URL',
    'HOLDFAST_VOTE_ACCOUNT',
  ]) {
    assert.equal(problems.filter((problem) => problem.startsWith(name)).length, 1, name);
  }
  assert.equal(problems.length, 9);
});

test('an unknown HOLDFAST name prevents startup and suggests the most similar setting', () => {
  const suggestions = {
    HOLDFAST_RPC_URLS: 'HOLDFAST_RPC_URL',
    HOLDFAST_RPC: 'HOLDFAST_RPC_URL',
    HOLDFAST_DATADIR: 'HOLDFAST_DATA_DIR',
    HOLDFAST_PORT: 'PORT',
    HOLDFAST_LOG_LEVL: 'LOG_LEVEL',
    HOLDFAST_TRUSTED_PROXY: 'HOLDFAST_TRUSTED_PROXIES',
    HOLDFAST_rate_limit: 'HOLDFAST_RATE_LIMIT',
  };
  for (const [name, meant] of Object.entries(suggestions)) {
    assert.deepEqual(problemsOf({ [name]: '1' }), [`${name} is not a setting; did you mean ${meant}?`]);
  }
  assert.match(
    problemsOf({ HOLDFAST_QQQQQQQQ: '1' }).join(),
    /^HOLDFAST_QQQQQQQQ is not a setting \(npm start -- --help/,
  );
});

test('settings of the command line may be set in the same shell, and misspelled ones prevent startup too', () => {
  const files = readdirSync(CLI, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const read = new Set(
    files.flatMap((file) => readFileSync(join(CLI, file), 'utf8').match(/\bHOLDFAST_[A-Z_]+\b/g) ?? []),
  );
  for (const [, { name }] of settingRows) read.delete(name);
  assert.deepEqual(
    [...read].sort(),
    [...commandLineNames].sort(),
    'every setting of the command line is listed',
  );
  assert.deepEqual(problemsOf(Object.fromEntries([...read].map((name) => [name, 'x']))), []);
  assert.deepEqual(problemsOf({ HOLDFAST_KEYPAR: '1' }), [
    'HOLDFAST_KEYPAR is not a setting; did you mean HOLDFAST_KEYPAIR?',
  ]);
});

test('variables that belong to other programs or to the test runner are ignored', () => {
  assert.deepEqual(
    problemsOf({ PATH: '/bin', HOLDFASTX: '1', HOLDFAST_TEST_FULL: '1', npm_config_x: 'y' }),
    [],
  );
});

test('an empty or blank variable counts as absent', () => {
  const { config } = loadConfig({
    PORT: '',
    HOLDFAST_RPC_URL: ' ',
    HOLDFAST_VOTE_ACCOUNT: '',
    DATABASE_URL: '',
  });
  assert.equal(config.port, 3000);
  assert.equal(config.cluster.kind, 'sandbox');
});

test('Redis without PostgreSQL is accepted with a warning, because processes would share only rate limits', () => {
  const alone = loadConfig({ REDIS_URL: 'redis://user:hunter22@db/1' });
  assert.equal(alone.secrets.redisUrl?.reveal(), 'redis://user:hunter22@db/1');
  assert.deepEqual(
    alone.config.warnings.map((warning) => /REDIS_URL.*without DATABASE_URL/.test(warning)),
    [true],
  );
  assert.ok(!inspect(alone, { depth: 9 }).includes('hunter22'));
  const both = { REDIS_URL: 'rediss://db', DATABASE_URL: 'postgres://db/x' };
  assert.deepEqual(loadConfig(both).config.warnings, []);
  assert.equal(loadConfig({}).secrets.redisUrl, undefined);
  assert.match(
    problemsOf({ REDIS_URL: 'http://user:hunter22@db' })[0] ?? '',
    /^REDIS_URL must be a URL with a host, starting/,
  );
});

test('WebSocket URLs are matched to RPC URLs by order', () => {
  const environment = {
    ...realCluster,
    HOLDFAST_RPC_URL: 'https://a.example.org,http://b.example.org:8899',
    HOLDFAST_WS_URL: 'wss://wa.example.org, ws://wb.example.org',
  };
  assert.deepEqual(
    loadConfig(environment)
      .secrets.rpcEndpoints?.reveal()
      .map(({ wsUrl }) => wsUrl),
    ['wss://wa.example.org/', 'ws://wb.example.org/'],
  );
  assert.match(
    problemsOf({ ...environment, HOLDFAST_WS_URL: 'wss://wa.example.org' }).join(),
    /HOLDFAST_WS_URL has 1 entries and HOLDFAST_RPC_URL 2/,
  );
  assert.match(
    problemsOf({ HOLDFAST_WS_URL: 'wss://wa.example.org' }).join(),
    /HOLDFAST_WS_URL needs HOLDFAST_RPC_URL/,
  );
  assert.match(
    problemsOf({ HOLDFAST_SEND_RPC_URL: 'https://wa.example.org' }).join(),
    /HOLDFAST_SEND_RPC_URL needs HOLDFAST_RPC_URL/,
  );
});

test('by default, webhooks may reach loopback in the sandbox but no private network on a real cluster', () => {
  const ofSandbox = loadConfig({}).config;
  assert.deepEqual(ofSandbox.webhookAllowCidrs, ['127.0.0.0/8', '::1/128']);
  assert.equal(ofSandbox.bindsLoopback, true);
  const ofReal = loadConfig({ ...realCluster, HOST: '0.0.0.0' }).config;
  assert.deepEqual(ofReal.webhookAllowCidrs, []);
  assert.deepEqual(ofReal.webhookPorts, [443]);
  assert.equal(ofReal.bindsLoopback, false);
  const given = loadConfig({
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8',
    HOLDFAST_WEBHOOK_PORTS: '443, 8443',
  });
  assert.deepEqual(given.config.webhookAllowCidrs, ['10.0.0.0/8']);
  assert.deepEqual(given.config.webhookPorts, [443, 8443]);
});

test('listening beyond loopback without a public URL triggers a warning', () => {
  assert.match(
    loadConfig({ HOST: '0.0.0.0' }).config.warnings.join(),
    /HOLDFAST_PUBLIC_URL or HOLDFAST_ALLOWED_HOSTS/,
  );
  assert.deepEqual(
    loadConfig({ HOST: '0.0.0.0', HOLDFAST_PUBLIC_URL: 'https://stake.example.org' }).config.warnings,
    [],
  );
  assert.deepEqual(loadConfig({ HOST: '::1' }).config.warnings, []);
});

test('the configuration is immutable after startup', () => {
  for (const environment of [
    {},
    { ...realCluster, HOLDFAST_TRUSTED_PROXIES: '10.0.0.0/8', HOLDFAST_ALLOWED_HOSTS: 'a.example.org' },
  ]) {
    const { config, secrets } = loadConfig(environment);
    for (const part of [
      config,
      config.cluster,
      config.allowedHosts,
      config.trustedProxies,
      config.warnings,
      secrets,
    ]) {
      assert.ok(Object.isFrozen(part));
    }
  }
});

const MARK = 'k3yThatMustNotShow';
const withSecrets: Environment = {
  ...realCluster,
  HOLDFAST_RPC_URL: `https://user:${MARK}@rpc.example.org/v1/${MARK}?api-key=${MARK},http://${MARK}:x@other.example.org:8899/`,
  HOLDFAST_SEND_RPC_URL: `https://send.example.org/${MARK}`,
  HOLDFAST_SERVER_SECRET: Buffer.from(`${MARK}${MARK}`).toString('hex'),
  DATABASE_URL: `postgres://user:${MARK}@db.example.org/holdfast?options=${MARK}`,
};

test('printing the configuration never reveals a secret', () => {
  const loaded = loadConfig(withSecrets);
  const { config, secrets } = loaded;
  const printed = [
    inspect(loaded, { depth: null, showHidden: true, getters: true }),
    JSON.stringify(printableConfig(config)),
    JSON.stringify(secrets),
    `${secrets.rpcEndpoints} ${secrets.sendRpcUrl} ${secrets.databaseUrl} ${secrets.serverSecret}`,
    JSON.stringify({ ...secrets.rpcEndpoints, ...secrets.serverSecret }),
    inspect(structuredClone(printableConfig(config))),
    inspect(Object.getOwnPropertyDescriptors(secrets.rpcEndpoints)),
    inspect(Object.getOwnPropertyDescriptors(secrets.databaseUrl)),
  ].join('\n');
  assert.ok(printed.includes('(secret)'));
  for (const form of [
    MARK,
    Buffer.from(MARK).toString('hex'),
    Buffer.from(MARK).toString('base64').slice(0, 20),
  ]) {
    assert.ok(!printed.includes(form), form);
  }
  assert.match(printed, /https:\/\/rpc\.example\.org/);
});

test('secrets keep their full value', () => {
  const { secrets } = loadConfig(withSecrets);
  const endpoints = secrets.rpcEndpoints?.reveal() ?? [];
  assert.equal(endpoints[0]?.httpUrl, `https://user:${MARK}@rpc.example.org/v1/${MARK}?api-key=${MARK}`);
  assert.equal(endpoints[0]?.wsUrl, `wss://user:${MARK}@rpc.example.org/v1/${MARK}?api-key=${MARK}`);
  assert.equal(endpoints[1]?.wsUrl, `ws://${MARK}:x@other.example.org:8900/`);
  assert.equal(secrets.sendRpcUrl?.reveal(), `https://send.example.org/${MARK}`);
  assert.equal(
    secrets.databaseUrl?.reveal(),
    `postgres://user:${MARK}@db.example.org/holdfast?options=${MARK}`,
  );
  assert.equal(
    secrets.serverSecret?.use((bytes) => Buffer.from(bytes).toString()),
    `${MARK}${MARK}`,
  );
});

test('a refused value is never repeated', () => {
  const bad = Object.fromEntries(
    [
      'PORT',
      'HOST',
      'LOG_LEVEL',
      'HOLDFAST_RPC_URL',
      'HOLDFAST_WS_URL',
      'HOLDFAST_VOTE_ACCOUNT',
      'HOLDFAST_SERVER_SECRET',
      'HOLDFAST_TRUSTED_PROXIES',
      'HOLDFAST_PUBLIC_URL',
      'HOLDFAST_FEE_RESERVE_SOL',
      'DATABASE_URL',
    ].map((name) => [name, `${MARK} \u0000!`]),
  );
  const problems = problemsOf(bad);
  assert.ok(problems.length >= Object.keys(bad).length);
  assert.ok(!problems.join().includes(MARK));
});

test('amounts are shown exactly', () => {
  const { config } = loadConfig({
    HOLDFAST_FEE_RESERVE_SOL: '0.000000001',
  });
  const printed = printableConfig(config);
  assert.equal(printed.feeReserveSol, '0.000000001');
  assert.doesNotThrow(() => JSON.stringify(printed));
});

test('metrics are served on a free port by default, on a configured port, or not at all', () => {
  const portOf = (text: string | undefined) =>
    loadConfig(text === undefined ? {} : { HOLDFAST_METRICS_PORT: text }).config.metricsPort;
  assert.deepEqual([portOf(undefined), portOf('9464'), portOf('off')], [0, 9464, null]);
  assert.throws(() => portOf('on'), /HOLDFAST_METRICS_PORT/);
});

test('with a vote account but no other settings, everything that a real cluster needs is reported as missing', () => {
  const problems = problemsOf({ HOLDFAST_VOTE_ACCOUNT: VOTE }).join('\n');
  for (const name of ['HOLDFAST_RPC_URL', 'HOLDFAST_MEMO', 'HOLDFAST_DONATION_ADDRESS'])
    assert.match(problems, new RegExp(`^${name} is missing`, 'm'));
});

test('each sandbox setting triggers a warning on a real cluster but not in the sandbox', () => {
  const sandbox = {
    HOLDFAST_SANDBOX_EPOCH_SECONDS: '60',
    HOLDFAST_SANDBOX_SLOT_MS: '50',
    HOLDFAST_SANDBOX_BUSY: 'on',
  };
  assert.deepEqual(loadConfig(sandbox).config.warnings, []);
  assert.deepEqual(
    loadConfig({ ...realCluster, ...sandbox }).config.warnings.map((text) => text.split(' ')[0]),
    Object.keys(sandbox),
  );
  assert.deepEqual(loadConfig(realCluster).config.warnings, []);
});

test('networks, hosts and providers are taken from the settings and are empty by default', () => {
  const set = loadConfig({
    ...realCluster,
    HOLDFAST_ALLOWED_HOSTS: 'stake.example.org',
    HOLDFAST_TRUSTED_PROXIES: '10.0.0.0/8',
    HOLDFAST_ALLOWED_ORIGINS: 'https://app.example.org',
    HOLDFAST_STAKEWIZ_URL: 'https://stakewiz.example.org/key',
    HOLDFAST_JITO_URL: 'https://jito.example.org/key',
    HOLDFAST_SEND_RPC_URL: 'https://send.example.org/key',
    HOLDFAST_PROFILE_FILE: 'profile.json',
  });
  assert.deepEqual(set.config.allowedHosts, ['stake.example.org']);
  assert.deepEqual(set.config.trustedProxies, ['10.0.0.0/8']);
  assert.deepEqual(set.config.allowedOrigins, ['https://app.example.org']);
  assert.ok(isAbsolute(set.config.profileFile ?? ''));
  assert.deepEqual(
    [set.secrets.stakewizUrl, set.secrets.jitoUrl, set.secrets.sendRpcUrl].map((secret) => secret?.reveal()),
    ['https://stakewiz.example.org/key', 'https://jito.example.org/key', 'https://send.example.org/key'],
  );
  const { config, secrets } = loadConfig(realCluster);
  assert.deepEqual([config.allowedHosts, config.trustedProxies, config.allowedOrigins], [[], [], []]);
  assert.equal(config.profileFile, undefined);
  const { stakewizUrl, jitoUrl, sendRpcUrl, databaseUrl, redisUrl } = secrets;
  assert.deepEqual(
    [stakewizUrl, jitoUrl, sendRpcUrl, databaseUrl, redisUrl],
    Array.from({ length: 5 }, () => undefined),
  );
});

test('the WebSocket URL has the RPC URL’s host, and an explicit port is incremented by 1', () => {
  const cases = {
    'http://127.0.0.1:8899': 'ws://127.0.0.1:8900/',
    'https://api.devnet.solana.com': 'wss://api.devnet.solana.com/',
    'https://rpc.example.org/v1/key?x=1': 'wss://rpc.example.org/v1/key?x=1',
    'https://user:pass@rpc.example.org:8443/': 'wss://user:pass@rpc.example.org:8444/',
    'http://[::1]:8899/': 'ws://[::1]:8900/',
    'HTTPS://rpc.example.org/http://x': 'wss://rpc.example.org/http://x',
  };
  for (const [rpcUrl, wsUrl] of Object.entries(cases)) assert.equal(deriveWsUrl(rpcUrl), wsUrl);
});

test('a scheme’s default port is omitted from URLs', () => {
  assert.equal(deriveWsUrl('https://rpc.example.org:443/'), 'wss://rpc.example.org/');
  assert.equal(deriveWsUrl('http://rpc.example.org:80/'), 'ws://rpc.example.org/');
});

for (const [host, bindsLoopback] of [
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['localhost', true],
  ['LocalHost', true],
  // Names that merely start like loopback addresses can resolve to any address.
  ['127.example.org', false],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
  ['10.0.0.1', false],
  ['::', false],
] as const)
  test(`listening on ${host} ${bindsLoopback ? 'is limited to this machine' : 'accepts other machines and triggers a warning'}`, () => {
    const { config } = loadConfig({ HOST: host });
    assert.equal(config.bindsLoopback, bindsLoopback);
    assert.equal(config.warnings.length, bindsLoopback ? 0 : 1);
  });
