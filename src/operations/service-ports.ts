// The service as its operations see it: settings, health, sandbox, source code and packages.
import type { Address } from '@solana/kit';
import type { TransactionVersion } from '../chain/transactions/transaction.ts';

/** The operator's settings that operations need. */
export interface ServiceSettings {
  readonly voteAccount: Address;
  readonly donationAddress: Address;
  /** Exact text of the memo that ends every transaction built here. */
  readonly memo: string;
  /** Lamports that stay in a wallet after staking to pay for later transactions. */
  readonly feeReserveLamports: bigint;
  /** Base of explorer links, no trailing slash. */
  readonly explorerUrl: string;
  /** Appended to explorer links to select the cluster, e.g. `?cluster=devnet`; empty on mainnet. */
  readonly explorerQuery: string;
  /** Interfaces that accept secret keys: `on` all, `rest` only REST, `off` none. */
  readonly oneShot: 'on' | 'rest' | 'off';
  /** The message version of builders and one-shot operations if the caller does not choose one. */
  readonly transactionVersion: TransactionVersion;
  /** `own`: submit takes only transactions that carry our memo. `any`: every valid transaction. */
  readonly submitPolicy: 'any' | 'own';
  /** First word of the texts that set and end autopilot policies. */
  readonly autopilotPrefix: string;
  /** Requirement for deleting a webhook: the wallet's address, or additionally the registration's secret. */
  readonly webhookDelete: 'wallet' | 'secret';
  /** Most registrations made within 24 hours for one callback host that has not answered them. */
  readonly webhooksPerHost: number;
  /** Most registrations in all. */
  readonly webhooksInAll: number;
  /** URL of the source code of the running version. */
  readonly sourceUrl?: string | undefined;
}

/** One dependency as `/ready` shows it. Errors are plain sentences, never URLs. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly ageSeconds: number | null;
  readonly error: string | null;
  /** The service works without it, slower or with fewer features. Default false. */
  readonly optional?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The sandbox's control interface; absent on a real cluster. */
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
  /** Changes the validator's behaviour; missing members stay as they are. */
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
}

/** A published source file as it was when the process started. */
export interface SourceFile {
  readonly name: string;
  /** Relative to the project folder. */
  readonly path: string;
  /** SHA-256 of the file's bytes, lower-case hex. */
  readonly sha256: string;
  /** UTF-8 text; encoding it restores the file byte for byte. */
  readonly text: string;
}

/** Facts about the sources that this process runs. */
export interface SourceCode {
  /** Null if unproven. */
  readonly gitCommit: string | null;
  /** By name. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Hash over every file under `src/`, in the format of `sha256sum`. */
  readonly treeSha256: string;
  readonly lockfileSha256: string | null;
  /** Whether the bytes loaded at the start differ from `gitCommit`; null if unknown. */
  readonly isDirty: () => Promise<boolean | null>;
  /** True per published file if the file on disk differs from the loaded bytes. Reads the disk at each call. */
  readonly changedOnDisk: () => Promise<Readonly<Record<string, boolean>>>;
}

/** A package that this service offers for download: the typed client or the command line. */
export interface HandedPackage {
  readonly name: string;
  readonly version: string;
  /** File name of the download. */
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}
