// Stores the sandbox wallet's key in this browser: generated here, not extractable, and kept across reloads.

const DATABASE = 'holdfast-sandbox-wallet';
const STORE = 'keys';
const KEY = 'wallet';

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const open = (): Promise<IDBDatabase> => {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return settled(opening);
};

/** The key of this browser; null before the first connection. */
export const readKey = async (): Promise<CryptoKeyPair | null> => {
  const database = await open();
  try {
    const stored: unknown = await settled(database.transaction(STORE).objectStore(STORE).get(KEY));
    return (stored as CryptoKeyPair | undefined) ?? null;
  } finally {
    database.close();
  }
};

/** Creates the key if there is none. If another tab creates one first, both use that key. */
export const readOrMakeKey = async (): Promise<CryptoKeyPair> => {
  const present = await readKey();
  if (present !== null) return present;
  const made = (await crypto.subtle.generateKey({ name: 'Ed25519' }, false, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const database = await open();
  try {
    await settled(database.transaction(STORE, 'readwrite').objectStore(STORE).add(made, KEY));
    return made;
  } catch (error) {
    const theirs = await readKey();
    // A key that cannot be stored would be lost, so its address must not be shown.
    if (theirs === null) throw error;
    return theirs;
  } finally {
    database.close();
  }
};
