// The one place where transactions are kept, as one flow uses it: what another tab keeps there is neither overwritten at the end nor taken away.
import type { RecordKeeper, TransactionRecord } from './transaction-record.ts';

/** A flow's use of the place. */
export interface RecordPlace {
  /** Throws where the browser stores nothing: what could be forgotten is not signed. */
  readonly keep: (record: TransactionRecord) => void;
  /** For what is on its way or landed: it is so, whether or not the browser still stores it. */
  readonly keepIfPossible: (record: TransactionRecord) => void;
  /** Null: nothing of ours. */
  readonly forget: (record: TransactionRecord | null) => void;
}

/** The place behind `keeper`. */
export const createRecordPlace = (keeper: RecordKeeper): RecordPlace => {
  const isFree = ({ idempotencyKey }: TransactionRecord): boolean => {
    const kept = keeper.read();
    return kept === null || kept.idempotencyKey === idempotencyKey;
  };
  return {
    keep: keeper.write,
    keepIfPossible: (record) => {
      if (!isFree(record)) return;
      try {
        keeper.write(record);
      } catch {
        // Full or blocked since: a reload forgets it.
      }
    },
    forget: (record) => {
      if (record !== null && isFree(record)) keeper.write(null);
    },
  };
};
