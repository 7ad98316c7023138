// Tests that only the exact text of a request reaches a wallet, and that any addition, omission or change by a
// service is detected.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextNonce, type PolicyRequest, type PolicyToSet, readPolicyScope } from './policy-request.ts';

const WALLET = '7FfQoJKAJ7ZBwoJCjiqh5P5Rnb1fEaKvyNVAQU38D4iP';
const VOTE = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ';
const CLUSTER = '3BxDKDGjWcdUtERPdSmzGMD7xviX4okzK5Krv2CA2aPk';

const request: PolicyToSet = {
  kind: 'set',
  walletAddress: WALLET,
  keepLiquidLamports: 1_000_000_000n,
  minSweepLamports: 1_500_000_001n,
  callbackUrl: 'https://example.com/holdfast?x=1',
  paused: false,
};

// Spelled out literally, so the test does not compare the service's wording with itself.
const LINES = [
  'holdfast-autopilot-policy:v1',
  `cluster=${CLUSTER}`,
  'service=https://stake.example',
  `vote=${VOTE}`,
  `wallet=${WALLET}`,
  'keepLiquidLamports=1000000000',
  'minSweepLamports=1500000001',
  'callbackUrl=https://example.com/holdfast?x=1',
  'paused=false',
  'nonce=7',
];
const DELETION = ['holdfast-autopilot-delete:v1', ...LINES.slice(1, 5), 'nonce=7'];

const read = (lines: readonly string[], of: PolicyRequest = request) =>
  readPolicyScope(lines.join('\n'), of, 7, VOTE);
const changed = (index: number, line: string): string[] => LINES.with(index, line);

describe('the text of a policy', () => {
  it('is accepted if it states the request, and shows where its signature is valid', () => {
    assert.deepEqual(read(LINES), {
      prefix: 'holdfast-autopilot',
      genesisHash: CLUSTER,
      serviceOrigin: 'https://stake.example',
      voteAccount: VOTE,
    });
  });

  it('may contain any first word, cluster and service name that the service gives', () => {
    assert.equal(read(changed(0, 'my-pool-2-policy:v1'))?.prefix, 'my-pool-2');
    assert.equal(read(changed(1, `cluster=${VOTE}`))?.genesisHash, VOTE);
    assert.equal(read(changed(2, 'service=http://localhost:3000'))?.serviceOrigin, 'http://localhost:3000');
  });

  it('is refused if any other line differs', () => {
    for (const [index, line] of [
      [3, `vote=${WALLET}`],
      [4, `wallet=${VOTE}`],
      [5, 'keepLiquidLamports=0'],
      [6, 'minSweepLamports=1500000000'],
      [7, 'callbackUrl=https://evil.example/'],
      [8, 'paused=true'],
      [9, 'nonce=8'],
    ] as const)
      assert.equal(read(changed(index, line)), null, line);
  });

  it('is refused with an additional or a missing line', () => {
    for (let index = 0; index <= LINES.length; index += 1) {
      assert.equal(read(LINES.toSpliced(index, 0, 'and=more')), null, `added at ${index}`);
      if (index < LINES.length) assert.equal(read(LINES.toSpliced(index, 1)), null, `dropped ${index}`);
    }
    assert.equal(readPolicyScope(`${LINES.join('\n')}\n`, request, 7, VOTE), null);
  });

  it('is refused with an invalid service address, cluster or first word', () => {
    for (const [index, line] of [
      [0, 'Holdfast-policy:v1'],
      [0, 'holdfast-autopilot-policy:v2'],
      [1, 'cluster=mainnet'],
      [2, 'service=https://stake.example/path'],
      [2, 'service=javascript:alert(1)'],
    ] as const)
      assert.equal(read(changed(index, line)), null, line);
  });

  it('has a different form for ending a policy, and neither is accepted in place of the other', () => {
    const deletion = { kind: 'delete', walletAddress: WALLET } as const;
    assert.equal(read(DELETION, deletion)?.serviceOrigin, 'https://stake.example');
    assert.equal(read(DELETION), null);
    assert.equal(read(LINES, deletion), null);
    assert.equal(read(DELETION, { ...deletion, walletAddress: VOTE }), null);
  });
});

describe('the next nonce', () => {
  it('is the current time, unless a later nonce from a faster clock was already used', () => {
    assert.equal(nextNonce(1_000, 0), 1_000);
    assert.equal(nextNonce(1_000, 999), 1_000);
    assert.equal(nextNonce(1_000, 1_000), 1_001);
    assert.equal(nextNonce(1_000, 5_000), 5_001);
  });
});
