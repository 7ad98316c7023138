// Writes the calls of one tag: documented methods, and the table from which the client sends requests.
import { planInput } from '../../src/http/pipeline/operation-input.ts';
import type { DescribedRoute } from './describe-routes.ts';
import { docstring } from './schema-types.ts';
import { capitalized } from './spell-names.ts';

/**
 * Operations without a generated idempotency key. Submitted bytes identify themselves, so a separate key would
 * only hide duplicates. A rebuild needs the key with which its transaction was built.
 */
const OWN_KEY: ReadonlySet<string> = new Set(['submitTransaction', 'rebuildTransaction']);

const isAllOptional = ({ input }: DescribedRoute): boolean => (input.required ?? []).length === 0;

const writeMethods = (described: DescribedRoute): string => {
  const { route, document } = described;
  const { name } = route.operation;
  const input = `input${isAllOptional(described) ? '?' : ''}: ${capitalized(name)}Input`;
  const text = docstring(
    `${document.summary}: \`${route.method} ${route.path}\`\n\n${document.description}`,
    '  ',
  );
  const { alternative } = route;
  const other =
    alternative === undefined
      ? ''
      : `${docstring(`The same as \`${alternative.type}\`.`, '  ')}  readonly ${name}${capitalized(alternative.value)}: (${input}, options?: CallOptions) => Promise<string>;\n`;
  return `${text}  readonly ${name}: (${input}, options?: CallOptions) => Promise<${capitalized(name)}Answer>;\n${other}`;
};

const writeTableLine = ({ route, input }: DescribedRoute): string => {
  const plan = planInput(route);
  const members = Object.keys(input.properties ?? {});
  const query = plan.query.filter((member) => !plan.path.includes(member));
  const facts = {
    method: route.method,
    path: route.path,
    effect: route.operation.effect,
    query: query.filter((member) => members.includes(member)),
    body: members.filter((member) => !plan.path.includes(member) && !query.includes(member)),
    ...(plan.takesIdempotencyKey ? { idempotency: OWN_KEY.has(route.operation.name) ? 'own' : 'made' } : {}),
    ...(route.carriesSecretKey === true ? { carriesSecretKey: true } : {}),
    ...(route.bearer === undefined ? {} : { bearer: true }),
    ...(route.plainText === undefined ? {} : { text: route.plainText }),
    ...(route.alternative === undefined ? {} : { alternative: route.alternative }),
  };
  return `  ${route.operation.name}: ${JSON.stringify(facts)},\n`;
};

/** Writes the methods and the call table of the operations tagged `tag`. */
export const writeCalls = (
  tag: string,
  group: readonly DescribedRoute[],
): string => `/** Methods of ${tag.toLowerCase()} operations. */
export interface ${tag}Methods {
${group.map(writeMethods).join('')}}

/** Facts needed to call each operation. */
export const ${tag.toLowerCase()}Operations = {
${group.map(writeTableLine).join('')}} as const satisfies OperationTable;
`;

/** Returns the names of the types that the output of `writeCalls` uses. */
export const typesOfCalls = (group: readonly DescribedRoute[]): readonly string[] =>
  group.flatMap(({ route: { operation } }) => [
    `${capitalized(operation.name)}Input`,
    `${capitalized(operation.name)}Answer`,
  ]);
