// The alert in the slot above every view. What the slot says is not repeated below it.
import type { Notice } from '../../../client/generated/shared-types.ts';
import { createStore, useStore } from './create-store.ts';

/** `code`: the notice in the slot, also if the user has hidden it; null if it is not shown above this view. */
interface AlertAbove {
  readonly code: Notice['code'] | null;
  /** True while a critical alert concerns the connected wallet, in any view. */
  readonly isCritical: boolean;
}

/** No alert. */
export const NO_ALERT: AlertAbove = { code: null, isCritical: false };

/** Set by the slot. */
export const alertAbove = createStore(NO_ALERT);

/** Returns the notices that the slot above the view does not say. */
export const useUnsaid = (notices: readonly Notice[]): readonly Notice[] => {
  const { code } = useStore(alertAbove);
  return notices.filter((notice) => notice.code !== code);
};
