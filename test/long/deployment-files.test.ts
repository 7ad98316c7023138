// Checks that the files in deploy/ are accepted by the programs that read them, and that the Kubernetes probes
// match the service.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { headingAnchors } from '../../scripts/checks/documents.ts';
import { serviceAlarms, serviceAlarmTable } from '../../src/domain/alerts/service-alarm-table.ts';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const run = (file: string, args: readonly string[]): { status: number | null; output: string } => {
  const { status, error, stdout, stderr } = spawnSync(file, args, { cwd: root, encoding: 'utf8' });
  return { status: error ? null : status, output: `${error ?? ''}${stdout ?? ''}${stderr ?? ''}` };
};

const must = (file: string, args: readonly string[]): string => {
  const { status, output } = run(file, args);
  assert.equal(status, 0, `${file} ${args.join(' ')}: ${output.slice(-2_000)}`);
  return output;
};

/** Returns the reason why a program cannot run here, or false if it can. */
const missing = (file: string, origin: string): string | false =>
  run(file, ['--version']).status === 0 ? false : `${file} is missing (${origin})`;

test('every alarm has a Prometheus rule with a runbook link to an existing section', () => {
  const rules = read('deploy/alerts.yml');
  const anchors = headingAnchors(read('docs/operate.md'));
  for (const alarm of serviceAlarms) {
    const { runbook } = serviceAlarmTable[alarm];
    assert.ok(anchors.has(runbook), runbook);
    const rule = new RegExp(
      `holdfast_alarm_active\\{job="holdfast", alarm="${alarm}"\\}\\) == 1\\n.*\\n +annotations:\\n +summary: .+\\n +runbook: ".+"\\n +runbook_url: .+/docs/guides/operate#${runbook}\\n`,
    );
    assert.match(rules, rule);
  }
});

test('Prometheus accepts the rules, which fire exactly as their tests expect', {
  skip: missing('promtool', 'apt-get install prometheus'),
}, () => {
  assert.match(must('promtool', ['check', 'rules', 'deploy/alerts.yml']), /SUCCESS: \d+ rules found/);
  assert.match(must('promtool', ['test', 'rules', 'deploy/alerts.test.yml']), /SUCCESS/);
});

const SYSTEMD = missing('systemd-analyze', 'apt-get install systemd');

