// Tests that public routes are open to every page, and all others only to our own page and to listed origins.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { corsHeaders, isOwnOrigin, type OriginFacts, preflightHeaders, refuseForeignOrigin } from './cors.ts';

const facts = (origin: string | undefined, more: Partial<OriginFacts> = {}): OriginFacts => ({
  origin,
  host: 'localhost:3000',
  https: false,
  publicOrigin: 'https://stake.example',
  allowedOrigins: [],
  ...more,
});

it('our own page has the public URL or the requested address as its origin', () => {
  assert.equal(isOwnOrigin(facts('https://stake.example')), true);
  assert.equal(isOwnOrigin(facts('http://localhost:3000')), true);
  assert.equal(isOwnOrigin(facts('https://other.example', { host: 'other.example', https: true })), true);
  for (const origin of [
    'https://localhost:3000',
    'http://localhost:5173',
    'http://localhost',
    'http://stake.example',
    'null',
    undefined,
  ])
    assert.equal(isOwnOrigin(facts(origin)), false, String(origin));
});

it('public routes are open to all origins, without credentials', () => {
  const headers = corsHeaders('public', facts('https://any.example'));
  assert.deepEqual(headers.slice(0, 2), ['access-control-allow-origin', '*']);
  assert.ok(!headers.includes('access-control-allow-credentials'));
  assert.match(headers[3] ?? '', /RateLimit, RateLimit-Policy, Retry-After, ETag, X-Request-Id, X-SHA256/);
  assert.equal(refuseForeignOrigin('public', facts('https://any.example')), null);
});

it('other routes allow only our own page and refuse pages from other origins', () => {
  assert.deepEqual(corsHeaders('own-page', facts('https://any.example')), ['vary', 'Origin']);
  assert.deepEqual(corsHeaders('own-page', facts(undefined)), ['vary', 'Origin']);
  assert.ok(corsHeaders('own-page', facts('https://stake.example')).includes('https://stake.example'));
  assert.equal(refuseForeignOrigin('own-page', facts('https://any.example'))?.code, 'ORIGIN_NOT_ALLOWED');
  assert.equal(refuseForeignOrigin('own-page', facts('https://stake.example')), null);
  assert.equal(refuseForeignOrigin('own-page', facts(undefined)), null);
});

it('a preflight allows the headers that our clients send', () => {
  assert.deepEqual(preflightHeaders(['POST', 'OPTIONS']).slice(0, 4), [
    ...['access-control-allow-methods', 'POST, OPTIONS'],
    ...['access-control-allow-headers', 'Content-Type, Idempotency-Key, If-None-Match, Holdfast-Client'],
  ]);
});
