// Persists a pending transaction until its outcome is known, starting before the wallet is asked to sign it.
import { type GoalName, goalNames } from '../../src/domain/plan/plan-goals.ts';
import { priorityLevels } from '../../src/domain/priority-levels.ts';
import {
  type ChangeMembers,
  type Priority,
  type RequestKind,
  requestKinds,
  requestOfParts,
  requireFlowFields,
  type StakingRequest,
} from './staking-request.ts';

/** A pending request. Browsers store it as JSON, so fields may be added but never renamed. */
export interface TransactionRecord {
  readonly version: 1;
  readonly kind: RequestKind;
  readonly walletAddress: string;
  /** Lamports as text. Always present for a stake; a withdrawal without it takes everything. */
  readonly amountLamports?: string | undefined;
  readonly change?: ChangeMembers | undefined;
  /** The priority fee that the user accepted; undefined if there is none. */
  readonly priority?: Priority | undefined;
  /** The withdraw authority, if the wallet is only the stake authority. */
  readonly owner?: string | undefined;
  /** The requested stake authority of a new stake, if it is not the wallet. */
  readonly stakeAuthority?: string | undefined;
  /** Position in a plan of several transactions, from 1. */
  readonly part?: { readonly index: number; readonly of: number } | undefined;
  /** The affected account. The service derives a new stake's address, which is the same for every attempt. */
  readonly stakeAccountAddress?: string | undefined;
  /**
   * Cluster and validator of the request. A record of an earlier sandbox is ignored, because a sandbox starts
   * empty.
   */
  readonly cluster: string;
  readonly voteAccount: string;
  /**
   * Idempotency key. All attempts share it, and therefore one stake account address, which can be created only
   * once.
   */
  readonly idempotencyKey: string;
  readonly begunAtMs: number;
  /** Signed transaction in base64. Undefined until the wallet has signed. */
  readonly signedTransaction?: string | undefined;
  readonly signature?: string | undefined;
  /** Block height above which the transaction cannot land. */
  readonly lastValidBlockHeight?: number | undefined;
  /** Expected time at which the chain passes that height, by this machine's clock. */
  readonly expiresAtMs?: number | undefined;
  readonly confirmedAtMs?: number | undefined;
  readonly explorerUrl?: string | undefined;
}

/** True if later transactions of the plan follow this one. */
export const hasLaterTransactions = ({ part }: TransactionRecord): boolean =>
  part !== undefined && part.index < part.of;

/** True for every transaction of a plan except the first. */
export const isAfterFirstTransaction = ({ part }: TransactionRecord): boolean =>
  part !== undefined && part.index > 1;

/**
 * Creates the record of a new request. Throws `HoldfastError` `INVALID_INPUT` for `lamports` or `accounts`, the names
 * of these fields in the verifier.
 */
export const newRecord = (
  request: StakingRequest,
  more: Pick<TransactionRecord, 'cluster' | 'voteAccount' | 'idempotencyKey' | 'begunAtMs'>,
): TransactionRecord => {
  requireFlowFields(request);
  return {
    version: 1,
    kind: request.kind,
    walletAddress: request.walletAddress,
    ...('amountLamports' in request && request.amountLamports !== undefined
      ? { amountLamports: String(request.amountLamports) }
      : {}),
    ...('stakeAccountAddress' in request && request.stakeAccountAddress !== undefined
      ? { stakeAccountAddress: request.stakeAccountAddress }
      : {}),
    ...(request.kind === 'rearrange' ? { change: changeOf(request) } : {}),
    ...(request.priority && { priority: request.priority }),
    ...(request.owner !== undefined && { owner: request.owner }),
    ...('stakeAuthority' in request &&
      request.stakeAuthority !== undefined && { stakeAuthority: request.stakeAuthority }),
    ...more,
  };
};

const changeOf = ({ goal, rounding, to, accounts }: ChangeMembers): ChangeMembers => ({
  goal,
  ...(rounding && { rounding }),
  ...(to && { to }),
  ...(accounts && { accounts }),
});

