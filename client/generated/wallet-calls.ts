// Methods and calls of the operations under "Wallet".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  AddressTypeAnswer,
  AddressTypeInput,
  BalanceAnswer,
  BalanceInput,
  CheckBalanceAnswer,
  CheckBalanceInput,
  GenerateWalletAnswer,
  GenerateWalletInput,
} from './wallet-operations.ts';

/** Methods of wallet operations. */
export interface WalletMethods {
  /**
   * Get code that creates a wallet locally: `POST /api/v1/wallet/generate`
   *
   * Returns snippets in JavaScript, Python and shell that generate a Solana wallet on your machine, with
   * standard libraries only. Run one of them yourself; the service never generates, sees or stores the key.
   */
  readonly generateWallet: (
    input?: GenerateWalletInput,
    options?: CallOptions,
  ) => Promise<GenerateWalletAnswer>;
  /**
   * Check a wallet balance: `GET /api/v1/wallet/balance/{walletAddress}`
   *
   * Reads the balance of a wallet and compares it with the current cost of staking: rent and minimum
   * delegation as read from the cluster, plus the fee reserve.
   */
  readonly balance: (input: BalanceInput, options?: CallOptions) => Promise<BalanceAnswer>;
  /**
   * Check a wallet balance (alias): `GET /api/v1/check-balance/{walletAddress}`
   *
   * An alias of GET /api/v1/wallet/balance/{walletAddress}, for plugins that call this path. Reads the
   * balance of a wallet and compares it with the current cost of staking: rent and minimum delegation as
   * read from the cluster, plus the fee reserve.
   */
  readonly checkBalance: (input: CheckBalanceInput, options?: CallOptions) => Promise<CheckBalanceAnswer>;
  /**
   * Identify an address: `GET /api/v1/address/{address}/type`
   *
   * Distinguishes this validator's vote account, stake accounts and wallets by their data on chain.
   */
  readonly addressType: (input: AddressTypeInput, options?: CallOptions) => Promise<AddressTypeAnswer>;
}

/** How each of them is called. */
export const walletOperations = {
  generateWallet: { method: 'POST', path: '/api/v1/wallet/generate', effect: 'read', query: [], body: [] },
  balance: {
    method: 'GET',
    path: '/api/v1/wallet/balance/{walletAddress}',
    effect: 'read',
    query: [],
    body: [],
  },
  checkBalance: {
    method: 'GET',
    path: '/api/v1/check-balance/{walletAddress}',
    effect: 'read',
    query: [],
    body: [],
  },
  addressType: { method: 'GET', path: '/api/v1/address/{address}/type', effect: 'read', query: [], body: [] },
} as const satisfies OperationTable;
