import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAst } from 'rolldown/parseAst';

const root = join(import.meta.dirname, '../..');

/**
 * A call of `new AppError(code, message, options)` in the source. An argument that is not a literal is recorded
 * as source code.
 */
interface Site {
  readonly place: string;
  /** Null if the code comes from a table or a parameter. */
  readonly code: string | null;
  readonly message: string;
  readonly options: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: matches the nodes of any syntax tree.
type Node = any;

const walk = (node: Node, visit: (node: Node) => void): void => {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const one of Object.values(node)) walk(one, visit);
  }
};

const sitesOf = (file: string): Site[] => {
  const source = readFileSync(join(root, file), 'utf8');
  if (!source.includes('new AppError(')) return [];
  const sites: Site[] = [];
  const text = (node: Node): string => source.slice(node.start, node.end);
  walk(parseAst(source, { lang: 'ts' }), (node) => {
    if (node.type !== 'NewExpression' || node.callee.name !== 'AppError') return;
    const [code, message, options] = node.arguments;
    sites.push({
      place: `${file}:${source.slice(0, node.start).split('\n').length}`,
      code: code.type === 'Literal' ? code.value : null,
      message: text(message),
      options: Object.fromEntries(
        (options?.properties ?? []).map((member: Node) =>
          member.type === 'SpreadElement'
            ? [text(member).match(/\b(reason|params)\b/)?.[1] ?? '…', text(member)]
            : [member.key.name, text(member.value)],
        ),
      ),
    });
  });
  return sites;
};

const sites: Site[] = [];
for await (const file of glob('src/**/*.ts', { cwd: root }))
  if (!file.endsWith('.test.ts')) sites.push(...sitesOf(file));

/** Error codes whose issues in `details` have their own codes. */
const withDetails = new Set(['VALIDATION_ERROR']);

test('an error code with several messages has a reason for each of them', () => {
  assert.ok(sites.length > 90, `${sites.length} sites`);
  for (const [code, of] of Map.groupBy(sites, (site) => site.code)) {
    const isOne = new Set(of.map(({ message }) => message)).size === 1 && !of[0]!.message.includes('?');
    if (code !== null && (isOne || withDetails.has(code))) continue;
    const unnamed = of.filter(({ options }) => options.reason === undefined);
    assert.deepEqual(
      unnamed.map(({ place }) => `${place} ${code}`),
      [],
      'new AppError(code, message, { reason }) distinguishes this message from others of the same code',
    );
  }
});

test('no two messages have the same error code and reason', () => {
  const literal = sites.filter(({ options }) => options.reason?.startsWith("'"));
  for (const [name, of] of Map.groupBy(literal, ({ code, options }) => `${code} ${options.reason}`))
    assert.equal(
      new Set(of.map(({ message }) => message)).size,
      1,
      `${name}: ${of.map(({ place }) => place).join(', ')}`,
    );
});

/**
 * Source code that a message may consist of: sentences and parts of sentences. All other values must be
 * placeholders in braces, with their values in `params`.
 */
const sentencesInMessages =
  /^described\.stateDescription$|^textOf\(assessment\.stateSentences\(\)\)$|^parts\.join\(|^(?:what|why|message|before)$|^NO_NETWORK_PROVIDER\.text$|^failedIndex \+ 1$|^count$/;

test('the values in a message are parameters', () => {
  for (const { code, place, message, options } of sites) {
    if (withDetails.has(code ?? '')) continue;
    const figures = [...message.matchAll(/\$\{([^}]*)\}/g)].map(([, code]) => code!);
    assert.deepEqual(
      figures.filter((code) => !sentencesInMessages.test(code)),
      [],
      place,
    );
    for (const [, name] of message.matchAll(/(?<!\$)\{(\w+)\}/g))
      assert.match(
        options.params ?? '',
        new RegExp(`\\b${name}\\b|^params$`),
        `${place}: {${name}} has no parameter`,
      );
  }
});
