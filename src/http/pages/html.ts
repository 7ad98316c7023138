// Makes HTML in which everything that is not markup of ours is escaped, whoever wrote it.

/** Markup that is safe to insert as it is. */
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

/** Template tag: inserted text is escaped, inserted `Html` and lists of it are not. */
export const html = (parts: TemplateStringsArray, ...values: readonly Insertable[]): Html =>
  new Html(parts.reduce((markup, part, index) => markup + toMarkup(values[index - 1]) + part));

/** Plain text with `code` in backticks and blank lines between paragraphs. */
export const prose = (text: string): Html => {
  const inline = (paragraph: string): Html[] =>
    paragraph
      .split('`')
      .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
};
