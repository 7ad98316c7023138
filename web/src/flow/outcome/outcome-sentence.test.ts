// Tests the description of the outcome before signing, which begins with the amount and its time.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeText } from '../../text/format-figures.ts';
import { outcomeSentence, rescueSentence } from './outcome-sentence.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const END = '2026-11-24T14:10:00Z';
const boundary = { estimatedEpochEnd: END, earliestEpochEnd: END, latestEpochEnd: END };
const account = {
  state: 'active',
  activeSol: 5,
  activatingSol: 0,
  rentReserveSol: 0.00166624,
  lamports: 5_001_666_240,
  role: 'owner',
  withdrawAuthority: 'own',
} as const;
const time = timeText(END, NOW_MS);
const words = (
  request: Parameters<typeof outcomeSentence>[0],
  more: Partial<Parameters<typeof outcomeSentence>[1]> = {},
) => outcomeSentence(request, { lamports: 2_000_000_000n, account, boundary, ...more }, NOW_MS);

it('the outcome sentence contains the amount that arrives, and when it arrives', () => {
  assert.equal(words({ kind: 'stake' }), `Stake 2 SOL, active from ${time}.`);
  assert.equal(words({ kind: 'withdraw' }), 'You get 2 SOL now.');
  assert.equal(words({ kind: 'withdraw' }, { lamports: 2_999_999_999n }), 'You get 2.999999999 SOL now.');
  assert.equal(words({ kind: 'unstake' }), `You can withdraw 5.00166624 SOL from ${time}.`);
  assert.equal(words({ kind: 'restake' }), `5 SOL staked again, active from ${time}.`);
  assert.equal(
    words({ kind: 'rearrange', change: { goal: 'undo' } }),
    'Your 5 SOL stays staked and misses no rewards.',
  );
});

it('stake that was never active can be withdrawn immediately, and an unknown amount is not invented', () => {
  const fresh = { ...account, state: 'activating', activeSol: 0 } as const;
  assert.equal(words({ kind: 'unstake' }, { account: fresh }), 'You can withdraw 5.00166624 SOL right away.');
  const inactive = { ...account, state: 'inactive' } as const;
  assert.equal(
    words({ kind: 'unstake' }, { account: inactive }),
    'You can withdraw 5.00166624 SOL right away.',
  );
  assert.equal(words({ kind: 'unstake' }, { account: null }), null);
  assert.equal(words({ kind: 'stake' }, { lamports: null }), null);
  assert.equal(words({ kind: 'stake' }, { boundary: null }), 'Stake 2 SOL, active from the next epoch.');
});

it('an unstake by the stake authority alone names the only address that can withdraw', () => {
  const lent = {
    ...account,
    role: 'staker',
    withdrawAuthority: '2iPdUKxxxxxxxxxxxxxxxxxxxxxxxxxxxxxnJRm',
  } as const;
  assert.equal(
    words({ kind: 'unstake' }, { account: lent }),
    `Only 2iPd…nJRm can withdraw 5.00166624 SOL from ${time}.`,
  );
  assert.equal(
    words({ kind: 'unstake' }, { account: { ...lent, state: 'inactive' } }),
    'Only 2iPd…nJRm can withdraw 5.00166624 SOL right away.',
  );
});

it('a recovery names the accounts in the bytes, and the address that loses control of them', () => {
  const [first, second, thief] = [
    'B2SixxxxxxxxxxxxxxxxxxxxxxxxxxxxsePi',
    'B3Sixxxxxxsexx',
    '5dszxxxxxxxxxxxxug8r',
  ];
  const taking = (stakeAccount: string) => ({
    record: { walletAddress: 'own' },
    verdict: { message: { instructions: [{ data: { type: 'stake.authorize', stakeAccount } }] } },
  });
  const said = (accounts: readonly string[], controllers: readonly string[]) =>
    rescueSentence(
      accounts.map(taking) as never,
      controllers.map((stakeAuthority, index) => ({ address: accounts[index]!, stakeAuthority })),
    );
  assert.equal(
    said([first!], [thief!]),
    'Your wallet controls B2Si…sePi again; 5dsz…ug8r can no longer unstake it.',
  );
  assert.equal(
    said([first!, second!], [thief!, thief!]),
    'Your wallet controls B2Si…sePi, B3Si…sexx again; 5dsz…ug8r can no longer unstake them.',
  );
  assert.equal(said([], []), null);
  assert.equal(said([first!], []), 'Your wallet controls B2Si…sePi again.');
});
