// What is remembered of keys: the stake account that was signed for, for as long as it is young.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newRecord } from '../../client/staking/pending-transaction.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createRequestMemory } from './request-memory.ts';

const DAY_SECONDS = 24 * 60 * 60;
const walletAddress = 'wallet';

const signedFor = (idempotencyKey: string, stakeAccountAddress: string) => ({
  ...newRecord(
    { kind: 'stake', walletAddress, amountLamports: 1n },
    { cluster: '', voteAccount: 'vote', idempotencyKey, begunAtMs: 0 },
  ),
  ...{ stakeAccountAddress, signature: 'signature' },
});

test('what was signed for more than 30 days ago goes when something new is remembered, and nothing else does', (t) => {
  const folder = temporaryFolder(t);
  const memory = createRequestMemory({ XDG_CONFIG_HOME: folder }, 'https://service.example');
  const requests = join(folder, 'holdfast', 'requests');
  const saveAged = (key: string, days: number) => {
    const before = existsSync(requests) ? readdirSync(requests) : [];
    memory.save(signedFor(key, `account of ${key}`));
    const [written] = readdirSync(requests).filter((name) => !before.includes(name));
    const seconds = Date.now() / 1000 - days * DAY_SECONDS;
    utimesSync(join(requests, written!), seconds, seconds);
  };
  saveAged('young', 29);
  saveAged('old', 31);
  assert.throws(() => memory.save(signedFor('old', 'another account')), /different stake account/);
  memory.save(signedFor('new', 'account of new'));
  assert.equal(readdirSync(requests).length, 2);
  assert.deepEqual(
    ['old', 'young', 'new'].map((key) => memory.stakeAccountOf(walletAddress, key)),
    [undefined, 'account of young', 'account of new'],
  );
});
