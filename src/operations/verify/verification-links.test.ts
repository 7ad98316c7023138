// Tests that links refer to our vote account, commands to the service's cluster, and that a warning appears if
// the dashboards cover a different cluster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../context.ts';
import { verificationLinks } from './verification-links.ts';

const VOTE = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const never = new AbortController().signal;

const links = async (clusterName: string, sandbox: Context['service']['sandbox'] = null) => {
  const ctx = {
    service: { settings: { voteAccount: VOTE }, sandbox },
    chain: { cluster: { clusterName } },
  } as unknown as Context;
  return (await verificationLinks.run({ ctx, input: {}, signal: never, source: 'rest', client: 'test' }))
    .body;
};

const sandboxAt = (state: (signal: AbortSignal) => Promise<unknown>) =>
  ({ state }) as unknown as Context['service']['sandbox'];

test('on mainnet-beta there is no warning, and commands use its public RPC', async () => {
  const { warnings, onChainVerification, validatorsApp } = await links('mainnet-beta');
  assert.deepEqual(warnings, []);
  assert.ok(validatorsApp.endsWith(`q=${VOTE}&network=mainnet`));
  for (const command of onChainVerification.commands)
    assert.match(command, /https:\/\/api\.mainnet-beta\.solana\.com/);
});

test('commands that read a transaction accept every version, because an RPC node otherwise refuses versions 0 and 1', async () => {
  const { commands } = (await links('mainnet-beta')).onChainVerification;
  const reading = commands.filter((command) => command.includes('"getTransaction"'));
  assert.equal(reading.length, 1);
  for (const command of reading) assert.match(command, /"maxSupportedTransactionVersion":1/);
});

test('on every other cluster a warning names the cluster', async () => {
  for (const name of ['devnet', 'testnet', 'custom', 'sandbox']) {
    const { warnings } = await links(name);
    assert.equal(warnings.length, 1);
    assert.ok(warnings[0]?.includes(`cluster ${name}.`));
  }
  assert.ok((await links('testnet')).validatorsApp.endsWith('network=testnet'));
});

test("commands use the sandbox's RPC, and contain a placeholder on a private cluster or with a stopped sandbox", async () => {
  const shown = async (...args: Parameters<typeof links>) =>
    new Set(
      (await links(...args)).onChainVerification.commands.map(
        (text) => /(?:--url|-sS) (\S+)/.exec(text)?.[1],
      ),
    );
  const rpcUrl = 'http://127.0.0.1:8899';
  assert.deepEqual(
    await shown(
      'sandbox',
      sandboxAt(async () => ({ rpcUrl })),
    ),
    new Set([rpcUrl]),
  );
  assert.deepEqual(
    await shown(
      'sandbox',
      sandboxAt(() => Promise.reject(new Error('gone'))),
    ),
    new Set(['<YOUR_RPC_URL>']),
  );
  assert.deepEqual(await shown('custom'), new Set(['<YOUR_RPC_URL>']));
});

test('links are returned without the RPC URL of a hanging sandbox', async () => {
  const hangs = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const { onChainVerification } = await links('sandbox', sandboxAt(hangs));
  assert.match(onChainVerification.commands.join(), /<YOUR_RPC_URL>/);
});
