// Tests that a stake account offers only the actions that the service reports as possible, and explains
// obstacles.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountWarnings } from './account-warnings.ts';
import {
  type ActedAccount,
  type CoolingAccount,
  canKeepStaked,
  possibleActions,
} from './possible-actions.ts';

const NOW = { rewardsActive: false, untilBoundary: '2 h', isElsewhere: false };
const suggest = (...actions: string[]) =>
  actions.map((action) => ({ action, reason: '', reasonSentences: [], method: 'POST', endpoint: '/' }));
const account = (more: Partial<ActedAccount>): ActedAccount => ({
  role: 'owner',
  state: 'active',
  suggestedActions: [],
  withdrawReady: false,
  lockup: null,
  activeSol: 5,
  withdrawAuthority: 'own',
  ...more,
});

describe('actions of a stake that', () => {
  it('is active: unstaking, with a description of the next steps', () => {
    const { kinds, hint } = possibleActions(account({ suggestedActions: suggest('unstake') }), NOW);
    assert.deepEqual(kinds, ['unstake']);
    assert.match(hint!, /keeps earning until this epoch ends, in about 2 h\. .* at the earliest\.$/);
  });

  it('is activating: unstaking, after which the SOL is available at once', () => {
    const { hint } = possibleActions(
      account({ state: 'activating', activeSol: 0, suggestedActions: suggest('unstake') }),
      NOW,
    );
    assert.match(hint!, /you can withdraw right away/);
  });

  it('belongs to another wallet: unstaking, after which only that wallet can withdraw', () => {
    const { hint } = possibleActions(
      account({
        role: 'staker',
        withdrawAuthority: '2iPdUKxxxxxxxxxxxxxxxxxxxxxxxxxxxxxnJRm',
        suggestedActions: suggest('unstake'),
      }),
      NOW,
    );
    assert.match(hint!, /\. 2iPd…nJRm can withdraw it then/);
  });

  it('is deactivating: none, with the time until it ends', () => {
    const { kinds, hint } = possibleActions(
      account({ state: 'deactivating', suggestedActions: suggest('wait') }),
      NOW,
    );
    assert.deepEqual(kinds, []);
    assert.match(hint!, /in about 2 h, at the earliest\./);
  });

  it('is deactivating at another validator: none, and it has yet to be staked here, with the button for that', () => {
    const { kinds, hint } = possibleActions(
      account({ state: 'deactivating', suggestedActions: suggest('wait') }),
      { ...NOW, isElsewhere: true },
    );
    assert.deepEqual(kinds, []);
    assert.match(hint!, /earns nothing until you choose Stake here/);
    assert.doesNotMatch(hint!, /nothing more to do/);
  });

  it('is inactive under a lockup: none, with the reason', () => {
    const { kinds, hint } = possibleActions(
      account({
        state: 'inactive',
        activeSol: 0,
        lockup: { custodian: 'C', unixTimestamp: 0, epoch: 9 },
        suggestedActions: suggest('wait'),
      }),
      NOW,
    );
    assert.deepEqual(kinds, []);
    assert.match(hint!, /but locked/);
  });

  it('is controlled by another wallet: none, with the address of that wallet', () => {
    const { kinds, hint } = possibleActions(account({}), NOW);
    assert.deepEqual(kinds, []);
    assert.match(hint!, /withdraw authority can take that role back/);
  });
});

it('no action is offered while rewards are paid', () => {
  const { kinds, hint } = possibleActions(account({ suggestedActions: suggest('unstake', 'withdraw') }), {
    ...NOW,
    rewardsActive: true,
  });
  assert.deepEqual(kinds, []);
  assert.match(hint!, /cannot be changed until/);
});

describe('the warnings of a stake account', () => {
  const mine = { role: 'owner', state: 'active', lockup: null } as const;
  const WALLET = 'MyWa11et1111111111111111111111111111111111';
  const OTHER = 'Xther1111111111111111111111111111111111111';

  it('are empty if only the wallet has rights', () => {
    assert.deepEqual(
      accountWarnings({ ...mine, stakeAuthority: WALLET, withdrawAuthority: WALLET }, WALLET),
      [],
    );
  });

  it('name a different stake authority, or the owner', () => {
    assert.match(
      accountWarnings({ ...mine, stakeAuthority: OTHER, withdrawAuthority: WALLET }, WALLET)[0]!,
      /Xthe…1111, can unstake/,
    );
    assert.match(
      accountWarnings(
        { ...mine, role: 'staker', stakeAuthority: WALLET, withdrawAuthority: OTHER },
        WALLET,
      )[0]!,
      /Owned by Xthe…1111/,
    );
  });

  it('contain the end and the custodian of a lockup', () => {
    const lockup = { custodian: OTHER, unixTimestamp: Date.parse('2027-01-02T03:04:05Z') / 1000, epoch: 900 };
    assert.match(
      accountWarnings({ ...mine, stakeAuthority: WALLET, withdrawAuthority: WALLET, lockup }, WALLET)[0]!,
      /until Jan 2, 2027, .* and epoch 900.*Xthe…1111/,
    );
  });
});

it('an unstake can be undone by its owner, at this validator, in its own epoch, and not close to the boundary', () => {
  const cooling: CoolingAccount = {
    role: 'owner',
    state: 'deactivating',
    deactivationEpoch: 7,
    stakeAuthority: 'W',
    voteAccount: 'V',
  };
  const timing = { currentEpoch: 7, slotsRemaining: 301, epochRewardsActive: false };
  const can = (account: Partial<CoolingAccount>, now: Partial<typeof timing> = {}): boolean =>
    canKeepStaked(
      { ...cooling, ...account },
      { walletAddress: 'W', validatorVoteAccount: 'V', timing: { ...timing, ...now } },
    );
  assert.equal(can({}), true);
  for (const account of [
    { role: 'staker' },
    { state: 'inactive' },
    { deactivationEpoch: 6 },
    { deactivationEpoch: null },
    { stakeAuthority: 'X' },
    { voteAccount: 'X' },
  ] as const)
    assert.equal(can(account), false, JSON.stringify(account));
  for (const now of [{ currentEpoch: 8 }, { slotsRemaining: 300 }, { epochRewardsActive: true }])
    assert.equal(can({}, now), false, JSON.stringify(now));
});
