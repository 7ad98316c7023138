// The documentation for people: every endpoint and every error code, rendered from the OpenAPI document, with an anchor for each.
import type { oas31 } from 'zod-openapi';
import { errorAnchor } from '../../adapter/error-body.ts';
import { type ErrorCode, errorCodes } from '../../kernel/error-codes.ts';
import { documentedErrors } from '../openapi/documented-errors.ts';
import {
  answerSchema,
  curlExample,
  type ExampleFacts,
  operationOf,
  requestRows,
} from '../openapi/openapi-operation.ts';
import { createSchemaReader, type FieldRow, type SchemaReader } from '../openapi/openapi-schema-reader.ts';
import type { Route } from '../pipeline/route.ts';
import { type Html, html, prose } from './html.ts';
import type { LazyDocument } from './lazy-document.ts';
import { createHtmlPage } from './page-shell.ts';

const fieldTable = (rows: readonly FieldRow[], presence: boolean): Html => html`<div class="scroll"><table>
<thead><tr><th>Member</th><th>Type</th>${presence ? html`<th>Presence</th>` : ''}<th>Meaning</th></tr></thead>
<tbody>${rows.map(
  ({ name, type, required, description }) =>
    html`<tr><td><code>${name}</code></td><td>${type}</td>${presence ? html`<td>${required ? 'required' : 'optional'}</td>` : ''}<td>${description}</td></tr>`,
)}</tbody></table></div>`;

// A long table would bury the next endpoint.
const answerTable = (rows: readonly FieldRow[]): Html =>
  rows.length > 12
    ? html`<details><summary>Answer 200: ${rows.length} members</summary>${fieldTable(rows, false)}</details>`
    : html`<h4>Answer 200</h4>${fieldTable(rows, false)}`;

const errorRow = (code: ErrorCode, status: number, title: string): Html =>
  html`<tr><td>${status}</td><td><a href="#${errorAnchor(code)}"><code>${code}</code></a></td><td>${title}</td><td>${errorCodes[code].retryable ? 'yes' : 'no'}</td></tr>`;

const section = (
  route: Route,
  document: oas31.OpenAPIObject,
  reader: SchemaReader,
  publicUrl: string,
  examples: ExampleFacts,
): Html => {
  const method = route.method.toLowerCase() as 'get' | 'post' | 'delete';
  const operation = operationOf(document, route);
  const request = requestRows(route, operation, reader);
  return html`<section id="${route.operation.name}">
<h3>${route.operation.summary}</h3>
<div class="endpoint"><span class="method ${method}">${route.method}</span><code>${route.path}</code></div>
${prose(route.operation.description)}
${route.carriesSecretKey === true ? html`<p class="note">Carries a secret key: HTTPS only, or from the service's own machine where the operator allows it.</p>` : ''}
${route.browsers === 'own-page' ? html`<p class="soft">Not open to web pages of other origins.</p>` : ''}
${request.length > 0 ? html`<h4>Request</h4>${fieldTable(request, true)}` : ''}
<h4>Example</h4><pre>${curlExample(route, operation, reader, publicUrl, examples)}</pre>
${answerTable(reader.rows(answerSchema(operation), true))}
<details><summary>Errors</summary><div class="scroll"><table><thead><tr><th>Status</th><th>Code</th><th>Title</th><th>Retry helps</th></tr></thead>
<tbody>${documentedErrors(route).map(({ code, status, title }) => errorRow(code, status, title))}</tbody></table></div></details>
</section>`;
};

const errorSection = (): Html => html`<h2 id="errors">Error codes</h2>
<p>Every failure has the members <code>error</code>, <code>message</code>, <code>errorCode</code> and <code>_meta</code>. Decide by
<code>errorCode</code>: the list only grows and no code changes its meaning. Some endpoints present a code with another title or status; their own tables say so.</p>
<div class="scroll"><table><thead><tr><th>Code</th><th>Status</th><th>Title</th><th>Retry helps</th></tr></thead><tbody>${Object.entries(
  errorCodes,
).map(
  ([code, { status, title, retryable }]) =>
    html`<tr id="${errorAnchor(code as ErrorCode)}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${retryable ? 'yes' : 'no'}</td></tr>`,
)}</tbody></table></div>`;

/** `GET /docs` */
export const createDocsPage = (
  routes: readonly Route[],
  makeDocument: () => oas31.OpenAPIObject,
  publicUrl: string,
  examples: ExampleFacts,
): LazyDocument =>
  createHtmlPage('/docs', 'Holdfast API', () => {
    const document = makeDocument();
    const reader = createSchemaReader(document);
    const tags = (document.tags ?? []).map((tag) => ({
      tag,
      members: routes.filter((route) => route.tag === tag.name),
    }));
    const menu = tags.map(
      ({ tag, members }) =>
        html`<strong>${tag.name}</strong>${members.map(({ operation }) => html`<a href="#${operation.name}">${operation.summary}</a>`)}`,
    );
    return html`<div class="layout"><nav aria-label="Endpoints"><a href="/">Holdfast</a><a href="/openapi.json">OpenAPI document</a>
${menu}<strong>Reference</strong><a href="#errors">Error codes</a></nav><main><h1>Holdfast API</h1>
${prose(document.info.description ?? '')}
${tags.map(
  ({ tag, members }) =>
    html`<h2 id="tag-${tag.name}">${tag.name}</h2><p class="soft">${tag.description}</p>${members.map((route) => section(route, document, reader, publicUrl, examples))}`,
)}
${errorSection()}</main></div>`;
  });
