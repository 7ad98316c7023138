// Tests that each state of the flow and of the account leads to exactly one display of the steps.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HoldfastError } from '../../../client/holdfast-error.ts';
import type { TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { RequestKind } from '../../../client/staking/staking-request.ts';
import { type GoalName, goalNames } from '../../../src/domain/plan/plan-goals.ts';
import { WalletError } from '../wallet/wallet-error.ts';
import { isUnderWay } from './flow-state.ts';
import { flowSteps, isEnded, type StepFacts, whatWasSent } from './flow-steps.ts';

const facts = (
  kind: RequestKind,
  step: StepFacts['flow']['step'],
  account?: StepFacts['account'],
  signature: string | undefined = 'signature',
): StepFacts => ({
  flow: {
    step,
    record: { kind, signature, stakeAccountAddress: 'AAAAxxxxBBBB' } as unknown as TransactionRecord,
  },
  account,
  secondsToEpochEnd: 95,
});

const picture = (given: StepFacts): string =>
  flowSteps(given)
    .map(({ state }) => ({ done: '✓', current: '•', todo: '·', failed: '✗' })[state])
    .join('');

const account = (state: string) =>
  ({ state, activationEpoch: 800, withdrawReady: false }) as StepFacts['account'];

it('a stake goes from signing to active', () => {
  assert.equal(picture(facts('stake', 'submitting')), '✓✓•···');
  assert.equal(picture(facts('stake', 'confirmed')), '✓✓✓✓•·');
  assert.equal(picture(facts('stake', 'confirmed', account('activating'))), '✓✓✓✓•·');
  assert.equal(picture(facts('stake', 'confirmed', account('active'))), '✓✓✓✓✓✓');
});

it('an epoch that is about to end has no remaining time', () => {
  const detail = (secondsToEpochEnd: number) =>
    flowSteps({ ...facts('stake', 'confirmed', account('activating')), secondsToEpochEnd })
      .map((step) => step.detail ?? '')
      .join('');
  assert.match(detail(59), /when this epoch ends, in about 59 s, at the earliest/);
  assert.match(detail(0.4), /when this epoch ends, at the earliest/);
});

it('before a signature the first step is in progress, or failed', () => {
  const unsigned = {
    ...facts('stake', 'signing'),
    flow: { step: 'signing', record: { kind: 'stake' } as TransactionRecord },
  } as StepFacts;
  assert.equal(picture(unsigned), '✓•····');
  assert.equal(picture({ ...unsigned, flow: { ...unsigned.flow, step: 'failed' } }), '✗·····');
  assert.equal(picture(facts('stake', 'failed')), '✓✓✗···');
});

it('the last step of a stake that a later transaction changed does not announce an activation, once the read is newer', () => {
  const last = (kind: RequestKind, state: string | null, isSettled = true) => {
    const given = { ...facts(kind, 'confirmed', state === null ? null : account(state)), isSettled };
    return `${picture(given)} ${flowSteps(given).at(-1)!.title}`;
  };
  for (const state of ['deactivating', 'inactive', null])
    assert.equal(last('stake', state), '✓✓✓✓✓✓ Changed since', String(state));
  for (const state of ['active', null])
    assert.equal(last('unstake', state), '✓✓✓✓✓✓ Changed since', String(state));
  assert.equal(last('stake', 'inactive', false), '✓✓✓✓✓✓ Changed since', 'a new account is never outdated');
  assert.equal(last('stake', null, false), '✓✓✓✓•· Active', 'a node may not have it yet');
  assert.equal(last('unstake', 'active', false), '✓✓✓✓•· Withdrawable');
  assert.equal(last('stake', 'activating'), '✓✓✓✓•· Active');
  assert.equal(last('unstake', 'inactive'), '✓✓✓✓✓✓ Withdrawable');
});

it('an unstake ends when the account can be withdrawn, or is closed', () => {
  assert.equal(picture(facts('unstake', 'confirmed', account('deactivating'))), '✓✓✓✓•·');
  assert.equal(picture(facts('unstake', 'confirmed', account('inactive'))), '✓✓✓✓✓✓');
  assert.equal(picture(facts('unstake', 'confirmed', null)), '✓✓✓✓✓✓');
});

it('a withdrawal ends when it is confirmed', () => {
  assert.equal(picture(facts('withdraw', 'confirmed', null)), '✓✓✓✓');
  assert.equal(isEnded(facts('withdraw', 'confirmed', account('active'))), true);
});

it('the text of a confirmation stays true: it neither says that a closed account is on chain nor names the current epoch', () => {
  const confirmed = (kind: RequestKind, goal?: GoalName) =>
    String(
      flowSteps({
        ...facts(kind, 'confirmed', null),
        flow: {
          step: 'confirmed',
          record: { kind, change: goal && { goal } } as unknown as TransactionRecord,
        },
      }).find(({ key }) => key === 'confirmed')?.result,
    );
  assert.equal(confirmed('withdraw'), 'The SOL is in your wallet.');
  for (const goal of goalNames) assert.doesNotMatch(confirmed('rearrange', goal), /this epoch/, goal);
});

it('no step is shown as ended before the account was read after the confirmation', () => {
  for (const kind of ['stake', 'unstake'] as const) assert.equal(isEnded(facts(kind, 'confirmed')), false);
  assert.equal(isEnded(facts('stake', 'submitting', account('active'))), false);
});

it('the step in progress says when it ends', () => {
  const turning = flowSteps(facts('stake', 'confirmed', account('activating'))).find(
    ({ key }) => key === 'turning',
  );
  assert.match(String(turning?.detail), /in about 1 min 35 s, at the earliest\./);
});

it('a flow is busy only while its transaction is built, signed or submitted', () => {
  const steps = [
    'idle',
    'preparing',
    'paused',
    'review',
    'signing',
    'submitting',
    'confirmed',
    'failed',
  ] as const;
  assert.deepEqual(steps.filter(isUnderWay), ['preparing', 'signing', 'submitting']);
});

it('a step that was never reached is not shown as failed, and a failed step shows no advice', () => {
  const failed = (more: object, signature?: string) =>
    ({
      ...facts('stake', 'failed'),
      flow: { step: 'failed', record: { kind: 'stake', signature } as TransactionRecord, ...more },
    }) as StepFacts;
  assert.equal(picture(failed({ built: null })), '✗·····', 'the wallet was never asked');
  assert.equal(picture(failed({ built: {} })), '✗·····', 'the service failed, not the wallet');
  const refused = new WalletError('failed', 'Unsigned', 'The wallet failed.', undefined);
  assert.equal(picture(failed({ built: {}, error: refused })), '✓✗····');
  assert.equal(picture(failed({ built: null }, 'signature')), '✓✓✗···');
  assert.equal(flowSteps(failed({ built: null }, 'signature'))[2]?.detail, undefined);
});

it('the page says that it may be closed only once the service has the signed transaction', () => {
  const words = (more: object, secondsToExpiry?: number, isAway = false) =>
    flowSteps({
      ...facts('stake', 'submitting'),
      isAway,
      flow: {
        step: 'submitting',
        record: { kind: 'stake', signature: 's', signedTransaction: 'AAAA' } as TransactionRecord,
        ...more,
      },
      secondsToExpiry,
    })[2]!.detail as string;
  assert.equal(words({}), 'Signed. The service has not confirmed receipt yet. Keep this page open.');
  assert.equal(
    words({}, 47),
    'Signed. The service has not confirmed receipt yet. Keep this page open (0:47 left).',
  );
  assert.match(
    words({}, -1),
    /^Signed. The service has not confirmed receipt yet. Keep this page open\. .* the same account/,
  );
  assert.equal(words({}, 47, true), 'It may have been sent. Checking…');
  assert.match(words({ acknowledged: true }, 47), /for 0:47 at most.*You can close this page/);
  assert.match(words({ acknowledged: true }, undefined), /until it is confirmed\. You can close this page/);
  assert.doesNotMatch(words({ record: { kind: 'stake', signature: 's' } }), /close this page/);
});

it('the text of a failure says whether anything was sent, unless an earlier transaction was sent', () => {
  const error = new HoldfastError({ errorCode: 'NETWORK', message: 'no response', operation: 'stake' });
  const sent = (record: object, more: object = {}) =>
    whatWasSent({ record: record as TransactionRecord, error, renewals: 0, ...more });
  assert.equal(sent({ kind: 'stake' }), 'nothingSent');
  assert.equal(sent({ kind: 'stake', signature: 's' }), 'mayBeSent');
  assert.equal(sent({ kind: 'stake' }, { renewals: 1 }), null);
  const refused = new HoldfastError({ errorCode: 'INSUFFICIENT_BALANCE', message: '', operation: 'stake' });
  assert.equal(sent({ kind: 'stake' }, { error: refused }), 'nothingSent');
  assert.equal(sent({ kind: 'stake', signature: 's' }, { error: refused }), null);
  assert.equal(sent({ kind: 'stake' }, { error: new Error('the wallet') }), null);
});
