// Every operation of the service, as methods and as calls.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.

import { type AutopilotMethods, autopilotOperations } from './autopilot-calls.ts';
import { type ClusterMethods, clusterOperations } from './cluster-calls.ts';
import { type SandboxMethods, sandboxOperations } from './sandbox-calls.ts';
import { type ServiceMethods, serviceOperations } from './service-calls.ts';
import { type StakeMethods, stakeOperations } from './stake-calls.ts';
import { type TransactionsMethods, transactionsOperations } from './transactions-calls.ts';
import { type ValidatorMethods, validatorOperations } from './validator-calls.ts';
import { type VerificationMethods, verificationOperations } from './verification-calls.ts';
import { type WalletMethods, walletOperations } from './wallet-calls.ts';
import { type WebhooksMethods, webhooksOperations } from './webhooks-calls.ts';

/** One method per operation. */
export interface HoldfastMethods
  extends WalletMethods,
    StakeMethods,
    ClusterMethods,
    TransactionsMethods,
    ServiceMethods,
    ValidatorMethods,
    VerificationMethods,
    AutopilotMethods,
    WebhooksMethods,
    SandboxMethods {}

/** How each operation is called. */
export const operations = {
  ...walletOperations,
  ...stakeOperations,
  ...clusterOperations,
  ...transactionsOperations,
  ...serviceOperations,
  ...validatorOperations,
  ...verificationOperations,
  ...autopilotOperations,
  ...webhooksOperations,
  ...sandboxOperations,
} as const;

/** Name of an operation. */
export type OperationName = keyof typeof operations;
