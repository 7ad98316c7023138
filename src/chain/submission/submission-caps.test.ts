import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAppError } from '../../kernel/app-error.ts';
import { SubmissionCaps, type SubmissionPayer } from './submission-caps.ts';

const open = () => {
  const caps = new SubmissionCaps();
  let made = 0;
  const admit = (submitted: Partial<SubmissionPayer> = {}) => {
    made += 1;
    return caps.admit({
      lane: 'other',
      client: 'client',
      feePayer: `payer ${made}`,
      signature: `signature ${made}`,
      ...submitted,
    });
  };
  const refuses = (submitted: Partial<SubmissionPayer> = {}) =>
    assert.throws(
      () => admit(submitted),
      (error) => isAppError(error, 'RATE_LIMITED') && error.retryAfterSeconds === 5,
    );
  return { admit, refuses };
};

test('allows four submissions in flight per fee payer and lane, from any client, until one of them has ended', () => {
  const { admit, refuses } = open();
  const feePayer = 'payer';
  const [first] = ['a', 'b', 'c', 'd'].map((client) => admit({ feePayer, client }));
  refuses({ feePayer, client: 'e' });
  admit({ feePayer, client: 'e', lane: 'own' });
  first?.[Symbol.dispose]();
  admit({ feePayer, client: 'e' });
  refuses({ feePayer, client: 'e' });
});

test('allows thirty-two submissions of our own transactions and eight of others in flight per client, counted separately', () => {
  const { admit, refuses } = open();
  for (let count = 0; count < 8; count += 1) admit();
  refuses();
  for (let count = 0; count < 32; count += 1) admit({ lane: 'own' });
  refuses({ lane: 'own' });
  admit({ client: 'another' });
});

test('resubmitting the same bytes counts once, until the last caller waiting for them has its response', () => {
  const { admit, refuses } = open();
  const same = { feePayer: 'payer', signature: 'same' };
  const [first, second] = [admit(same), admit(same)];
  for (const signature of ['x', 'y', 'z']) admit({ feePayer: 'payer', signature });
  first[Symbol.dispose]();
  refuses({ feePayer: 'payer' });
  second[Symbol.dispose]();
  admit({ feePayer: 'payer' });
});
