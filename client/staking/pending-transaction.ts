// Persists a pending transaction from before the wallet is asked until its outcome is known.
import { type GoalName, goalNames } from '../../src/domain/plan/plan-goals.ts';
import {
  type ChangeMembers,
  type RequestKind,
  requestKinds,
  requestOfParts,
  type StakingRequest,
} from './staking-request.ts';

/** A request on its way. Its JSON is what browsers hold: members are added, never renamed. */
export interface TransactionRecord {
  readonly version: 1;
  readonly kind: RequestKind;
  readonly walletAddress: string;
  /** Lamports as text. A stake has it always; a withdrawal without it takes everything. */
  readonly amountLamports?: string | undefined;
  /** The parameters of a stake change. */
  readonly change?: ChangeMembers | undefined;
  /** Of a plan of several transactions: which of them this is, from 1. */
  readonly part?: { readonly index: number; readonly of: number } | undefined;
  /** The account that is acted on; a stake's is made by the service, and is the same for every attempt. */
  readonly stakeAccountAddress?: string | undefined;
  /** The cluster and validator it is for: a sandbox begins afresh at every start, and a record of an earlier one means nothing. */
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
  /** When that height is expected to pass, by the clock of this machine. */
  readonly expiresAtMs?: number | undefined;
  readonly confirmedAtMs?: number | undefined;
  readonly explorerUrl?: string | undefined;
}

/** True while later transactions of the plan follow this one. */
export const isHalfway = ({ part }: TransactionRecord): boolean => part !== undefined && part.index < part.of;

/** True for any but the first transaction of a plan. */
export const isLaterPart = ({ part }: TransactionRecord): boolean => part !== undefined && part.index > 1;

/** A record of a request that nothing was done for yet. */
export const newRecord = (
  request: StakingRequest,
  more: Pick<TransactionRecord, 'cluster' | 'voteAccount' | 'idempotencyKey' | 'begunAtMs'>,
): TransactionRecord => ({
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
  ...more,
});

const changeOf = ({ goal, rounding, to, accounts }: ChangeMembers): ChangeMembers => ({
  goal,
  ...(rounding && { rounding }),
  ...(to && { to }),
  ...(accounts && { accounts }),
});

/** The request in the record. Throws `TypeError` if incomplete. */
export const requestOf = ({
  kind,
  walletAddress,
  amountLamports,
  stakeAccountAddress,
  change,
}: TransactionRecord) =>
  requestOfParts(kind, {
    walletAddress,
    stakeAccountAddress,
    change,
    amountLamports: amountLamports === undefined ? undefined : BigInt(amountLamports),
  });

/** Where the flow stores its record. */
export interface RecordStore {
  /** Throws where nothing can be stored: what could be forgotten is not signed. */
  readonly save: (record: TransactionRecord) => void;
  /** For what is on its way or landed: it is so, whether or not it can still be stored. */
  readonly saveIfPossible: (record: TransactionRecord) => void;
  /** Its end was seen, or nothing was signed. */
  readonly remove: (record: TransactionRecord) => void;
}

/** One place that holds one record, for instance a browser's. */
export interface RecordSlot {
  readonly read: () => TransactionRecord | null;
  readonly write: (record: TransactionRecord | null) => void;
}

/** A store in `slot`: what another tab put there is neither overwritten at the end nor taken away. */
export const slotStore = (slot: RecordSlot): RecordStore => {
  const isFree = ({ idempotencyKey }: TransactionRecord): boolean => {
    const held = slot.read();
    return held === null || held.idempotencyKey === idempotencyKey;
  };
  return {
    save: slot.write,
    saveIfPossible: (record) => {
      if (!isFree(record)) return;
      try {
        slot.write(record);
      } catch {
        // Full or blocked since: a reload forgets it.
      }
    },
    remove: (record) => {
      if (isFree(record)) slot.write(null);
    },
  };
};

const TEXTS = ['walletAddress', 'cluster', 'voteAccount', 'idempotencyKey'] as const;
const TEXTS_IF_ANY = ['stakeAccountAddress', 'signedTransaction', 'signature', 'explorerUrl'] as const;
const NUMBERS_IF_ANY = ['lastValidBlockHeight', 'expiresAtMs', 'confirmedAtMs'] as const;

const isChange = (value: unknown): boolean => {
  const { goal, accounts } = (value ?? {}) as Partial<Record<keyof ChangeMembers, unknown>>;
  return (
    goalNames.includes(goal as GoalName) &&
    (accounts === undefined ||
      (Array.isArray(accounts) && accounts.every((one: unknown) => typeof one === 'string')))
  );
};

const isPart = (value: unknown): boolean => {
  const { index, of } = (value ?? {}) as Record<string, unknown>;
  return Number.isInteger(index) && Number.isInteger(of);
};

/** Every member is checked: what is shown of a record must not break the page at each reload. */
const isRecord = (value: unknown): value is TransactionRecord => {
  const found = (value ?? {}) as Record<string, unknown>;
  const { version, kind, amountLamports, begunAtMs, change, part } = found;
  return (
    version === 1 &&
    (requestKinds as readonly unknown[]).includes(kind) &&
    (amountLamports === undefined ||
      (typeof amountLamports === 'string' && /^\d{1,20}$/.test(amountLamports))) &&
    typeof begunAtMs === 'number' &&
    (change === undefined || isChange(change)) &&
    (part === undefined || isPart(part)) &&
    TEXTS.every((name) => typeof found[name] === 'string') &&
    TEXTS_IF_ANY.every((name) => ['string', 'undefined'].includes(typeof found[name])) &&
    NUMBERS_IF_ANY.every((name) => ['number', 'undefined'].includes(typeof found[name]))
  );
};

/** The slot named `key` of a browser's storage; what cannot be read there counts as nothing. */
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
