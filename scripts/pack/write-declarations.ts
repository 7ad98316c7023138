// Writes the type declarations of the packed client: everything that its entries use, without depending on any
// other package.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { type CheckResult, checkResult } from '../checks/check-result.ts';
import { readImports } from '../checks/read-imports.ts';
import { runTool } from '../checks/run-tool.ts';

/** Entry files of the declarations. */
const ENTRIES = [
  'client/package-entry.ts',
  'client/verify-transaction-bytes.ts',
  'client/staking-entry.ts',
] as const;

/**
 * Declarations that replace kit's types. Internally, addresses are branded strings, but users of the package
 * see plain strings.
 */
const SOLANA_TYPES = `/** A base58 Solana address. */
export type Address<Text extends string = string> = Text;
/** A base58 transaction signature. */
export type Signature = string;
`;
const SOLANA_FILE = 'solana-types';

const emit = async (root: string, outDir: string): Promise<void> => {
  const config = join(outDir, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir,
        rootDir: root,
        typeRoots: [join(root, 'node_modules', '@types')],
      },
      include: [],
      files: ENTRIES.map((path) => join(root, path)),
    }),
  );
  const { problems } = await runTool(root, 'declarations', 'typescript/bin/tsc', ['-p', config]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
};

const declarationOf = (path: string): string => path.replace(/\.ts$/, '.d.ts');

/** Rewrites imports so that they work in the installed package. */
const rewritten = (text: string, path: string): string => {
  const toSolana = posix.relative(posix.dirname(path), SOLANA_FILE);
  return text
    .replaceAll(/(from |import\()'(\.[^']+)\.ts'/g, "$1'$2.js'")
    .replaceAll("from '@solana/kit'", `from '${toSolana.startsWith('.') ? toSolana : `./${toSolana}`}.js'`);
};

/**
 * Writes the declarations below `target`, at the same paths as in the project. Throws if a declaration needs
 * another package.
 */
export const writeTypes = async (root: string, target: string): Promise<void> => {
  const emitted = mkdtempSync(join(tmpdir(), 'holdfast-types-'));
  try {
    await emit(root, emitted);
    const seen = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      const text = readFileSync(join(emitted, declarationOf(path)), 'utf8');
      for (const { specifier } of readImports(text)) {
        if (specifier.startsWith('.')) visit(relative(emitted, join(emitted, dirname(path), specifier)));
        else if (specifier !== '@solana/kit') throw new Error(`the types of ${path} need ${specifier}`);
      }
      const place = join(target, declarationOf(path));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, rewritten(text, path));
    };
    for (const entry of ENTRIES) visit(entry);
    writeFileSync(join(target, `${SOLANA_FILE}.d.ts`), SOLANA_TYPES);
  } finally {
    rmSync(emitted, { recursive: true });
  }
};

/** Checks that no declaration needs another package, because the packed client must not depend on any. */
export const checkTypes = async (root: string): Promise<CheckResult> => {
  const target = mkdtempSync(join(tmpdir(), 'holdfast-types-'));
  const problems = await writeTypes(root, target).then(
    () => [],
    (error) => [String(error)],
  );
  rmSync(target, { recursive: true });
  return checkResult('declarations of the packed client', problems);
};
