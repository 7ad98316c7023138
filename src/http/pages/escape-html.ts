// Builds HTML that escapes everything except our own markup.

/** Markup that can be inserted without escaping. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Insertable = Html | string | number | null | undefined | readonly Insertable[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const toMarkup = (value: Insertable): string => {
  if (value instanceof Html) return value.markup;
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return value.map(toMarkup).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
};

/** A template tag that escapes inserted text and inserts `Html` and lists of it unchanged. */
export const html = (parts: TemplateStringsArray, ...values: readonly Insertable[]): Html =>
  new Html(parts.reduce((markup, part, index) => markup + toMarkup(values[index - 1]) + part));

/** Renders plain text with `code` in backticks and blank lines between paragraphs. */
export const prose = (text: string): Html => {
  const inline = (paragraph: string): Html[] =>
    paragraph
      .split('`')
      .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
};
