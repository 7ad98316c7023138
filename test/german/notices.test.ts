// Checks that on a German page every notice is German, with its figures.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { validatorWarnings } from '../../src/domain/alerts/validator-notices.ts';
import { type NoticeCode, notice } from '../../src/domain/notice.ts';
import { describeWarning } from '../../src/upstream/provider-snapshot.ts';

Object.assign(globalThis, { document: { documentElement: { dataset: { languages: 'en de' } } } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });
const { german } = await import('../../web/src/words/de/german.ts');
const { addTranslations } = await import('../../web/src/words/define-words.ts');
addTranslations(german);
const { noticeText } = await import('../../web/src/text/notice-text.ts');

const A = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ' as Address;
const said = (code: NoticeCode, params: Record<string, string | number> = {}, text = 'English.'): string =>
  noticeText({ ...notice(code, text, params), params });

describe('a notice', () => {
  it('has a German text for every code that has an English one', () => {
    const params = {
      stakeAuthority: A,
      withdrawAuthority: A,
      voteAccount: A,
      from: A,
      to: A,
      epoch: 1,
      what: 'x',
      amountSol: '1',
      minimumStakeSol: '2',
      maxFeeSol: '0.001',
      provider: 'jito',
      field: 'apy',
      failure: 'timeout',
      cluster: 'devnet',
      program: A,
      nonceAccount: A,
      feePayer: A,
      needed: 10,
      divisibleSol: '2.1',
      feesSol: '0.000005',
      returnedSol: '0.000000045',
      measured: 3,
      at: '2026-11-28T05:00:00Z',
      walletAddress: A,
      owner: A,
    };
    for (const code of Object.keys(german.serviceNotices) as NoticeCode[])
      assert.doesNotMatch(said(code, params), /English|undefined|\{/, code);
  });

  it('with an unknown code stays in English', () => {
    assert.equal(said('TOMORROWS' as NoticeCode), 'English.');
  });

  it('names who controls how many stakes of this wallet and of others', () => {
    const one = { stakeAuthority: A, stakes: 1, otherWallets: 2 };
    assert.match(
      said('FOREIGN_STAKE_AUTHORITY', one),
      /^7QxW…prnQ kann einen Stake dieser Wallet .* aufteilen\. Wenn/,
    );
    const many = { stakeAuthority: A, stakes: 4, otherWallets: 3 };
    assert.match(
      said('FOREIGN_STAKE_AUTHORITY', many),
      /4 Stakes dieser Wallet .* Stakes von 3 anderen Wallets\. Wenn/,
    );
    const account = { stakeAuthority: A, stakeAccountAddress: A };
    assert.match(said('FOREIGN_STAKE_AUTHORITY', account), /^Nicht diese Wallet, sondern 7QxW…prnQ ist/);
  });

  it('about a raised commission names the commission, its rates, the epoch and the boundary', () => {
    const [raised] = validatorWarnings(
      {
        state: null,
        alerts: [{ what: 'blockRevenueCommissionBps', from: '0', to: '750', epoch: 800, nearBoundary: true }],
      },
      801n,
    );
    assert.equal(
      noticeText({ ...raised!, params: { ...raised!.params } }),
      'Die Provision des Validators auf Blockeinnahmen ist in Epoche 800 von 0\u00a0% auf 7,50\u00a0% gestiegen, unmittelbar am Epochenwechsel wie bei einem Rug Pull.',
    );
    assert.equal(
      said('COMMISSION_RAISED', { what: 'inflationCommissionBps', fromBps: 500, toBps: 1000 }),
      'Die Provision des Validators ist in den letzten Epochen von 5\u00a0% auf 10\u00a0% gestiegen.',
    );
  });

  it('has amounts and counts in German format', () => {
    assert.match(
      said('BELOW_MINIMUM_STAKE', { amountSol: '0.5', minimumStakeSol: '1.00228288' }),
      /^0,5 SOL liegen unter dem Mindest-Stake von 1,00228288 SOL/,
    );
    assert.match(said('EPOCH_ENDS_SOON', { slotsRemaining: 1500 }), /in etwa 1\.500 Slots/);
  });
});

describe('a notice about a provider', () => {
  it('has a German text for every failure, field and count', () => {
    const words = [
      ...([
        'unreachable',
        'timeout',
        'reset',
        'http-error',
        'rate-limited',
        'not-found',
        'too-large',
      ] as const),
      ...(['garbage', 'closed', 'field-missing', 'field-invalid', 'row-invalid', 'row-duplicate'] as const),
      'validator-missing' as const,
    ];
    for (const word of words)
      for (const more of [{}, { field: 'apy' }, { field: 'apy', count: 1 }, { field: 'apy', count: 3 }]) {
        const described = describeWarning({ provider: 'jito', word, ...more });
        assert.doesNotMatch(noticeText({ ...described, text: 'English.' }), /English|undefined|\{/, word);
      }
    assert.equal(
      noticeText(describeWarning({ provider: 'stakewiz', word: 'field-missing', field: 'apy', count: 3 })),
      'StakeWiz: In 3 Einträgen fehlt apy.',
    );
  });
});
