// Tests that the files check finds duplicate published names and files without an opening comment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { checkFiles } from './files.ts';

const head = '// Says what this file guarantees to its readers.\n';

test('the files check accepts small files with an opening comment, and reports their sizes', (t) => {
  const root = writtenTree(t, {
    'src/a.ts': `${head}export {};\n`,
    'src/b.ts': head + 'export {};\n'.repeat(9),
    'scripts/c.mjs': `#!/usr/bin/env node\n${head}`,
    'src/a.test.ts': 'export {};\n'.repeat(26),
  });
  const { problems, notes } = checkFiles(root);
  assert.deepEqual(problems, []);
  assert.match(notes[0] ?? '', /^3 source files: median 2 lines, 90 % within 10, longest 10 \(src\/b\.ts\)$/);
  assert.equal(notes[1], 'tests/source 1.86');
});

test('a published name that exists twice is reported', (t) => {
  const root = writtenTree(t, {
    'src/chain/transactions/transaction.ts': head,
    'src/http/transaction.ts': head,
    'src/chain/solana.ts': head,
  });
  assert.deepEqual(checkFiles(root).problems, [
    'transaction.ts exists more than once: src/chain/transactions/transaction.ts, src/http/transaction.ts',
  ]);
});

test('a file that does not begin with a comment is reported', (t) => {
  const root = writtenTree(t, { 'src/a.ts': 'export {};\n', 'src/b.ts': '// Short.\n', 'src/c.ts': '' });
  assert.equal(checkFiles(root).problems.length, 3);
});
