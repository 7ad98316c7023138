// Builds a complete page that loads no external resources, runs only its own script and cannot be framed.

import { createHash } from 'node:crypto';
import { shellCsp } from '../../adapter/content-security-policies.ts';
import { HTML_TYPE, type Page } from '../../adapter/exchange.ts';
import { type Html, html, Html as SafeHtml } from './escape-html.ts';
import { createLazyDocument, type LazyDocument } from './lazy-document.ts';
import { PAGE_STYLE } from './page-style.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export interface PageParts {
  readonly style?: string;
  /** Path of a picture served by this service. Default: a plain icon. */
  readonly icon?: string;
  /** Path of the same page as Markdown, for programs. */
  readonly markdown?: string;
  /** A script of the page; it may send requests to this service. */
  readonly script?: string;
  /** Reload interval of the page in the browser. Default: never. */
  readonly refreshSeconds?: number;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6e5b' d='M2 3h12v4a6 7 0 0 1-12 0z'/%3E%3C/svg%3E";

const headersOf = ({ style = '', script = '', icon = ICON }: PageParts): readonly string[] => [
  'content-security-policy',
  shellCsp(hashOf(PAGE_STYLE + style), script === '' ? null : hashOf(script), icon !== ICON),
  ...['referrer-policy', 'no-referrer', 'cache-control', 'no-cache'],
];

const markupOf = (
  title: string,
  content: Html,
  { style = '', script = '', icon = ICON, markdown, refreshSeconds }: PageParts,
) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${
  refreshSeconds === undefined
    ? ''
    : html`<meta http-equiv="refresh" content="${refreshSeconds}">
`
}<title>${title}</title>
<link rel="icon" href="${icon}">
${
  markdown === undefined
    ? ''
    : html`<link rel="alternate" type="text/markdown" href="${markdown}">
`
}<style>${new SafeHtml(PAGE_STYLE + style)}</style>
</head>
<body>${content}${script === '' ? '' : new SafeHtml(`<script>${script}</script>`)}</body>
</html>
`.markup;

export const createHtmlPage = (
  path: string,
  title: string,
  content: () => Html,
  parts: PageParts = {},
): LazyDocument =>
  createLazyDocument(path, HTML_TYPE, headersOf(parts), () => markupOf(title, content(), parts));

/** Builds a page for one response. API clients get JSON at the same address. */
export const answerPage = (title: string, content: Html, parts: PageParts = {}): Page => ({
  content: markupOf(title, content, parts),
  policy: headersOf(parts),
});
