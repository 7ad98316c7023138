// Creates the HTML document of each view. It lists every resource of the view, so all of them load in one round
// of requests.
import type { Manifest } from 'vite';

interface ViewDocument {
  /** File name without `.html`. The first view has the path `/`; the others have `/<name>`. */
  readonly name: string;
  readonly title: string;
  /**
   * Module that the page imports for this view, as named in the manifest. Null if the view is in the first
   * chunk.
   */
  readonly module: string | null;
  /** API paths that the view reads first. They are preloaded together with the scripts. */
  readonly reads: readonly string[];
  /** True if the view shows the validator's icon immediately. */
  readonly showsIcon?: boolean;
}

/** The views. New views must also be added in `web/src/shell/views.ts`. */
export const viewDocuments: readonly ViewDocument[] = [
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
  {
    name: 'sign',
    title: 'Review a request · Holdfast',
    module: 'src/views/sign/sign-view.tsx',
    reads: ['/api/v1/epoch'],
  },
];

/** The sections of the operator console. New sections must also be added in `web/src/console/sections.ts`. */
export const consoleDocuments: readonly ViewDocument[] = [
  ['index', 'Operator console'],
  ['stakers', 'Stakers'],
  ['alerts', 'Alerts'],
  ['deliveries', 'Deliveries'],
  ['health', 'Health'],
].map(([name, title]) => ({ name: name!, title: `${title} · Holdfast`, module: null, reads: [] }));

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

/**
 * Creates the documents and their file names from the document that Vite built. Throws if a view's module is
 * not in the bundle.
 */
export const makeViewDocuments = (
  made: Buffer,
  manifest: Manifest,
  documents: readonly ViewDocument[],
): readonly (readonly [string, Buffer])[] => {
  const html = made.toString();
  return documents.map(({ name, title, module, reads, showsIcon }) => {
    if (module !== null && manifest[module] === undefined)
      throw new Error(`${module} is not in the bundle, because no view imports it`);
    const named = module === null ? [] : [...new Set(filesOf(manifest, module))];
    const links = [
      ...named.filter((file) => !html.includes(`/${file}"`)).map(link),
      ...reads.map((path) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${path}">`),
      ...(showsIcon === true ? ['<link rel="preload" as="image" href="/icon">'] : []),
    ];
    const document = html
      .replace(/<title>.*?<\/title>/, `<title>${title}</title>`)
      .replace('</head>', `${links.map((line) => `  ${line}\n  `).join('')}</head>`);
    return [`${name}.html`, Buffer.from(document)];
  });
};
