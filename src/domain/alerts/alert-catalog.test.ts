// The list of alerts is complete, and the guide for operators names each alert.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settings } from '../../config/settings.ts';
import { alertCatalog } from './alert-catalog.ts';
import { alertTable } from './alert-table.ts';
import { serviceAlarms } from './service-alarm-table.ts';

test('every alert of both tables is in the list once, with an existing setting, and the guide names those for the operator', () => {
  const keys = alertCatalog.map(({ alert, audience }) => `${audience} ${alert}`);
  assert.equal(new Set(keys).size, keys.length);
  const audiences = Object.values(alertTable).flatMap((row) =>
    ['operator', 'everybody', 'wallet'].filter((audience) => audience in row),
  );
  assert.equal(keys.length, audiences.length + 2 * serviceAlarms.length);
  const names = Object.values(settings).map(({ name }) => name);
  for (const { setting } of alertCatalog) assert.ok(setting === null || names.includes(setting), setting!);
  const guide = readFileSync('docs/operate.md', 'utf8');
  for (const { alert, audience } of alertCatalog)
    if (audience === 'operator') assert.ok(guide.includes(`\`${alert}\``), alert);
});
