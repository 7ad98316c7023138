// A new store that already contains example registrations.
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';
import type { Scope } from './temporary-folder.ts';
import { exampleRegistration, NO_CAPS, rememberingKeys } from './webhook-examples.ts';

/** Opens a new store with the registrations of these numbers. Closes it when the scope ends. */
export const openRegisteredStore = async (
  scope: Scope,
  makeVenue: MakeVenue,
  numbers: readonly number[] = [1],
): Promise<Store> => {
  const store = await openTestStore(scope, (await makeVenue(scope)).location);
  for (const number of numbers) await store.webhooks.register(exampleRegistration(number), NO_CAPS);
  return { ...store, outbox: rememberingKeys(store.outbox) };
};
