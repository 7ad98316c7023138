// Shows errors to people who opened an address in a browser: an unknown path, or too many requests.
import type { PageOf } from '../../adapter/exchange.ts';
import { html } from './escape-html.ts';
import { answerPage } from './page-shell.ts';

/** Renders an error body as a page. */
export const errorPage: PageOf = ({ errorCode, error, message, suggestedAction }) => {
  const isMissing = errorCode === 'NOT_FOUND';
  const title = isMissing ? 'Page not found' : String(error);
  return answerPage(
    title,
    html`<main class="narrow"><h1>${title}</h1>
<p>${isMissing ? 'There is nothing at this address.' : String(message)}</p>
${isMissing || typeof suggestedAction !== 'string' ? '' : html`<p>${suggestedAction}</p>`}
<p><a href="/">Start page</a> · <a href="/docs">Documentation</a> · <a href="/ready">Status</a></p>
</main>`,
  );
};
