// Puts content into a complete page that may load nothing, run nothing and be framed by nobody.
import { createHash } from 'node:crypto';
import { type Html, html, Html as SafeHtml } from './html.ts';
import { createLazyDocument, type LazyDocument } from './lazy-document.ts';
import { PAGE_STYLE } from './page-style.ts';

const styleHash = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** Headers of every page: only its own style sheet applies, named by hash. */
const PAGE_POLICY: readonly string[] = [
  'content-security-policy',
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ...['referrer-policy', 'no-referrer', 'cache-control', 'no-cache'],
];

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6e5b' d='M2 3h12v4a6 7 0 0 1-12 0z'/%3E%3C/svg%3E";

/** The page at `path`. */
export const createHtmlPage = (path: string, title: string, content: () => Html): LazyDocument =>
  createLazyDocument(
    path,
    'text/html; charset=utf-8',
    PAGE_POLICY,
    () =>
      html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${new SafeHtml(PAGE_STYLE)}</style>
</head>
<body>${content()}</body>
</html>
`.markup,
  );
