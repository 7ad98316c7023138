import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accentColors } from './accent-colors.ts';
import { describeProfile } from './describe-profile.ts';
import { createProfileFile, type ProfileOrMistakes, profileWithFields } from './operator-profile.ts';
import { profileJsonSchema } from './operator-profile-schema.ts';

const signal = new AbortController().signal;

const temporaryFile = async (t: TestContext, content?: unknown): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-profile-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'validator.json');
  if (content !== undefined)
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const problemsOf = (reading: ProfileOrMistakes): readonly string[] => (reading.ok ? [] : reading.problems);

const nameOf = (reading: ProfileOrMistakes): string | null | undefined =>
  reading.ok ? reading.profile.name : undefined;

test('the sandbox’s example is a complete profile', async () => {
  const path = join(import.meta.dirname, '../../../sandbox/validator.json');
  const reading = await createProfileFile(path).read(signal);
  assert.ok(reading.ok, problemsOf(reading).join('\n'));
  const { profile } = reading;
  assert.equal(profile.name, 'Holdfast Sandbox');
  assert.equal(profile.hardware?.datacenter?.city, 'Frankfurt');
  assert.equal(profile.hardware?.redundancy?.standby, true);
  // The website, icon and logo are the service's own, and the file cannot know their URLs.
  assert.deepEqual([profile.website, profile.icon, profile.logo], [null, null, null]);
  const { description, location } = profile;
  for (const [member, value] of Object.entries({ description, location, ...profile.hardware }))
    assert.notEqual(value, null, member);
});

