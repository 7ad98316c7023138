// Shows errors as pages to people who opened an address in a browser: an unknown path, or too many requests.
import type { PageOf } from '../../adapter/exchange.ts';
import { docsFrame, docsParts } from '../docs/docs-shell.ts';
import { existingGuides } from '../docs/guides.ts';
import { type Brand, type CurrentBrand, plainBrand } from './brand/current-brand.ts';
import { html } from './escape-html.ts';
import { once } from './lazy-document.ts';
import { answerPage } from './page-shell.ts';

const guidesOf = once(existingGuides);

/** Renders error bodies as pages in the design of the documentation, with the latest known brand. */
export const createErrorPage = (currentBrand: CurrentBrand | undefined): PageOf => {
  let brand: Brand = plainBrand;
  const readBrand = async (): Promise<void> => {
    if (currentBrand !== undefined) brand = await currentBrand().catch(() => brand);
  };
  void readBrand();
  return ({ errorCode, error, message, suggestedAction }) => {
    void readBrand();
    const isMissing = errorCode === 'NOT_FOUND';
    const title = isMissing ? 'Page not found' : String(error);
    const content = () => html`<h1>${title}</h1>
<p>${isMissing ? 'There is nothing at this address. The search finds every page of the documentation.' : String(message)}</p>
${isMissing || typeof suggestedAction !== 'string' ? '' : html`<p>${suggestedAction}</p>`}
<p><a href="/">Start page</a> · <a href="/docs">Documentation</a> · <a href="/ready">Status</a></p>`;
    return answerPage(
      `${title} · ${brand.page.name}`,
      docsFrame({ path: '', brand, guides: guidesOf(), content }),
      docsParts(brand),
    );
  };
};
