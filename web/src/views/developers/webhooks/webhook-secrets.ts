// Webhook secrets as this tab holds them: in memory, and in the tab's session storage only where that was ticked.
import { recall, remember } from '../../../state/browser-storage.ts';
import { createStore } from '../../../state/create-store.ts';

const STORAGE_KEY = 'holdfast-webhook-secrets';

/** A secret that was made just now and is to be shown once; `id` is its webhook's. */
export interface NewSecret {
  readonly id: string;
  readonly secret: string;
}

/** Secrets by webhook id, and whether they outlive a reload of this tab. */
export interface HeldSecrets {
  readonly byId: Readonly<Record<string, string>>;
  readonly isStored: boolean;
}

const read = (): HeldSecrets => {
  const text = recall(STORAGE_KEY, 'sessionStorage');
  if (text === null) return { byId: {}, isStored: false };
  try {
    const found: unknown = JSON.parse(text);
    const pairs = Object.entries(found as object).filter(([, secret]) => typeof secret === 'string');
    return { byId: Object.fromEntries(pairs), isStored: true };
  } catch {
    return { byId: {}, isStored: false };
  }
};

/** What is held now. */
export const heldSecrets = createStore<HeldSecrets>(read());

const put = (held: HeldSecrets): void => {
  heldSecrets.set(held);
  // A browser that stores nothing keeps them in memory, as unticked.
  remember(STORAGE_KEY, held.isStored ? JSON.stringify(held.byId) : null, 'sessionStorage');
};

/** Holds a secret, in place of an earlier one of the same webhook. */
export const holdSecret = (id: string, secret: string): void => {
  const held = heldSecrets.get();
  put({ ...held, byId: { ...held.byId, [id]: secret } });
};

/** Lets go of a secret that is not the webhook's. */
export const dropSecret = (id: string): void => {
  const held = heldSecrets.get();
  put({ ...held, byId: Object.fromEntries(Object.entries(held.byId).filter(([of]) => of !== id)) });
};

/** Whether they outlive a reload; unticked they leave the storage at once. */
export const keepSecrets = (isStored: boolean): void => put({ ...heldSecrets.get(), isStored });
