import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, rewardsCsv } from './rewards-csv.ts';

/** Independent RFC 4180 parser that shares no code with the writer. */
const readCsv = (text: string): string[][] => {
  const lines: string[][] = [];
  let line: string[] = [];
  let value = '';
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i]!;
    if (quoted) {
      if (char !== '"') value += char;
      else if (text[i + 1] === '"') {
        value += '"';
        i += 1;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') {
      line.push(value);
      value = '';
    } else if (char === '\r' && text[i + 1] === '\n') {
      lines.push([...line, value]);
      line = [];
      value = '';
      i += 1;
    } else value += char;
  }
  assert.equal(value + line.join(''), '', 'the last line ends with CRLF');
  return lines;
};

test('every field is read back unchanged', () => {
  const lines = [
    ['plain', 'with, comma', 'with "quotes"', ''],
    ['line\r\nbreak', 'line\nfeed', '"', ',"\r\n,'],
  ];
  assert.deepEqual(readCsv(csv(lines)), lines);
});

test('rewards are written to the lamport, in order, under their column names', () => {
  const reward = {
    stakeAccountAddress: '8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh',
    paidAt: '2026-11-21T00:00:00.000Z',
    epoch: 811n,
    inflationLamports: 9_000_000_000_000_001n,
    tipsLamports: 20n,
    tipsSettled: true,
    postBalanceLamports: 10n ** 18n,
    commissionPct: 5,
  };
  assert.equal(
    rewardsCsv([reward]),
    'epoch,paidAt,stakeAccountAddress,inflationSol,tipsSol,balanceAfterSol,commissionPct\r\n' +
      '811,2026-11-21T00:00:00.000Z,8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh,9000000.000000001,0.00000002,1000000000,5\r\n',
  );
});

test('unknown values are empty, zero is 0', () => {
  const [, line] = readCsv(
    rewardsCsv([
      {
        stakeAccountAddress: 'A',
        paidAt: null,
        epoch: 1n,
        inflationLamports: 0n,
        tipsLamports: null,
        tipsSettled: false,
        postBalanceLamports: null,
        commissionPct: null,
      },
    ]),
  );
  assert.deepEqual(line, ['1', '', 'A', '0', '', '', '']);
});

test('without rewards there is only a header', () => {
  assert.equal(readCsv(rewardsCsv([])).length, 1);
});
