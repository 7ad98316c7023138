// Makes the document of each view: everything the view needs is named in it, so that it loads in one round of requests.
import type { Manifest } from 'vite';

/** A view with a path of its own. */
interface ViewDocument {
  /** File name without `.html`; the path is `/` for the first view and `/<name>` for the others. */
  readonly name: string;
  readonly title: string;
  /** Module that the page imports when this view is shown, as the manifest names it; null: it is in the first chunk. */
  readonly module: string | null;
  /** Answers of the interface that the view reads at once; fetched beside the scripts. */
  readonly reads: readonly string[];
  /** It shows the validator's picture at once. */
  readonly showsIcon?: boolean;
}

/** The views. A view is added here and in `web/src/shell/views.ts`. */
const viewDocuments: readonly ViewDocument[] = [
  {
    name: 'index',
    title: 'Stake · Holdfast',
    module: null,
    reads: ['/api/v1/epoch', '/api/v1/validator'],
    showsIcon: true,
  },
  {
    name: 'portfolio',
    title: 'Portfolio · Holdfast',
    module: 'src/views/portfolio/portfolio-view.tsx',
    reads: ['/api/v1/epoch'],
  },
  {
    name: 'validator',
    title: 'Validator · Holdfast',
    module: 'src/views/validator/validator-view.tsx',
    reads: ['/api/v1/epoch', '/api/v1/validator'],
  },
  {
    name: 'developers',
    title: 'Developers · Holdfast',
    module: 'src/views/developers/developers-view.tsx',
    reads: ['/api/v1/epoch'],
  },
];

const filesOf = (manifest: Manifest, key: string, seen = new Set<string>()): string[] => {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  return [
    ...(chunk.isEntry ? [] : [chunk.file]),
    ...(chunk.isEntry ? [] : (chunk.css ?? [])),
    ...(chunk.imports ?? []).flatMap((imported) => filesOf(manifest, imported, seen)),
  ];
};

const link = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`;

/** The documents by file name, from the one that Vite made. Throws when a view's module is not in the bundle. */
export const makeViewDocuments = (html: string, manifest: Manifest): ReadonlyMap<string, string> =>
  new Map(
    viewDocuments.map(({ name, title, module, reads, showsIcon }) => {
      if (module !== null && manifest[module] === undefined)
        throw new Error(`${module} is not in the bundle: no view imports it`);
      const named = module === null ? [] : [...new Set(filesOf(manifest, module))];
      const links = [
        ...named.filter((file) => !html.includes(`/${file}"`)).map(link),
        ...reads.map((path) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${path}">`),
        ...(showsIcon === true ? ['<link rel="preload" as="image" href="/icon">'] : []),
      ];
      const document = html
        .replace(/<title>.*?<\/title>/, `<title>${title}</title>`)
        .replace('</head>', `${links.map((line) => `  ${line}\n  `).join('')}</head>`);
      return [`${name}.html`, document];
    }),
  );
