// The router: the path selects the view, links change it without a reload, and the back and forward buttons work.
import { createStore, useStore } from '../state/create-store.ts';
import { pushAddress } from '../state/dialog-entry.ts';

const pathNow = (): string => location.pathname.replace(/\/+$/, '') || '/';

const path = createStore(pathNow());
addEventListener('popstate', () => path.set(pathNow()));

/** The current path, without trailing slash. */
export const usePath = (): string => useStore(path);

/** Navigates to a path of this page and scrolls to the top. */
export const navigate = (to: string): void => {
  if (to === `${pathNow()}${location.search}`) return;
  pushAddress(to);
  // Code that reads the query listens to this event, because the browser does not emit one for `pushState`.
  dispatchEvent(new PopStateEvent('popstate'));
  scrollTo(0, 0);
};
