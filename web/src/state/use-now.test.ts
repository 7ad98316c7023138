// Tests that two components that count down to the same time show the same value, whenever each was rendered.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { useNow } from './use-now.ts';

const Clock = () => String(useNow(1_000));

it('all components update in the same second', (t) => {
  const renderedAt = (nowMs: number): string => {
    t.mock.timers.setTime(nowMs);
    return renderToStaticMarkup(createElement(Clock));
  };
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  assert.deepEqual([5_010, 5_990, 6_000].map(renderedAt), ['6000', '6000', '7000']);
});
