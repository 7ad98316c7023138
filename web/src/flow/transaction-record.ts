// What the page must not forget about a transaction: kept in this browser from before the wallet is asked until its end was seen.

/** What is wanted, before anything is built. */
export interface Wish {
  readonly kind: 'stake' | 'unstake' | 'withdraw';
  readonly walletAddress: string;
  /** Lamports as text. A stake has it always; a withdrawal without it takes everything. */
  readonly amountLamports?: string | undefined;
  /** The account that is acted on; a stake's is made by the service. */
  readonly stakeAccountAddress?: string | undefined;
}

/** A wish on its way. */
export interface TransactionRecord extends Wish {
  readonly version: 1;
  /** The cluster and validator it is for: a sandbox begins afresh at every start, and what is kept of an earlier one means nothing. */
  readonly cluster: string;
  readonly voteAccount: string;
  /** The same for every attempt: it leads to the same stake account, which can be created only once. */
  readonly idempotencyKey: string;
  readonly begunAtMs: number;
  /** Base64, once the wallet signed. */
  readonly signedTransaction?: string | undefined;
  readonly signature?: string | undefined;
  /** The transaction cannot land above this block height. */
  readonly lastValidBlockHeight?: number | undefined;
  readonly confirmedAtMs?: number | undefined;
  readonly explorerUrl?: string | undefined;
}

/** A place to keep it. */
export interface RecordKeeper {
  readonly read: () => TransactionRecord | null;
  readonly write: (record: TransactionRecord | null) => void;
}

const TEXTS = ['walletAddress', 'cluster', 'voteAccount', 'idempotencyKey'] as const;
const TEXTS_IF_ANY = ['stakeAccountAddress', 'signedTransaction', 'signature', 'explorerUrl'] as const;
const NUMBERS_IF_ANY = ['lastValidBlockHeight', 'confirmedAtMs'] as const;

/** Every member is looked at: what is shown of a record must not break the page at each reload. */
const isRecord = (value: unknown): value is TransactionRecord => {
  const found = (value ?? {}) as Record<string, unknown>;
  const { version, kind, amountLamports, begunAtMs } = found;
  return (
    version === 1 &&
    (kind === 'stake' || kind === 'unstake' || kind === 'withdraw') &&
    (amountLamports === undefined ||
      (typeof amountLamports === 'string' && /^\d{1,20}$/.test(amountLamports))) &&
    typeof begunAtMs === 'number' &&
    TEXTS.every((name) => typeof found[name] === 'string') &&
    TEXTS_IF_ANY.every((name) => ['string', 'undefined'].includes(typeof found[name])) &&
    NUMBERS_IF_ANY.every((name) => ['number', 'undefined'].includes(typeof found[name]))
  );
};

/** Keeps it under `key` in the given storage; what cannot be read there counts as nothing. */
export const createRecordKeeper = (
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  key: string,
): RecordKeeper => ({
  read: () => {
    try {
      const value: unknown = JSON.parse(storage.getItem(key) ?? 'null');
      return isRecord(value) ? value : null;
    } catch {
      return null;
    }
  },
  write: (record) => {
    if (record === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(record));
  },
});
