// Sends notifications about changed resources: about a wallet's when the index sees a change in its stake
// accounts, and about all of them in a new epoch.
import type { StakeIndex } from '../chain/index/stake-index.ts';
import type { Clock } from '../kernel/clock.ts';
import { addressSchema } from '../operations/shared-schemas.ts';
import { accountUri, isWatchable, MAX_WATCHED, walletUri } from './resource-uris.ts';

/**
 * Time, in ms, within which changes of a resource are reported only once, because a transaction may change
 * several accounts.
 */
const COLLECT_MS = 500;

const address = addressSchema('');
const isAddress = (text: string): boolean => address.safeParse(text).success;

type OnUpdate = (uri: string) => void;

export interface ResourceUpdates {
  /** False without a stake index, because changes then go unnoticed. */
  readonly isOn: boolean;
  /** True for a resource that has updates. */
  readonly isWatchable: (uri: string) => boolean;
  /**
   * Calls `onUpdate` after each change of the resource, but only once if several watches have the same
   * function. Returns the function that ends this watch; null for a resource without updates.
   */
  readonly watch: (uri: string, onUpdate: OnUpdate) => (() => void) | null;
  /** Number of watched resources. */
  readonly size: () => number;
}

/** Creates the notifications. `index` is null if the service has no stake index. */
export const createResourceUpdates = (
  index: Pick<StakeIndex, 'onChange' | 'onEpoch'> | null,
  clock: Pick<Clock, 'sleep'>,
): ResourceUpdates => {
  /** Functions to call for each watched resource, with the number of watches of each function. */
  const watched = new Map<string, Map<OnUpdate, number>>();
  const changed = new Set<string>();

  const noteChange = async (uri: string): Promise<void> => {
    if (!watched.has(uri) || changed.has(uri)) return;
    changed.add(uri);
    await clock.sleep(COLLECT_MS);
    changed.delete(uri);
    for (const onUpdate of watched.get(uri)?.keys() ?? []) onUpdate(uri);
  };

  index?.onChange(({ address, before, after }) => {
    const wallets = [before, after].flatMap((account) =>
      account === null ? [] : [account.withdrawAuthority, account.stakeAuthority],
    );
    for (const wallet of new Set(wallets)) {
      void noteChange(walletUri(wallet));
      void noteChange(accountUri(wallet, address));
    }
  });
  // An account that becomes active or inactive changes its state but not its bytes.
  index?.onEpoch(() => {
    for (const uri of watched.keys()) void noteChange(uri);
  });

  return {
    isOn: index !== null,
    isWatchable: (uri) => index !== null && isWatchable(uri, isAddress),
    watch: (uri, onUpdate) => {
      if (index === null || !isWatchable(uri, isAddress)) return null;
      const watchers = watched.get(uri) ?? new Map<OnUpdate, number>();
      watched.set(uri, watchers.set(onUpdate, (watchers.get(onUpdate) ?? 0) + 1));
      return () => {
        const left = watchers.get(onUpdate)! - 1;
        if (left > 0) watchers.set(onUpdate, left);
        else watchers.delete(onUpdate);
        if (watchers.size === 0) watched.delete(uri);
      };
    },
    size: () => watched.size,
  };
};

/** The resources that one session watches. */
export class ResourceSubscriptions {
  readonly #updates: ResourceUpdates;
  readonly #onUpdate: OnUpdate;
  readonly #ends = new Map<string, () => void>();

  constructor(updates: ResourceUpdates, onUpdate: OnUpdate) {
    this.#updates = updates;
    this.#onUpdate = onUpdate;
  }

  /** Watches a resource. Returns null on success, otherwise the reason. */
  add(uri: string): 'full' | 'without updates' | null {
    if (this.#ends.has(uri)) return null;
    if (this.#ends.size >= MAX_WATCHED) return 'full';
    const end = this.#updates.watch(uri, this.#onUpdate);
    if (end === null) return 'without updates';
    this.#ends.set(uri, end);
    return null;
  }

  remove(uri: string): void {
    this.#ends.get(uri)?.();
    this.#ends.delete(uri);
  }

  close(): void {
    for (const uri of [...this.#ends.keys()]) this.remove(uri);
  }
}
