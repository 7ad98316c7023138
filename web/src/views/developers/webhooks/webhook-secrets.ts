// Webhook secrets in this tab: in memory, and in its session storage only if the user ticked that box.
import { recall, remember } from '../../../state/browser-storage.ts';
import { createStore } from '../../../state/create-store.ts';

const STORAGE_KEY = 'holdfast-webhook-secrets';

/** A new secret to be shown once. `id` identifies its webhook. */
export interface NewSecret {
  readonly id: string;
  readonly secret: string;
}

/** Secrets by webhook id, and whether they survive a reload of this tab. */
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

export const heldSecrets = createStore<HeldSecrets>(read());

const put = (held: HeldSecrets): void => {
  heldSecrets.set(held);
  // If storage is blocked, they stay in memory only, as if the box were unticked.
  remember(STORAGE_KEY, held.isStored ? JSON.stringify(held.byId) : null, 'sessionStorage');
};

/** Stores a secret, replacing an earlier one of the same webhook. */
export const holdSecret = (id: string, secret: string): void => {
  const held = heldSecrets.get();
  put({ ...held, byId: { ...held.byId, [id]: secret } });
};

/** Removes a wrong secret. */
export const dropSecret = (id: string): void => {
  const held = heldSecrets.get();
  put({ ...held, byId: Object.fromEntries(Object.entries(held.byId).filter(([of]) => of !== id)) });
};

/** Sets whether secrets survive a reload. Unticking removes them from storage immediately. */
export const keepSecrets = (isStored: boolean): void => put({ ...heldSecrets.get(), isStored });
