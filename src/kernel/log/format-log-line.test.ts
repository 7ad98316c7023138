// Log lines on a terminal are readable, contain everything from the JSON, and cannot control the terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { formatLogLine } from './format-log-line.ts';
import { createLogger } from './logger.ts';

const shown = (log: (logger: ReturnType<typeof createLogger>) => void): string => {
  let text = '';
  log(createLogger('debug', { write: (line) => (text += formatLogLine(line)) }));
  return stripVTControlCharacters(text);
};

test('a line contains the time, level, message and fields', () => {
  const text = shown((logger) => logger.warn({ node: 0, reason: 'unreachable' }, 'RPC node suspended'));
  assert.match(text, /^\d\d:\d\d:\d\d {2}warning {2}RPC node suspended {2}node: 0, reason: unreachable\n$/);
  assert.match(
    shown((logger) => logger.info('ready')),
    /^\S+ {2}ready\n$/,
  );
});

test('an error is shown with its message and cause, and secrets stay redacted', () => {
  const cause = new Error('refused by https://user:pw@rpc.example/key');
  const text = shown((logger) => logger.error({ err: new Error('no response', { cause }) }, 'it failed'));
  assert.match(text, /error {2}it failed {2}err: no response \(refused by https:\/\/rpc\.example\)\n$/);
});

test('external text cannot control the terminal, and output that is not a log line stays unchanged', () => {
  const text = shown((logger) => logger.warn({ name: 'a\u001b[2Jb\nc' }, 'odd\rname'));
  assert.doesNotMatch(text.slice(0, -1), /\p{Cc}/u);
  assert.equal(formatLogLine('not JSON'), 'not JSON');
});
