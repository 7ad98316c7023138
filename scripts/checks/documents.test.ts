// Tests that the documents check finds dead links and an outdated settings table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsMarkdown } from '../../src/config/settings-help.ts';
import { writtenTree } from '../../test/support/written-tree.ts';
import { checkLinks, checkSettingsTable, headingAnchors } from './documents.ts';

test('the documents check accepts links to existing files, folders and headings', (t) => {
  const root = writtenTree(t, {
    'README.md':
      '# Top\n\n[doc](docs/a.md) [part](docs/a.md#two-words--more) [here](#top) [folder](docs) [out](https://example.org/none)\n',
    'docs/a.md':
      '## Two words & more\n\n[back](../README.md "title")\n\n```\n[no link](gone.md)\n```\n\n`[nor this](gone.md)`\n',
  });
  assert.deepEqual(checkLinks(root).problems, []);
});

test('dead links are reported', (t) => {
  const root = writtenTree(t, {
    'README.md': '[a](gone.md) [b](docs/a.md#gone) [c](#gone)\n',
    'docs/a.md': '# A\n[d](./README.md)\n',
  });
  const { problems } = checkLinks(root);
  assert.equal(problems.length, 4);
  assert.match(problems[1] ?? '', /no such heading/);
});

test('the anchors of repeated headings are numbered', () => {
  assert.deepEqual(
    [...headingAnchors('# Same\n# Same\n## `code` and *more*\n')],
    ['same', 'same-1', 'code-and-more'],
  );
});

test('a settings page with a missing or outdated table is reported', (t) => {
  const check = (files: Record<string, string>) => checkSettingsTable(writtenTree(t, files)).problems;
  assert.match(check({}).join(), /does not exist/);
  assert.match(check({ 'docs/settings.md': '# x\n' }).join(), /lacks the markers/);
  assert.match(
    check({ 'docs/settings.md': '<!-- settings:start -->\nold\n<!-- settings:end -->\n' }).join(),
    /differs from the code/,
  );
  assert.deepEqual(
    check({ 'docs/settings.md': `<!-- settings:start -->\n${settingsMarkdown()}\n<!-- settings:end -->\n` }),
    [],
  );
});
