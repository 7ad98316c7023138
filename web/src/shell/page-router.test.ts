// Tests that links inside the page change its address once, scroll to the top and notify subscribers, and that
// a link to the current view does nothing.
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

const page = new EventTarget();
const visited: string[] = [];
const scrolled: unknown[] = [];
const place = { pathname: '/', search: '' };
const stand = (url: string): void => {
  const { pathname, search } = new URL(url, 'http://127.0.0.1');
  Object.assign(place, { pathname, search });
};
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
  PopStateEvent: Event,
  location: place,
  scrollTo: (...to: unknown[]) => void scrolled.push(to),
  history: {
    pushState: (_state: unknown, _title: string, url: string) => {
      visited.push(url);
      stand(url);
    },
  },
});
const { navigate } = await import('./page-router.ts');

const heard: string[] = [];
page.addEventListener('popstate', () => heard.push(place.pathname + place.search));

beforeEach(() => {
  for (const list of [visited, scrolled, heard]) list.length = 0;
});

it('the router navigates without loading a document, notifies subscribers of the change, and scrolls to the top', () => {
  stand('/');
  navigate('/portfolio?wallet=abc');
  assert.deepEqual([visited, heard], [['/portfolio?wallet=abc'], ['/portfolio?wallet=abc']]);
  assert.deepEqual(scrolled, [[0, 0]]);
});

it('navigating to the current address adds no history entry, with or without a trailing slash', () => {
  for (const [here, to] of [
    ['/', '/'],
    ['/validator', '/validator'],
    ['/validator/', '/validator'],
    ['/validator//', '/validator'],
    ['/portfolio/?wallet=abc', '/portfolio?wallet=abc'],
  ] as const) {
    stand(here);
    navigate(to);
    assert.deepEqual([visited, heard, scrolled], [[], [], []], `${here} to ${to}`);
  }
});

it('the same view without its query is a different address, so the query no longer applies', () => {
  stand('/portfolio?wallet=abc');
  navigate('/portfolio');
  assert.deepEqual([visited, heard], [['/portfolio'], ['/portfolio']]);
});
