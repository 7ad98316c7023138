// Tests that each full run is recorded as a table row with its result, counts and machine.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { appendRecord, describeMachine, recordLine } from './full-run-record.ts';
import type { FileResult } from './run-test-files.ts';

const result: FileResult = {
  path: 'test/long/submissions-end-as-the-chain-says.test.ts',
  passed: 3,
  failures: [],
  skips: [],
  diagnostics: ['500 attempts', 'faults {"drop|reset":4}'],
  output: '',
  durationMs: 61_400,
};
const DATE = '2026-11-21T06:00:00.000Z';

test('the row of a passed run has its date, counts and machine', () => {
  assert.equal(
    recordLine(result, ['TX-1'], DATE, 'npm run test:full -- tx-1', 'a machine'),
    '| 2026-11-21 06:00 | `npm run test:full -- tx-1` | TX-1 | 3 of 3 tests; 500 attempts; faults {"drop\\|reset":4} | passed | 1 min 1 s | a machine |\n',
  );
});

test('failures are listed, and a run in which everything was skipped does not count as passed', () => {
  assert.match(
    recordLine({ ...result, failures: [{ name: 'no double stake', error: 'x' }] }, [], DATE, 'c', 'm'),
    /3 of 4 tests.*FAILED: no double stake/,
  );
  assert.match(
    recordLine({ ...result, passed: 0, skips: [{ name: 'a', reason: 'b' }] }, [], DATE, 'c', 'm'),
    /1 skipped.*\| skipped \|/,
  );
});

test('rows are added below a header that is written once', (t) => {
  const path = join(temporaryFolder(t), 'full-runs.md');
  appendRecord(path, ['| one |\n']);
  appendRecord(path, ['| two |\n']);
  const text = readFileSync(path, 'utf8');
  assert.equal(text.match(/# Full runs/g)?.length, 1);
  assert.ok(text.endsWith('|---|---|---|---|---|---|---|\n| one |\n| two |\n'));
});

test('the machine is described by its processors, its memory and the Node version', () => {
  assert.match(describeMachine(), /^\d+ × .+, \d+ GB, \w+ \w+, Node 2\d\./);
});