/** Returns the request in the record. Throws `HoldfastError` `INVALID_INPUT` if the record is incomplete. */
export const requestOf = ({
  kind,
  walletAddress,
  amountLamports,
  stakeAccountAddress,
  change,
  priority,
  owner,
  stakeAuthority,
}: TransactionRecord) =>
  requestOfParts(kind, {
    walletAddress,
    stakeAccountAddress,
    change,
    priority,
    owner,
    stakeAuthority,
    amountLamports: amountLamports === undefined ? undefined : BigInt(amountLamports),
  });

export interface RecordStore {
  /** Throws if the record cannot be stored, because a transaction without a record must not be signed. */
  readonly save: (record: TransactionRecord) => void;
  /** Stores a sent or landed transaction. Does not throw, because the transaction has already been sent. */
  readonly saveIfPossible: (record: TransactionRecord) => void;
  /** Removes the record. Called once the outcome is known, or if nothing was signed. */
  readonly remove: (record: TransactionRecord) => void;
}

/** Storage for one record, for instance a key in a browser's storage. */
export interface RecordSlot {
  readonly read: () => TransactionRecord | null;
  readonly write: (record: TransactionRecord | null) => void;
}

/**
 * Opens a store in `slot`. `save` replaces another tab's record, which matters only if that tab is reloaded;
 * `saveIfPossible` and `remove` leave it in place.
 */
export const slotStore = (slot: RecordSlot): RecordStore => {
  const isEmptyOrOwn = ({ idempotencyKey }: TransactionRecord): boolean => {
    const held = slot.read();
    return held === null || held.idempotencyKey === idempotencyKey;
  };
  return {
    save: slot.write,
    saveIfPossible: (record) => {
      if (!isEmptyOrOwn(record)) return;
      try {
        slot.write(record);
      } catch {
        // The storage is full or blocked, so a reload loses the record.
      }
    },
    remove: (record) => {
      if (isEmptyOrOwn(record)) slot.write(null);
    },
  };
};

const TEXTS = ['walletAddress', 'cluster', 'voteAccount', 'idempotencyKey'] as const;
const TEXTS_IF_ANY = [
  'stakeAccountAddress',
  'signedTransaction',
  'signature',
  'explorerUrl',
  'owner',
  'stakeAuthority',
] as const;
const NUMBERS_IF_ANY = ['lastValidBlockHeight', 'expiresAtMs', 'confirmedAtMs'] as const;

const isChange = (value: unknown): boolean => {
  const { goal, rounding, to, accounts } = (value ?? {}) as Partial<Record<keyof ChangeMembers, unknown>>;
  return (
    goalNames.includes(goal as GoalName) &&
    [rounding, to].every((text) => ['string', 'undefined'].includes(typeof text)) &&
    (accounts === undefined ||
      (Array.isArray(accounts) && accounts.every((one: unknown) => typeof one === 'string')))
  );
};

const isPriority = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Number.isSafeInteger((value as Record<string, unknown>).maxLamports)
    : priorityLevels.some((level) => level === value);

const isPart = (value: unknown): boolean => {
  const { index, of } = (value ?? {}) as Record<string, unknown>;
  return Number.isInteger(index) && Number.isInteger(of);
};

/** Checks every field, because an invalid record would break the page on every reload. */
const isRecord = (value: unknown): value is TransactionRecord => {
  const found = (value ?? {}) as Record<string, unknown>;
  const { version, kind, amountLamports, begunAtMs, change, part, priority } = found;
  return (
    version === 1 &&
    (requestKinds as readonly unknown[]).includes(kind) &&
    (amountLamports === undefined ||
      (typeof amountLamports === 'string' && /^\d{1,20}$/.test(amountLamports))) &&
    typeof begunAtMs === 'number' &&
    (change === undefined ? kind !== 'rearrange' : isChange(change)) &&
    (part === undefined || isPart(part)) &&
    (priority === undefined || isPriority(priority)) &&
    TEXTS.every((name) => typeof found[name] === 'string') &&
    TEXTS_IF_ANY.every((name) => ['string', 'undefined'].includes(typeof found[name])) &&
    NUMBERS_IF_ANY.every((name) => ['number', 'undefined'].includes(typeof found[name]))
  );
};

/** Opens the slot named `key` in a browser's storage. Unreadable content counts as empty. */
export const storageSlot = (
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  key: string,
): RecordSlot => ({
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
