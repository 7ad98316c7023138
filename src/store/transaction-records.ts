// What is kept of transactions that landed: each once, exact to the lamport, with how far back the chain was searched for more.
import type { CallSource } from '../domain/call-source.ts';
import type { TransactionKind } from '../domain/transaction/transaction-kinds.ts';

/** How it became known: carried out here for whoever called, or found on chain. */
export type RecordSource = CallSource | 'chain';

/** One landed transaction. */
export interface TransactionRecord {
  readonly type: TransactionKind;
  readonly signature: string;
  /** The wallet that signed. */
  readonly wallet: string;
  /** Null for a donation. */
  readonly stakeAccountAddress: string | null;
  /** 0 to 2^63 − 1. */
  readonly amountLamports: bigint;
  readonly slot: bigint;
  readonly epoch: bigint;
  /** Milliseconds since the Unix epoch. */
  readonly confirmedAtMs: number;
  readonly source: RecordSource;
  /** It carries our memo. */
  readonly hasMemo: boolean;
}

/** Which page of a wallet's history. */
export interface HistoryPageRequest {
  /** 1 to 200. Default 50. */
  readonly limit?: number;
  /** `nextCursor` of the page before; entries that arrive meanwhile neither repeat nor hide others. */
  readonly cursor?: string | undefined;
  /** Leaves out what landed after this slot, for instance what is not finalized yet. */
  readonly throughSlot?: bigint;
}

/** A page of a wallet's history, newest first. */
export interface HistoryPage {
  readonly entries: readonly TransactionRecord[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** The stretch of an address's signatures that was searched without a gap. */
export interface Coverage {
  readonly address: string;
  readonly fromSlot: bigint;
  /** The oldest signature looked at: where a search further back goes on. Null when none was met. */
  readonly fromSignature: string | null;
  readonly toSlot: bigint;
  /** The newest signature looked at: where the next search ends. Null when none was met. */
  readonly toSignature: string | null;
  /** Nothing older exists, as far as the RPC knows. */
  readonly reachesStart: boolean;
}

/** How many transactions of a kind, and what they moved. */
export interface Tally {
  readonly count: number;
  readonly lamports: bigint;
}

/** The transactions of a stretch of time. */
export interface TransactionTotals {
  readonly byType: Readonly<Record<TransactionKind, Tally>>;
  readonly uniqueWallets: number;
}

/** Everything counted, at one moment. */
export interface TransactionStatistics extends TransactionTotals {
  /** How many became known each way. */
  readonly bySource: Readonly<Record<RecordSource, number>>;
  readonly last24h: TransactionTotals;
  readonly last7d: TransactionTotals;
  readonly last30d: TransactionTotals;
  /** Newest first. */
  readonly recent: readonly TransactionRecord[];
}

/**
 * Durable memory of landed transactions. Every write is on disk when its promise resolves. A lost store rejects with
 * `STORE_UNAVAILABLE`, a statement that it cannot carry out with `UPSTREAM_UNAVAILABLE`.
 */
export interface TransactionRecords {
  /**
   * Keeps each transaction once, by signature, and returns how many were new. The first record stands, except that a transaction
   * found on chain first is still credited to the interface that carried it out.
   */
  readonly record: (records: readonly TransactionRecord[]) => Promise<number>;
  /** Rejects with `VALIDATION_ERROR` for a limit or a cursor that is none. */
  readonly pageWalletHistory: (wallet: string, page?: HistoryPageRequest) => Promise<HistoryPage>;
  /** Which of these signatures are recorded. At most 500 at a time. */
  readonly find: (signatures: readonly string[]) => Promise<ReadonlyMap<string, TransactionRecord>>;
  /** Null when the address was never searched. */
  readonly coverage: (address: string) => Promise<Coverage | null>;
  /**
   * Adds a searched stretch to what is known of its address. Stretches that touch become one; of two that do not, the newer one
   * stands, so that a mark never claims a gap. Returns the mark that stands.
   */
  readonly extendCoverage: (searched: Coverage) => Promise<Coverage>;
  /** Counts everything. `nowMs` ends the windows; `recent` is how many of the newest to list, default 10. */
  readonly statistics: (nowMs: number, recent?: number) => Promise<TransactionStatistics>;
}
