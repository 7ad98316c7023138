// Replaces one section of a document written by measurements, and leaves the others unchanged.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes `text` between the markers of section `name`. A new section is added at the end. */
export const writeSection = (file: string, name: string, text: string): void => {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const section = `${start}\n${text.trim()}\n${end}`;
  mkdirSync(dirname(file), { recursive: true });
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [head, rest] = before.split(start);
  const after =
    rest === undefined ? `${before.trim()}\n\n${section}\n` : `${head}${section}${rest.split(end)[1]}`;
  writeFileSync(file, after.trimStart());
};

/** Formats a Markdown table. */
export const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
