// Tests that `build` prints the key that `rebuild` needs, and that `rebuild` never generates one.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast } from '../../../test/cli/cli-runner.ts';
import { json, startScriptedService } from '../../../test/client/scripted-service.ts';
import { builds, signer, stakeBytes, unstakeBytes } from '../../../test/support/honest-responses.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

test('build prints the idempotency key of a stake, even if it generated the key itself', async (t) => {
  const { url, seen } = await startScriptedService(t, [builds(stakeBytes())]);
  const build = (...more: readonly string[]) =>
    holdfast([
      'build',
      'stake',
      `walletAddress=${signer.walletAddress}`,
      'amountSol=2',
      '--url',
      url,
      ...more,
    ]);
  const { stderr, stdout } = await build();
  const [, key] = /^idempotency key: (\S+), needed to rebuild it$/m.exec(stderr) ?? [];
  assert.equal(seen[0]!.headers['idempotency-key'], key);
  assert.equal(stdout, `${stakeBytes()}\n`);
  assert.match((await build('--idempotency-key', 'k1')).stderr, /^idempotency key: k1, needed/m);
});

test('rebuild requires a key for a stake, and sends none for any other transaction', async (t) => {
  const rebuilt = { transaction: 'AAAA', difference: { onlyLifetime: true, changes: [] } };
  const { url, seen } = await startScriptedService(t, [json(200, rebuilt)]);
  const file = join(temporaryFolder(t), 'transaction.txt');
  const rebuild = (bytes: string, ...more: readonly string[]) => {
    writeFileSync(file, bytes);
    return holdfast(['rebuild', file, '--url', url, ...more]);
  };
  const refused = await rebuild(stakeBytes());
  assert.deepEqual([refused.code, refused.stdout, seen.length], [2, '', 0]);
  assert.match(
    refused.stderr,
    /This transaction creates a stake account: pass --idempotency-key KEY \(holdfast build printed it\)/,
  );
  assert.equal((await rebuild(unstakeBytes())).code, 0);
  assert.equal(seen.at(-1)!.headers['idempotency-key'], undefined);
  assert.equal((await rebuild(stakeBytes(), '--idempotency-key', 'k1')).code, 0);
  assert.equal(seen.at(-1)!.headers['idempotency-key'], 'k1');
});
