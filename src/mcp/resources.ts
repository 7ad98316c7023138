// Resources: data that agents can read without a tool call. Each is the response of one operation.
import { z } from 'zod';
import { epoch } from '../operations/cluster/epoch.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { addressSchema } from '../operations/shared-schemas.ts';
import { listStakeAccounts } from '../operations/stake/list-stake-accounts.ts';
import { validatorLive } from '../operations/validator/validator-live.ts';
import { stakeAccountSchema } from '../operations/wallet/stake-account-view.ts';
import { accountsViewInput, accountsViewOutput, viewAccounts } from './compact-accounts.ts';
import { ACCOUNT_TEMPLATE, CURRENT_EPOCH_URI, WALLET_TEMPLATE } from './resource-uris.ts';
import type { McpTool } from './tool.ts';

interface ResourceWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** One resource. */
interface McpResource extends ResourceWords {
  readonly uri: string;
  /** An operation that takes no input. */
  readonly operation: AnyOperation;
  /** Time for which a client may cache the resource, in ms. */
  readonly ttlMs: number;
}

/** Resources of the same kind, one per wallet or account. */
interface McpResourceTemplate extends ResourceWords, Pick<McpTool, 'operation' | 'view'> {
  /** Each variable is an address that is passed to the operation or to the view. */
  readonly uriTemplate: string;
}

export const mcpResources: readonly McpResource[] = [
  {
    uri: 'holdfast://validator/status',
    name: 'validator-status',
    title: 'Live validator status',
    description:
      'Slot, epoch, leader slots, last vote, credits, stake and commissions of the validator, and whether it is delinquent. JSON; at most 15 seconds old, or 30 if stale.',
    operation: validatorLive,
    ttlMs: 15_000,
  },
  {
    uri: CURRENT_EPOCH_URI,
    name: 'current-epoch',
    title: 'Current epoch',
    description:
      'Epoch, progress, and the earliest and latest expected end. JSON, read from the chain at every request. Subscribers are notified of each new epoch.',
    operation: epoch,
    ttlMs: 0,
  },
];

type Body = Readonly<Record<string, unknown>>;

/** Extracts one account with all its fields from the wallet's list. */
const viewAccount = ({ walletAddress, accounts, epochTiming }: Body, { stakeAccountAddress }: Body) => {
  const account = (accounts as readonly { readonly address: string }[]).find(
    ({ address }) => address === stakeAccountAddress,
  );
  return { walletAddress, account: account ?? null, epochTiming };
};

export const mcpResourceTemplates: readonly McpResourceTemplate[] = [
  {
    uriTemplate: WALLET_TEMPLATE,
    name: 'wallet-stakes',
    title: 'Stake accounts of a wallet',
    description:
      'Totals of the wallet’s stakes with this validator, and its stake accounts with their states and possible actions, at most 50. JSON. Subscribers are notified when a stake account changes, and of each new epoch.',
    operation: listStakeAccounts,
    view: { input: accountsViewInput, output: accountsViewOutput, apply: viewAccounts },
  },
  {
    uriTemplate: ACCOUNT_TEMPLATE,
    name: 'stake-account',
    title: 'One stake account of a wallet',
    description:
      'Everything known about one stake account: state, amounts, authorities, when it can be withdrawn, and what can be done with it. JSON; account is null once the wallet has no such account with this validator. Subscribers are notified when it changes, and of each new epoch.',
    operation: listStakeAccounts,
    view: {
      input: z.object({ stakeAccountAddress: addressSchema('The stake account.') }),
      output: z.object({ account: stakeAccountSchema.nullable() }),
      apply: viewAccount,
    },
  },
];

export const RESOURCE_TYPE = 'application/json';
