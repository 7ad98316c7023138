// Browser notifications of alerts on request. The page polls the service while it is open, whether hidden or
// not.
import { useEffect, useState } from 'react';
import { api } from '../../../api/holdfast.ts';
import { recall, remember } from '../../../state/browser-storage.ts';
import { isSandbox } from '../../../state/cluster.ts';
import { newAlerts } from './new-alerts.ts';

const KEY = 'holdfast-notifications';
const EVERY_MS = 60_000;
/** Polling interval in a sandbox, whose epochs last only minutes. */
const SANDBOX_EVERY_MS = 15_000;
const AT_ONCE = 20;

/** `unsupported`: this browser has no notifications. `denied`: the user blocked them for this site. */
export type NotificationState = 'on' | 'off' | 'denied' | 'unsupported';

const now = (): NotificationState => {
  // Some browsers and insecure pages have no `Notification`.
  if (!('Notification' in globalThis)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && recall(KEY) === 'on' ? 'on' : 'off';
};

const watch = (walletAddress: string, everyMs: number, onUnsupported: () => void): (() => void) => {
  const closing = new AbortController();
  const { signal } = closing;
  const newOf = newAlerts();
  const poll = async (): Promise<void> => {
    const [wallet, validator] = await Promise.all([
      api.walletAlerts({ walletAddress, limit: AT_ONCE }, { signal }),
      api.validatorAlerts({}, { signal }),
    ]);
    for (const { title, ...options } of newOf(wallet.alerts, validator.alerts))
      try {
        new Notification(title, options).onclick = () => window.focus();
      } catch {
        // Some phones show notifications only from service workers.
        onUnsupported();
      }
  };
  // After a failure, the next response contains the same alerts.
  const pollNow = (): void => void poll().catch(() => undefined);
  pollNow();
  const timer = setInterval(pollNow, everyMs);
  return () => {
    clearInterval(timer);
    closing.abort();
  };
};

/**
 * Returns whether notifications for the wallet are on, and a switch that asks for permission only when turned
 * on.
 */
export const useNotifications = (walletAddress: string) => {
  const [state, setState] = useState(now);
  const everyMs = isSandbox ? SANDBOX_EVERY_MS : EVERY_MS;
  const isOn = state === 'on';
  useEffect(
    () => (isOn ? watch(walletAddress, everyMs, () => setState('unsupported')) : undefined),
    [isOn, walletAddress, everyMs],
  );
  return {
    state,
    set: async (on: boolean): Promise<void> => {
      remember(KEY, on ? 'on' : null);
      if (on) await Notification.requestPermission();
      setState(now());
    },
  };
};
