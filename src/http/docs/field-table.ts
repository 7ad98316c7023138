// Renders the fields of a request, a response or an event as a table.
import type { FieldRow } from '../openapi/openapi-schema-reader.ts';
import { type Html, html } from '../pages/escape-html.ts';
import { inline, scrolling } from './markdown.ts';

/** Renders the table. `presence` adds a column that says which fields are required. */
export const fieldTable = (rows: readonly FieldRow[], label: string, presence: boolean): Html =>
  scrolling(
    html`<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th>${presence ? html`<th scope="col">Presence</th>` : ''}<th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(
      ({ name, type, required, description }) =>
        html`<tr><td><code>${name}</code></td><td>${type}</td>${presence ? html`<td>${required ? 'required' : 'optional'}</td>` : ''}<td>${inline(description)}</td></tr>`,
    )}</tbody></table>`,
    label,
  );
