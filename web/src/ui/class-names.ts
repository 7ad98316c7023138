// Joins class names and skips those that do not apply.

/** Joins the strings; false, null and undefined are skipped. */
export const classNames = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ');
