// Tests that the recommended-action guide contains the rows of the table in the code, with the calls that carry
// them out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recommendationMarkdown } from '../../domain/portfolio/recommended-action-table.ts';
import type { OperationName } from '../../kernel/guidance.ts';
import { allRoutes } from '../routes/all-routes.ts';

const callOf = (operation: OperationName): string => {
  const route = allRoutes.find((one) => one.operation.name === operation)!;
  return `${route.method} ${route.path}`;
};

test('the table in the document equals the table in the code, row by row', () => {
  const text = readFileSync(new URL('../../../docs/recommended-action.md', import.meta.url), 'utf8');
  const [, between = ''] = /<!-- rows: begin -->\n([\s\S]*)<!-- rows: end -->/.exec(text) ?? [];
  const written = between.split('\n').filter((line) => line.startsWith('|'));
  const wanted = recommendationMarkdown(callOf)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  for (const [index, line] of wanted.entries()) assert.equal(written[index], line);
  assert.equal(written.length, wanted.length);
});
