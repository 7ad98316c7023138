// Prints the banner after `npm start`: addresses, and commands to try.
import type { ServedCluster } from './service-settings.ts';

/** What the banner tells. */
export interface BannerFacts {
  readonly url: string;
  /** Null on a real cluster. */
  readonly sandbox: ServedCluster | null;
  readonly clusterName: string;
  /** Null where metrics are off. */
  readonly metricsUrl: string | null;
  readonly dataDir: string;
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
export const banner = ({ url, sandbox, clusterName, metricsUrl, dataDir }: BannerFacts): string => {
  const [endpoint] = sandbox?.endpoints ?? [];
  const lines = [
    '',
    `  Holdfast is ready: ${url}`,
    '',
    `  Page       ${url}/`,
    `  API        ${url}/docs   (OpenAPI: ${url}/openapi.json)`,
    `  Cluster    ${clusterName}${endpoint ? `, RPC ${endpoint.httpUrl}, WebSocket ${endpoint.wsUrl}` : ''}`,
    ...(sandbox
      ? [`  Validator  ${sandbox.voteAccount}`, ' The sandbox chain is new: it starts over with every start.']
      : []),
    ...(metricsUrl ? [`  Metrics    ${metricsUrl}`] : []),
    `  Data       ${dataDir}`,
  ];
  return `${lines.join('\n')}\n${sandbox ? tryIt(url) : ''}\n`;
};
