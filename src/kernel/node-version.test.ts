// Unsupported Node releases are refused, and releases without the security fixes trigger a warning.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeSecurityWarning, nodeVersionProblem } from './node-version.ts';

test('a Node version below 26 is refused, and the message contains the command to use', () => {
  for (const version of ['20.20.2', '22.23.4', '24.22.1', '25.9.0']) {
    const problem = nodeVersionProblem(version);
    assert.match(problem ?? '', /requires Node 26/);
    assert.match(problem ?? '', /npm start/);
    assert.ok(problem?.includes(version));
  }
});

test('the service starts with Node 26 and later', () => {
  for (const version of ['26.0.0', '26.10.0', '26.12.1', '28.0.0', process.versions.node]) {
    assert.equal(nodeVersionProblem(version), undefined);
  }
});

test('a Node version before the security release triggers a warning, and later versions do not', () => {
  for (const version of ['26.0.0', '26.9.9', '26.10.0', '26.12.0'])
    assert.match(nodeSecurityWarning(version) ?? '', /26\.12\.1/);
  for (const version of ['26.12.1', '26.12.2', '26.13.0', '27.0.0', '28.1.0'])
    assert.equal(nodeSecurityWarning(version), undefined);
});
