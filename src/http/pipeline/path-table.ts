// Knows what exists at a path, for the answers 405, OPTIONS and 404. Off the hot path.

/** One method at one path template. */
export interface PathEntry {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

/** What exists at a concrete path. */
export interface AtPath<Entry> {
  readonly entries: readonly Entry[];
  /** Every method that is answered there, HEAD and OPTIONS included; empty where nothing is. */
  readonly methods: readonly string[];
}

const compile = (template: string): RegExp =>
  new RegExp(
    `^${template
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{\w+\}/g, '[^/]+')
      .replace(/\{\\\*\}$/, '.*')}$`,
  );

/** Returns a function that looks up a concrete path. */
export const createPathTable = <Entry extends PathEntry>(
  entries: readonly Entry[],
): ((path: string) => AtPath<Entry>) => {
  const compiled = entries.map((entry) => ({ entry, pattern: compile(entry.path) }));
  return (path) => {
    const found = compiled.filter(({ pattern }) => pattern.test(path)).map(({ entry }) => entry);
    if (found.length === 0) return { entries: [], methods: [] };
    const methods = new Set(found.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    return { entries: found, methods: [...methods, 'OPTIONS'] };
  };
};
