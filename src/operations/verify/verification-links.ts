// Links to dashboards that show the validator, and commands that query the chain.
import { z } from 'zod';
import { notice } from '../../domain/notice.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { sentenceShape } from '../shared-schemas.ts';

const url = (description: string) => z.string().meta({ description });

/** Placeholder for the RPC URL. The service's own URL is not shown because it may contain a key. */
const ANY_RPC_URL = '<YOUR_RPC_URL>';
/** Timeout for reading the sandbox's RPC URL, in ms. */
const SANDBOX_PATIENCE_MS = 2_000;
const PUBLIC_RPC_URLS: Readonly<Record<string, string>> = {
  'mainnet-beta': 'https://api.mainnet-beta.solana.com',
  devnet: 'https://api.devnet.solana.com',
  testnet: 'https://api.testnet.solana.com',
};

/** `GET /api/v1/verify/links` */
export const verificationLinks = defineOperation({
  name: 'verificationLinks',
  summary: 'Independent sources on the validator',
  description:
    'Third-party dashboards about the validator of this service, and commands that query the chain directly. The dashboards cover only mainnet-beta; on other clusters, a warning says so.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    stakewiz: url('Stakewiz.'),
    validatorsApp: url('validators.app, searched by vote account.'),
    solanaBeach: url('Solana Beach.'),
    solscan: url('Solscan.'),
    jpool: url('JPool.'),
    solanaCompass: url('Solana Compass.'),
    additionalDashboards: z.object({
      stakeStewardHistory: url('The JitoSOL stake steward’s decisions about the validator.'),
      epochHistory: url("The validator's record by epoch, in Jito StakeNet."),
    }),
    onChainVerification: z.object({
      ...sentenceShape('description'),
      commands: z.array(z.string()).meta({ description: 'For a shell with the Solana CLI or curl.' }),
    }),
    ...noticesMembers,
  }),
  errors: [],
  async run({ ctx, signal }) {
    const vote = ctx.service.settings.voteAccount;
    const { clusterName } = ctx.chain.cluster;
    return {
      body: {
        stakewiz: `https://stakewiz.com/validator/${vote}`,
        validatorsApp: `https://www.validators.app/validators?q=${vote}&network=${clusterName === 'testnet' ? 'testnet' : 'mainnet'}`,
        solanaBeach: `https://solanabeach.io/validator/${vote}`,
        solscan: `https://solscan.io/account/${vote}`,
        jpool: `https://app.jpool.one/validators/${vote}`,
        solanaCompass: `https://solanacompass.com/validators/${vote}`,
        additionalDashboards: {
          stakeStewardHistory: `https://www.jito.network/stakenet/steward/${vote}/`,
          epochHistory: `https://www.jito.network/stakenet/history/${vote}/`,
        },
        onChainVerification: {
          ...sentenceMembers(
            'description',
            sentence(
              'ASK_ANY_NODE',
              'Query an RPC node of your choice; you do not need to trust this service. Every transaction of this service ends with the same memo, and the wallet is both authorities of every stake account it creates.',
            ),
          ),
          commands: commands(vote, await rpcUrlToShow(ctx, signal)),
        },
        ...noticesBody(
          clusterName === 'mainnet-beta'
            ? []
            : [
                notice(
                  'DASHBOARDS_OF_MAINNET',
                  'This service runs on the cluster {cluster}. These dashboards cover only mainnet-beta, where this vote account does not exist or is a different one. Use the commands instead.',
                  { cluster: clusterName },
                ),
              ],
        ),
      },
    };
  },
});

const rpcUrlToShow = async (ctx: Context, signal: AbortSignal): Promise<string> => {
  const known = PUBLIC_RPC_URLS[ctx.chain.cluster.clusterName];
  if (known !== undefined || ctx.service.sandbox === null) return known ?? ANY_RPC_URL;
  // An unresponsive sandbox only leaves its RPC URL out of the response.
  const patience = AbortSignal.any([signal, AbortSignal.timeout(SANDBOX_PATIENCE_MS)]);
  return ctx.service.sandbox.state(patience).then(
    ({ rpcUrl }) => rpcUrl,
    () => ANY_RPC_URL,
  );
};

const commands = (vote: string, rpcUrl: string): string[] => [
  `solana vote-account ${vote} --url ${rpcUrl}`,
  `solana stakes ${vote} --url ${rpcUrl}`,
  `solana stake-account <STAKE_ACCOUNT_ADDRESS> --url ${rpcUrl}`,
  `solana confirm -v <SIGNATURE> --url ${rpcUrl}`,
  `curl -sS ${rpcUrl} -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"getVoteAccounts","params":[{"votePubkey":"${vote}"}]}'`,
  `curl -sS ${rpcUrl} -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"getTransaction","params":["<SIGNATURE>",{"encoding":"jsonParsed","maxSupportedTransactionVersion":1}]}'`,
];
