// Lists the reasons of every error code with the names of their params, read from the code that creates the errors.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { errorCodes } from '../../src/kernel/error-codes.ts';
import { skipReasonTexts } from '../../src/operations/autopilot/policy-response.ts';

/** One reason of an error code. */
interface ReasonSite {
  readonly code: string;
  /** Null if the code has only one message. */
  readonly reason: string | null;
  readonly params: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the nodes of any syntax tree.
type Node = any;

interface SourceFile {
  readonly path: string;
  readonly source: string;
  readonly nodes: readonly { readonly node: Node; readonly parents: readonly Node[] }[];
}

const nodesOf = (tree: Node): SourceFile['nodes'] => {
  const nodes: { node: Node; parents: readonly Node[] }[] = [];
  const walk = (node: Node, parents: readonly Node[]): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, parents);
    else if (node !== null && typeof node === 'object') {
      const isNode = typeof node.type === 'string';
      if (isNode) nodes.push({ node, parents });
      for (const one of Object.values(node)) walk(one, isNode ? [...parents, node] : parents);
    }
  };
  walk(tree, []);
  return nodes;
};

const REASON = /^[A-Z][A-Z0-9_]*$/;
const isCode = (value: unknown): value is string => typeof value === 'string' && value in errorCodes;
const isReason = (value: unknown): value is string =>
  typeof value === 'string' && REASON.test(value) && value.length > 1;

/** The reasons written in a part of the source. */
const reasonsIn = (node: Node): readonly string[] =>
  nodesOf(node).flatMap(({ node: { type, value } }) =>
    type === 'Literal' && isReason(value) ? [value] : [],
  );

const keyOf = ({ key }: Node): string => key?.name ?? key?.value;
const member = (object: Node, name: string): Node =>
  object?.properties?.find((one: Node) => one.type === 'Property' && keyOf(one) === name)?.value;

/** The function that contains a node, with its name. */
const functionAround = (parents: readonly Node[]) => {
  const declared = parents.findLast(
    ({ type, init }) => type === 'VariableDeclarator' && init?.type === 'ArrowFunctionExpression',
  );
  return declared && { name: declared.id.name as string, params: declared.init.params as readonly Node[] };
};

const declarationOf = ({ nodes }: SourceFile, name: string): Node =>
  nodes.find(({ node }) => node.type === 'VariableDeclarator' && node.id.name === name)?.node;

/** The argument at the place of the parameter `name`, of every call of the function. */
const argumentsFor = (
  files: readonly SourceFile[],
  file: SourceFile,
  parents: readonly Node[],
  name: string,
) => {
  const around = functionAround(parents);
  const index = around?.params.findIndex((one: Node) => (one.left ?? one).name === name) ?? -1;
  if (around === undefined || index < 0) return null;
  const isImported = new RegExp(`import[^;]*\\b${around.name}\\b`);
  return files
    .filter((one) => one === file || isImported.test(one.source))
    .flatMap(({ nodes, source }) =>
      nodes.flatMap(({ node }) =>
        node.type === 'CallExpression' && node.callee.name === around.name
          ? [{ given: node.arguments[index] as Node, call: source.slice(node.start, node.end) }]
          : [],
      ),
    );
};

const product = (parts: readonly (readonly string[])[]): readonly string[] =>
  parts.reduce<readonly string[]>(
    (texts, part) => texts.flatMap((text) => part.map((one) => text + one)),
    [''],
  );

/** Every text that an expression can have, with the call that passes it if it is a parameter. */
const textsOf = (
  node: Node,
  context: {
    readonly files: readonly SourceFile[];
    readonly file: SourceFile;
    readonly parents: readonly Node[];
  },
): readonly { readonly text: string; readonly call?: string }[] => {
  const all = (one: Node) => textsOf(one, context);
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ text: node.value }] : [];
    case 'ConditionalExpression':
      return [...all(node.consequent), ...all(node.alternate)];
    case 'TemplateLiteral':
      return product(
        node.quasis.flatMap(({ value }: Node, index: number) => [
          [value.cooked],
          ...(index < node.expressions.length ? [all(node.expressions[index]).map(({ text }) => text)] : []),
        ]),
      ).map((text) => ({ text }));
    case 'MemberExpression': {
      if (context.file.source.slice(node.start, node.end) === 'decision.reason')
        return Object.keys(skipReasonTexts).map((text) => ({ text }));
      const table = declarationOf(context.file, node.object.name);
      return reasonsIn(table).map((text) => ({ text }));
    }
    case 'CallExpression':
      return [...new Set(reasonsIn(declarationOf(context.file, node.callee.name)))].map((text) => ({ text }));
    case 'Identifier': {
      const passed = argumentsFor(context.files, context.file, context.parents, node.name);
      if (passed !== null)
        return passed.flatMap(({ given, call }) => reasonsIn(given).map((text) => ({ text, call })));
      const declared = declarationOf(context.file, node.name);
      if (declared?.init) return all(declared.init);
      // Taken from a table of tuples.
      return context.file.nodes
        .filter(({ node: one }) => one.type === 'ArrayExpression' && isReason(one.elements[0]?.value))
        .map(({ node: one }) => ({
          text: one.elements[0].value,
          call: context.file.source.slice(one.start, one.end),
        }));
    }
    default:
      return [];
  }
};

