// Prints the banner after `npm start`: addresses, and commands to try.

import { PAGE_FIX } from './open-page.ts';
import type { ServedCluster } from './service-settings.ts';
import type { StartReport } from './start-report.ts';

/** What the banner tells. */
export interface BannerFacts {
  readonly url: string;
  /** Where this machine itself reaches it. */
  readonly localUrl: string;
  /** Whether the page is built. */
  readonly hasPage: boolean;
  /** Null on a real cluster. */
  readonly sandbox: ServedCluster | null;
  readonly clusterName: string;
  /** Null where metrics are off. */
  readonly metricsUrl: string | null;
  /** Null where there is none. */
  readonly operatorConsole: { readonly url: string; readonly tokenPath: string } | null;
  /** What the operator's file says, in one line; null where none is named. */
  readonly profile: string | null;
  readonly dataDir: string;
  /** What became of what lay there; empty where nothing is known. */
  readonly dataHistory: string;
  /** Of a real cluster. */
  readonly report: StartReport | null;
}

/** One paste: nothing asks, a wallet that is there already is used and never overwritten, and what was remembered of the last sandbox here gives way. */
const tryIt = (url: string): string => `
  Try it in another terminal, in this folder: make a wallet file, fund it, stake

    npm run -s holdfast -- keygen wallet.json
    npm run -s holdfast -- trust --yes --url ${url}
    npm run -s holdfast -- airdrop 10 --url ${url} --keypair wallet.json
    npm run -s holdfast -- stake 2 --yes --url ${url} --keypair wallet.json

  Then end the epoch and look at your stake

    npm run -s holdfast -- epoch --end 1 --url ${url}
    npm run -s holdfast -- list --url ${url} --keypair wallet.json

  Or watch the whole life of a stake: npm run demo -- ${url}
`;

/** Plain text, a dozen lines. */
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
  report,
}: BannerFacts): string => {
  const [endpoint] = sandbox?.endpoints ?? [];
  const lines = [
    '',
    `  Holdfast is ready: ${url}`,
    '',
    ...(localUrl === url ? [] : [`  Local      ${localUrl}`]),
    `  Page       ${hasPage ? `${url}/` : `NOT BUILT, a plain start page is served. ${PAGE_FIX}`}`,
    `  Guides     ${url}/docs   (OpenAPI: ${url}/openapi.json)`,
    `  Cluster    ${clusterName}${endpoint ? `, RPC ${endpoint.httpUrl}, WebSocket ${endpoint.wsUrl}` : ''}`,
    ...(sandbox
      ? [`  Validator  ${sandbox.voteAccount}`, '  Chain      new: the sandbox starts over with every start']
      : []),
    ...(report ? [`  Validator  ${report.validator}`, `  RPC        ${report.rpc}`] : []),
    ...(profile ? [`  Profile    ${profile}`] : []),
    ...(metricsUrl ? [`  Metrics    ${metricsUrl}`] : []),
    ...(operatorConsole
      ? [`  Operator   ${operatorConsole.url}/   (token in ${operatorConsole.tokenPath})`]
      : []),
    `  Data       ${dataDir}${dataHistory === '' ? '' : `: ${dataHistory}`}`,
    ...(report ? ['', '  Still to do (docs/operate.md)', ...report.toDo.map((line) => `    ${line}`)] : []),
  ];
  return `${lines.join('\n')}\n${sandbox ? tryIt(localUrl) : ''}\n`;
};
