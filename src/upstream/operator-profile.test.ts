import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createProfileFile, type ProfileReading } from './operator-profile.ts';

const signal = new AbortController().signal;

const temporaryFile = async (t: TestContext, content?: unknown): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-profile-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'validator.json');
  if (content !== undefined)
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const problemsOf = (reading: ProfileReading): readonly string[] => (reading.ok ? [] : reading.problems);

const nameOf = (reading: ProfileReading): string | null | undefined =>
  reading.ok ? reading.profile.name : undefined;

test('the example of the sandbox is a whole profile', async () => {
  const path = join(import.meta.dirname, '../../sandbox/validator.json');
  const reading = await createProfileFile(path).read(signal);
  assert.ok(reading.ok, problemsOf(reading).join('\n'));
  const { profile } = reading;
  assert.equal(profile.name, 'Holdfast Sandbox');
  assert.equal(profile.hardware?.datacenter?.city, 'Frankfurt');
  assert.equal(profile.hardware?.redundancy?.standby, true);
  // Its site and icon are the service's own, whose address no file knows.
  const { website, icon, ...reported } = profile;
  assert.deepEqual([website, icon], [null, null]);
  for (const [member, value] of Object.entries({ ...reported, ...profile.hardware }))
    assert.notEqual(value, null, member);
});

test('what the operator does not say is null, down to a profile without a file', async (t) => {
  const empty = { name: null, website: null, description: null, icon: null, location: null, hardware: null };
  assert.deepEqual(await createProfileFile(undefined).read(signal), { ok: true, profile: empty });
  const path = await temporaryFile(t, { name: 'Ours', hardware: { cpu: 'fast', datacenter: {} } });
  assert.deepEqual(await createProfileFile(path).read(signal), {
    ok: true,
    profile: {
      ...empty,
      name: 'Ours',
      hardware: {
        cpu: 'fast',
        memory: null,
        storage: null,
        network: null,
        datacenter: { name: null, city: null, country: null, certifications: [] },
        redundancy: null,
        software: null,
      },
    },
  });
});

test('each mistake is told with its place, and none of them with the content of the file', async (t) => {
  const path = await temporaryFile(t, {
    name: 5,
    website: 'javascript:alert(1)',
    icon: 'https://user:geheim@example.org/',
    location: ' ',
    hardware: {
      cpu: 'x'.repeat(300),
      datacenter: { city: ['geheim'], certifications: ['ISO', 3, 'a\nb', ' '] },
      redundancy: { standby: 'yes' },
      ram: 'geheim',
    },
  });
  const problems = problemsOf(await createProfileFile(path).read(signal));
  assert.deepEqual([...problems].sort(), [
    'hardware.cpu: must have at most 200 characters',
    'hardware.datacenter.certifications.1: must be text',
    'hardware.datacenter.certifications.2: must not hold control characters',
    'hardware.datacenter.certifications.3: must not be empty: leave it out instead',
    'hardware.datacenter.city: must be text',
    'hardware.redundancy.standby: must be true or false',
    'hardware: does not know ram; it may hold cpu, memory, storage, network, datacenter, redundancy, software',
    'icon: must be an http(s) URL without user info',
    'location: must not be empty: leave it out instead',
    'name: must be text',
    'website: must be an http(s) URL without user info',
  ]);
  assert.ok(!problems.join().includes('geheim'));
});

test('a file that is missing, a folder, no JSON, no object or too long is told as such', async (t) => {
  const reported = async (content?: unknown) =>
    problemsOf(await createProfileFile(await temporaryFile(t, content)).read(signal));
  assert.deepEqual(await reported(), ['the file: does not exist']);
  assert.deepEqual(await reported('{"name":'), ['the file: is not JSON']);
  assert.deepEqual(await reported([]), ['the file: must be an object']);
  assert.deepEqual(await reported('null'), ['the file: must be an object']);
  assert.deepEqual(await reported(' '.repeat(70_000)), ['the file: is longer than 65536 bytes']);
  const folder = await temporaryFile(t);
  await mkdir(folder);
  assert.deepEqual(problemsOf(await createProfileFile(folder).read(signal)), ['the file: is a folder']);
});

test('a file that may not be read is told as such', { skip: process.getuid?.() === 0 }, async (t) => {
  const path = await temporaryFile(t, {});
  await chmod(path, 0o000);
  assert.deepEqual(problemsOf(await createProfileFile(path).read(signal)), [
    'the file: may not be read by this user',
  ]);
});

test('a changed file is read anew, also one put in its place with an older time, and a repaired one works again', async (t) => {
  const path = await temporaryFile(t, { name: 'one' });
  const file = createProfileFile(path);
  assert.equal(nameOf(await file.read(signal)), 'one');
  await writeFile(path, '{');
  assert.deepEqual(problemsOf(await file.read(signal)), ['the file: is not JSON']);
  await writeFile(path, JSON.stringify({ name: 'two' }));
  assert.equal(nameOf(await file.read(signal)), 'two');
  await writeFile(`${path}.old`, JSON.stringify({ name: 'old' }));
  await utimes(`${path}.old`, 1, 1);
  await rename(`${path}.old`, path);
  assert.equal(nameOf(await file.read(signal)), 'old');
  await rm(path);
  assert.deepEqual(problemsOf(await file.read(signal)), ['the file: does not exist']);
});

test('an unchanged file gives the very same reading, and concurrent reads share one', async (t) => {
  const file = createProfileFile(await temporaryFile(t, { name: 'same' }));
  const [first, second] = await Promise.all([file.read(signal), file.read(signal)]);
  assert.equal(first, second);
  assert.equal(await file.read(signal), first);
});

test('an aborted read rejects with the reason of its signal', async () => {
  await assert.rejects(createProfileFile(undefined).read(AbortSignal.abort(new Error('gone'))), /gone/);
});
