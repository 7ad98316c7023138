// Human-readable reference, rendered from the OpenAPI document: an index, and a page per group of endpoints
// with examples in every language.
import type { oas31 } from 'zod-openapi';
import { ERRORS_PATH, errorAnchor } from '../../adapter/error-body.ts';
import { type ErrorCode, errorCodes } from '../../kernel/error-codes.ts';
import { type DiscoveryFacts, examplesOf } from '../discovery/discovery-facts.ts';
import { documentedErrors } from '../openapi/documented-errors.ts';
import {
  curlExample,
  exampleCall,
  operationOf,
  requestRows,
  responseSchema,
} from '../openapi/openapi-operation.ts';
import { createSchemaReader, type FieldRow, type SchemaReader } from '../openapi/openapi-schema-reader.ts';
import { type Html, html, prose } from '../pages/escape-html.ts';
import type { LazyDocument } from '../pages/lazy-document.ts';
import type { Route } from '../pipeline/route.ts';
import { createDocsPage, REFERENCE_PATH, referenceLink, referencePath } from './docs-shell.ts';
import { fieldTable } from './field-table.ts';
import type { Guide } from './guides.ts';
import { languageExamples } from './language-examples.ts';
import { codeBlock, codeTabs, inline, scrolling } from './markdown.ts';

// Collapses long tables, which would push the next endpoint off the screen.
const responseTable = (rows: readonly FieldRow[], summary: string): Html =>
  rows.length > 6
    ? html`<details><summary>Response 200: ${rows.length} fields</summary>${fieldTable(rows, `Response: ${summary}`, false)}</details>`
    : html`<h3>Response 200</h3>${fieldTable(rows, `Response: ${summary}`, false)}`;

const errorRow = (code: ErrorCode, status: number, title: string): Html =>
  html`<tr><td>${status}</td><td><a href="${ERRORS_PATH}#${errorAnchor(code)}"><code>${code}</code></a></td><td>${title}</td><td>${errorCodes[code].retryable ? 'yes' : 'no'}</td></tr>`;

const sampleResponse = (operation: oas31.OperationObject, summary: string): Html => {
  const { content = {} } = (operation.responses as oas31.ResponsesObject)['200'] as oas31.ResponseObject;
  const example = Object.values(content)[0]?.example;
  if (example === undefined) return html``;
  return html`<h3>Sample response</h3>${codeBlock(typeof example === 'string' ? example : JSON.stringify(example, null, 2), `Sample response: ${summary}`)}`;
};

