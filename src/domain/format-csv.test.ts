import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCsv } from './format-csv.ts';

/** Parses CSV (RFC 4180) without sharing any code with the formatter. */
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

test('an independent parser restores every CSV field unchanged', () => {
  const lines = [
    ['plain', 'with, comma', 'with "quotes"', ''],
    ['line\r\nbreak', 'line\nfeed', '"', ',"\r\n,'],
  ];
  assert.deepEqual(readCsv(formatCsv(lines)), lines);
});

test('no field is a formula for a spreadsheet, and negative amounts stay numbers', () => {
  const formulas = [
    '=HYPERLINK("https://evil.example","Prize")',
    '+1+cmd|"/c calc"!A0',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
  ];
  assert.deepEqual(readCsv(formatCsv([formulas])), [formulas.map((text) => `'${text}`)]);
  assert.equal(formatCsv([['-0.000005', '-3', '1.5', 'a=b', 'a-b']]), '-0.000005,-3,1.5,a=b,a-b\r\n');
});
