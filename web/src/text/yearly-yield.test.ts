// Tests that the daily amount next to an annual yield is exactly that yield's average, and that the yield says
// whether it includes tips.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dailyAverageSol, shownApy, yieldContents } from './yearly-yield.ts';

const APY = { jitoMevApy: 0.18, totalApy: 6.86, atLeastApy: 6.86 };

it('365 average days are exactly the shown yield', () => {
  assert.equal(dailyAverageSol(365, 6.86), 0.0686);
  assert.equal(dailyAverageSol(100, shownApy(APY)), 0.01879452);
  assert.equal(dailyAverageSol(100, null), null);
});

it('the yield says whether tips are included, even if tips are zero or unknown', () => {
  assert.equal(yieldContents(APY), 'including tips of 0.18%');
  assert.equal(yieldContents({ ...APY, jitoMevApy: 0, totalApy: 6.68 }), 'including tips of 0.00%');
  const unknown = { jitoMevApy: null, totalApy: null, atLeastApy: 6.68 };
  assert.equal(yieldContents(unknown), 'excluding tips');
  assert.equal(shownApy(unknown), 6.68);
  assert.equal(yieldContents({ ...unknown, atLeastApy: null }), undefined);
});
