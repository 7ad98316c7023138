// Inserts the brand and the cluster into a document of the built page: title, favicon, description, link
// previews, accent, and the data for the page's script.
import { accentStyle } from '../../../upstream/profile/accent-colors.ts';
import { type Html, html } from '../escape-html.ts';
import type { Brand } from './current-brand.ts';
import { BRAND_META, CLUSTER_META, stakeButtonText } from './page-brand.ts';

/** The style sheet with the accent color, shared by all documents. */
export const brandStyle = ({ accent }: Brand): string => (accent === null ? '' : accentStyle(accent));

const titleOf = (view: string, { page }: Brand): string =>
  view === 'Stake' ? stakeButtonText(page.name) : `${view} · ${page.name}`;

const previewOf = ({ preview, logo }: Brand): string | null =>
  preview !== null ? '/preview' : logo !== null && logo.contentType !== 'image/svg+xml' ? '/icon' : null;

const descriptionOf = (brand: Brand): string =>
  brand.page.hero ??
  brand.description ??
  `Native SOL staking with ${brand.page.name}. Your wallet keeps both authorities; no derivative token.`;

export interface DocumentService {
  readonly brand: Brand;
  readonly publicUrl: string;
  readonly clusterName: string;
}

/**
 * Inserts brand and cluster into `document`, a built HTML file with one title, one description and one icon.
 * `path` is the document's path.
 */
export const brandDocument = (
  document: string,
  path: string,
  { brand, publicUrl, clusterName }: DocumentService,
): string => {
  const view = /<title>(.*?)(?: ·.*)?<\/title>/.exec(document)?.[1] ?? '';
  const [title, description, preview] = [titleOf(view, brand), descriptionOf(brand), previewOf(brand)];
  const property = (name: string, content: string): Html =>
    html`<meta property="og:${name}" content="${content}">\n`;
  const head = html`<meta name="${BRAND_META}" content="${JSON.stringify(brand.page)}">
<meta name="${CLUSTER_META}" content="${clusterName}">
<link rel="manifest" href="/manifest.webmanifest">
${property('type', 'website')}${property('site_name', brand.page.name)}${property('title', title)}${property('description', description)}${property('url', publicUrl + path)}${preview === null ? '' : property('image', publicUrl + preview)}<meta name="twitter:card" content="${brand.preview === null ? 'summary' : 'summary_large_image'}">
${brand.page.hasLogo ? html`<link rel="icon" href="/icon">\n<link rel="apple-touch-icon" href="/icon">\n` : ''}${brand.accent === null ? '' : html`<link rel="stylesheet" href="/brand.css">\n`}`;
  // Uses replacer functions, because a name may contain `$` patterns.
  const branded = document
    .replace(/<title>.*?<\/title>/, () => html`<title>${title}</title>`.markup)
    .replace(
      /<meta name="description"[^>]*>/,
      () => html`<meta name="description" content="${description}">`.markup,
    )
    .replace('</head>', () => `${head.markup}</head>`);
  return brand.page.hasLogo
    ? branded.replaceAll(/<link\s+rel="(?:icon|apple-touch-icon)"[^>]*href="(?!\/icon")[^>]*>/g, '')
    : branded;
};
