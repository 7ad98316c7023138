import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewardsCsv } from './rewards-csv.ts';

test('the CSV lists rewards in order, exact to the lamport, with the balances before and after them, under the correct column names', () => {
  const reward = {
    stakeAccountAddress: '8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh',
    paidAt: '2026-11-21T00:00:00.000Z',
    epoch: 811n,
    inflationLamports: 9_000_000_000_000_001n,
    tipsLamports: 20n,
    tipsSettled: true,
    postBalanceLamports: 10n ** 18n,
    commissionPct: 5,
    unknownReason: null,
  };
  assert.equal(
    rewardsCsv([reward], 'V'),
    'epoch,paidAt,stakeAccountAddress,balanceBeforeSol,inflationSol,tipsSol,balanceAfterSol,commissionPct,unknownReason,voteAccount\r\n' +
      '811,2026-11-21T00:00:00.000Z,8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh,990999999.999999999,9000000.000000001,0.00000002,1000000000.00000002,5,,V\r\n',
  );
});

test('an unknown value becomes an empty field with its reason, and an amount of zero becomes 0', () => {
  const [, line] = rewardsCsv(
    [
      {
        stakeAccountAddress: 'A',
        paidAt: null,
        epoch: 1n,
        inflationLamports: 0n,
        tipsLamports: null,
        tipsSettled: false,
        postBalanceLamports: null,
        commissionPct: null,
        unknownReason: 'SEVERAL_EPOCHS',
      },
    ],
    'V',
  ).split('\r\n');
  assert.equal(line, '1,,A,,0,,,,SEVERAL_EPOCHS,V');
});

test('the CSV of a wallet without rewards contains only the header', () => {
  assert.equal(rewardsCsv([], 'V').split('\r\n').length, 2);
});
