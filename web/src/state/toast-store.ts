// Toasts: shown for a while, longer while hovered or focused.
import { createStore } from './create-store.ts';

/** A message. */
export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly detail?: string | undefined;
}

/** The visible messages, oldest first. */
export const toasts = createStore<readonly Toast[]>([]);

let lastId = 0;

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Shows a message; at most three are visible. */
export const showToast = (toast: Omit<Toast, 'id'>): void => {
  lastId += 1;
  toasts.set([...toasts.get().slice(-2), { ...toast, id: lastId }]);
};
