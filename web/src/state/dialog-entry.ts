// Gives an open dialog an entry in the browser's history, so Back closes the dialog instead of the view.
const ENTRY = 'dialog';

/** The functions that close the open dialogs; the top one is last. */
const open: (() => void)[] = [];

let isAtEntry = history.state === ENTRY;

addEventListener('popstate', () => {
  const wasAtEntry = isAtEntry;
  isAtEntry = history.state === ENTRY;
  if (!wasAtEntry || isAtEntry) return;
  const close = open.at(-1);
  // The dialog of this history entry was already closed in another way, so this goes back once more to leave
  // the view.
  if (close === undefined) history.back();
  else close();
});

/** Calls `close` if the user goes back. The returned function must be called once the dialog is closed. */
export const openEntry = (close: () => void): (() => void) => {
  open.push(close);
  // Reuses the history entry of a dialog that was closed in another way, because the browser removes entries
  // asynchronously.
  if (!isAtEntry) history.pushState(ENTRY, '');
  isAtEntry = true;
  return () => void open.splice(open.indexOf(close), 1);
};

/** Adds an address to the history, in place of a dialog's entry. */
export const pushAddress = (to: string): void => {
  if (isAtEntry) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  isAtEntry = false;
};
