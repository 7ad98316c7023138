import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseAst } from 'rolldown/parseAst';
import { errorReasons } from './error-reasons.ts';

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

/** The texts in the code of a file: literals, parts of templates and names of fields. */
const textsOf = (source: string): ReadonlySet<string> => {
  const texts = new Set<string>();
  walk(parseAst(source, { lang: 'ts' }), ({ type, value, key }) => {
    if (type === 'Literal' && typeof value === 'string') texts.add(value);
    if (type === 'TemplateElement') texts.add(value.cooked);
    if (type === 'Property' && key.type === 'Identifier') texts.add(key.name);
  });
  return texts;
};

const sites: Site[] = [];
/** Texts of each file, except of the tables of all codes. */
const texts = new Map<string, ReadonlySet<string>>();
for await (const file of glob('src/**/*.ts', { cwd: root })) {
  if (file.endsWith('.test.ts')) continue;
  sites.push(...sitesOf(file));
  if (!/\/error-(?:codes|reasons|fixes)\.ts$/.test(file))
    texts.set(file, textsOf(readFileSync(join(root, file), 'utf8')));
}

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

/** True if a file names the code, or imports a file that does. */
const concerns = (file: string, code: string): boolean =>
  texts.get(file)!.has(code) ||
  [...texts.get(file)!].some(
    (path) => path.startsWith('.') && texts.get(join(dirname(file), path))?.has(code) === true,
  );

const isSomewhere = (text: string): boolean => [...texts.values()].some((of) => of.has(text));

test('every declared reason is used with its code', () => {
  const unused = Object.entries(errorReasons).flatMap(([code, reasons]) => {
    const files = [...texts.keys()].filter((file) => concerns(file, code));
    /** Reasons are literals, or begin or end with one, such as `AUTOPILOT_${…}`. */
    const isUsed = (reason: string): boolean =>
      files.some((file) => {
        const known = texts.get(file)!;
        return (
          known.has(reason) ||
          [...reason.matchAll(/_/g)].some(({ index }) => {
            const [begin, end] = [reason.slice(0, index + 1), reason.slice(index)];
            return (
              (known.has(begin) && isSomewhere(reason.slice(index + 1))) ||
              (known.has(end) && known.has(reason.slice(0, index)))
            );
          })
        );
      });
    return Object.keys(reasons).flatMap((reason) =>
      reason === '' || isUsed(reason) ? [] : [`${code} ${reason}`],
    );
  });
  assert.deepEqual(unused, [], 'remove them from the table and from the words of the page');
});

test('every declared parameter of a reason is given where the reason is used', () => {
  const unused = Object.entries(errorReasons).flatMap(([code, reasons]) =>
    Object.entries<readonly string[]>(reasons).flatMap(([reason, params]) => {
      const of = sites.filter(
        (site) => site.code === code && site.options.reason === (reason === '' ? undefined : `'${reason}'`),
      );
      // Parameters that come from elsewhere cannot be seen here.
      if (
        of.length === 0 ||
        of.some(({ options }) => /\.\.\.|^params$|^\w+\(/.test(options.params ?? 'params'))
      )
        return [];
      return params.flatMap((name) =>
        of.some(({ options }) => new RegExp(`\\b${name}\\b`).test(options.params ?? ''))
          ? []
          : [`${code} ${reason}: ${name}`],
      );
    }),
  );
  assert.deepEqual(unused, []);
});
