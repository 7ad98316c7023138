// Tests that the operator's text is escaped in every document, picture and manifest that contains it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProfileFile, profileWithFields } from '../../../upstream/profile/operator-profile.ts';
import { brandDocument } from './brand-document.ts';
import { type Brand, createBrand } from './current-brand.ts';
import { stakeButtonText } from './page-brand.ts';
import { stakeButton } from './stake-button.ts';

const DOCUMENT = `<!doctype html><html><head><title>Portfolio · Holdfast</title>
<meta name="description" content="Plain." />
<link
  rel="icon"
  href="data:image/svg+xml,%3Csvg/%3E"
/>
<link rel="apple-touch-icon" href="/assets/touch-icon-1.png" />
</head><body></body></html>`;

const brandSaying = (said: Parameters<typeof profileWithFields>[0]) =>
  createBrand({ read: async () => profileWithFields(said) })();

const documentOf = (brand: Brand, path: string, document = DOCUMENT): string =>
  brandDocument(document, path, { brand, publicUrl: 'https://stake.example', clusterName: 'devnet' });

test('title, description, icons and previews follow the brand', async () => {
  const brand = await brandSaying({ name: 'Aurora', hero: 'Northern light.', logo: 'logo.png' });
  const made = documentOf(brand, '/portfolio');
  assert.match(made, /<title>Portfolio · Aurora<\/title>/);
  assert.match(made, /<meta name="holdfast-cluster" content="devnet">/);
  assert.match(made, /<meta name="description" content="Northern light\.">/);
  assert.match(made, /<meta property="og:url" content="https:\/\/stake\.example\/portfolio">/);
  assert.deepEqual(made.match(/<link[^>]*rel="[a-z-]*icon"[^>]*>/g), [
    '<link rel="icon" href="/icon">',
    '<link rel="apple-touch-icon" href="/icon">',
  ]);
  const stake = DOCUMENT.replace('Portfolio', 'Stake');
  assert.match(documentOf(brand, '/', stake), /<title>Stake with Aurora<\/title>/);
  const twice = await brandSaying({ name: 'Aurora Stake' });
  assert.match(documentOf(twice, '/', stake), /<title>Stake with Aurora<\/title>/);
  assert.match(stakeButton(twice), /<title>Stake with Aurora<\/title>/);
  for (const name of ['Everstake', 'Stake', 'Stakely'])
    assert.equal(
      stakeButtonText(name),
      `Stake with ${name}`,
      '"Stake" is dropped only as a separate last word',
    );
});

test('a document without a brand keeps its own icons', async () => {
  const made = documentOf(await brandSaying({}), '/portfolio');
  assert.match(made, /<title>Portfolio · Holdfast<\/title>/);
  assert.equal(made.match(/rel="(apple-touch-)?icon"/g)!.length, 2);
  assert.doesNotMatch(made, /\/icon"|brand\.css|og:image/);
});

test("the operator's text never becomes markup, even if it contains replacement patterns", async () => {
  const name = `A"'><script>alert(1)</script>$&$'</title>&amp;`;
  const brand = await brandSaying({ name, hero: name, faq: [{ question: name, answer: name }] });
  const made = documentOf(brand, '/');
  const tags = (text: string): string[] => (text.match(/<\/?[a-z]+/g) ?? []).sort();
  const plain = documentOf(await brandSaying({ name: 'A' }), '/');
  assert.deepEqual(tags(made), tags(plain));
  assert.deepEqual(made.match(/"/g)!.length, plain.match(/"/g)!.length);
  const svg = stakeButton(brand);
  assert.deepEqual(tags(svg), tags(stakeButton(await brandSaying({ name: 'A' }))));
  const meta = /name="holdfast-brand" content="([^"]*)"/.exec(made)![1]!;
  const unescaped = meta
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  assert.equal(JSON.parse(unescaped).name, name);
});

test('a profile that becomes invalid at run time has no effect, and a repaired one is shown', async () => {
  const readings: Awaited<ReturnType<ProfileFile['read']>>[] = [
    profileWithFields({ name: 'Aurora' }),
    { ok: false, problems: ['the file: is not JSON'] },
    { ok: false, problems: ['the file: is not JSON'] },
    profileWithFields({ name: 'Borealis' }),
  ];
  const reported: (string | null)[] = [];
  const current = createBrand({ read: async () => readings.shift()! }, (reading) =>
    reported.push(reading.ok ? reading.profile.name : reading.problems.join()),
  );
  const names = [await current(), await current(), await current(), await current()].map(
    ({ page }) => page.name,
  );
  assert.deepEqual(names, ['Aurora', 'Aurora', 'Aurora', 'Borealis']);
  assert.deepEqual(
    reported,
    ['the file: is not JSON', 'Borealis'],
    'each change is reported once, and the first read is not reported',
  );
});