test('missing values are null, even in an empty profile', async (t) => {
  const empty = {
    $schema: null,
    name: null,
    website: null,
    description: null,
    logo: null,
    icon: null,
    accentColor: null,
    hero: null,
    links: [],
    terms: null,
    faq: [],
    preview: null,
    poweredBy: true,
    location: null,
    hardware: null,
  };
  const pictures = { logo: null, preview: null };
  assert.deepEqual(profileWithFields({}), { ok: true, profile: empty, ...pictures });
  const path = await temporaryFile(t, { name: 'Ours', hardware: { cpu: 'fast', datacenter: {} } });
  assert.deepEqual(await createProfileFile(path).read(signal), {
    ok: true,
    ...pictures,
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

test('each mistake is reported with its location and without the content of the file', async (t) => {
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
    'hardware.datacenter.certifications.2: must not contain control characters',
    'hardware.datacenter.certifications.3: must not be empty; omit it instead',
    'hardware.datacenter.city: must be text',
    'hardware.redundancy.standby: must be true or false',
    'hardware: unknown field ram; allowed fields: cpu, memory, storage, network, datacenter, redundancy, software',
    'icon: must be an http(s) URL without user info',
    'location: must not be empty; omit it instead',
    'name: must be text',
    'website: must be an http(s) URL without user info',
  ]);
  assert.ok(!problems.join().includes('geheim'));
});

test('a file that is missing, is a folder, is not JSON, is not an object or is too long is reported as such', async (t) => {
  const reported = async (content?: unknown) =>
    problemsOf(await createProfileFile(await temporaryFile(t, content)).read(signal));
  assert.deepEqual(await reported(), ['the file: does not exist']);
  assert.deepEqual(await reported('{"name": "Aurora",\n}'), [
    'the file: is not JSON: line 2, column 1: remove the comma before it',
  ]);
  assert.deepEqual(await reported([]), ['the file: must be an object']);
  assert.deepEqual(await reported('null'), ['the file: must be an object']);
  assert.deepEqual(await reported(' '.repeat(70_000)), ['the file: is longer than 65536 bytes']);
  const folder = await temporaryFile(t);
  await mkdir(folder);
  assert.deepEqual(problemsOf(await createProfileFile(folder).read(signal)), ['the file: is a folder']);
});

test('a file without read permission is reported as such', { skip: process.getuid?.() === 0 }, async (t) => {
  const path = await temporaryFile(t, {});
  await chmod(path, 0o000);
  assert.deepEqual(problemsOf(await createProfileFile(path).read(signal)), [
    'the file: cannot be read by this user',
  ]);
});

test('a changed file is read again, even with an older modification time, and a repaired one works again', async (t) => {
  const path = await temporaryFile(t, { name: 'one' });
  const file = createProfileFile(path);
  assert.equal(nameOf(await file.read(signal)), 'one');
  await writeFile(path, '{');
  assert.match(problemsOf(await file.read(signal)).join(), /^the file: is not JSON: line 1, column 2: /);
  await writeFile(path, JSON.stringify({ name: 'two' }));
  assert.equal(nameOf(await file.read(signal)), 'two');
  await writeFile(`${path}.old`, JSON.stringify({ name: 'old' }));
  await utimes(`${path}.old`, 1, 1);
  await rename(`${path}.old`, path);
  assert.equal(nameOf(await file.read(signal)), 'old');
  await rm(path);
  assert.deepEqual(problemsOf(await file.read(signal)), ['the file: does not exist']);
});

test('an unchanged file yields the identical result, and concurrent reads share one result', async (t) => {
  const file = createProfileFile(await temporaryFile(t, { name: 'same' }));
  const [first, second] = await Promise.all([file.read(signal), file.read(signal)]);
  assert.equal(first, second);
  assert.equal(await file.read(signal), first);
});

test('an aborted read rejects with the reason of its signal', async () => {
  await assert.rejects(createProfileFile('/nowhere').read(AbortSignal.abort(new Error('gone'))), /gone/);
});

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);

test('every mistake in the brand is reported with its location and a valid alternative', async (t) => {
  const path = await temporaryFile(t, {
    name: 'Aurora <script>alert(1)</script>',
    hero: 'Stake \u202ewith us',
    accentColor: { light: '#ffd400', dark: '#1d2a55' },
    logo: 'http://aurora.example/logo.png',
    preview: 'https://aurora.example/preview.png',
    links: [
      { label: 'Site', url: 'javascript:alert(1)' },
      { label: 'X', url: 'https://x.example/', tille: '' },
    ],
    terms: 'mailto:us@aurora.example',
    faq: [{ question: 'Who?', answer: '<b>We</b>' }],
    poweredBy: 'no',
    heroo: 'x',
  });
  const markup = 'must be plain text: markup is displayed literally';
  assert.deepEqual([...problemsOf(await createProfileFile(path).read(signal))].sort(), [
    "accentColor: is not readable: #ffd400 on the light theme's #f1f4f2 has a contrast of 1.2 but text needs 4.5; #806a00 would work; #1d2a55 on the dark theme's #1a2024 has a contrast of 1.1 but text needs 4.5; #8990a7 would work",
    `faq.0.answer: ${markup}`,
    'hero: must not contain control characters',
    'links.0.url: must be an https or mailto URL without user info',
    'links.1: unknown field tille; allowed fields: label, url',
    'logo: must be an https URL, or a file',
    `name: ${markup}`,
    'poweredBy: must be true or false',
    'preview: must be a file, because it is served to others',
    'terms: must be an https URL without user info',
    'the file: unknown field heroo (did you mean hero?); allowed fields: name, website, description, logo, icon, accentColor, hero, links, terms, faq, preview, poweredBy, location, hardware, $schema',
  ]);
});

test('a single color is accepted if it is readable in at least one theme, and is otherwise refused with a suggestion of a readable color', async (t) => {
  const told = async (accentColor: unknown) =>
    problemsOf(await createProfileFile(await temporaryFile(t, { accentColor })).read(signal));
  assert.deepEqual(await told('#0b6e5b'), []);
  assert.deepEqual(await told('#FFD400'), []);
  assert.deepEqual(await told({ light: '#0b6e5b', dark: '#4fcfae' }), []);
  assert.match(
    (await told('#7a7a7a')).join(),
    /^accentColor: is not readable: #7a7a7a on the light theme's #\w+ has a contrast of 3\.\d but text needs 4\.5; #\w{6} would work, or #\w{6} on the dark one$/,
  );
  for (const none of ['green', '#fff', 5, { light: 'green' }])
    assert.match(
      (await told(none)).join(),
      /^accentColor(\.\w+)?: must be a color such as "#0b6e5b"/,
      JSON.stringify(none),
    );
});

test('a theme without a color gets the nearest readable shade of the other theme’s color, and the description names it', async (t) => {
  const given = async (accentColor: unknown) =>
    createProfileFile(await temporaryFile(t, { accentColor })).read(signal);
  const reading = await given({ light: '#5b3dc4' });
  assert.ok(reading.ok, problemsOf(reading).join());
  const { light, dark } = accentColors(reading.profile.accentColor!);
  assert.equal(light, '#5b3dc4');
  assert.deepEqual(accentColors('#5b3dc4'), { light, dark });
  assert.ok(
    describeProfile(reading.profile).includes(`accent #5b3dc4 on light, ${dark} on dark (derived: `),
    describeProfile(reading.profile),
  );
  assert.deepEqual(problemsOf(await given({})), [
    'accentColor: has no color: set "light", "dark" or both, or omit it',
  ]);
  assert.match(problemsOf(await given({ dark: '#1d2a55' })).join(), /^accentColor: is not readable: #1d2a55/);
});

test('a profile is described in one line with the parts that the page shows', () => {
  const { profile } = profileWithFields({
    name: 'Aurora',
    logo: 'https://aurora.example/a/logo.png?key=geheim',
    hero: 'North',
    accentColor: { light: '#5b3dc4', dark: '#b3a1ff' },
    terms: 'https://aurora.example/terms',
    links: [{ label: 'X', url: 'https://x.example/' }],
  });
  assert.equal(
    describeProfile(profile),
    'Aurora, logo from https://aurora.example, accent #5b3dc4 on light, #b3a1ff on dark, hero, 1 link, terms',
  );
  assert.equal(describeProfile(profileWithFields({}).profile), 'no name, no logo, no accent');
});

test('mistakes in the text and in the pictures are reported together', async (t) => {
  const path = await temporaryFile(t, { heroo: 'x', accentColor: 'green', logo: 'gone.png', preview: 7 });
  assert.deepEqual(
    [...problemsOf(await createProfileFile(path).read(signal))]
      .map((problem) => problem.split(':')[0])
      .sort(),
    ['accentColor', 'logo', 'preview', 'the file'],
  );
});

test('a logo is read from its file; an invalid, oversized or missing logo is reported until a read finds it repaired', async (t) => {
  const path = await temporaryFile(t, { logo: 'logo.bin', preview: 'preview.png' });
  const sibling = (name: string) => join(path, '..', name);
  const file = createProfileFile(path);
  assert.deepEqual(problemsOf(await file.read(signal)), [
    "logo: the file does not exist (relative paths start in the profile's folder)",
    "preview: the file does not exist (relative paths start in the profile's folder)",
  ]);
  await writeFile(sibling('preview.png'), PNG);
  for (const [content, problem] of [
    ['<html><svg></svg></html>', 'logo: the file is not a picture (PNG, JPEG, GIF, WebP or SVG)'],
    [
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
      'logo: the file is not a picture (PNG, JPEG, GIF, WebP or SVG)',
    ],
    [`${'<!---->'.repeat(5_000)}x`, 'logo: the file is not a picture (PNG, JPEG, GIF, WebP or SVG)'],
    [Buffer.alloc(300 * 1_024, 1), 'logo: the file is longer than 256 KiB'],
  ] as const) {
    await writeFile(sibling('logo.bin'), content);
    assert.deepEqual(problemsOf(await file.read(signal)), [problem]);
  }
  const svg = '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
  await writeFile(sibling('logo.bin'), svg);
  const reading = await file.read(signal);
  assert.ok(reading.ok);
  assert.deepEqual(reading.logo, { contentType: 'image/svg+xml', bytes: Buffer.from(svg) });
  assert.equal(reading.preview?.contentType, 'image/png');
  await writeFile(sibling('preview.png'), svg);
  assert.deepEqual(problemsOf(await file.read(signal)), [
    'preview: the file is not a picture (PNG, JPEG or WebP)',
  ]);
});

test('the published schema accepts the example, describes every field, and allows no others', () => {
  const schema = profileJsonSchema('https://stake.example/schemas/operator-profile.json') as {
    properties: Record<string, { description?: string }>;
    additionalProperties: boolean;
  };
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(Object.keys(schema.properties), Object.keys(profileWithFields({}).profile));
  for (const [member, { description }] of Object.entries(schema.properties)) assert.ok(description, member);
});
