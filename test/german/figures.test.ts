// Checks figures in German: a decimal comma, dots between thousands, and amounts typed in the format that the
// page shows.
import assert from 'node:assert/strict';
import { it } from 'node:test';

Object.assign(globalThis, { document: { documentElement: { dataset: { languages: 'en de' } } } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });
const { atTimeText, count, dateText, durationText, percent, solField, solShort, solText, yearlyYield } =
  await import('../../web/src/text/format-figures.ts');
const { readSol } = await import('../../web/src/text/read-sol.ts');
const { addTranslations } = await import('../../web/src/words/define-words.ts');
const { german } = await import('../../web/src/words/de/german.ts');
addTranslations(german);

const SOL = 1_000_000_000n;

it('numbers, amounts, yields and dates are German', () => {
  assert.equal(solText(-1_234_567_500_000_001n), '-1.234.567,500000001');
  assert.equal(solShort(8.8), '8,80');
  assert.equal(solShort(1_000), '1.000');
  assert.equal(count(12_345), '12.345');
  assert.equal(percent(6.8549), '6,85\u00a0%');
  assert.equal(yearlyYield({ totalApy: null, atLeastApy: 7 }), 'mindestens 7,00\u00a0%');
  assert.match(dateText('2026-11-22T12:00:00Z'), /^2[123]\. Nov\. 2026, \d\d:\d\d$/);
});

it('times and durations can be read inside a sentence, and at its end', () => {
  const at = '2026-11-22T12:00:00Z';
  const atMs = Date.parse(at);
  assert.match(atTimeText(at, atMs), /^um \d\d:\d\d$/);
  assert.match(atTimeText(at, atMs - 86_400_000), /^am 2[123]\. Nov\. 2026, \d\d:\d\d$/);
  assert.equal(durationText(7_265), '2 h 1 min');
  assert.equal(durationText(59), '59 s');
});

it('an amount that the page shows, copied or typed into a field, is read as the same amount', () => {
  for (const lamports of [1n, 2_512_000_000n, 2_500_000_000n, 1_234_567_891_234n, 12_345n * SOL]) {
    assert.equal(readSol(solField(lamports)).lamports, lamports, solField(lamports));
    if (lamports < SOL || lamports % SOL !== 0n)
      assert.equal(readSol(solText(lamports)).lamports, lamports, solText(lamports));
  }
});

it('the user must choose between two amounts if the separator is ambiguous', () => {
  for (const [text, small, large] of [
    ['2.512', '2,512', '2512'],
    ['2.500', '2,5', '2500'],
    ['2,500', '2,5', '2500'],
  ] as const) {
    const { lamports, problem, choices } = readSol(text);
    assert.deepEqual([lamports, choices], [null, [small, large]], text);
    assert.equal(problem, `${small} oder ${large} SOL?`);
    for (const choice of choices!) assert.notEqual(readSol(choice).lamports, null, choice);
  }
  assert.equal(readSol('2,512').lamports, 2_512_000_000n);
});
