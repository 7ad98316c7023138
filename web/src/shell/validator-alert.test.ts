// Tests that only the most severe alert about the validator is chosen, and only for wallets with stake at this
// validator.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Notice } from '../../../client/generated/shared-types.ts';
import { validatorAlert } from './validator-alert.ts';

const notice = (code: Notice['code'], severity: Notice['severity']): Notice => ({
  code,
  severity,
  text: code,
  params: {},
});
const silent = notice('VALIDATOR_DELINQUENT', 'critical');
const raised = notice('COMMISSION_RAISED', 'warning');
const staked = [{ role: 'owner', state: 'active' }] as const;

it('the alert is the first notice about the validator, whatever else is reported', () => {
  assert.equal(validatorAlert({ accounts: staked, notices: [silent, raised] }), silent);
  assert.equal(
    validatorAlert({ accounts: staked, notices: [notice('EPOCH_ENDS_SOON', 'warning'), raised] }),
    raised,
  );
  assert.equal(validatorAlert({ accounts: staked, notices: [notice('TIPS_UNKNOWN', 'info')] }), null);
});

it('there is no alert about the validator for a wallet without stake at it', () => {
  assert.equal(validatorAlert({ accounts: [], notices: [silent] }), null);
  assert.equal(
    validatorAlert({ accounts: [{ role: 'owner', state: 'deactivating' }], notices: [silent] }),
    null,
  );
  assert.equal(validatorAlert({ accounts: [{ role: 'staker', state: 'active' }], notices: [silent] }), null);
});

it('the alert about a missed epoch is only for wallets with active stake', () => {
  const missed = notice('EPOCH_MISSED', 'warning');
  const activating = [{ role: 'owner', state: 'activating' }] as const;
  assert.equal(validatorAlert({ accounts: staked, notices: [missed, raised] }), missed);
  assert.equal(validatorAlert({ accounts: activating, notices: [missed, raised] }), raised);
  assert.equal(validatorAlert({ accounts: activating, notices: [missed] }), null);
});
