// Describes one endpoint in Markdown: purpose, input, output, failures, and a command to copy.
import type { oas31 } from 'zod-openapi';
import { documentedErrors } from '../openapi/documented-errors.ts';
import {
  curlExample,
  type ExampleFacts,
  operationOf,
  requestRows,
  responseSchema,
} from '../openapi/openapi-operation.ts';
import type { FieldRow, SchemaReader } from '../openapi/openapi-schema-reader.ts';
import type { Route } from '../pipeline/route.ts';

const field = ({ name, type, required, description }: FieldRow, presence: boolean): string =>
  `- \`${name}\` (${type}${presence ? `, ${required ? 'required' : 'optional'}` : ''})${description === '' ? '' : `: ${description}`}`;

const paragraph = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${title}\n${lines.join('\n')}`];

/** Builds notes about the route's HTTP binding. */
const notes = (route: Route): string =>
  [
    route.carriesSecretKey === true
      ? "Contains a secret key: HTTPS only, or from the service's own machine if the operator allows it."
      : '',
    route.browsers === 'own-page' ? 'Not available to web pages from other origins.' : '',
    route.bearer === undefined ? '' : `\`Authorization: Bearer\` sets the field \`${route.bearer}\`.`,
    route.cacheTtlSeconds === undefined ? '' : `Responses are cached for ${route.cacheTtlSeconds} s.`,
  ]
    .filter((note) => note !== '')
    .join(' ');

/** Builds the section of `route`, without a trailing blank line. */
export const operationMarkdown = (
  route: Route,
  document: oas31.OpenAPIObject,
  reader: SchemaReader,
  publicUrl: string,
  examples: ExampleFacts,
): string => {
  const { operation } = route;
  const described = operationOf(document, route);
  const response = responseSchema(described);
  const errors = documentedErrors(route).map(({ status, code }) => `${status} \`${code}\``);
  return [
    `### ${operation.summary}`,
    `\`${route.method} ${route.path}\` (operation \`${operation.name}\`, ${operation.effect})`,
    operation.description,
    ...(notes(route) === '' ? [] : [notes(route)]),
    ...paragraph(
      'Request:',
      requestRows(route, described, reader).map((row) => field(row, true)),
    ),
    ...(response === undefined
      ? ['Response 200: text.']
      : paragraph(
          'Response 200 (in addition to `_meta`):',
          reader
            .rows(response, true)
            .filter(({ name }) => name !== '_meta')
            .map((row) => field(row, false)),
        )),
    `Errors: ${errors.join(', ')}`,
    `Example:\n\n\`\`\`sh\n${curlExample(route, described, reader, publicUrl, examples)}\n\`\`\``,
  ].join('\n\n');
};
