// Which view is shown: the path says it, links change it without loading the page anew, and back and forward work.
import { createStore, useStore } from '../state/create-store.ts';

const pathNow = (): string => location.pathname.replace(/\/+$/, '') || '/';

const path = createStore(pathNow());
addEventListener('popstate', () => path.set(pathNow()));

/** The path now, without trailing slash. */
export const usePath = (): string => useStore(path);

/** Goes to a path of this page; the scroll position starts at the top. */
export const navigate = (to: string): void => {
  if (to === `${pathNow()}${location.search}`) return;
  history.pushState(null, '', to);
  // Nothing else says that the query went: whoever reads it listens to this.
  dispatchEvent(new PopStateEvent('popstate'));
  scrollTo(0, 0);
};
