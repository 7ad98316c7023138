// Tests that the record of the built page is used only if it is valid and the page's sources are unchanged, and
// that startup continues without it otherwise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { writtenTree } from '../../test/support/written-tree.ts';
import { isUpToDate, openPage, readBuiltPage, sha256 } from './open-page.ts';

const logger = pino({ level: 'silent' });
const RECORD = 'web/dist/current.json';
const page = {
  folder: '0123456789abcdef',
  files: [{ path: 'index.html', etag: '"e"', encodings: [] }],
  inputs: { 'web/index.html': sha256('<p>') },
};

test('an invalid record is ignored, and the service starts without a page', async (t) => {
  const { folder: _, ...withoutFolder } = page;
  const { files: __, ...withoutFiles } = page;
  const { inputs: ___, ...withoutInputs } = page;
  for (const text of [
    '',
    '{"folder":',
    'null',
    '7',
    '[]',
    '{}',
    ...[withoutFolder, withoutFiles, withoutInputs, { ...page, files: {} }, { ...page, inputs: null }].map(
      (record) => JSON.stringify(record),
    ),
  ]) {
    const root = writtenTree(t, { [RECORD]: text });
    assert.equal(readBuiltPage(root), null, text);
    assert.equal(await openPage(root, logger), null, text);
  }
});

test('a page that cannot be rebuilt is served unchanged, and a page with missing files is ignored', async (t) => {
  const record = { [RECORD]: JSON.stringify(page) };
  const whole = writtenTree(t, { ...record, [`web/dist/${page.folder}/index.html`]: '<p>old' });
  assert.deepEqual(
    (await openPage(whole, logger))?.map(({ path, bytes }) => [path, bytes.toString()]),
    [['index.html', '<p>old']],
  );
  assert.equal(await openPage(writtenTree(t, record), logger), null);
});

test('a page is up to date if its files exist and all sources are unchanged', (t) => {
  const made = { [`web/dist/${page.folder}/index.html`]: '' };
  for (const [files, expected] of [
    [{ ...made, 'web/index.html': '<p>' }, true],
    [{ ...made, 'web/index.html': '<b>' }, false],
    [{ ...made, 'web/other.html': '<p>' }, false],
    [{ 'web/index.html': '<p>' }, false],
  ] as const)
    assert.equal(isUpToDate(writtenTree(t, files), page as never), expected);
});
