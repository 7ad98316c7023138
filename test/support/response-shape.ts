// The shape of a JSON-RPC response: fields, types and nulls, with values only where clients depend on them.

/** Fields whose text determines what a client does. They are compared by value, and everything else by type. */
const EXACT = new Set(['confirmationStatus', 'encoding', 'version']);
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Path of a field to its type or value, across all elements of an array: `result.value[].owner` → `string`. */
type AnswerShape = ReadonlyMap<string, ReadonlySet<string>>;

/** Removes the numbers and addresses from an error's text, because they vary. */
const withoutMoment = (text: string): string =>
  text.replaceAll(/[1-9A-HJ-NP-Za-km-z]{32,88}/g, '<key>').replaceAll(/\d+/g, 'N');

const textOf = (path: string, member: string, value: string): string => {
  // A transaction error is compared by value. A log is free text, of which only the type counts.
  if (/(^|\.)err(\.|\[|$)/.test(path) || EXACT.has(member)) return `"${value}"`;
  return path === 'error.message' ? `"${withoutMoment(value)}"` : 'string';
};

/** Returns the shape of a response. Maps by address count as one field, and lists as one element. */
export const shapeOf = (response: unknown): AnswerShape => {
  const shape = new Map<string, Set<string>>();
  const add = (path: string, what: string) => {
    const known = shape.get(path);
    if (known) known.add(what);
    else shape.set(path, new Set([what]));
  };
  const visit = (value: unknown, path: string, member: string): void => {
    if (value === null) add(path, 'null');
    else if (typeof value === 'string') add(path, textOf(path, member, value));
    else if (typeof value === 'number' || typeof value === 'bigint')
      add(path, path === 'error.code' || /(^|\.)err(\.|\[)/.test(path) ? `${value}` : 'number');
    else if (typeof value !== 'object') add(path, typeof value);
    else if (Array.isArray(value)) {
      add(path, value.length === 0 ? 'empty list' : 'list');
      for (const item of value) visit(item, `${path}[]`, member);
    } else {
      add(path, 'object');
      for (const [key, item] of Object.entries(value)) {
        const name = ADDRESS.test(key) ? '<key>' : key;
        visit(item, path === '' ? name : `${path}.${name}`, name);
      }
    }
  };
  visit(response, '', '');
  return shape;
};

const text = (found: ReadonlySet<string> | undefined): string =>
  found === undefined ? 'absent' : [...found].sort().join(' or ');

/**
 * Lists the differences, one line per path: `result.value[].space: Agave number, sandbox absent`. Empty lists
 * reveal nothing about their elements.
 */
export const shapeDifferences = (real: AnswerShape, ours: AnswerShape): readonly string[] => {
  const isUnknown = (shape: AnswerShape, path: string): boolean => {
    for (let at = path.indexOf('[]'); at >= 0; at = path.indexOf('[]', at + 1)) {
      const list = shape.get(path.slice(0, at));
      if (list?.has('empty list') && !list.has('list')) return true;
    }
    return false;
  };
  const parentsDiffer = (path: string): boolean => {
    const parent = path.replace(/(\[\]|\.[^.[\]]+|^[^.[\]]+)$/, '');
    if (parent === path || (parent === '' && path === '')) return false;
    return !real.get(parent)?.size || !ours.get(parent)?.size;
  };
  return [...new Set([...real.keys(), ...ours.keys()])].sort().flatMap((path) => {
    if (isUnknown(real, path) || isUnknown(ours, path) || parentsDiffer(path)) return [];
    const [a, b] = [text(real.get(path)), text(ours.get(path))].map((found) =>
      found.replace('empty list', 'list'),
    );
    return a === b || `${a}` === 'list or list' ? [] : [`${path || 'answer'}: Agave ${a}, sandbox ${b}`];
  });
};
