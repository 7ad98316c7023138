// Catalog of webhook deliveries, built from the schemas that validate them, as JSON and as page sections.
import type { oas31 } from 'zod-openapi';
import { isEventType } from '../../domain/notification-types.ts';
import { inlineReferences } from '../../kernel/inline-references.ts';
import { createSchemaReader, type SchemaReader } from '../openapi/openapi-schema-reader.ts';
import { type Html, html } from '../pages/escape-html.ts';
import { fieldTable } from './field-table.ts';
import { codeBlock } from './markdown.ts';

export const EVENTS_PATH = '/docs/events.json';

interface CatalogEntry {
  readonly type: string;
  readonly summary: string;
  /** True if a registration can select this type; false for notices and for offers of the autopilot. */
  readonly canBeRegistered: boolean;
  /** JSON Schema of the whole body, without references. */
  readonly schema: oas31.SchemaObject;
  readonly example: unknown;
  /** True if the example was recorded from a delivery, false if it was built from the schema. */
  readonly isRecorded: boolean;
}

/** Returns every delivery type in the document. */
export const eventCatalog = (document: oas31.OpenAPIObject): readonly CatalogEntry[] => {
  const reader = createSchemaReader(document);
  return Object.entries(document.webhooks ?? {}).map(([type, item]) => {
    const { summary = '', requestBody } = (item as oas31.PathItemObject).post ?? {};
    const { schema, example } = (requestBody as oas31.RequestBodyObject).content['application/json'] ?? {};
    return {
      type,
      summary,
      canBeRegistered: isEventType(type),
      schema: inlineReferences(schema, document.components?.schemas ?? {}) as oas31.SchemaObject,
      example: example ?? reader.example(schema),
      isRecorded: example !== undefined,
    };
  });
};

/** Renders each type with its fields and an example body. */
export const eventSections = (document: oas31.OpenAPIObject, reader: SchemaReader): Html =>
  html`${eventCatalog(document).map(({ type, summary, schema, example }) => {
    const data = schema.properties?.data as oas31.SchemaObject;
    // If `data` has two alternatives, the second one reports a gap, which the guide describes in prose.
    const own = (data.anyOf?.[0] as oas31.SchemaObject | undefined) ?? data;
    return html`<section class="operation" id="event-${type}"><h3><code>${type}</code></h3><div><p>${summary}.</p>
${fieldTable(reader.rows(own, true), `Fields in the data of ${type}`, false)}</div><div class="sample">${codeBlock(JSON.stringify(example, null, 2), `A delivery of ${type}`)}</div></section>`;
  })}`;
