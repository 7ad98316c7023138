// `_meta` contains the path template, never the path that the caller sent, and a fixed text for an unknown
// route.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readEcho } from '../../test/support/http-operations.ts';
import { buildMeta } from './response-meta.ts';

const source = { documentationUrl: 'https://stake.example/docs', clusterName: () => 'devnet' };
const endpoint = { operation: readEcho, path: '/echo/{walletAddress}', related: { build: 'epoch' } as const };

it('_meta contains timestamp, endpoint, documentation, related endpoints and cluster', () => {
  assert.deepEqual(buildMeta(source, endpoint, 0, 'readEcho'), {
    timestamp: '1970-01-01T00:00:00.000Z',
    documentation: 'https://stake.example/docs#readEcho',
    endpoint: '/echo/{walletAddress}',
    description: 'Echo a wallet.',
    relatedEndpoints: { build: { operation: 'epoch' } },
    cluster: 'devnet',
  });
});

it('_meta of an unknown endpoint links to the documentation, and includes what the response adds', () => {
  const { endpoint: place, description, relatedEndpoints } = buildMeta(source, null, 0, 'error-NOT_FOUND');
  assert.deepEqual([place, description], ['unknown', 'No endpoint of this service.']);
  assert.deepEqual(relatedEndpoints, { documentation: '/docs', openapi: '/openapi.json' });
  const { related: _, ...alone } = endpoint;
  const added = buildMeta(source, alone, 0, 'readEcho', { cacheTtlSeconds: 60, nextSteps: { a: 'b' } });
  assert.deepEqual([added.cacheTtlSeconds, added.nextSteps], [60, { a: 'b' }]);
  assert.deepEqual(added.relatedEndpoints, { documentation: '/docs', openapi: '/openapi.json' });
});

it('_meta reads the cluster name for every response, because the name is not known until startup', () => {
  let name = 'unknown';
  const late = { ...source, clusterName: () => name };
  assert.equal(buildMeta(late, null, 0, 'x').cluster, 'unknown');
  name = 'mainnet-beta';
  assert.equal(buildMeta(late, null, 0, 'x').cluster, 'mainnet-beta');
});
