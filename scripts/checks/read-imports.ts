// Reads what a source file imports, without running or fully parsing it: comments out, then import and export clauses by pattern.

/** One import clause. */
interface Import {
  readonly specifier: string;
  /** `import type` and `export type`: erased before running, so it cannot close a cycle at run time. */
  readonly isTypeOnly: boolean;
}

/** The text with comments blanked out, line breaks kept. Strings that contain comment marks survive where they are closed on their line. */
export const withoutComments = (source: string): string =>
  source.replace(
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (match) => (match.startsWith('/*') || match.startsWith('//') ? match.replace(/[^\n]/g, ' ') : match),
  );

const STATIC =
  /(?:^|[;}\n])\s*(?:import|export)\s+(type\s+)?(?:[\w$*{][^;'"`]*?\s*from\s*)?['"]([^'"\n]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g;

/** All imports of a source text, static and dynamic, in order of appearance by kind. */
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
