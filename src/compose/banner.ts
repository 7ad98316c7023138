// Prints the banner after `npm start`: addresses, store, limits and alerts (without secrets from URLs), and
// commands to try.

import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secret-settings.ts';
import type { DependencyHealth } from '../operations/service-ports.ts';
import { PAGE_FIX } from './open-page.ts';
import { STORE_FILE } from './open-store.ts';
import type { ServedCluster } from './service-settings.ts';
import type { StartReport } from './start-report.ts';

/** Store, limits and destination of operator alerts, one line each. */
interface Setup {
  readonly store: string;
  readonly limits: string;
  readonly alerts: string;
}

const describeStore = (databaseUrl: string | undefined, dataDir: string): string => {
  if (databaseUrl === undefined) return `SQLite file ${join(dataDir, STORE_FILE)}`;
  const name = new URL(databaseUrl).pathname.slice(1);
  return name === '' ? 'PostgreSQL, default database of its user' : `PostgreSQL database ${name}`;
};

const describeLimits = (rateLimit: number, redis: DependencyHealth | undefined): string => {
  const scope =
    redis === undefined
      ? 'counted only in this process'
      : redis.ok
        ? 'shared through Redis (connected)'
        : 'shared through Redis (not responding; until it responds, each process allows its share)';
  return `${rateLimit} requests per minute and client, ${scope}`;
};

/**
 * Returns the host and port. The user, password, path and query may be secrets, for example the topic of an
 * ntfy URL.
 */
const hostOf = (url: string): string => new URL(url).host;

/** Describes the setup without secrets. `redis` is the health of Redis; undefined if limits are not shared. */
export const describeSetup = (
  { dataDir, rateLimit }: Pick<Config, 'dataDir' | 'rateLimit'>,
  secrets: Pick<Secrets, 'databaseUrl' | 'operatorWebhookUrl' | 'operatorNotifyUrl'>,
  redis: DependencyHealth | undefined,
): Setup => {
  const webhook = secrets.operatorWebhookUrl?.reveal();
  const notify = secrets.operatorNotifyUrl?.reveal();
  const alerts = [
    ...(webhook === undefined ? [] : [`webhook at ${hostOf(webhook)}`]),
    ...(notify === undefined ? [] : [`push messages at ${hostOf(notify)}`]),
  ];
  return {
    store: describeStore(secrets.databaseUrl?.reveal(), dataDir),
    limits: describeLimits(rateLimit, redis),
    alerts: alerts.length === 0 ? 'off (no destination is set)' : alerts.join(', '),
  };
};

export interface BannerFacts {
  readonly url: string;
  /** URL on this machine. */
  readonly localUrl: string;
  readonly hasPage: boolean;
  /** Null on a real cluster. */
  readonly sandbox: ServedCluster | null;
  readonly clusterName: string;
  /** Null if metrics are off. */
  readonly metricsUrl: string | null;
  /** Null if the console is off. */
  readonly operatorConsole: { readonly url: string; readonly tokenPath: string } | null;
  /** The operator profile on one line; null if no file is configured. */
  readonly profile: string | null;
  readonly dataDir: string;
  /** What happened to existing data, e.g. `continued from the last run`; empty if unknown. */
  readonly dataHistory: string;
  /** Number of recorded submissions whose outcome was unknown at startup. */
  readonly unsettled: number;
  readonly setup: Setup;
  /** Additional lines for a real cluster. */
  readonly report: StartReport | null;
}

/**
 * Returns a block of commands to copy. It asks no questions, uses an existing wallet without overwriting it,
 * and replaces the CLI state of the previous sandbox.
 */
const tryIt = (url: string): string => `
  Try it in another terminal, in this folder: create a wallet file, fund it and stake

    npm run -s holdfast -- keygen wallet.json
    npm run -s holdfast -- trust --yes --url ${url}
    npm run -s holdfast -- airdrop 10 --url ${url} --keypair wallet.json
    npm run -s holdfast -- stake 2 --yes --url ${url} --keypair wallet.json

  Then end the epoch and look at your stake

    npm run -s holdfast -- epoch --end 1 --url ${url}
    npm run -s holdfast -- list --url ${url} --keypair wallet.json

  Or watch the whole life of a stake: npm run demo -- ${url}
`;

/** Builds the banner: about a dozen lines of plain text. */
export const banner = ({
  url,
  localUrl,
  hasPage,
  sandbox,
  clusterName,
  metricsUrl,
  operatorConsole,
  profile,
  dataDir,
  dataHistory,
  unsettled,
  setup,
  report,
}: BannerFacts): string => {
  const submissions = unsettled === 1 ? 'submission' : 'submissions';
  const resuming = unsettled > 0 && `resuming ${unsettled} unsettled ${submissions}`;
  const history = [dataHistory, resuming].filter(Boolean).join('; ');
  const [endpoint] = sandbox?.endpoints ?? [];
  const lines = [
    '',
    `  Holdfast is ready: ${url}`,
    '',
    ...(localUrl === url ? [] : [`  Local      ${localUrl}`]),
    `  Page       ${hasPage ? `${url}/` : `NOT BUILT; serving a plain start page. ${PAGE_FIX}`}`,
    `  Guides     ${url}/docs   (OpenAPI: ${url}/openapi.json)`,
    `  Cluster    ${clusterName}${endpoint ? `, RPC ${endpoint.httpUrl}, WebSocket ${endpoint.wsUrl}` : ''}`,
    ...(sandbox
      ? [`  Validator  ${sandbox.voteAccount}`, '  Chain      new (the sandbox starts over every time)']
      : []),
    ...(report ? [`  Validator  ${report.validator}`, `  RPC        ${report.rpc}`] : []),
    ...(profile ? [`  Profile    ${profile}`] : []),
    ...(metricsUrl ? [`  Metrics    ${metricsUrl}`] : []),
    ...(operatorConsole
      ? [`  Operator   ${operatorConsole.url}/   (token in ${operatorConsole.tokenPath})`]
      : []),
    `  Data       ${[dataDir, history].filter(Boolean).join(': ')}`,
    `  Store      ${setup.store}`,
    `  Limits     ${setup.limits}`,
    `  Alerts     ${setup.alerts}`,
    ...(report ? ['', '  Still to do (docs/operate.md)', ...report.toDo.map((line) => `    ${line}`)] : []),
  ];
  return `${lines.join('\n')}\n${sandbox ? tryIt(localUrl) : ''}\n`;
};
