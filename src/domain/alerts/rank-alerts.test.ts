import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { AlertLevel } from './alert-table.ts';
import type { ChangeFact } from './detect-control-changes.ts';
import { rankAlerts } from './rank-alerts.ts';

const alert = (account: string, slot: number, level: AlertLevel = 'warning') => ({
  change: { account: account as Address, stamp: { slots: [BigInt(slot)] } } as unknown as ChangeFact,
  assessment: { level, patterns: [] },
});
const shown = (alerts: ReturnType<typeof rankAlerts>) =>
  alerts.map(({ change, assessment, folded }) => [
    ...[change.account, Number(change.stamp.slots[0]), assessment.level, folded],
  ]);

test('a theft ranks above any number of later changes that outsiders make to accounts they planted', () => {
  const flood = Array.from({ length: 131 }, (_, i) => alert(`planted ${i % 2}`, 1_000 - i));
  const ranked = rankAlerts([...flood, alert('own', 5, 'critical')], new Set(['own' as Address]));
  assert.deepEqual(shown(ranked), [
    ['own', 5, 'critical', 0],
    ['planted 0', 1_000, 'warning', 65],
    ['planted 1', 999, 'warning', 64],
  ]);
});

test('changes to one of the wallet’s accounts stay together, newest first, and a planted account shows only its most severe change', () => {
  const own = new Set(['a', 'b'] as Address[]);
  const ranked = rankAlerts(
    [alert('a', 9), alert('b', 8), alert('x', 7), alert('x', 6, 'critical'), alert('a', 5, 'info')],
    own,
  );
  assert.deepEqual(shown(ranked), [
    ['a', 9, 'warning', 0],
    ['a', 5, 'info', 0],
    ['b', 8, 'warning', 0],
    ['x', 6, 'critical', 1],
  ]);
});
