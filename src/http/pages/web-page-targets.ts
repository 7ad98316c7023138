// Serves the built page: documents at their paths, and assets under hashed names that browsers cache
// indefinitely. All files are precompressed and not rate-limited.
import { ASSET_CSP, PAGE_CSP } from '../../adapter/content-security-policies.ts';
import { OTHER_PROTOCOL, type Target } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';
import { brandDocument } from './brand/brand-document.ts';
import type { CurrentBrand } from './brand/current-brand.ts';
import { type StoredFile, sendFile, storeText } from './send-file.ts';

export interface PageFile extends StoredFile {
  /** Path below the page's folder, e.g. `index.html`, `assets/index-a1b2.js`. */
  readonly path: string;
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

const DOCUMENT_HEADERS: readonly string[] = [
  ...['content-security-policy', PAGE_CSP],
  ...['cache-control', 'no-cache'],
  ...['referrer-policy', 'no-referrer'],
  // Allows popups, because some wallets sign in a separate window, and does not restrict USB, which hardware
  // wallets need.
  ...['cross-origin-opener-policy', 'same-origin-allow-popups'],
  ...['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
];

const ASSET_HEADERS: readonly string[] = [
  ...['content-security-policy', ASSET_CSP],
  ...['cache-control', 'public, max-age=31536000, immutable'],
];

const typeOf = ({ path }: PageFile): string =>
  CONTENT_TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

const pathOfDocument = (file: string): string =>
  file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`;

export interface PageService {
  readonly brand: CurrentBrand;
  readonly publicUrl: () => string;
  readonly clusterName: () => string;
}

/** Returns the document with the brand inserted, and rebuilds it when the brand changes. */
const brandedFile = (file: PageFile, service: PageService): (() => Promise<StoredFile>) => {
  let made: { readonly of: unknown; readonly file: StoredFile } | undefined;
  return async () => {
    const brand = await service.brand();
    if (made?.of !== brand) {
      const now = { brand, publicUrl: service.publicUrl(), clusterName: service.clusterName() };
      const document = brandDocument(file.bytes.toString(), pathOfDocument(file.path), now);
      made = { of: brand, file: storeText(document) };
    }
    return made.file;
  };
};

/** Creates targets for every document at its own path, and for the assets. */
export const createWebPageTargets = (files: readonly PageFile[], service: PageService): readonly Target[] => {
  const assets = new Map(files.map((file) => [file.path, file]));
  const shared = {
    methods: ['GET'],
    limited: false,
    browsers: 'public',
    corsHeaders: [],
    description: OTHER_PROTOCOL,
  } as const;
  const documents = files
    .filter(({ path }) => path.endsWith('.html') && !path.includes('/'))
    .map((file): Target => {
      const branded = brandedFile(file, service);
      return {
        ...shared,
        path: pathOfDocument(file.path),
        serve: async (exchange) => sendFile(exchange, await branded(), typeOf(file), DOCUMENT_HEADERS),
      };
    });
  return [
    ...documents,
    {
      ...shared,
      path: '/assets/{name}',
      serve: (exchange) => {
        const file = assets.get(`assets/${exchange.path.name}`);
        if (file === undefined)
          throw new AppError('NOT_FOUND', 'This file does not exist; the page may have been updated.', {
            reason: 'NO_PAGE_FILE',
            suggestedAction: 'Reload the page.',
          });
        sendFile(exchange, file, typeOf(file), ASSET_HEADERS);
      },
    },
  ];
};