/** The keys of an object of params, also of objects that it spreads, that a function returns, or that a caller passes. */
const keysOf = (node: Node, context: Parameters<typeof textsOf>[1]): readonly string[] => {
  const all = (one: Node) => keysOf(one, context);
  switch (node?.type) {
    case 'ObjectExpression':
      return node.properties.flatMap((one: Node) =>
        one.type === 'SpreadElement' ? all(one.argument) : [keyOf(one)],
      );
    case 'LogicalExpression':
      return all(node.right);
    case 'ConditionalExpression':
      return [...all(node.consequent), ...all(node.alternate)];
    case 'ArrowFunctionExpression':
      return all(node.body);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return all(node.expression);
    case 'BlockStatement':
      return node.body.flatMap((one: Node) => (one.type === 'ReturnStatement' ? all(one.argument) : []));
    case 'CallExpression':
      return all(declarationOf(context.file, node.callee.name)?.init);
    case 'Identifier':
      return (
        argumentsFor(context.files, context.file, context.parents, node.name)?.flatMap(({ given }) =>
          keysOf(given, { ...context, parents: [] }),
        ) ?? all(declarationOf(context.file, node.name)?.init)
      );
    default:
      return [];
  }
};

/** The names in braces, without the code of template literals. */
const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<!\$)\{(\w+)\}/g)].map(([, name]) => name!);

const sitesOf = (file: SourceFile, files: readonly SourceFile[]): readonly ReasonSite[] =>
  file.nodes.flatMap(({ node, parents }): readonly ReasonSite[] => {
    const source = (one: Node): string => (one ? file.source.slice(one.start, one.end) : '');
    if (node.type === 'NewExpression' && node.callee.name === 'AppError') {
      const [code, message, options] = node.arguments;
      const codes = code.type === 'Literal' && isCode(code.value) ? [code.value] : [];
      const spread = options?.properties?.find(
        (one: Node) => one.type === 'SpreadElement' && /\bparams\b/.test(source(one)),
      );
      const params =
        member(options, 'params') ??
        (spread &&
          nodesOf(spread).find(({ node: one }) => one.type === 'Property' && keyOf(one) === 'params')?.node
            .value);
      const text = `${source(message)} ${source(member(options, 'suggestedAction'))}`;
      const reason = member(options, 'reason');
      const context = { files, file, parents };
      const found = reason === undefined ? [null] : textsOf(reason, context);
      return codes.flatMap((one) =>
        found.map((each) => ({
          code: one,
          reason: each?.text ?? null,
          params: [...placeholdersIn(`${text} ${each?.call ?? ''}`), ...keysOf(params, context)],
        })),
      );
    }
    // A table of refusals.
    const isTuple = node.type === 'ArrayExpression' && isCode(node.elements[0]?.value);
    if (isTuple && isReason(node.elements[1]?.value) && !isCode(node.elements[1].value))
      return [
        {
          code: node.elements[0].value,
          reason: node.elements[1].value,
          params: placeholdersIn(source(node)),
        },
      ];
    if (node.type !== 'ObjectExpression' || member(node, 'message') === undefined) return [];
    const around = parents.at(-1);
    const ofType = /RefusalRecord<'(\w+)'>/.exec(source(around?.id))?.[1];
    const code = member(node, 'code')?.value ?? ofType;
    if (!isCode(code)) return [];
    const reasons = member(node, 'reason') === undefined ? [null] : reasonsIn(member(node, 'reason'));
    const texts = ['message', 'suggestedAction'].map((name) => source(member(node, name))).join(' ');
    const params = [...placeholdersIn(texts), ...keysOf(member(node, 'params'), { files, file, parents })];
    return reasons.map((reason) => ({ code, reason, params }));
  });

/** The file that the docs read. */
export const ERROR_REASONS_FILE = 'src/http/docs/error-reasons.json';

/** Lists the names of the params of each reason, by error code. An empty reason stands for a message without one. */
export const errorReasonsOf = (root: string): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const files = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted()
    .map((path): SourceFile => {
      const source = readFileSync(join(root, path), 'utf8');
      return { path, source, nodes: nodesOf(parseAst(source, { lang: 'ts' })) };
    });
  const sites = files.flatMap((file) => sitesOf(file, files));
  return Object.fromEntries(
    Object.keys(errorCodes).map((code) => {
      const of = Map.groupBy(
        sites.filter((one) => one.code === code),
        ({ reason }) => reason ?? '',
      );
      return [
        code,
        Object.fromEntries(
          [...of]
            .toSorted()
            .map(([reason, found]) => [
              reason,
              [...new Set(found.flatMap(({ params }) => params))].join(' '),
            ]),
        ),
      ];
    }),
  );
};

/** The text of `ERROR_REASONS_FILE`. */
export const errorReasonsText = (root: string): string =>
  `${JSON.stringify(errorReasonsOf(root), null, 2)}\n`;
