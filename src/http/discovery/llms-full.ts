// Builds `/llms-full.txt`: the complete interface in one Markdown text, generated from the routes.
import type { oas31 } from 'zod-openapi';
import { errorCodes } from '../../kernel/error-codes.ts';
import { createSchemaReader } from '../openapi/openapi-schema-reader.ts';
import { type DiscoveryFacts, examplesOf } from './discovery-facts.ts';
import { actionsMarkdown, guideMarkdown, identity, SUMMARY, toolsMarkdown } from './llms-guide.ts';
import { operationMarkdown } from './llms-operation.ts';

const errorLines = (): string =>
  Object.entries(errorCodes)
    .map(
      ([code, { status, title, retryable }]) =>
        `- \`${code}\` (${status}): ${title}${retryable ? '; the same call may succeed later' : ''}`,
    )
    .join('\n');

/** Builds the text. `document` must be the OpenAPI document of the routes in `facts`. */
export const createLlmsFull = (facts: DiscoveryFacts, document: oas31.OpenAPIObject): string => {
  const reader = createSchemaReader(document);
  const tagged = (document.tags ?? []).flatMap(({ name, description }) => [
    `## ${name}\n\n${description}`,
    ...facts.routes
      .filter(({ tag }) => tag === name)
      .map((route) => operationMarkdown(route, document, reader, facts.publicUrl, examplesOf(facts))),
  ]);
  return `${[
    '# Holdfast',
    `> ${SUMMARY}`,
    identity(facts),
    ...guideMarkdown(facts),
    ...tagged,
    ...actionsMarkdown(facts),
    ...toolsMarkdown(facts),
    `## Error codes\n\nCodes may be added, but none is removed or changes its meaning. An endpoint may return a code with a different title or status; see the endpoint’s own list.\n\n${errorLines()}`,
  ].join('\n\n')}\n`;
};
