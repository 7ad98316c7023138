import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from './config.ts';

for (const [host, bindsLoopback] of [
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['localhost', true],
  ['LocalHost', true],
  // Names that begin as loopback addresses do lead where their owner says.
  ['127.example.org', false],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
  ['10.0.0.1', false],
  ['::', false],
] as const)
  test(`listening on ${host} ${bindsLoopback ? 'is for this machine alone' : 'lets others in, and they are warned of'}`, () => {
    const { config } = loadConfig({ HOST: host });
    assert.equal(config.bindsLoopback, bindsLoopback);
    assert.equal(config.warnings.length, bindsLoopback ? 0 : 1);
  });
