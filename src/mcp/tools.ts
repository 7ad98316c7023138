// Lists all tools. Everything else about tools is derived from this list.
import { policyTools, webhookTools } from './notification-tools.ts';
import { validatorTools, verificationTools, walletTools } from './reading-tools.ts';
import { oneShotTools, transactionTools } from './staking-tools.ts';
import type { McpTool } from './tool.ts';

/**
 * All 33 tools: read-only tools first, tools that take a key last. One-shot tools are omitted unless the
 * operator allows them.
 */
export const mcpTools: readonly McpTool[] = [
  ...walletTools,
  ...validatorTools,
  ...verificationTools,
  ...transactionTools,
  ...webhookTools,
  ...policyTools,
  ...oneShotTools,
];

/** Returns the tools to list. `oneShot` is true if the operator set `HOLDFAST_ONE_SHOT` to `on`. */
export const shownTools = (oneShot: boolean): readonly McpTool[] =>
  mcpTools.filter((tool) => oneShot || tool.carriesSecretKey !== true);
