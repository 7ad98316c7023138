// The table of all tools, from which everything else about tools is derived.
import { policyTools, webhookTools } from './notification-tools.ts';
import { validatorTools, verificationTools, walletTools } from './reading-tools.ts';
import { oneShotTools, transactionTools } from './staking-tools.ts';
import type { McpTool } from './tool.ts';

/** All 31 tools, reads first and tools that take a key last. One-shot tools are omitted unless the operator allows them. */
export const mcpTools: readonly McpTool[] = [
  ...walletTools,
  ...validatorTools,
  ...verificationTools,
  ...transactionTools,
  ...webhookTools,
  ...policyTools,
  ...oneShotTools,
];

/** The listed tools. `oneShot`: the operator set `HOLDFAST_ONE_SHOT` to `on`. */
export const shownTools = (oneShot: boolean): readonly McpTool[] =>
  mcpTools.filter((tool) => oneShot || tool.carriesSecretKey !== true);