test('systemd accepts the unit and rates its exposure at most 2.0', { skip: SYSTEMD }, (t) => {
  const folder = temporaryFolder(t);
  const unit = join(folder, 'holdfast.service');
  // The paths of an installation do not exist on this machine.
  writeFileSync(
    unit,
    read('deploy/holdfast.service')
      .replaceAll('/opt/holdfast/node_modules/.bin/node', process.execPath)
      .replaceAll('/opt/holdfast', root),
  );
  assert.equal(must('systemd-analyze', ['verify', unit]).trim(), '');
  copyFileSync(join(root, 'deploy/holdfast.service'), unit);
  const report = must('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit]);
  const [, exposure] = /Overall exposure level for holdfast\.service: (\d+\.\d+)/.exec(report) ?? [];
  assert.ok(Number(exposure) <= 2, report.slice(-200));
});

test('the unit refuses to start with an empty settings file', { skip: SYSTEMD }, (t) => {
  const [, settings = ''] = /^EnvironmentFile=(.+)$/m.exec(read('deploy/holdfast.service')) ?? [];
  const [condition = ''] = /^Assert.+$/m.exec(read('deploy/holdfast.service')) ?? [];
  assert.ok(condition.endsWith(`=${settings}`), condition);
  const file = join(temporaryFolder(t), 'env');
  const check = () => run('systemd-analyze', ['condition', condition.replace(settings, file)]).status;
  writeFileSync(file, '');
  assert.equal(check(), 1);
  writeFileSync(file, 'PORT=3000');
  assert.equal(check(), 0);
});

test('the line in the guide creates a second unit with its own ports and data folder', (t) => {
  const [line = ''] = /^sed .+$/m.exec(read('docs/operate.md')) ?? [];
  const folder = temporaryFolder(t);
  must('bash', ['-c', line.replace('/etc/systemd/system', folder)]);
  const lines = (text: string) => text.split('\n');
  const unit = lines(readFileSync(join(folder, 'holdfast-2.service'), 'utf8'));
  const first = lines(read('deploy/holdfast.service'));
  assert.deepEqual(
    unit.filter((each, index) => each !== first[index]),
    [
      'StateDirectory=holdfast-2',
      'Environment=HOLDFAST_DATA_DIR=/var/lib/holdfast-2 PORT=3001 HOLDFAST_METRICS_PORT=9465 HOLDFAST_OPERATOR_PORT=3901',
    ],
  );
});

const VALIDATOR = 'kubernetes-validate';
const VALIDATOR_VERSION = '1.36.0';

/**
 * Installs the validator in a virtual environment that later runs reuse. Returns its path, or the reason why
 * the installation failed.
 */
const kubernetesValidate = (): { file: string } | { reason: string } => {
  const folder = join(tmpdir(), `holdfast-${VALIDATOR}-${VALIDATOR_VERSION}`);
  const file = join(folder, 'bin', VALIDATOR);
  if (existsSync(join(folder, 'installed'))) return { file };
  rmSync(folder, { recursive: true, force: true });
  for (const [program, args] of [
    ['python3', ['-m', 'venv', folder]],
    [join(folder, 'bin', 'pip'), ['install', '--quiet', `${VALIDATOR}==${VALIDATOR_VERSION}`]],
  ] as const) {
    const { status, output } = run(program, args);
    if (status !== 0) return { reason: `${VALIDATOR} could not be installed: ${output.trim().slice(-300)}` };
  }
  writeFileSync(join(folder, 'installed'), '');
  return { file };
};

test('the Kubernetes manifest is valid, and its validator detects an error', (t) => {
  const installed = kubernetesValidate();
  if ('reason' in installed) return t.skip(installed.reason);
  const manifest = 'deploy/kubernetes.yaml';
  const output = must(installed.file, ['--strict', manifest]);
  assert.equal(output.match(/passed/g)?.length, 4, output);
  const wrong = join(temporaryFolder(t), 'wrong.yaml');
  writeFileSync(wrong, read(manifest).replace('periodSeconds: 2\n', 'periodSecond: 2\n'));
  const refusal = run(installed.file, ['--strict', wrong]);
  assert.notEqual(refusal.status, 0, refusal.output);
  assert.match(refusal.output, /periodSecond/);
});

const shared = sharedService({ before, after });

test('the link of every Prometheus rule opens its section on the service, once the printed line has set the address', async (t) => {
  const { url } = shared().service;
  const [line = ''] = /^sed .+alerts\.yml$/m.exec(read('docs/operate.md')) ?? [];
  const folder = temporaryFolder(t);
  must('bash', [
    '-c',
    line.replace('https://your.domain', url).replace('/opt/holdfast/', '').replace('/etc/prometheus', folder),
  ]);
  const rules = readFileSync(join(folder, 'alerts.yml'), 'utf8');
  const links = [...rules.matchAll(/runbook: ".+"\n +runbook_url: (\S+)#(\S+)$/gm)];
  assert.equal(links.length, rules.match(/- alert: /g)?.length, 'every rule has a link');
  for (const [, page = '', anchor = ''] of links) {
    const response = await fetch(page);
    assert.equal(response.status, 200, page);
    assert.ok((await response.text()).includes(` id="${anchor}"`), anchor);
  }
});

/** Returns the status of a GET request with the kubelet's headers. */
const statusOf = (url: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

test('the probes of the Kubernetes manifest match the service’s routes, and its environment variables are settings', async () => {
  const text = read('deploy/kubernetes.yaml');
  const probes = [
    ...text.matchAll(/path: (\S+), port: http, httpHeaders: \[\{ name: Host, value: (\S+) \}\]/g),
  ];
  assert.deepEqual(
    probes.map(([, path]) => path),
    ['/health', '/ready'],
  );
  const { service } = shared();
  for (const [, path = '', host = ''] of probes) {
    const signal = patience();
    // Like the kubelet, repeats a probe: the service returns 503 until it has read the chain.
    while ((await statusOf(service.url + path, host)) !== 200) {
      assert.ok(!signal.aborted, path);
      await setTimeout(100);
    }
  }
  // These requests have the kubelet's headers.
  assert.equal(await statusOf(`${service.url}/health`, '10.1.2.3:3000'), 403);
  const settings = read('docs/settings.md');
  for (const [name] of text.matchAll(/HOLDFAST_[A-Z_]+|DATABASE_URL|REDIS_URL/g))
    assert.ok(settings.includes(`| \`${name}\` |`), name);
});
