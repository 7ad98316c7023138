// Shows the readiness of the service to people, with one line per dependency.
import type { PageOf } from '../../adapter/exchange.ts';
import { duration } from '../../domain/duration.ts';
import { utcTime } from '../../domain/utc-time.ts';
import type { ValidatorState } from '../../operations/service/validator-state.ts';
import type { DependencyHealth, NetworkLoad } from '../../operations/service-ports.ts';
import { type Html, html } from './escape-html.ts';
import { answerPage } from './page-shell.ts';

/** Names of the dependencies in plain language. */
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

/**
 * Colors of the dot: green for a working part, amber for a limited one, red for any other. The text next to the
 * dot says the same.
 */
const STYLE = `
.dot { display: inline-block; width: 0.7em; height: 0.7em; margin-right: 0.45em; border-radius: 50%; background: var(--bad); forced-color-adjust: none; }
.dot.ok { background: var(--accent); }
.dot.limited { background: var(--warn); }
td { overflow-wrap: anywhere; }
td:last-child { white-space: nowrap; padding-right: 0; }
`;

const REFRESH_SECONDS = 30;
/** Query string that turns off reloading, for people who need more time to read. */
const REFRESH_OFF = '?refresh=off';

const stateOf = ({ ok, optional }: DependencyHealth): string =>
  ok ? 'Works' : optional === true ? 'Limited' : 'Unavailable';

const detailsOf = ({ error, ageSeconds }: DependencyHealth): readonly Html[] => [
  ...(error === null ? [] : [html`${error}<br>`]),
  ...(ageSeconds === null
    ? []
    : [html`Last response: ${ageSeconds < 1 ? 'now' : `${duration(ageSeconds)} ago`}`]),
];

const row = ([name, health]: readonly [string, DependencyHealth]): Html =>
  html`<tr><td>${PARTS[name] ?? name}<div class="soft">${detailsOf(health)}</div></td><td><span class="dot${health.ok ? ' ok' : health.optional === true ? ' limited' : ''}"></span>${stateOf(health)}</td></tr>`;

const networkRow = ({ isBusy }: NetworkLoad): Html =>
  html`<tr><td>Solana network<div class="soft">${isBusy ? 'Blocks are full. Transactions take longer, and some expire without moving anything.' : ''}</div></td><td><span class="dot ${isBusy ? 'limited' : 'ok'}"></span>${isBusy ? 'Busy' : 'Works'}</td></tr>`;

const validatorRow = ({ voting, votedLast, slotsSinceVote, commissionPct, asOf }: ValidatorState): Html => {
  const texts = [
    ...(asOf === null
      ? []
      : [`Last seen ${votedLast ? 'voting' : 'not voting'} at ${utcTime(Date.parse(asOf))}`]),
    ...(slotsSinceVote === null
      ? []
      : [`Last vote: ${slotsSinceVote} ${slotsSinceVote === 1 ? 'slot' : 'slots'} ago`]),
    ...(commissionPct === null ? [] : [`Commission: ${commissionPct}%`]),
  ];
  const [dot, state] =
    voting === null ? ['limited', 'Unknown'] : voting ? ['ok', 'Voting'] : ['', 'Not voting'];
  return html`<tr><td>Validator<div class="soft">${texts.join('. ')}</div></td><td><span class="dot ${dot}"></span>${state}</td></tr>`;
};

/** Renders the body of `GET /ready`, or of its error, as a page. */
export const statusPage: PageOf = ({ status, errorCode, dependencies, validator, network, _meta }, url) => {
  const { timestamp } = _meta as { readonly timestamp: string };
  const refreshes = !url.endsWith(REFRESH_OFF);
  const parts = Object.entries((dependencies ?? {}) as Readonly<Record<string, DependencyHealth>>);
  const title =
    status === 'ready'
      ? parts.every(([, { ok }]) => ok) && (validator as ValidatorState).voting !== false
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
    : html`<table><thead><tr><th>Part</th><th>State</th></tr></thead><tbody>${parts.map(row)}${validator ? validatorRow(validator as ValidatorState) : ''}${network ? networkRow(network as NetworkLoad) : ''}</tbody></table>`
}
<p class="soft">Checked at ${timestamp.slice(11, 19)} UTC. ${
      refreshes
        ? html`This page reloads every ${REFRESH_SECONDS} seconds. <a href="${REFRESH_OFF}">Stop reloading</a>`
        : html`<a href="/ready">Reload this page every ${REFRESH_SECONDS} seconds</a>`
    }</p>
<p><a href="/">Start page</a> · <a href="/docs">Documentation</a></p>
</main>`,
    { style: STYLE, ...(refreshes ? { refreshSeconds: REFRESH_SECONDS } : {}) },
  );
};
