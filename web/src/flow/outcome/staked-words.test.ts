// Tests the text after a confirmed stake: when it earns, and how early it can be unstaked.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeText } from '../../text/format-figures.ts';
import { stakedWords } from './staked-words.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const END = '2026-11-24T14:10:00Z';
const boundary = { estimatedEpochEnd: END, earliestEpochEnd: END, latestEpochEnd: END };
const OWN = { stakeAuthority: 'AAAAxxxxBBBB', withdrawAuthority: 'AAAAxxxxBBBB' };
const at = (iso: string) => ({ at: iso, earliest: iso, latest: iso });

it('a new stake earns from the epoch boundary on, and can be withdrawn immediately until then', () => {
  const account = {
    ...OWN,
    state: 'activating',
    activeSol: 0,
    ifUnstakedNow: at('2026-11-24T12:00:00Z'),
  } as const;
  assert.deepEqual(stakedWords({ isEarning: false, account, boundary }, NOW_MS), {
    earning: `${timeText(END, NOW_MS)}, in about 2 h 10 min`,
    unstaking: 'Any time. Until it is active, you can withdraw right away',
  });
  const shared = { ...account, stakeAuthority: 'CCCCxxxxDDDD' };
  assert.equal(
    stakedWords({ isEarning: false, account: shared, boundary }, NOW_MS).unstaking,
    'Any time, by CCCC…DDDD. Your wallet must take the stake authority back first',
  );
});

it('an active stake earns now, and its SOL can be withdrawn from the time that the service reports', () => {
  const account = { ...OWN, state: 'active', activeSol: 5, ifUnstakedNow: at(END) } as const;
  const time = timeText(END, NOW_MS);
  assert.deepEqual(stakedWords({ isEarning: true, account, boundary }, NOW_MS), {
    earning: 'Now, paid into the stake account each epoch',
    unstaking: `Any time. If you unstake now, you can withdraw from ${time}`,
  });
  // Part of the stake is already active, so it can no longer be withdrawn immediately.
  const partly = { ...account, state: 'activating' } as const;
  assert.match(
    stakedWords({ isEarning: false, account: partly, boundary }, NOW_MS).unstaking!,
    /you can withdraw from/,
  );
});

it('unknown times are not invented', () =>
  assert.deepEqual(stakedWords({ isEarning: false, account: null, boundary: null }, NOW_MS), {
    earning: 'In the next epoch',
    unstaking: null,
  }));

it('an epoch that is about to end has no remaining time', () =>
  assert.equal(
    stakedWords({ isEarning: false, account: null, boundary }, Date.parse(END)).earning,
    'In the next epoch',
  ));
