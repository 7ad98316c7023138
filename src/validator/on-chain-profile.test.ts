// Without a profile file, the validator's on-chain info is used, subject to the same limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { decodeValidatorInfo, type ValidatorInfo } from '../chain/validator/validator-info.ts';
import { createLogger } from '../kernel/log/logger.ts';
import { createOnChainProfile } from './on-chain-profile.ts';

const signal = new AbortController().signal;

const accountBytes = (text: string, { signed = 1, length = Buffer.byteLength(text) } = {}): Buffer => {
  const bytes = Buffer.alloc(75);
  bytes[0] = 2;
  bytes[66] = signed;
  bytes.writeBigUInt64LE(BigInt(length), 67);
  return Buffer.concat([bytes, Buffer.from(text), Buffer.alloc(20)]);
};

const open = (responses: (ValidatorInfo | null | Error)[]) => {
  const clock = createManualClock();
  let asked = 0;
  const profile = createOnChainProfile({
    readInfo: async () => {
      asked += 1;
      const response = responses.shift() ?? null;
      if (response instanceof Error) throw response;
      return response;
    },
    lifetime: signal,
    clock,
    logger: createLogger('silent'),
  });
  const read = async () => {
    const reading = await profile.read(signal);
    assert.ok(reading.ok);
    const { name, website, description, icon } = reading.profile;
    return { name, website, description, icon };
  };
  return { read, clock, asked: () => asked };
};

test('the info is only read from an account that the identity signed, whatever its padding', () => {
  const text = JSON.stringify({ name: 'Aurora', details: 'Zürich' });
  assert.deepEqual(decodeValidatorInfo(accountBytes(text)), { name: 'Aurora', details: 'Zürich' });
  for (const forged of [
    accountBytes(text, { signed: 0 }),
    accountBytes(text, { length: 5_000 }),
    accountBytes('["Aurora"]'),
    accountBytes('{"name":'),
    Buffer.alloc(0),
    Buffer.alloc(200),
  ])
    assert.equal(decodeValidatorInfo(forged), null);
});

test('a field that a profile file could not contain is omitted, and the other fields are kept', async () => {
  const { read } = open([
    { name: 'Aurora', website: 'javascript:alert(1)', details: '<img src=x onerror=alert(1)>', iconUrl: 5 },
  ]);
  assert.deepEqual(await read(), { name: 'Aurora', website: null, description: null, icon: null });
});

test('the info is read every six hours, and after a failed read the old value is kept and the read is retried after five minutes', async () => {
  const { read, clock, asked } = open([{ name: 'Aurora' }, new Error('away'), { name: 'Borealis' }]);
  assert.equal((await read()).name, 'Aurora');
  assert.equal((await read()).name, 'Aurora');
  assert.equal(asked(), 1);
  clock.advance(6 * 3_600_000);
  assert.equal((await read()).name, 'Aurora');
  await Promise.resolve();
  assert.equal(asked(), 2);
  clock.advance(5 * 60_000);
  await read();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await read()).name, 'Borealis');
  assert.equal(asked(), 3);
});
