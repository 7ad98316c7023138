// Prints the banner after `npm start`: addresses, and commands to try.
import type { ServedCluster } from './service-settings.ts';
import type { StartReport } from './start-report.ts';

/** What the banner tells. */
export interface BannerFacts {
  readonly url: string;
  /** Null on a real cluster. */
  readonly sandbox: ServedCluster | null;
  readonly clusterName: string;
  /** Null where metrics are off. */
  readonly metricsUrl: string | null;
  /** Null where there is none. */
  readonly desk: { readonly url: string; readonly tokenPath: string } | null;
  readonly dataDir: string;
  /** What became of what lay there; empty where nothing is known. */
  readonly dataHistory: string;
  /** Of a real cluster. */
  readonly report: StartReport | null;
}

const tryIt = (url: string): string => `
  Try it: make a wallet on your machine, fund it, stake (paste into another terminal)

    curl -s -X POST ${url}/api/v1/wallet/generate | node -p 'JSON.parse(require("fs").readFileSync(0)).runThis.javascript' > wallet.mjs && node wallet.mjs > wallet.json
    curl -s ${url}/sandbox/airdrop -H 'content-type: application/json' -d "$(node -p '({walletAddress} = require("./wallet.json"), JSON.stringify({walletAddress, amountSol: 10}))')"
    curl -s ${url}/api/v1/stake -H 'content-type: application/json' -d "$(node -p 'JSON.stringify({...require("./wallet.json"), amountSol: 2})')"

  Then end the epoch and check your stake

    curl -s -X POST ${url}/sandbox/epoch
    curl -s ${url}/api/v1/stake/accounts/$(node -p 'require("./wallet.json").walletAddress')

  Or watch the whole life of a stake: npm run demo -- ${url}
`;

/** Plain text, a dozen lines. */
export const banner = ({
  url,
  sandbox,
  clusterName,
  metricsUrl,
  desk,
  dataDir,
  dataHistory,
  report,
}: BannerFacts): string => {
  const [endpoint] = sandbox?.endpoints ?? [];
  const lines = [
    '',
    `  Holdfast is ready: ${url}`,
    '',
    `  Page       ${url}/`,
    `  Guides     ${url}/docs   (OpenAPI: ${url}/openapi.json)`,
    `  Cluster    ${clusterName}${endpoint ? `, RPC ${endpoint.httpUrl}, WebSocket ${endpoint.wsUrl}` : ''}`,
    ...(sandbox
      ? [`  Validator  ${sandbox.voteAccount}`, ' The sandbox chain is new: it starts over with every start.']
      : []),
    ...(report ? [`  Validator  ${report.validator}`, `  RPC        ${report.rpc}`] : []),
    ...(metricsUrl ? [`  Metrics    ${metricsUrl}`] : []),
    ...(desk ? [`  Operator   ${desk.url}/   (token in ${desk.tokenPath})`] : []),
    `  Data       ${dataDir}${dataHistory === '' ? '' : `: ${dataHistory}`}`,
    ...(report ? ['', '  Still to do (docs/operate.md)', ...report.toDo.map((line) => `    ${line}`)] : []),
  ];
  return `${lines.join('\n')}\n${sandbox ? tryIt(url) : ''}\n`;
};
