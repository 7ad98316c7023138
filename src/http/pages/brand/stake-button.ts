// Draws the link button for other sites: "Stake with Aurora", in the operator's accent color and sized to its
// text.
import { html } from '../escape-html.ts';
import type { Brand } from './current-brand.ts';
import { stakeButtonText } from './page-brand.ts';

const HEIGHT = 44;
const PADDING = 20;
/** Average width of a letter of a 16 px sans-serif font; `textLength` compensates for other fonts. */
const LETTER_PX = 8.2;
const MAX_LETTERS = 40;
const OWN_ACCENT = '#0b6e5b';

/** Renders the SVG, which loads no fonts or other resources. */
export const stakeButton = ({ page, accent }: Brand): string => {
  const letters = [...stakeButtonText(page.name)];
  const text =
    letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS - 1).join('')}…` : letters.join('');
  const textWidth = Math.round([...text].length * LETTER_PX);
  const width = textWidth + 2 * PADDING;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img"><title>${text}</title><rect width="${width}" height="${HEIGHT}" rx="10" fill="${accent?.light ?? OWN_ACCENT}"/><text x="${width / 2}" y="28" fill="#fff" font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif" font-size="16" font-weight="600" text-anchor="middle" textLength="${textWidth}" lengthAdjust="spacingAndGlyphs">${text}</text></svg>\n`
    .markup;
};
