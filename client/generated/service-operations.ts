// Inputs and answers of the operations under "Service".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { HistoryAct, Meta } from './shared-types.ts';

/** The transaction counts in a response. */
export interface TransactionCounts {
  /** Stakes. */
  readonly stake: number;
  /** Unstakes. */
  readonly unstake: number;
  /** Withdrawals. */
  readonly withdraw: number;
  /** Restakes and fully undone unstakes: both have the same instructions. */
  readonly restake: number;
  /** Donations. */
  readonly donate: number;
  /** Stake changes. */
  readonly rearrange: number;
}

/** The analytics window in a response. */
export interface AnalyticsWindow {
  /** Transactions. */
  readonly transactions: number;
  /** Staked. */
  readonly solStaked: number;
  /** Withdrawn. */
  readonly solWithdrawn: number;
  /** Donated. */
  readonly solDonated: number;
  /** Wallets that signed at least one of them. */
  readonly uniqueWallets: number;
}

/** The recent transaction in a response. */
export interface RecentTransaction {
  /**
   * The kind of transaction, by its instructions. A restake and an undone unstake have the same
   * instructions; act distinguishes them.
   */
  readonly type: 'stake' | 'unstake' | 'withdraw' | 'restake' | 'donate' | 'rearrange';
  /**
   * The act, by its effects; if there were several, the first of these: rescue took back control, `topUp`
   * added to an activating stake, undo reverted an unstake of the same epoch, change is anything else.
   */
  readonly act:
    | 'rescue'
    | 'stake'
    | 'topUp'
    | 'restake'
    | 'undo'
    | 'unstake'
    | 'merge'
    | 'withdraw'
    | 'split'
    | 'move'
    | 'donate'
    | 'change';
  /** Its effects in words: "Unstake 5 SOL, withdraw 3 SOL". */
  readonly title: string;
  /** The effects listed in title, in the same order. */
  readonly acts: readonly HistoryAct[];
  /** The transaction. */
  readonly signature: string;
  /** Null for a donation, and for a rearrangement of several. */
  readonly stakeAccountAddress: string | null;
  /**
   * Amount of the act: deactivated by an unstake, delegated by a restake or undo. Null if unknown, and for
   * a rescue or merge.
   */
  readonly amountSol: number | null;
  /** Slot in which it landed. */
  readonly slot: number;
  /** Epoch in which it landed. */
  readonly epoch: number;
  /** When. ISO 8601. */
  readonly confirmedAt: string;
  /**
   * Interface it was sent through: page, client, cli, mcp-stdio, mcp or actions if the caller identified
   * itself, else rest. chain: found on chain.
   */
  readonly source: 'rest' | 'page' | 'client' | 'cli' | 'mcp-stdio' | 'mcp' | 'actions' | 'chain';
  /** It has the memo of this service. */
  readonly hasMemo: boolean;
  /** The transaction in an explorer. */
  readonly explorerUrl: string;
  /** The stake account in an explorer; null for a donation. */
  readonly accountUrl: string | null;
  /** First and last four characters of its address. */
  readonly wallet: string;
}

/** The dependency in a response. */
export interface Dependency {
  readonly ok: boolean;
  /** Seconds since it last answered; null if it never has. */
  readonly ageSeconds: number | null;
  readonly error: string | null;
  /** The service works without it, slower or with fewer features, and is still ready. */
  readonly optional?: boolean | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Input of `GET /analytics-json`. */
export type AnalyticsInput = Readonly<Record<never, never>>;

/** Answer of `GET /analytics-json`. */
export interface AnalyticsAnswer {
  /** All recorded transactions. */
  readonly totalTransactions: number;
  /** Moved into stake accounts. */
  readonly totalSolStaked: number;
  /** Moved out of stake accounts. */
  readonly totalSolWithdrawn: number;
  /** Moved to the donation address. */
  readonly totalSolDonated: number;
  /**
   * Currently delegated to the validator by anyone and not deactivated; null until the stake accounts have
   * been scanned once.
   */
  readonly activeSolStaked: number | null;
  readonly transactionCounts: TransactionCounts;
  /** Wallets that signed. */
  readonly uniqueWallets: number;
  /** Number of answered calls by `METHOD /path`. */
  readonly endpointCounts: Readonly<Record<string, number>>;
  /** The sum of endpointCounts. */
  readonly totalApiCalls: number;
  /** Sent over REST by any program. */
  readonly restTransactions: number;
  /** Sent over MCP, including stdio. */
  readonly mcpTransactions: number;
  /** Count by interface; chain: found on chain. */
  readonly transactionsBySource: Readonly<Record<string, number>>;
  /** Mean stake; 0 without any. */
  readonly avgStakeSol: number;
  /** Mean withdrawal; 0 without any. */
  readonly avgWithdrawSol: number;
  /** Mean donation; 0 without any. */
  readonly avgDonateSol: number;
  readonly last24h: AnalyticsWindow;
  readonly last7d: AnalyticsWindow;
  readonly last30d: AnalyticsWindow;
  /** The newest ten. */
  readonly recentTransactions: readonly RecentTransaction[];
  readonly _meta: Meta;
}

/** Input of `GET /health`. */
export type HealthInput = Readonly<Record<never, never>>;

/** Answer of `GET /health`. */
export interface HealthAnswer {
  readonly status: 'ok';
  readonly _meta: Meta;
}

/** Input of `GET /ready`. */
export type ReadyInput = Readonly<Record<never, never>>;

/** Answer of `GET /ready`. */
export interface ReadyAnswer {
  readonly status: 'ready';
  readonly dependencies: Readonly<Record<string, Dependency>>;
  readonly _meta: Meta;
}
