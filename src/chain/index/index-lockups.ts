// Lockups of indexed accounts, each kept once: nearly all accounts have none, and the others often share theirs.
import { type Lockup, stakeOffsets } from '../../domain/stake/stake-account.ts';
import { addressAt } from '../../domain/stake/stake-account-base58.ts';

const LOCKUP_OFFSET = stakeOffsets.lockupTimestamp;
const LOCKUP_BYTES = stakeOffsets.voter - LOCKUP_OFFSET;

/** Numbers lockups from 0 in the order in which they were first met. */
export class IndexLockups {
  readonly #lockups: Lockup[] = [];
  readonly #ids = new Map<string, number>();

  /** The lockup of a number handed out. */
  get(id: number): Lockup {
    return this.#lockups[id]!;
  }

  /** The number of the lockup in a stake account's bytes. */
  idOf(data: Uint8Array): number {
    const text = isEmpty(data)
      ? ''
      : Buffer.from(data.buffer, data.byteOffset + LOCKUP_OFFSET, LOCKUP_BYTES).toString('latin1');
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const view = new DataView(data.buffer, data.byteOffset + LOCKUP_OFFSET, LOCKUP_BYTES);
    this.#ids.set(text, this.#lockups.length);
    return (
      this.#lockups.push({
        unixTimestamp: view.getBigInt64(0, true),
        epoch: view.getBigUint64(8, true),
        custodian: addressAt(data, stakeOffsets.lockupCustodian),
      }) - 1
    );
  }
}

const isEmpty = (data: Uint8Array): boolean => {
  for (let i = 0; i < LOCKUP_BYTES; i += 1) if (data[LOCKUP_OFFSET + i] !== 0) return false;
  return true;
};
