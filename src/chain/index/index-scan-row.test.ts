// Shows that a row is one account, whole and once, and that nothing outside its bytes and nothing of the row before it gets into it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase58 } from '../../kernel/base58.ts';
import { NodeFailure } from '../rpc/rpc-error.ts';
import { ScanRowReader } from './index-scan-row.ts';

const ADDRESS = encodeBase58(new Uint8Array(32).fill(7));
const PUBKEY = `"pubkey":"${ADDRESS}"`;
const DATA = '"data":["AQID","base64"]';
const LAMPORTS = '"lamports":5';
const OWNER = '"owner":"Stake11111111111111111111111111111111111111"';
const row = (...members: string[]): string => `{${members.join()}}`;
const account = (...members: string[]): string => `"account":${row(...members)}`;
const WHOLE = account(DATA, LAMPORTS, OWNER);

/** Reads `text` from the middle of other bytes. */
const read = (text: string, before = '', after = '', reader = new ScanRowReader()) => {
  const bytes = Buffer.from(before + text + after);
  reader.read(bytes, before.length, before.length + text.length);
  const { address, lamports, data, dataBytes } = reader.row;
  return { address: encodeBase58(address), lamports, data: [...data.subarray(0, dataBytes)] };
};
const refused = (text: string, after = ''): void =>
  assert.throws(
    () => read(text, '', after),
    (error) => error instanceof NodeFailure && error.word === 'garbage',
    `${text}|${after}`,
  );

const EXPECTED = { address: ADDRESS, lamports: 5n, data: [1, 2, 3] };

test('a row is read between whatever bytes stand around it', () => {
  for (const [before, after] of [
    ['', ''],
    ['[', ']'],
    [row(PUBKEY, WHOLE), `,${row(PUBKEY)}`],
    ['"', '5}'],
  ])
    assert.deepEqual(read(row(WHOLE, PUBKEY), before, after), EXPECTED);
});

test('a row that the bytes behind it would complete is cut off, wherever it is cut', () => {
  const text = row(PUBKEY, WHOLE);
  for (let cut = 0; cut < text.length; cut += 1) refused(text.slice(0, cut), text.slice(cut));
});

test('however often a member stands there it makes up for no other one', () => {
  for (let times = 2; times <= 300; times += 1) {
    const pubkeys = Array.from({ length: times }, () => PUBKEY);
    refused(row(...pubkeys));
    refused(row(...pubkeys, WHOLE));
    refused(row(PUBKEY, account(DATA, ...Array.from({ length: times }, () => LAMPORTS))));
    refused(row(PUBKEY, account(OWNER, ...Array.from({ length: times }, () => DATA))));
  }
  for (const missing of [
    [DATA, LAMPORTS],
    [DATA, OWNER],
    [LAMPORTS, OWNER],
  ])
    refused(row(PUBKEY, account(...missing)));
});

test('a row without data leaves nothing of the row before it', () => {
  const reader = new ScanRowReader();
  read(row(PUBKEY, WHOLE), '', '', reader);
  const empty = row(PUBKEY, account('"data":["","base64"]', LAMPORTS, OWNER));
  assert.deepEqual(read(empty, '', '', reader), { ...EXPECTED, data: [] });
});

test('an amount is a whole number of at most 64 bits, written plainly', () => {
  const lamports = (text: string) => row(PUBKEY, account(DATA, `"lamports":${text}`, OWNER));
  for (const [text, value] of [
    ['0', 0n],
    [' \t\r\n7 ', 7n],
    ['999999999999999', 999_999_999_999_999n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['18446744073709551615', 2n ** 64n - 1n],
  ] as const)
    assert.equal(read(lamports(text)).lamports, value);
  const no = [
    '18446744073709551616',
    '99999999999999999999',
    '100000000000000000000',
    '-1',
    '+1',
    '01',
    '00',
  ];
  for (const text of [...no, '1.0', '1e3', '0x1', '"5"', 'null', '', '5 5']) refused(lamports(text));
});

test('data is base64 of at most 200 bytes, in that encoding only', () => {
  const data = (text: string, encoding = '"base64"') =>
    row(PUBKEY, account(`"data":["${text}",${encoding}]`, LAMPORTS, OWNER));
  for (const length of [1, 2, 3, 199, 200]) {
    const bytes = Buffer.alloc(length, 0xfb);
    assert.deepEqual(read(data(bytes.toString('base64'))).data, [...bytes]);
  }
  refused(data(Buffer.alloc(201).toString('base64')));
  for (const text of ['A', 'AA', 'AAA', '=', 'A===', '====', 'A=AA', 'AA=A', 'AA==AAAA', 'AA-_', 'AA A'])
    refused(data(text));
  for (const encoding of ['"base64+zstd"', '"base58"', '""', 'null', '"base64","base64"']) {
    refused(data('AQID', encoding));
  }
  refused(row(PUBKEY, account('"data":"AQID"', LAMPORTS, OWNER)));
});

test('what a provider adds is skipped, unless it is no JSON or deeper than anybody nests', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const extra = (value: string) => row(`"extra":${value}`, PUBKEY, WHOLE);
  for (const value of ['[]', '{}', '[ ]', '{ }', 'null', '-1.5e-3', '"}"', '[{"pubkey":"x"},[]]', nested(8)])
    assert.deepEqual(read(extra(value)), EXPECTED, value);
  for (const value of ['', '[', ']', '{', '[,]', '[1,]', '{1:2}', '"a\\"b"', '"a\nb"', nested(60_000)])
    refused(extra(value));
});

test('another owner, no address and a key that only begins like ours are refused', () => {
  refused(row(PUBKEY, account(DATA, LAMPORTS, '"owner":"11111111111111111111111111111111"')));
  refused(row(PUBKEY, account(DATA, LAMPORTS, OWNER.replace('Stake', 'stake'))));
  for (const text of ['', '1', '1'.repeat(31), '1'.repeat(33), ADDRESS.replace(/.$/, '0'), `${ADDRESS}1`])
    refused(row(`"pubkey":"${text}"`, WHOLE));
  refused(row(`"pubkeys":"${ADDRESS}"`, WHOLE));
  assert.deepEqual(read(row('"pubkeys":1', PUBKEY, WHOLE)), EXPECTED);
});
