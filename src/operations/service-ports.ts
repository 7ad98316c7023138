// The service as its operations see it: settings, health, sandbox, source code and packages.
import type { Address } from '@solana/kit';
import type { TransactionVersion } from '../chain/transactions/transaction.ts';

/** What the operator decided, as far as operations need it. */
export interface ServiceSettings {
  readonly voteAccount: Address;
  readonly donationAddress: Address;
  /** Exact text of the memo that ends every transaction built here. */
  readonly memo: string;
  /** Lamports that stay in a wallet after staking so that it can pay for later transactions. */
  readonly feeReserveLamports: bigint;
  /** Base of explorer links, no trailing slash. */
  readonly explorerUrl: string;
  /** Appended to explorer links: which cluster they mean, e.g. `?cluster=devnet`; empty on mainnet. */
  readonly explorerQuery: string;
  /** Where secret keys are taken: `on` everywhere, `rest` over REST alone, `off` nowhere. */
  readonly oneShot: 'on' | 'rest' | 'off';
  /** What builders and one-shot operations make where the caller does not say. */
  readonly transactionVersion: TransactionVersion;
  /** `own`: submit takes only transactions that carry our memo. `any`: every valid transaction. */
  readonly submitPolicy: 'any' | 'own';
  /** First word of the texts that set and end autopilot policies. */
  readonly autopilotPrefix: string;
  /** What deleting a webhook demands: the wallet's address, or the registration's secret too. */
  readonly webhookDelete: 'wallet' | 'secret';
  /** Most registrations made within 24 hours for one callback host that has not answered them. */
  readonly webhooksPerHost: number;
  /** Most registrations in all. */
  readonly webhooksInAll: number;
  /** Where the source code of the running version is published. */
  readonly sourceUrl?: string | undefined;
}

/** One dependency as `/ready` shows it. Errors are words, never URLs. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly ageSeconds: number | null;
  readonly error: string | null;
  /** The service serves without it, slower or with less. Default false. */
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
  /** Has its validator behave otherwise; members that are missing stay as they are. */
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
  /** Of the file's bytes, lower-case hex. */
  readonly sha256: string;
  /** UTF-8; its encoding is the file byte for byte. */
  readonly text: string;
}

/** What is known of the sources that this process runs. */
export interface SourceCode {
  /** Null when nothing proves it. */
  readonly gitCommit: string | null;
  /** By name. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Over every file under `src/`, as `sha256sum` would list them. */
  readonly treeSha256: string;
  readonly lockfileSha256: string | null;
  /** Whether the bytes loaded at the start differ from `gitCommit`; null if unknown. */
  readonly isDirty: () => Promise<boolean | null>;
  /** Per published file: the disk holds other bytes now than were loaded. Reads them anew. */
  readonly changedOnDisk: () => Promise<Readonly<Record<string, boolean>>>;
}

/** A package that this service hands out: the typed client, or the command line. */
export interface HandedPackage {
  readonly name: string;
  readonly version: string;
  /** Served under this name. */
  readonly file: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}
