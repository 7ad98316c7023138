// Serves the built page: documents at their paths, assets under hashed names that are kept for ever, already compressed, outside the rate limit.
import { AppError } from '../../kernel/app-error.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Mount } from '../pipeline/mount.ts';

/** One file of the page in memory. */
export interface PageFile {
  /** Below the page's folder, e.g. `index.html`, `assets/index-a1b2.js`. */
  readonly path: string;
  /** Of the uncompressed bytes, with quotes. */
  readonly etag: string;
  readonly bytes: Buffer;
  /** By content coding; absent where it saves nothing. */
  readonly compressed: { readonly br?: Buffer; readonly gzip?: Buffer };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
};

/** No inline script or style, nothing from elsewhere, nobody frames it; figures come from this service alone. */
const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DOCUMENT_HEADERS: readonly string[] = [
  ...['content-security-policy', PAGE_CSP],
  ...['cache-control', 'no-cache'],
  ...['referrer-policy', 'no-referrer'],
  // Some wallets sign in a window of their own; hardware wallets need USB.
  ...['cross-origin-opener-policy', 'same-origin-allow-popups'],
  ...['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
];

const ASSET_HEADERS: readonly string[] = [
  ...['content-security-policy', "default-src 'none'"],
  ...['cache-control', 'public, max-age=31536000, immutable'],
];

/** The coding of the answer: brotli, then gzip, where the client takes it (`q=0` says that it does not). */
const chooseCoding = (accepted: string | undefined, { compressed }: PageFile): 'br' | 'gzip' | null => {
  const taken = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const;
    }),
  );
  const takes = (name: string): boolean => taken.get(name) ?? taken.get('*') ?? false;
  return takes('br') && compressed.br ? 'br' : takes('gzip') && compressed.gzip ? 'gzip' : null;
};

const bytesOf = ({ bytes, compressed }: PageFile, coding: 'br' | 'gzip' | null): Buffer =>
  coding === null ? bytes : (compressed[coding] ?? bytes);

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

const sendFile = (exchange: Exchange, file: PageFile, headers: readonly string[]): void => {
  const { headers: asked } = exchange.request;
  // One tag for every coding, so weak: equal in meaning, not byte for byte.
  const shared = [...headers, 'etag', `W/${file.etag}`, 'vary', 'Accept-Encoding'];
  if (isKnown(asked['if-none-match'], file.etag)) {
    exchange.send(304, null, '', shared);
    return;
  }
  const coding = chooseCoding(asked['accept-encoding'] as string | undefined, file);
  const type = CONTENT_TYPES[file.path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  exchange.send(
    200,
    type,
    bytesOf(file, coding),
    coding === null ? shared : [...shared, 'content-encoding', coding],
  );
};

const pathOfDocument = (file: string): string =>
  file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`;

/** Every document at its own path, and the assets. */
export const createPageMounts = (files: readonly PageFile[]): readonly Mount[] => {
  const assets = new Map(files.map((file) => [file.path, file]));
  const shared = { methods: ['GET'], limited: false, browsers: 'public', corsHeaders: [] } as const;
  const documents = files
    .filter(({ path }) => path.endsWith('.html') && !path.includes('/'))
    .map(
      (file): Mount => ({
        ...shared,
        path: pathOfDocument(file.path),
        serve: ({ exchange }) => sendFile(exchange, file, DOCUMENT_HEADERS),
      }),
    );
  return [
    ...documents,
    {
      ...shared,
      path: '/assets/{name}',
      serve: ({ exchange, path }) => {
        const file = assets.get(`assets/${path.name}`);
        if (file === undefined)
          throw new AppError('NOT_FOUND', 'The page has no such file; it may have been renewed.', {
            suggestedAction: 'Load the page anew.',
          });
        sendFile(exchange, file, ASSET_HEADERS);
      },
    },
  ];
};
