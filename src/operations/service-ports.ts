// Ports to the service itself: settings, health, sandbox, source code and packages.
import type { Address } from '@solana/kit';
import type { TransactionVersion } from '../chain/transactions/transaction.ts';
import type { PriorityLevel } from '../domain/priority-levels.ts';

export interface ServiceSettings {
  readonly voteAccount: Address;
  readonly donationAddress: Address;
  /** The exact text of the memo at the end of every transaction built here. */
  readonly memo: string;
  /** Amount that remains in a wallet after staking, to pay for later transactions. */
  readonly feeReserveLamports: bigint;
  /** Base of explorer links, without a trailing slash. */
  readonly explorerUrl: string;
  /** Appended to explorer links to select the cluster, e.g. `?cluster=devnet`; empty on mainnet. */
  readonly explorerQuery: string;
  /** Interfaces that accept secret keys: `on` all, `rest` only REST, `off` none. */
  readonly oneShot: 'on' | 'rest' | 'off';
  /** Message version used by builders and one-shot operations if the caller does not choose one. */
  readonly transactionVersion: TransactionVersion;
  /** Priority fee of one-shot calls and of the autopilot if the caller does not choose one. */
  readonly priorityFee: PriorityLevel;
  /** Highest priority fee of one transaction. */
  readonly priorityFeeMaxLamports: bigint;
  /** `own`: only transactions with our memo may be submitted. `any`: any valid transaction may be submitted. */
  readonly submitPolicy: 'any' | 'own';
  /** First word of the signed texts that set and delete autopilot policies. */
  readonly autopilotPrefix: string;
  /**
   * Proof required to delete a webhook. `wallet`: the wallet's address; `secret`: also the registration's
   * secret.
   */
  readonly webhookDelete: 'wallet' | 'secret';
  /**
   * Maximum number of registrations within 24 hours for a callback host that has not responded to any of
   * them.
   */
  readonly webhooksPerHost: number;
  /** Maximum number of registrations in total. */
  readonly webhooksInAll: number;
  /** URL of the source code of the running version. */
  readonly sourceUrl?: string | undefined;
}

/** A dependency, as shown by `/ready`. Errors are plain sentences and never contain URLs. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly ageSeconds: number | null;
  readonly error: string | null;
  /**
   * True if the service works without the dependency, though slower or with fewer features. Default: false.
   */
  readonly optional?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Load of the network. High load is not a fault of the service. */
export interface NetworkLoad {
  /**
   * True if transactions need a priority fee to get into a block, or if more than a tenth of the recent
   * transactions expired.
   */
  readonly isBusy: boolean;
  /**
   * Prices in micro-lamports per compute unit at which transactions currently land; null if no node estimates
   * them.
   */
  readonly priorityPrices: { readonly low: number; readonly medium: number; readonly high: number } | null;
  /**
   * Number of transactions sent through this service in the last hour, at most 50, and how many of them
   * expired.
   */
  readonly recentTransactions: number;
  readonly recentlyExpired: number;
}

/** Load of the sandbox's network. While it is busy, includes the settings of its background transactions. */
export interface SandboxNetwork {
  readonly transactionsPerBlock?: number | undefined;
  readonly backgroundPerBlock?: number | undefined;
  readonly unitPrices?: readonly number[] | undefined;
  readonly waveBlocks?: number | undefined;
  readonly seed?: number | undefined;
}

/** The sandbox's control interface. Not available on a real cluster. */
export interface SandboxControl {
  readonly state: (
    signal: AbortSignal,
  ) => Promise<{ rpcUrl: string; wsUrl: string; epoch: number; voteAccount: string; faucetAddress: string }>;
  readonly airdrop: (
    walletAddress: Address,
    lamports: bigint,
    signal: AbortSignal,
  ) => Promise<{ signature: string }>;
  readonly endEpochs: (count: number, signal: AbortSignal) => Promise<{ epoch: number }>;
  /** Changes the validator's behavior. Missing fields stay unchanged. */
  readonly setValidator: (
    conduct: { commissionBps?: number; votes?: boolean; ticketLamports?: number },
    signal: AbortSignal,
  ) => Promise<{
    commissionBps: number;
    votes: boolean;
    ticketLamports: bigint;
    admitted: boolean;
    balanceLamports: bigint;
  }>;
  /** Makes the network busy or quiet. Missing settings have their default values. */
  readonly setNetwork: (
    load: SandboxNetwork & { busy: boolean },
    signal: AbortSignal,
  ) => Promise<SandboxNetwork & { busy: boolean; waiting: number }>;
}

/** A published source file as loaded when the process started. */
export interface SourceFile {
  readonly name: string;
  /** Path relative to the project folder. */
  readonly path: string;
  /** SHA-256 of the file's bytes, lower-case hex. */
  readonly sha256: string;
  /** UTF-8 text that encodes to exactly the file's bytes. */
  readonly text: string;
}

/** The source code that this process runs. */
export interface SourceCode {
  /** Null if the commit cannot be determined. */
  readonly gitCommit: string | null;
  /** Files by name. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** SHA-256 of the output of `find src -type f | LC_ALL=C sort | xargs sha256sum`. */
  readonly treeSha256: string;
  readonly lockfileSha256: string | null;
  /** True if the bytes loaded at startup differ from `gitCommit`; null if unknown. */
  readonly isDirty: () => Promise<boolean | null>;
  /**
   * True, per published file, if the file on disk differs from the loaded bytes. Reads the disk on each call.
   */
  readonly changedOnDisk: () => Promise<Readonly<Record<string, boolean>>>;
}

/** A package that this service offers for download: the typed client or the command line. */
export interface ServedPackage {
  readonly name: string;
  readonly version: string;
  /** File name of the download. */
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}
