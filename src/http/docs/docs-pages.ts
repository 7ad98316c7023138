// Serves the documentation: a start page, the guides, the reference, the event catalog and the search index.
import type { oas31 } from 'zod-openapi';
import { ERRORS_PATH, errorAnchor } from '../../adapter/error-body.ts';
import { DATA_POLICY, JSON_TYPE } from '../../adapter/exchange.ts';
import { settingRows } from '../../config/settings.ts';
import { type ErrorCode, errorCodes } from '../../kernel/error-codes.ts';
import { type DiscoveryFacts, servedDocuments } from '../discovery/discovery-facts.ts';
import { createSchemaReader } from '../openapi/openapi-schema-reader.ts';
import { type Html, html } from '../pages/escape-html.ts';
import { createLazyDocument, type LazyDocument, once } from '../pages/lazy-document.ts';
import { createDocsPage, REFERENCE_PATH, referenceLink, referencePath } from './docs-shell.ts';
import { errorFixes } from './error-fixes.ts';
import { errorSections, reasonsOf } from './error-sections.ts';
import { EVENTS_PATH, eventCatalog, eventSections } from './event-catalog.ts';
import {
  existingGuides,
  GROUPS,
  type Guide,
  markdownPathOf,
  readChangelog,
  readGuide,
  readGuideMarkdown,
} from './guides.ts';
import { scrolling } from './markdown.ts';
import { createReferencePages, taggedRoutes } from './reference-page.ts';

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const HEADERS = [...DATA_POLICY, 'cache-control', 'no-cache'];

const homeContent = (facts: DiscoveryFacts, guides: readonly Guide[], document: oas31.OpenAPIObject): Html =>
  html`<h1>Documentation</h1>
<p>Native SOL staking over REST, MCP, webhooks and Solana Actions. Your wallet keeps every authority; this service builds, you sign.</p>
<div class="cards">${GROUPS.map(
    (group) =>
      html`<section><h2>${group}</h2><ul>${guides
        .filter((guide) => guide.group === group)
        .map(
          ({ path, title, summary }) =>
            html`<li><a href="${path}">${title}</a> <small>${summary}</small></li>`,
        )}</ul></section>`,
  )}</div>
<h2 id="reference"><a href="${REFERENCE_PATH}">API reference</a></h2>
<p class="links">${taggedRoutes(document, facts.routes).map(({ tag, members }) => html`<a href="${referencePath(tag.name)}">${tag.name} (${members.length})</a> `)}<a href="${ERRORS_PATH}#all-codes">Error codes</a></p>
<p class="links">For programs: ${servedDocuments(facts)
    .filter(({ path }) => path !== '/docs' && path !== REFERENCE_PATH)
    .map(({ path, name }) => html`<a href="${path}">${name}</a> `)}</p>`;

const packageTable = ({ packages, publicUrl }: DiscoveryFacts): Html => {
  const present = packages?.() ?? [];
  if (present.length === 0) return html``;
  return scrolling(
    html`<table><thead><tr><th scope="col">Package</th><th scope="col">Bytes</th><th scope="col">SHA-256</th></tr></thead><tbody>${present.map(
      ({ file, bytes, sha256 }) =>
        html`<tr><td><a href="/${file}">${publicUrl}/${file}</a></td><td>${bytes}</td><td><code>${sha256}</code></td></tr>`,
    )}</tbody></table>`,
    'Packages of this service',
  );
};

