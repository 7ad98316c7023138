import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EventIdentity, eventIdOf } from './event-of-fact.ts';

const EVENT: EventIdentity = {
  genesisHash: 'GH7ome3EiwEr7tu9JuTh2dpYWBJK3z69Xm1ZE3MEE6JC',
  registrationId: '000102030405060708090a0b0c0d0e0f',
  type: 'withdraw_ready',
  fact: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 812',
};

test('the id of an event stays the same across versions, because receivers use it to detect duplicates', () => {
  assert.equal(eventIdOf(EVENT), 'evt_211a15176ffeefaf661e087334d7506b');
});

test('every part of an event affects its id, even if letters only move from one part to the next', () => {
  const ids = [
    EVENT,
    { ...EVENT, genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' },
    { ...EVENT, registrationId: '000102030405060708090a0b0c0d0e10' },
    { ...EVENT, type: 'stake_deactivated' as const },
    { ...EVENT, fact: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 813' },
    { ...EVENT, registrationId: `${EVENT.registrationId}w`, type: 'ithdraw_ready' as never },
  ].map(eventIdOf);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^evt_[0-9a-f]{32}$/);
});
