// Tests formatted figures: no lamport is lost, and no amount is rounded up.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { boundedTime } from './epoch-boundary.ts';
import {
  countdown,
  dateText,
  exactSol,
  lamportsOf,
  percent,
  solShort,
  solText,
  timeText,
  unixDateText,
  yearlyYield,
} from './format-figures.ts';

it('amounts keep every lamport, and are truncated rather than rounded up', () => {
  assert.equal(solText(1_234_567_000_000_001n), '1,234,567.000000001');
  assert.equal(solText(1_999_999_999n, 4), '1.9999');
  assert.equal(solText(-1_500_000_000n), '-1.5');
  assert.equal(solText(0n), '0');
  assert.equal(lamportsOf(1.5), 1_500_000_000n);
  assert.equal(lamportsOf(1e-9), 1n);
});

it('a yield is not known, or none for the reason that a critical notice gives', () => {
  const unknown = { totalApy: null, atLeastApy: null };
  assert.equal(yearlyYield(unknown), 'not known');
  assert.equal(yearlyYield({ ...unknown, notices: [{ severity: 'info' }] }), 'not known');
  assert.equal(yearlyYield({ ...unknown, notices: [{ severity: 'critical' }] }), 'None');
  assert.equal(
    yearlyYield({ ...unknown, atLeastApy: 1, notices: [{ severity: 'critical' }] }),
    'at least 1.00%',
  );
});

it('short amounts have only the decimals that matter', () => {
  assert.equal(solShort(123_456.789123), '123,456.78');
  assert.equal(solShort(12.345678912), '12.3456');
  assert.equal(solShort(0.685365417), '0.6853');
  assert.equal(solShort(0.001819008), '0.001819');
  assert.equal(solShort(0.000000354), '0.000000354');
  assert.equal(solShort(null), '–');
  // Two decimals from 1,000, four from 0.01, six from 0.00001. Negative amounts have as many.
  assert.equal(solShort(1_000.123456), '1,000.12');
  assert.equal(solShort(999.123456), '999.1234');
  assert.equal(solShort(0.100000001), '0.10');
  assert.equal(solShort(0.099999999), '0.0999');
  assert.equal(solShort(0.009999999), '0.009999');
  assert.equal(solShort(0.000010001), '0.00001');
  assert.equal(solShort(0.000009999), '0.000009999');
  assert.equal(solShort(-12.345678912), '-12.3456');
  // Whole amounts have no decimals, all others at least two.
  assert.equal(solShort(100), '100');
  assert.equal(solShort(8.8), '8.80');
  assert.equal(solShort(5.000000001), '5.00');
  assert.equal(exactSol(5.000000001), '5.000000001');
  assert.equal(exactSol(8_800_000_000n), '8.8');
});

it('countdowns decrease every second', () => {
  assert.equal(countdown(65), '1:05');
  assert.equal(countdown(3_601), '1:00:01');
  assert.equal(countdown(0.2), '0:01', 'a duration that has not ended is never shown as ended');
  assert.equal(countdown(-1), '0:00');
});

it('an unknown figure is a dash', () => {
  assert.equal(percent(null), '–');
  assert.equal(percent(6.8549), '6.85%');
  assert.equal(shortAddress('7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ'), '7QxW…prnQ');
});

it('a distant time is shown with its date, and a near one without', () => {
  const nowMs = Date.parse('2026-11-22T12:00:00Z');
  const hours = (count: number): string => timeText(new Date(nowMs + count * 3_600_000).toISOString(), nowMs);
  for (const same of [-19, 0, 19]) assert.match(hours(same), /^\d\d?:\d\d\s[AP]M$/, String(same));
  for (const away of [-21, 21, 24 * 30]) {
    const iso = new Date(nowMs + away * 3_600_000).toISOString();
    assert.equal(hours(away), dateText(iso), String(away));
  }
});

it('a date has its year, and the end of an endless lockup is the latest possible date', () => {
  assert.match(dateText('2030-03-17T12:00:00Z'), /^Mar 17, 2030, /);
  assert.equal(unixDateText(1_900_000_000), dateText('2030-03-17T17:46:40Z'));
  assert.equal(unixDateText(Number.MAX_SAFE_INTEGER), dateText('+275760-09-13T00:00:00Z'));
});

it('a time is shown with its bounds if these look different', () => {
  const [noon, later] = ['2026-11-22T12:00:00Z', '2026-11-22T12:10:00Z'];
  const nowMs = Date.parse(noon);
  assert.equal(boundedTime(noon, [noon, noon], nowMs), timeText(noon, nowMs));
  assert.equal(
    boundedTime(noon, [noon, later], nowMs),
    `${timeText(noon, nowMs)} (${timeText(noon, nowMs)}–${timeText(later, nowMs)})`,
  );
  assert.equal(
    boundedTime(noon, [noon, later], 0),
    `${dateText(noon)} (${timeText(noon, nowMs)}–${timeText(later, nowMs)})`,
    'bounds on the same day have no date',
  );
});

it('bounds more than an hour apart are shown to the hour, and never begin before now', () => {
  const [from, at, to] = ['2026-11-22T12:48:00Z', '2026-11-22T14:33:00Z', '2026-11-22T16:25:00Z'];
  const shown = (fromIso: string, toIso: string, nowMs: number): string =>
    `${timeText(at!, nowMs)} (${timeText(fromIso, nowMs)}–${timeText(toIso, nowMs)})`;
  const early = Date.parse('2026-11-22T11:00:00Z');
  assert.equal(
    boundedTime(at!, [from!, to!], early),
    shown('2026-11-22T12:00:00Z', '2026-11-22T17:00:00Z', early),
  );
  const late = Date.parse('2026-11-22T12:30:00Z');
  assert.equal(
    boundedTime(at!, [from!, to!], late),
    shown('2026-11-22T12:30:00Z', '2026-11-22T17:00:00Z', late),
  );
  assert.equal(
    boundedTime(at!, [at!, '2026-11-22T15:33:00Z'], early),
    shown(at!, '2026-11-22T15:33:00Z', early),
  );
});
