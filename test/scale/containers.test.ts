// Checks that the Dockerfile and the compose file match the code and the proxy's configuration. No container
// engine is available here, so they are parsed, not built.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingRows } from '../../src/config/settings.ts';
import { SECURE_NODE_VERSION } from '../../src/kernel/node-version.ts';
import { createTestDatabase, executeOn } from '../support/store-postgres.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly ulimits?: { readonly core?: number };
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: unknown;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { internal?: boolean }>>;
}

// This package is not a dependency of this project, and other tools may or may not install it.
const yaml = await import('yaml').catch(() => null);
const skip = yaml === null && 'no YAML parser among the installed packages';
const compose: Compose | null = yaml && (yaml.parse(read('compose.yaml'), { merge: true }) as Compose);

const isAtLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) >= 0;

test('the image has a Node version with the security fixes, runs as an unprivileged user, and has a health check', () => {
  const text = read('Dockerfile');
  const [, version = '0.0.0'] = /^ARG NODE_IMAGE=node:(\d+\.\d+\.\d+)-slim$/m.exec(text) ?? [];
  assert.ok(isAtLeast(version, SECURE_NODE_VERSION), version);
  const stages = text.split(/^FROM /m).slice(1);
  assert.equal(stages.filter((stage) => /^\$\{NODE_IMAGE\}/.test(stage)).length, 3);
  const last = stages.at(-1)!;
  assert.deepEqual(
    [
      /^USER (\w+)$/m.exec(last)?.[1],
      /^STOPSIGNAL (\w+)$/m.exec(last)?.[1],
      /^ENTRYPOINT (.*)$/m.exec(last)?.[1],
    ],
    ['node', 'SIGTERM', '["node", "src/main.ts"]'],
  );
  assert.match(last, /^HEALTHCHECK .*\\\n {2}CMD \["node", "-e", ".*\/health`/m);
  assert.match(text, /npm ci .*--omit=dev --omit=optional/);
});

test('every file that the image copies exists, and no required file is ignored', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' '),
  );
  const ignored = read('.dockerignore').split('\n');
  for (const path of copied) {
    assert.ok(existsSync(join(root, path)), path);
    assert.ok(!ignored.includes(path), path);
  }
  assert.ok(copied.includes('src') && copied.includes('package-lock.json'));
  for (const secret of ['data', '.git', '**/.env*', 'certificates', '**/*.backup.db', '**/*.dump'])
    assert.ok(ignored.includes(secret), secret);
});

test('an operator’s files next to the compose file are never committed to Git', () => {
  const files = [
    '.env',
    '.env.production',
    'certificates/holdfast.pem',
    'holdfast.backup.db',
    'holdfast.dump',
  ];
  const ignored = execFileSync('git', ['check-ignore', '--no-index', ...files], { cwd: root }).toString();
  assert.deepEqual(ignored.trim().split('\n'), files);
});

test('no container writes its memory to disk, and the service does not use a database superuser', {
  skip,
}, () => {
  const { services } = compose!;
  for (const [name, { ulimits }] of Object.entries(services)) assert.equal(ulimits?.core, 0, name);
  const { environment = {}, volumes = [] } = services.postgres!;
  assert.equal(environment.POSTGRES_USER, undefined);
  assert.notEqual(environment.POSTGRES_PASSWORD, environment.HOLDFAST_DATABASE_PASSWORD);
  assert.ok(
    volumes.some((volume) => volume.startsWith('./deploy/postgres-role.sh:/docker-entrypoint-initdb.d/')),
  );
});

test('the role that the database creates for the service owns its database and is not a superuser', async (t) => {
  const base = await createTestDatabase();
  if (typeof base === 'string') return t.skip(base);
  const url = new URL(base.url);
  const role = `holdfast_role_${process.pid}`;
  t.after(async () => {
    await executeOn(base.url, `drop database if exists ${role} with (force)`);
    await executeOn(base.url, `drop role if exists ${role}`);
    await base.drop();
  });
  execFileSync('sh', [join(root, 'deploy', 'postgres-role.sh')], {
    env: {
      PATH: process.env.PATH,
      PGHOST: url.hostname,
      PGPORT: url.port,
      POSTGRES_USER: url.username,
      HOLDFAST_DATABASE_ROLE: role,
      HOLDFAST_DATABASE_PASSWORD: "it's long",
    },
  });
  const own = `postgres://${role}:it's%20long@${url.host}/${role}`;
  await executeOn(own, 'create table proof (id int)');
  const rights = ['rolsuper', 'rolcreatedb', 'rolcreaterole', 'rolreplication'];
  await executeOn(
    own,
    `select 1 / (not (${rights.join(' or ')}))::int from pg_roles where rolname = current_user`,
  );
});

test('both processes have the same known settings, and the file contains no secrets', {
  skip,
}, () => {
  const { services } = compose!;
  assert.deepEqual(services['holdfast-1'], services['holdfast-2']);
  const { environment = {} } = services['holdfast-1']!;
  const known = new Set(settingRows.map(([, { name }]) => name));
  for (const name of Object.keys(environment)) assert.ok(known.has(name), name);
  for (const [, { name, isSecret }] of settingRows)
    if (isSecret && environment[name]) assert.match(environment[name], /\$\{\w+:\?/, name);
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'HOLDFAST_SERVER_SECRET', 'HOLDFAST_PUBLIC_URL'])
    assert.ok(environment[name], name);
});

test('the services run read-only and without privileges, and have enough time to stop', {
  skip,
}, () => {
  const { services } = compose!;
  for (const name of ['holdfast-1', 'holdfast-2', 'proxy'])
    assert.equal(services[name]!.read_only, true, name);
  const service = services['holdfast-1']!;
  assert.deepEqual(service.cap_drop, ['ALL']);
  assert.ok(Number.parseInt(service.stop_grace_period ?? '', 10) > 75 + 10);
  assert.deepEqual(Object.values(service.depends_on ?? {}), [
    { condition: 'service_healthy' },
    { condition: 'service_healthy' },
  ]);
});

test('only the proxy is reachable from outside, and the processes trust it', { skip }, () => {
  const { services, networks } = compose!;
  for (const [name, { ports }] of Object.entries(services))
    assert.equal(ports !== undefined, name === 'proxy', name);
  for (const name of ['postgres', 'redis']) assert.deepEqual(services[name]!.networks, ['back']);
  assert.equal(networks.back?.internal, true);
  const { front } = services.proxy!.networks as { front: { ipv4_address: string } };
  assert.equal(services['holdfast-1']!.environment?.HOLDFAST_TRUSTED_PROXIES, front.ipv4_address);
});

test("the proxy's file is mounted and names the two processes", { skip }, () => {
  const { services } = compose!;
  const mounted = services.proxy!.volumes!.map((volume) => volume.split(':')[0]!);
  assert.ok(mounted.includes('./deploy/haproxy.cfg'));
  const config = read('deploy/haproxy.cfg');
  const servers = new Set(
    [...config.matchAll(/^ {4}server \w+ "\$\{\w+-([\w-]+):3000\}"/gm)].map(([, name]) => name),
  );
  assert.deepEqual(
    [...servers].sort(),
    Object.keys(services)
      .filter((name) => name.startsWith('holdfast-'))
      .sort(),
  );
  assert.match(config, /\$\{HOLDFAST_CERTIFICATE-\/etc\/haproxy\/certs\/\}/);
  assert.ok(services.proxy!.volumes!.some((volume) => volume.endsWith(':/etc/haproxy/certs:ro')));
});