const section = (
  route: Route,
  document: oas31.OpenAPIObject,
  reader: SchemaReader,
  facts: DiscoveryFacts,
): Html => {
  const method = route.method.toLowerCase() as 'get' | 'post' | 'delete';
  const { name, summary, description } = route.operation;
  const operation = operationOf(document, route);
  const tool = facts.tools.find((one) => one.operation === name)?.name;
  const request = requestRows(route, operation, reader);
  const { publicUrl } = facts;
  const examples = [
    { label: 'curl', code: curlExample(route, operation, reader, publicUrl, examplesOf(facts)) },
    ...languageExamples(route, exampleCall(route, operation, reader, examplesOf(facts)), publicUrl),
  ];
  return html`<section id="${name}" class="operation">
<h2>${summary} <a class="anchor" href="#${name}" aria-label="Link to “${summary}”">#</a></h2>
<div class="endpoint"><span class="method ${method}">${route.method}</span><code>${route.path}</code><span class="soft">client <code>${name}</code>${tool === undefined ? '' : html` · MCP <code>${tool}</code>`}</span></div>
<div>${prose(description)}
${route.carriesSecretKey === true ? html`<p class="note">Contains a secret key: HTTPS only, or from the service's own machine if the operator allows it.</p>` : ''}
${route.browsers === 'own-page' ? html`<p class="soft">Not available to web pages from other origins.</p>` : ''}
${request.length > 0 ? html`<h3>Request</h3>${fieldTable(request, `Request: ${summary}`, true)}` : ''}
${responseTable(reader.rows(responseSchema(operation), true), summary)}
<details><summary>Errors</summary>${scrolling(
    html`<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Title</th><th scope="col">Retry helps</th></tr></thead>
<tbody>${documentedErrors(route).map(({ code, status, title }) => errorRow(code, status, title))}</tbody></table>`,
    `Errors: ${summary}`,
  )}</details></div>
<div class="sample"><h3>Example</h3>${codeTabs(examples.map(({ label, code }) => ({ label, code, name: `${label}: ${summary}` })))}
${sampleResponse(operation, summary)}</div>
</section>`;
};

/** Returns the tags of the document with their routes. Calls that take a secret key come last. */
export const taggedRoutes = (document: oas31.OpenAPIObject, routes: readonly Route[]) =>
  (document.tags ?? []).map((tag) => {
    const members = routes.filter((route) => route.tag === tag.name);
    return {
      tag: { name: tag.name as Route['tag'], description: tag.description ?? '' },
      members: [
        ...members.filter(({ carriesSecretKey }) => carriesSecretKey !== true),
        ...members.filter(({ carriesSecretKey }) => carriesSecretKey === true),
      ],
    };
  });

const entry = (route: Route): Html =>
  html`<li id="${route.operation.name}"><a href="${referenceLink(route)}">${route.operation.summary}</a> <code>${route.method} ${route.path}</code></li>`;

const errorIndex = (): Html => html`<h2 id="errors">Error codes</h2>
<p>The meaning of each code, how to fix it, and each <code>reason</code> with its <code>params</code> are in <a href="${ERRORS_PATH}#all-codes">Errors</a>. Every failure has the fields <code>error</code>, <code>message</code>, <code>errorCode</code> and <code>_meta</code>. Base your
error handling on <code>errorCode</code>: codes may be added, but none is removed or changes its meaning. Some endpoints return a code with a different title or status; see the table of each endpoint.</p>
<p class="links">${Object.keys(errorCodes).map((code) => html`<a id="${errorAnchor(code as ErrorCode)}" href="${ERRORS_PATH}#${errorAnchor(code as ErrorCode)}"><code>${code}</code></a> `)}</p>`;

/**
 * Creates `GET /docs/reference` and a page below it per group. The index has an anchor for every operation,
 * because older links lead there.
 */
export const createReferencePages = (
  facts: DiscoveryFacts,
  makeDocument: () => oas31.OpenAPIObject,
  guides: readonly Guide[],
): readonly LazyDocument[] => {
  const { routes, brand } = facts;
  const groups = () => taggedRoutes(makeDocument(), routes);
  const menuOf = (current?: Route['tag']) => (): Html =>
    html`<div class="groups">${groups().map(
      ({ tag: { name }, members }) =>
        html`<a href="${referencePath(name)}"${name === current ? html` aria-current="page"` : ''}>${name}</a>${name === current ? html`<div class="sections">${members.map(({ operation }) => html`<a href="#${operation.name}">${operation.summary}</a>`)}</div>` : ''}`,
    )}<a href="${REFERENCE_PATH}#errors">Error codes</a></div>`;
  const index = createDocsPage({
    path: REFERENCE_PATH,
    title: 'API reference',
    brand,
    guides,
    menu: menuOf(),
    content: () => html`<h1>API reference</h1>
${prose(makeDocument().info.description ?? '')}
${groups().map(
  ({ tag: { name, description }, members }) =>
    html`<h2 id="tag-${name}"><a href="${referencePath(name)}">${name}</a></h2><p class="soft">${inline(description)}</p><ul class="entries">${members.map(entry)}</ul>`,
)}
${errorIndex()}`,
  });
  return [
    index,
    ...[...new Set(routes.map(({ tag }) => tag))].map((tag) =>
      createDocsPage({
        path: referencePath(tag),
        title: `${tag} · API reference`,
        brand,
        guides,
        menu: menuOf(tag),
        content: () => {
          const document = makeDocument();
          const reader = createSchemaReader(document);
          const { tag: group, members } = groups().find(({ tag: { name } }) => name === tag)!;
          return html`<p class="soft"><a href="${REFERENCE_PATH}">API reference</a></p><h1>${tag}</h1><p>${inline(group.description)}</p>${members.map((route) => section(route, document, reader, facts))}`;
        },
      }),
    ),
  ];
};
