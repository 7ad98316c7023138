// SOAK-2: the command that runs a soak with faults injects every fault, sends requests of every kind, and
// accounts for all of them and for all events on the chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { haproxyMissing } from '../support/haproxy.ts';
import { redisProgramMissing } from '../support/redis-server.ts';
import { replicasMissing } from '../support/replicas.ts';
import { spawnProcess } from '../support/spawned-process.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const HOURS = process.env.HOLDFAST_SOAK_HOURS ?? (FULL ? '1.5' : '0.04');
const FAULTS = 12;
const skip = haproxyMissing() ?? redisProgramMissing() ?? (await replicasMissing()) ?? false;

test(`SOAK-2 ${HOURS} hours of mixed load with faults: every acknowledged transaction is on the chain once, and every event arrives under one id`, {
  skip,
  timeout: Number(HOURS) * 3_600_000 + 700_000,
}, async (t) => {
  const args = ['--hours', HOURS, ...(FULL ? ['--write'] : [])];
  const soak = spawnProcess(t, { file: 'bench/scale/soak.ts', args });
  const { code } = await soak.ended;
  const result = JSON.parse(soak.stdout.trim().split('\n').at(-1)!);
  for (const line of soak.stdout.split('\n').filter((text) => text.startsWith('| '))) t.diagnostic(line);
  assert.deepEqual(result.problems, [], soak.stderr);
  assert.equal(code, 0, soak.stderr);
  assert.equal(Object.keys(result.faults).length, FAULTS, JSON.stringify(result.faults));
  assert.ok(result.failed > 0, 'the faults had an effect');
  assert.ok(result.lies >= 5, `${result.lies} lies told by a node`);
  assert.ok(result.repeatedActs >= 3, `${result.repeatedActs} requests repeated with their key`);
  for (const [kind, count] of Object.entries(result.acts as Record<string, number>))
    assert.ok(count >= 5, `${count} requests of the kind ${kind}`);
  const acts = Object.values(result.acts as Record<string, number>).reduce((sum, count) => sum + count, 0);
  assert.equal(result.changes, acts);
  assert.ok(result.facts >= 50, `${result.facts} facts`);
  assert.ok(result.deliveries >= result.facts);
  assert.ok(result.requests >= 500, `${result.requests} requests`);
  assert.ok(result.samples >= 20, `${result.samples} samples`);
});
