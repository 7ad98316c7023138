// The tools: a plain table that everything else about tools is derived from.
import { policyTools, webhookTools } from './notification-tools.ts';
import { validatorTools, verificationTools, walletTools } from './reading-tools.ts';
import { oneShotTools, transactionTools } from './staking-tools.ts';
import type { McpTool } from './tool.ts';

/** All 31; a service leaves the one-shot tools out unless its operator allows them. What asks comes first, what acts with a key last. */
export const mcpTools: readonly McpTool[] = [
  ...walletTools,
  ...validatorTools,
  ...verificationTools,
  ...transactionTools,
  ...webhookTools,
  ...policyTools,
  ...oneShotTools,
];

/** The tools that are shown: `oneShot` as the operator set `HOLDFAST_ONE_SHOT` to `on`. */
export const shownTools = (oneShot: boolean): readonly McpTool[] =>
  mcpTools.filter((tool) => oneShot || tool.carriesSecretKey !== true);
