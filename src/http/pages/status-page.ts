// Shows the readiness of the service to people: one line per dependency.
import type { PageOf } from '../../adapter/exchange.ts';
import type { DependencyHealth } from '../../operations/service-ports.ts';
import { type Html, html } from './html.ts';
import { answerPage } from './page-shell.ts';

/** The purpose of each dependency, in plain words. */
const PARTS: Readonly<Record<string, string>> = {
  rpc: 'Connection to Solana',
  rpcMethods: 'Functions of the Solana nodes',
  store: 'Storage',
  index: 'List of stake accounts',
  webhooks: 'Notifications',
  redis: 'Shared limits',
  profile: 'Profile of the operator',
  page: 'Website',
};

const stateOf = ({ ok, optional }: DependencyHealth): string =>
  ok ? 'Works' : optional === true ? 'Limited' : 'Unavailable';

const row = ([name, health]: readonly [string, DependencyHealth]): Html =>
  html`<tr><td>${PARTS[name] ?? name}</td><td>${stateOf(health)}</td><td class="soft">${health.error ?? ''}</td></tr>`;

/** Renders the body of `GET /ready`, or of its failure, as a page. */
export const statusPage: PageOf = ({ status, errorCode, dependencies }) => {
  const parts = Object.entries((dependencies ?? {}) as Readonly<Record<string, DependencyHealth>>);
  const title =
    status === 'ready'
      ? parts.every(([, { ok }]) => ok)
        ? 'Everything works'
        : 'Working, with limits'
      : errorCode === 'SHUTTING_DOWN'
        ? 'Restarting'
        : 'Temporarily unavailable';
  return answerPage(
    title,
    html`<main class="narrow"><h1>${title}</h1>
<p>Your stake is on the chain and does not depend on this service.</p>
${
  parts.length === 0
    ? ''
    : html`<div class="scroll"><table><thead><tr><th>Part</th><th>State</th><th>Details</th></tr></thead><tbody>${parts.map(row)}</tbody></table></div>`
}
<p><a href="/">Start page</a> · <a href="/docs">Documentation</a></p>
</main>`,
  );
};
