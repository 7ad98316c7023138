// Finds circles in a directed graph: one for each group of files that reach each other.

/** Each circle as the files on it, starting with its first in sort order. Nodes that are only pointed at are ignored. */
export const findCycles = (graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] => {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (node: string, trail: string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      cycles.push(trail.slice(at));
      return;
    }
    if (finished.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    finished.add(node);
  };
  for (const node of [...graph.keys()].sort()) visit(node, []);
  return cycles;
};