/** Builds the search index: sections of guides, operations, error codes, events and settings. */
const searchEntries = (facts: DiscoveryFacts, guides: readonly Guide[], document: oas31.OpenAPIObject) => [
  ...guides.flatMap((guide) =>
    readGuide(guide, guides, facts).sections.map(({ id, title, level, text }) => ({
      title: level === 1 ? guide.title : title,
      place: level === 1 ? guide.summary : guide.title,
      href: level === 1 ? guide.path : `${guide.path}#${id}`,
      text,
    })),
  ),
  ...facts.routes.map(({ operation, method, path, tag }) => ({
    title: operation.summary,
    place: `${method} ${path}`,
    href: referenceLink({ tag, operation }),
    text: `${operation.name} ${tag} ${operation.description}`,
    names: [
      operation.name,
      path,
      ...facts.tools.filter((tool) => tool.operation === operation.name).map(({ name }) => name),
    ].map((name) => name.toLowerCase()),
  })),
  ...Object.entries(errorCodes).map(([code, { title, status }]) => ({
    title: code,
    place: `Error ${status}: ${title}`,
    href: `${ERRORS_PATH}#${errorAnchor(code as ErrorCode)}`,
    text: `${errorFixes[code as ErrorCode]} ${reasonsOf(code as ErrorCode)
      .flat(2)
      .join(' ')}`,
  })),
  ...eventCatalog(document).map(({ type, summary }) => ({
    title: type,
    place: 'Event of webhooks',
    href: `/docs/guides/webhooks#event-${type}`,
    text: summary,
  })),
  ...settingRows.map(([, { name, description }]) => ({
    title: name,
    place: 'Setting',
    href: `/docs/guides/settings#${name}`,
    text: description,
  })),
];

/** Texts that replace the `insert` lines of the guides in Markdown. */
const markdownInserts = (facts: DiscoveryFacts, document: oas31.OpenAPIObject) => ({
  errors: Object.entries(errorCodes)
    .map(
      ([code, { title, status }]) =>
        `### ${code}\n\n${errorFixes[code as ErrorCode]}\n\nStatus ${status}: ${title}.${reasonsOf(
          code as ErrorCode,
        )
          .map(
            ([reason, params]) =>
              `\n- ${reason === '' ? 'without a reason' : `\`${reason}\``}${params.length === 0 ? '' : `: ${params.join(', ')}`}`,
          )
          .join('')}`,
    )
    .join('\n\n'),
  events: eventCatalog(document)
    .map(
      ({ type, summary, example }) =>
        `### ${type}\n\n${summary}.\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    )
    .join('\n\n'),
  packages: (facts.packages?.() ?? [])
    .map(({ file, sha256 }) => `- ${facts.publicUrl}/${file} (SHA-256 \`${sha256}\`)`)
    .join('\n'),
});

/** Creates all documentation targets, each built at its first request. */
export const createDocsPages = (
  facts: DiscoveryFacts,
  makeDocument: () => oas31.OpenAPIObject,
): readonly LazyDocument[] => {
  const guides = existingGuides();
  const inserts = once(() => {
    const document = makeDocument();
    return {
      errors: errorSections(),
      events: eventSections(document, createSchemaReader(document)),
      packages: packageTable(facts),
      changelog: readChangelog(guides),
    };
  });
  const insertsInMarkdown = once(() => markdownInserts(facts, makeDocument()));
  return [
    createDocsPage({
      path: '/docs',
      title: 'Documentation',
      brand: facts.brand,
      guides,
      content: () => homeContent(facts, guides, makeDocument()),
    }),
    ...createReferencePages(facts, makeDocument, guides),
    ...guides.map((guide) => {
      const rendered = once(() => readGuide(guide, guides, facts, inserts()));
      return createDocsPage({
        path: guide.path,
        title: guide.title,
        brand: facts.brand,
        guides,
        kind: 'guide',
        markdown: markdownPathOf(guide),
        content: () => {
          const { title, sections, body } = rendered();
          const parts = sections.filter(({ level }) => level === 2);
          return html`<h1>${title}</h1>${parts.length < 3 ? '' : html`<p class="links">${parts.map((part) => html`<a href="#${part.id}">${part.title}</a> `)}</p>`}${body}`;
        },
      });
    }),
    ...guides.map((guide) =>
      createLazyDocument(markdownPathOf(guide), MARKDOWN_TYPE, HEADERS, () =>
        readGuideMarkdown(guide, guides, facts, insertsInMarkdown()),
      ),
    ),
    createLazyDocument(EVENTS_PATH, JSON_TYPE, HEADERS, () =>
      JSON.stringify({ events: eventCatalog(makeDocument()) }, null, 2),
    ),
    createLazyDocument('/docs/search.json', JSON_TYPE, HEADERS, () =>
      JSON.stringify(searchEntries(facts, guides, makeDocument())),
    ),
  ];
};
