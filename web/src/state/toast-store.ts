// Toasts: shown for a while, longer while hovered or focused.
import { createStore } from './create-store.ts';

/** A message. */
export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly detail?: string | undefined;
}

/** The messages now shown, oldest first. */
export const toasts = createStore<readonly Toast[]>([]);

let lastId = 0;

/** Takes a message away. */
export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Shows a message; at most three stand at a time. */
export const showToast = (toast: Omit<Toast, 'id'>): void => {
  lastId += 1;
  toasts.set([...toasts.get().slice(-2), { ...toast, id: lastId }]);
};
