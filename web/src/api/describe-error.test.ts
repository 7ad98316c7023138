// Tests that every failure has a text, which also says what happened to the user's SOL if it may have moved.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HoldfastError } from '../../../client/holdfast-error.ts';
import { TitledError } from '../text/titled-error.ts';
import { describeError } from './describe-error.ts';

const errorOf = (errorCode: string, more: object = {}): HoldfastError =>
  new HoldfastError({ errorCode, message: 'What happened.', operation: 'test', ...more });

it('the service’s message is followed by its suggestion and the retry time', () => {
  assert.deepEqual(
    describeError(errorOf('RATE_LIMITED', { suggestedAction: 'Wait.', retryAfterSeconds: 7 })),
    {
      title: 'Busy right now',
      detail: 'Too many requests from your network. Try again in 7 s.',
      retryAfterSeconds: 7,
    },
  );
  assert.equal(
    describeError(errorOf('BELOW_MINIMUM_STAKE', { suggestedAction: 'Stake more.' })).detail,
    'What happened. Stake more.',
  );
  assert.equal(describeError(errorOf('INSUFFICIENT_BALANCE')).detail, 'What happened.');
});

it('an unavailable statistics provider is not reported as an unavailable cluster', () => {
  const described = (operation: string) => describeError(errorOf('UPSTREAM_UNAVAILABLE', { operation }));
  assert.equal(described('peerDensity').title, 'The statistics provider is not responding');
  assert.doesNotMatch(described('peerDensity').detail, /stake/);
  assert.equal(described('epoch').title, 'The service cannot reach Solana');
  assert.match(described('epoch').detail, /^Your stake on the chain is not affected/);
});

it('a code without a title is shown as a sentence', () => {
  assert.equal(describeError(errorOf('SOME_NEW_CODE')).title, 'Some new code');
  for (const [code, title] of [
    ['constructor', 'Constructor'],
    ['__proto__', '  proto  '],
  ] as const)
    assert.deepEqual(describeError(errorOf(code)), {
      title,
      detail: 'What happened.',
      retryAfterSeconds: undefined,
    });
});

it('a missing response is described as a service that does not respond', () => {
  const { title, detail } = describeError(errorOf('NETWORK'));
  assert.equal(title, 'The service is not responding');
  assert.match(detail, /^Check your connection/);
});

it('a slow response does not blame the connection, because the service may be waiting for its RPC node', () => {
  const { title, detail } = describeError(errorOf('TIMEOUT'));
  assert.equal(title, 'The service took too long to respond');
  assert.match(detail, /^Your stake on the chain is not affected/);
});

it('an error with a title keeps it, and any other has at least its message', () => {
  assert.deepEqual(describeError(new TitledError('Declined', 'Nothing was sent.')), {
    title: 'Declined',
    detail: 'Nothing was sent.',
  });
  assert.equal(describeError(new Error('odd')).detail, 'odd');
  assert.equal(describeError('odd').detail, 'No reason was given.');
});
