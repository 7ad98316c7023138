// Keeps the files of the console page in memory: a document, and a script and a style sheet with content-hashed names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeText } from '../send-file.ts';
import type { PageFile } from '../web-page-targets.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Reads the files. */
export const operatorConsoleFiles = (): readonly PageFile[] => {
  const assets = ['operator-console.js', 'operator-console.css'].map((name) => {
    const file = storeText(read(name));
    const [stem, ending] = name.split('.');
    return {
      name,
      ...file,
      path: `assets/${stem}-${file.etag.replaceAll(/\W/g, '').slice(0, 10)}.${ending}`,
    };
  });
  const document = assets.reduce(
    (text, { name, path }) => text.replaceAll(`"/${name}"`, `"/${path}"`),
    read('operator-console.html'),
  );
  return [{ path: 'index.html', ...storeText(document) }, ...assets];
};
