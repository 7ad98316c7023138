// Reads the operator's brand from the document; without one, uses a neutral default.
import { BRAND_META, type PageBrand, PLAIN_BRAND } from '../../../src/http/pages/brand/page-brand.ts';

const readBrand = (): PageBrand => {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${BRAND_META}"]`)?.content;
  return content === undefined ? PLAIN_BRAND : (JSON.parse(content) as PageBrand);
};

/** The brand. Never changes while the page is open. */
export const brand: PageBrand = readBrand();
