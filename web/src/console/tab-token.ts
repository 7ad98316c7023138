// The operator's token: kept only in this tab, sent only as a header, and forgotten when the service refuses
// it.
import { queries } from '../api/use-resource.ts';
import { recall, remember } from '../state/browser-storage.ts';
import { createStore } from '../state/create-store.ts';

const KEY = 'holdfast-operator-token';

/** The token; null until one is entered. */
export const operatorToken = createStore<string | null>(recall(KEY, 'sessionStorage'));

export const tokenRefused = createStore(false);

/** Sets the token for all further calls. */
export const enterToken = (token: string): void => {
  remember(KEY, token, 'sessionStorage');
  tokenRefused.set(false);
  operatorToken.set(token);
};

/** Forgets the token and everything that was read with it. */
export const forgetToken = (isRefused: boolean): void => {
  remember(KEY, null, 'sessionStorage');
  tokenRefused.set(isRefused);
  operatorToken.set(null);
  queries.clear();
};
