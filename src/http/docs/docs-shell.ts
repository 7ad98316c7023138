// Wraps documentation in its page: header, menu, search, and their script.
import { readFileSync } from 'node:fs';
import type { AccentColors } from '../../upstream/profile/accent-colors.ts';
import { type Brand, plainBrand } from '../pages/brand/current-brand.ts';
import { type Html, html } from '../pages/escape-html.ts';
import type { LazyDocument } from '../pages/lazy-document.ts';
import { createHtmlPage, type PageParts } from '../pages/page-shell.ts';
import type { Route } from '../pipeline/route.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { GROUPS, type Guide } from './guides.ts';

const SCRIPT = readFileSync(new URL('./docs-script.js', import.meta.url), 'utf8');

export const REFERENCE_PATH = '/docs/reference';

/** Returns the path of the reference page for a group of routes. */
export const referencePath = (tag: Route['tag']): string => `${REFERENCE_PATH}/${tag.toLowerCase()}`;

/** Returns the link to the section of a route in the reference. */
export const referenceLink = ({ tag, operation }: Pick<Route, 'tag' | 'operation'>): string =>
  `${referencePath(tag)}#${operation.name}`;

interface DocsPage {
  readonly path: string;
  readonly title: string;
  readonly brand: Brand | undefined;
  readonly guides: readonly Guide[];
  /** Links below the menu. */
  readonly menu?: () => Html;
  readonly content: () => Html;
  /** CSS class of `main`. */
  readonly kind?: string;
  /** Path of the same page as Markdown. */
  readonly markdown?: string;
}

const current = (is: boolean): Html => (is ? html` aria-current="page"` : html``);

/** Default logo, as in `web/src/ui/icon.tsx`. */
const LOGO = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M7 5v14M17 5v14M7 12h10"/></svg>`;

const accentOf = ({ light, dark }: AccentColors): string =>
  `:root { --accent: light-dark(${light}, ${dark}); }\n`;

/** Returns everything that a documentation page needs besides its content. */
export const docsParts = ({ page, accent }: Brand): PageParts => ({
  style: DOCS_STYLE + (accent === null ? '' : accentOf(accent)),
  script: SCRIPT,
  ...(page.hasLogo && { icon: '/icon' }),
});

/** Renders the header, the menu with the search, and the content of a page. */
export const docsFrame = ({
  path,
  brand: { page } = plainBrand,
  guides,
  menu,
  content,
  kind = '',
}: Omit<DocsPage, 'title' | 'markdown'>): Html =>
  html`<header class="site"><div><a class="brand" href="/" aria-label="${page.name} home">${page.hasLogo ? html`<img src="/icon" alt="">` : LOGO}<span>${page.name}</span></a><a class="place" href="/docs">Documentation</a><button type="button" class="theme" hidden></button></div></header>
<div class="layout"><nav aria-label="Documentation"><form class="search" role="search" hidden><input type="search" aria-label="Search the documentation" placeholder="Search (press /)" autocomplete="off" spellcheck="false"><ul class="results" hidden></ul><span class="unseen" role="status"></span></form>
<details open><summary>Contents</summary>
<a href="/docs"${current(path === '/docs')}>Overview</a><a href="${REFERENCE_PATH}"${current(path === REFERENCE_PATH)}>API reference</a>
${menu === undefined ? '' : menu()}
${GROUPS.map(
  (group) =>
    html`<strong>${group}</strong>${guides.filter((guide) => guide.group === group).map((guide) => html`<a href="${guide.path}"${current(guide.path === path)}>${guide.title}</a>`)}`,
)}<strong>Service</strong><a href="/">Start page</a><a href="/ready">Status</a>${page.poweredBy ? html`<p class="soft powered">Powered by Holdfast</p>` : ''}</details></nav><main class="${kind}">${content()}</main></div>`;

export const createDocsPage = ({ title, brand = plainBrand, markdown, ...rest }: DocsPage): LazyDocument =>
  createHtmlPage(rest.path, `${title} · ${brand.page.name}`, () => docsFrame({ ...rest, brand }), {
    ...docsParts(brand),
    ...(markdown !== undefined && { markdown }),
  });
