// Renders our documents' Markdown as HTML: headings, paragraphs, lists, tables, fenced code with labels, and
// some inline styles.
import { type Html, html } from '../pages/escape-html.ts';

/** A section of a document with its own anchor. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly level: number;
  /** The section's text without markup, for search. */
  text: string;
}

/** A document as HTML. */
export interface RenderedMarkdown {
  /** The text of the first heading, which is not part of the body. */
  readonly title: string;
  readonly sections: readonly Section[];
  readonly body: Html;
}

/** Rendering options that depend on where a document is shown. */
export interface MarkdownPlaces {
  /** Maps a link to its target; null drops the link and keeps its text. */
  readonly link: (target: string) => string | null;
  /** The HTML that replaces each line `<!-- insert NAME -->`, by name. */
  readonly inserts: Readonly<Record<string, Html>>;
}

/** Returns the anchor of a heading in GitHub's format. `taken` contains the anchors of earlier headings. */
export const headingAnchor = (heading: string, taken: Set<string>): string => {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  let anchor = base;
  for (let repeat = 1; taken.has(anchor); repeat += 1) anchor = `${base}-${repeat}`;
  taken.add(anchor);
  return anchor;
};

const INLINE =
  /!\[[^\]]*\]\([^)]*\)|`([^`]+)`|\*\*([^*]+)\*\*|\[((?:[^\]`]|`[^`]*`)+)\]\(<?([^)\s>]+)>?\)|\\([\\`*_|[\]<>])/;

const noLinks = (): null => null;

/** Renders one line of text: `code`, **bold**, [links](…). Pictures are dropped; everything else is text. */
export const inline = (text: string, link: MarkdownPlaces['link'] = noLinks): Html => {
  const match = INLINE.exec(text);
  if (match === null) return html`${text}`;
  const [all, code, bold, words, target, escaped] = match;
  const place = target === undefined ? null : link(target);
  const marked =
    code !== undefined
      ? html`<code>${code}</code>`
      : bold !== undefined
        ? html`<strong>${inline(bold, link)}</strong>`
        : words === undefined
          ? // Pictures are dropped, so only escaped characters remain.
            html`${escaped}`
          : place === null
            ? inline(words, link)
            : html`<a href="${place}">${inline(words, link)}</a>`;
  return html`${text.slice(0, match.index)}${marked}${inline(text.slice(match.index + all.length), link)}`;
};

