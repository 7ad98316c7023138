// Tests that the field for the stake authority accepts an address other than the wallet, or nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStakeAuthority } from './read-stake-authority.ts';

const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const AGENT = 'Ba843aq8GS6y9S9FkyHRLwzZGCHdZfnNanoqKKJgUpXy';

test('an empty field means the wallet, an address is accepted, and anything else is a problem', () => {
  assert.deepEqual(readStakeAuthority('  ', WALLET), { problem: null });
  assert.deepEqual(readStakeAuthority(` ${AGENT} `, WALLET), { stakeAuthority: AGENT, problem: null });
  assert.deepEqual(readStakeAuthority(WALLET, WALLET), { problem: 'stakeAuthorityOwn' });
  for (const wrong of ['agent', `${AGENT}1`, AGENT.slice(9), '0'.repeat(44), `${AGENT} ${AGENT}`])
    assert.deepEqual(readStakeAuthority(wrong, WALLET), { problem: 'stakeAuthorityInvalid' });
});
