// Both the help text and the table in docs/settings.md list every setting, and the table matches the code.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingRows } from './settings.ts';
import { helpText, settingsMarkdown, withSettingsTable } from './settings-help.ts';

test('the help lists every setting with its default and fits its width', () => {
  const help = helpText();
  for (const [, { name, defaultText }] of settingRows) {
    assert.ok(help.includes(`  ${name}\n`), name);
    if (defaultText !== undefined) assert.ok(help.includes(`default: ${defaultText}`), name);
  }
  for (const line of help.split('\n')) assert.ok(line.length <= 110, line);
});

test('the table of settings has one row per setting', () => {
  const rows = settingsMarkdown().split('\n').slice(2);
  assert.equal(rows.length, settingRows.length);
  for (const [index, [, { name }]] of settingRows.entries()) {
    assert.ok(rows[index]?.startsWith(`| \`${name}\` |`), name);
    assert.equal(rows[index]?.replaceAll('\\|', '').split('|').length, 6, name);
  }
});

test('the names of settings are unique and start with HOLDFAST_, except for conventional names', () => {
  const names = settingRows.map(([, { name }]) => name);
  assert.equal(new Set(names).size, names.length);
  const bare = names.filter((name) => !name.startsWith('HOLDFAST_'));
  assert.deepEqual(bare.sort(), ['DATABASE_URL', 'HOST', 'LOG_LEVEL', 'PORT', 'REDIS_URL']);
});

test('a manually edited table is regenerated and the rest of the page stays unchanged', () => {
  const page = 'before\n<!-- settings:start -->\nold\n<!-- settings:end -->\nafter\n';
  const put = withSettingsTable(page);
  assert.equal(put, `before\n<!-- settings:start -->\n${settingsMarkdown()}\n<!-- settings:end -->\nafter\n`);
  assert.equal(withSettingsTable(put ?? ''), put);
  assert.equal(withSettingsTable('no markers'), undefined);
  assert.equal(withSettingsTable('<!-- settings:end --><!-- settings:start -->'), undefined);
});

const tablePath = join(import.meta.dirname, '..', '..', 'docs', 'settings.md');
test('the table of settings in docs/settings.md matches the code', {
  skip: !existsSync(tablePath) && 'docs/settings.md is missing',
}, () => {
  const page = readFileSync(tablePath, 'utf8');
  assert.equal(withSettingsTable(page), page, 'run: node scripts/run.mjs scripts/settings-table.ts');
});
