// Landing page for installations without the built page from `web/`: validator, cluster, documentation links,
// and commands to copy.
import type { Address } from '@solana/kit';
import type { Route } from '../pipeline/route.ts';
import { html } from './escape-html.ts';
import type { LazyDocument } from './lazy-document.ts';
import { createHtmlPage } from './page-shell.ts';

interface LandingFacts {
  readonly publicUrl: string;
  readonly clusterName: () => string;
  readonly voteAccount: Address | undefined;
  readonly routes: readonly Route[];
}

interface Step {
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

const WALLET = '<WALLET_ADDRESS>';

// Commands shown on the page. Those that are unavailable are omitted: sandbox commands on a real cluster,
// one-shot commands if they are disabled.
const STEPS: readonly Step[] = [
  {
    method: 'POST',
    path: '/api/v1/wallet/generate',
    title: 'Get code that creates a wallet on your machine',
  },
  {
    method: 'POST',
    path: '/sandbox/airdrop',
    title: 'Get SOL from the faucet',
    body: { walletAddress: WALLET, amountSol: 10 },
  },
  { method: 'GET', path: '/api/v1/wallet/balance/{walletAddress}', title: 'Check the balance' },
  {
    method: 'POST',
    path: '/api/v1/stake/transaction',
    title: 'Build an unsigned stake transaction',
    body: { walletAddress: WALLET, amountSol: 2 },
  },
  { method: 'GET', path: '/api/v1/stake/accounts/{walletAddress}', title: 'List the stakes' },
  { method: 'POST', path: '/sandbox/epoch', title: 'End the epoch now', body: { count: 1 } },
];

const line = ({ method, path, body }: Step, publicUrl: string): string =>
  [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} '${publicUrl}${path.replace('{walletAddress}', WALLET)}'`,
    ...(body === undefined
      ? []
      : [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body)}'`]),
  ].join(' \\\n');

export const createLandingPage = ({
  publicUrl,
  clusterName,
  voteAccount,
  routes,
}: LandingFacts): LazyDocument =>
  createHtmlPage('/', 'Holdfast', () => {
    const steps = STEPS.filter((step) =>
      routes.some(({ method, path }) => method === step.method && path === step.path),
    );
    return html`<main class="narrow"><h1>Holdfast</h1>
<p>Native SOL staking for one validator. Your wallet keeps both stake and withdraw authority; no derivative token is issued.</p>
<p class="note">This is the plain start page, because the dashboard is not built. To build it, the operator runs <code>npm run build</code> and restarts the service.</p>
<dl><dt>Cluster</dt><dd>${clusterName()}</dd>
${voteAccount === undefined ? '' : html`<dt>Vote account</dt><dd><code>${voteAccount}</code></dd>`}
<dt>Address</dt><dd><code>${publicUrl}</code></dd></dl>
<p><a href="/docs">Documentation</a> · <a href="/openapi.json">OpenAPI document</a> · <a href="/ready">Status</a></p>
${steps.length > 0 ? html`<h2>Try it</h2>` : ''}
${steps.map((step) => html`<h4>${step.title}</h4><pre>${line(step, publicUrl)}</pre>`)}
</main>`;
  });
