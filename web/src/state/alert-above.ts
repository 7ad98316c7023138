// Stores the alert shown above every view, so views do not repeat it.
import type { Notice } from '../../../client/generated/shared-types.ts';
import { createStore, useStore } from './create-store.ts';

/** `code`: code of the notice above the view, even if the user has hidden it; null if there is none. */
interface AlertAbove {
  readonly code: Notice['code'] | null;
  /** True while a critical alert concerns the connected wallet, in any view. */
  readonly isCritical: boolean;
}

/** No alert. */
export const NO_ALERT: AlertAbove = { code: null, isCritical: false };

/** `MostUrgentAlert` sets this store. */
export const alertAbove = createStore(NO_ALERT);

/** Returns the notices that are not already shown above the view. */
export const useUnsaid = (notices: readonly Notice[]): readonly Notice[] => {
  const { code } = useStore(alertAbove);
  return notices.filter((notice) => notice.code !== code);
};
