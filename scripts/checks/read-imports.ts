// Finds the imports of a source file by pattern, without running or fully parsing it.

interface Import {
  readonly specifier: string;
  /**
   * True for `import type` and `export type`, which are erased before execution and therefore cannot close a
   * cycle at run time.
   */
  readonly isTypeOnly: boolean;
}

/**
 * Returns the text with comments replaced by spaces, which keeps line breaks. Ignores comment markers in
 * strings that end on the same line.
 */
export const withoutComments = (source: string): string =>
  source.replace(
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (match) => (match.startsWith('/*') || match.startsWith('//') ? match.replace(/[^\n]/g, ' ') : match),
  );

const STATIC =
  /(?:^|[;}\n])\s*(?:import|export)\s+(type\s+)?(?:[\w$*{][^;'"`]*?\s*from\s*)?['"]([^'"\n]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g;

/** Returns all static and dynamic imports in a source text. */
export const readImports = (source: string): readonly Import[] => {
  const text = withoutComments(source);
  return [
    ...[...text.matchAll(STATIC)].map(([, type, specifier]) => ({
      specifier: specifier ?? '',
      isTypeOnly: type !== undefined,
    })),
    ...[...text.matchAll(DYNAMIC)].map(([, specifier]) => ({
      specifier: specifier ?? '',
      isTypeOnly: false,
    })),
  ];
};