const plain = (text: string): string =>
  text.replaceAll(/`|\*\*/g, '').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');

/** Renders a code block with a copy button; focusable because it may scroll. */
export const codeBlock = (code: string, label = 'Code'): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>`;

/**
 * Renders variants of one example, as tabs if the browser runs scripts. `name` labels the code for screen
 * readers.
 */
export const codeTabs = (
  variants: readonly { readonly label: string; readonly code: string; readonly name?: string }[],
): Html =>
  html`<div class="tabs">${variants.map(({ label, code, name = label }) => html`<div class="tab" data-label="${label}"><p class="tab-label">${label}</p>${codeBlock(code, name)}</div>`)}</div>`;

/** Wraps a table in a container that scrolls if the table is wider than the screen. */
export const scrolling = (table: Html, label: string): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${table}</div>`;

/** A fence may be indented below a list item. */
const FENCE = /^( *)```(\S*) ?(.*)$/;
const LIST = /^(-|\d+\.) +/;
const INSERT = /^<!-- insert (\S+) -->$/;

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const startsBlock = (line: string): boolean =>
  line.trim() === '' || FENCE.test(line) || LIST.test(line) || /^(#{1,6} |\||<!--)/.test(line);

export const renderMarkdown = (markdown: string, { link, inserts }: MarkdownPlaces): RenderedMarkdown => {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n');
  const blocks: Html[] = [];
  const sections: Section[] = [];
  const anchors = new Set<string>();
  let title = '';
  let at = 0;
  const more = (): boolean => at < lines.length;
  const note = (text: string): void => {
    const section = sections.at(-1);
    if (section !== undefined) section.text += `${plain(text)} `;
  };
  /** Consumes lines as long as they match. */
  const take = (fits: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (more() && fits(lines[at] as string)) taken.push(lines[at++] as string);
    return taken;
  };

  const heading = (line: string): void => {
    const [, marks = '', words = ''] = /^(#{1,6}) +(.*?)\s*$/.exec(line) ?? [];
    const id = headingAnchor(words, anchors);
    const section = { id, title: plain(words), level: marks.length, text: '' };
    sections.push(section);
    at += 1;
    if (marks.length === 1 && title === '') {
      title = section.title;
      return;
    }
    const words_ = html`${inline(words, link)} <a class="anchor" href="#${id}" aria-label="Link to “${section.title}”">#</a>`;
    blocks.push(
      marks.length <= 2 ? html`<h2 id="${id}">${words_}</h2>` : html`<h3 id="${id}">${words_}</h3>`,
    );
  };

  const fence = (): { language: string; label: string; code: string } => {
    const [, indent = '', language = '', label = ''] = FENCE.exec(lines[at++] as string) ?? [];
    const code = take((line) => !line.startsWith(`${indent}\`\`\``))
      .map((line) => line.slice(indent.length))
      .join('\n');
    at += 1;
    note(code);
    return { language, label, code };
  };

  /** Renders consecutive labeled fences as one set of tabs. */
  const fences = (): void => {
    const first = fence();
    if (first.label === '') {
      blocks.push(codeBlock(first.code));
      return;
    }
    const choice = [first];
    for (;;) {
      const before = at;
      take((line) => line.trim() === '');
      const [, , , label = ''] = (more() && FENCE.exec(lines[at] as string)) || [];
      if (label === '') {
        at = before;
        break;
      }
      choice.push(fence());
    }
    blocks.push(codeTabs(choice));
  };

  const table = (): void => {
    const [head = '', , ...rows] = take((line) => line.startsWith('|'));
    const names = cellsOf(head);
    for (const row of rows) note(cellsOf(row).join(' '));
    const cells = (row: string): Html[] =>
      names.map((_name, index) => html`<td>${inline(cellsOf(row)[index] ?? '', link)}</td>`);
    // A row about a constant gets an anchor.
    const rowId = (row: string): Html => {
      const name = /^`([A-Z][A-Z0-9_]+)`$/.exec(cellsOf(row)[0] ?? '')?.[1];
      return name === undefined || anchors.has(name) ? html`` : html` id="${anchors.add(name) && name}"`;
    };
    const hasHead = names.some((name) => name !== '');
    blocks.push(
      scrolling(
        html`<table>${hasHead ? html`<thead><tr>${names.map((name) => (name === '' ? html`<td></td>` : html`<th scope="col">${inline(name, link)}</th>`))}</tr></thead>` : ''}<tbody>${rows.map((row) => html`<tr${rowId(row)}>${cells(row)}</tr>`)}</tbody></table>`,
        `Table in “${sections.at(-1)?.title ?? title}”`,
      ),
    );
  };

  const list = (): void => {
    const ordered = /^\d/.test(lines[at] as string);
    const items: string[] = [];
    while (more() && LIST.test(lines[at] as string)) {
      const first = (lines[at++] as string).replace(LIST, '');
      items.push([first, ...take((line) => /^ +\S/.test(line)).map((line) => line.trim())].join(' '));
    }
    for (const item of items) note(item);
    const made = items.map((item) => html`<li>${inline(item, link)}</li>`);
    blocks.push(ordered ? html`<ol>${made}</ol>` : html`<ul>${made}</ul>`);
  };

  const paragraph = (): void => {
    const first = lines[at++] as string;
    const text = [first, ...take((line) => !startsBlock(line))].join(' ');
    note(text);
    blocks.push(html`<p>${inline(text, link)}</p>`);
  };

  while (more()) {
    const line = lines[at] as string;
    const insert = INSERT.exec(line)?.[1];
    if (insert !== undefined) {
      blocks.push(inserts[insert] ?? html``);
      at += 1;
    } else if (line.trim() === '' || line.startsWith('<!--')) at += 1;
    else if (line.startsWith('#')) heading(line);
    else if (FENCE.test(line)) fences();
    else if (line.startsWith('|')) table();
    else if (LIST.test(line)) list();
    else paragraph();
  }
  return { title, sections, body: html`${blocks}` };
};
