// Serves a page in place of the operator console if the console has not been built. It says what to do and
// where the data is available.
import { OTHER_PROTOCOL, type Target } from '../../adapter/exchange.ts';
import { html } from './escape-html.ts';
import { createHtmlPage } from './page-shell.ts';
import { sendFile } from './send-file.ts';

/** `GET /` */
export const createPlainConsole = (): Target => {
  const page = createHtmlPage(
    '/',
    'Operator console',
    () => html`<main class="narrow"><h1>Operator console</h1>
<p>The console is not built. Run <code>npm run build</code> in the code folder and restart the service.</p>
<p>The data is also available without the console: see <a href="/docs">the API</a>.</p>
</main>`,
  );
  return {
    path: page.path,
    methods: ['GET'],
    limited: true,
    browsers: 'public',
    description: OTHER_PROTOCOL,
    serve: (exchange) => sendFile(exchange, page.file(), page.contentType, page.policy),
  };
};
