// Public entry of the npm package. Files in this repository import each other directly.
export type * from './generated/all-operations.ts';
export type * from './generated/autopilot-calls.ts';
export type * from './generated/autopilot-operations.ts';
export type * from './generated/cluster-calls.ts';
export type * from './generated/cluster-operations.ts';
export type * from './generated/sandbox-calls.ts';
export type * from './generated/sandbox-operations.ts';
export type * from './generated/service-calls.ts';
export type * from './generated/service-operations.ts';
export type * from './generated/shared-types.ts';
export type * from './generated/stake-calls.ts';
export type * from './generated/stake-operations.ts';
export type * from './generated/transactions-calls.ts';
export type * from './generated/transactions-operations.ts';
export type * from './generated/validator-calls.ts';
export type * from './generated/validator-operations.ts';
export type * from './generated/verification-calls.ts';
export type * from './generated/verification-operations.ts';
export type * from './generated/wallet-calls.ts';
export type * from './generated/wallet-operations.ts';
export type * from './generated/webhook-events.ts';
export type * from './generated/webhooks-calls.ts';
export type * from './generated/webhooks-operations.ts';
export {
  type CallOptions,
  createHoldfastClient,
  type HoldfastClient,
  type HoldfastClientOptions,
  type Sent,
} from './holdfast-client.ts';
export {
  type ClientErrorCode,
  HoldfastError,
  type HoldfastErrorCode,
  isHoldfastError,
  type ServiceErrorCode,
} from './holdfast-error.ts';
export { lamportsToSol, type SolAmount, solToLamports } from './sol-amount.ts';
export { SHEET_WORDS, type SheetAccount, type SheetEntry, stakeSheet } from './stake-sheet.ts';
export {
  type ObservedChange,
  type WalletChange,
  type WatchOptions,
  watchWallet,
} from './watch-wallet.ts';
