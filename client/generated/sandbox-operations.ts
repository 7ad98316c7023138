// Inputs and answers of the operations under "Sandbox".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { Meta } from './shared-types.ts';

/** Input of `GET /sandbox`. */
export type DescribeSandboxInput = Readonly<Record<never, never>>;

/** Answer of `GET /sandbox`. */
export interface DescribeSandboxAnswer {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Current epoch. */
  readonly epoch: number;
  readonly voteAccount: string;
  readonly faucetAddress: string;
  readonly _meta: Meta;
}

/** Input of `POST /sandbox/airdrop`. */
export interface SandboxAirdropInput {
  /** Recipient. */
  readonly walletAddress: string;
  /** How much, SOL. Above 0. At most 1000000. */
  readonly amountSol: SolAmount;
}

/** Answer of `POST /sandbox/airdrop`. */
export interface SandboxAirdropAnswer {
  /** The transfer. */
  readonly signature: string;
  readonly _meta: Meta;
}

/** Input of `POST /sandbox/epoch`. */
export interface SandboxEndEpochsInput {
  /** Number of epochs to end. At least 1. At most 100. Default 1. */
  readonly count?: number | undefined;
}

/** Answer of `POST /sandbox/epoch`. */
export interface SandboxEndEpochsAnswer {
  /** The current epoch. */
  readonly epoch: number;
  readonly _meta: Meta;
}

/** Input of `POST /sandbox/validator`. */
export interface SandboxValidatorInput {
  /** Commission on inflation, hundredths of a percent. At least 0. At most 10000. */
  readonly commissionBps?: number | undefined;
  /** False stops its voting. */
  readonly votes?: boolean | undefined;
  /**
   * Amount taken from the vote account at each boundary; 0 requires no ticket. At least 0. At most 1000000.
   */
  readonly ticketSol?: SolAmount | undefined;
}

/** Answer of `POST /sandbox/validator`. */
export interface SandboxValidatorAnswer {
  readonly commissionBps: number;
  readonly votes: boolean;
  /** Amount taken at each boundary. */
  readonly ticketSol: number;
  /** Admitted to the current epoch. */
  readonly admitted: boolean;
  /** Balance of the vote account. */
  readonly balanceSol: number;
  readonly _meta: Meta;
}

/** Input of `POST /sandbox/network`. */
export interface SandboxNetworkInput {
  /** False makes the network quiet again. */
  readonly busy: boolean;
  /** Room of a block, in transactions. Default 20. At least 1. At most 10000. */
  readonly transactionsPerBlock?: number | undefined;
  /**
   * Average number of background transactions per block, which rises and falls between 0 and twice as many.
   * Default 100. At least 0. At most 10000.
   */
  readonly backgroundPerBlock?: number | undefined;
  /**
   * Prices of background transactions, micro-lamports per compute unit: quantiles at equal distances,
   * ascending.
   */
  readonly unitPrices?: readonly number[] | undefined;
  /** Blocks from one turning point of the load to the next. Default 300. At least 1. At most 1000000. */
  readonly waveBlocks?: number | undefined;
  /** Default 1. At least 0. At most 4294967295. */
  readonly seed?: number | undefined;
}

/** Answer of `POST /sandbox/network`. */
export interface SandboxNetworkAnswer {
  readonly busy: boolean;
  /** Transactions that wait for room in a block. */
  readonly waiting: number;
  readonly transactionsPerBlock?: number | undefined;
  readonly backgroundPerBlock?: number | undefined;
  readonly unitPrices?: readonly number[] | undefined;
  readonly waveBlocks?: number | undefined;
  readonly seed?: number | undefined;
  readonly _meta: Meta;
}
