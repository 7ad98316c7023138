// Inputs and answers of the operations under "Wallet".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { Meta, Security } from './shared-types.ts';

/** Input of `POST /api/v1/wallet/generate`. */
export type GenerateWalletInput = Readonly<Record<never, never>>;

/** Answer of `POST /api/v1/wallet/generate`. */
export interface GenerateWalletAnswer {
  readonly action: 'EXECUTE_SNIPPET';
  readonly instruction: string;
  readonly runThis: {
    readonly javascript: string;
    readonly python: string;
    readonly cli: string;
  };
  readonly expectedOutput: {
    readonly walletAddress: string;
    readonly secretKey: string;
  };
  readonly whyLocal: string;
  readonly nextSteps: {
    readonly '1_execute': string;
    readonly '2_capture': string;
    readonly '3_fund': string;
    readonly '4_checkBalance': string;
    readonly '5_stake': string;
    readonly alternative_unsignedFlow: string;
    /** Only where this service takes secret keys. */
    readonly alternative_oneShot?: string | undefined;
  };
  readonly securityModel: Security;
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/wallet/balance/{walletAddress}`. */
export interface BalanceInput {
  /** The wallet. */
  readonly walletAddress: string;
}

/** Answer of `GET /api/v1/wallet/balance/{walletAddress}`. */
export interface BalanceAnswer {
  readonly walletAddress: string;
  /** Balance in lamports. At least 0. */
  readonly lamports: number;
  /** Balance. */
  readonly sol: number;
  /** The same value under an older name, for older plugins. */
  readonly balanceSol: number;
  /** The balance covers the minimum stake and the fee reserve. */
  readonly readyToStake: boolean;
  /** Current rent plus minimum delegation. */
  readonly minimumStakeSol: number;
  /** Balance minus the fee reserve, SOL. */
  readonly availableToStake: number;
  /** Amount to keep in the wallet for later fees, SOL. */
  readonly reserveForFees: number;
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/check-balance/{walletAddress}`. */
export interface CheckBalanceInput {
  /** The wallet. */
  readonly walletAddress: string;
}

/** Answer of `GET /api/v1/check-balance/{walletAddress}`. */
export type CheckBalanceAnswer = BalanceAnswer;

/** Input of `GET /api/v1/address/{address}/type`. */
export interface AddressTypeInput {
  /** Any Solana address. */
  readonly address: string;
}

/** Answer of `GET /api/v1/address/{address}/type`. */
export interface AddressTypeAnswer {
  readonly address: string;
  readonly type: 'vote_account' | 'stake_account' | 'wallet';
  readonly description: string;
  readonly _meta: Meta;
}
