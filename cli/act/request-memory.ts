// Remembers for which stake account a key was signed, between two runs: under the same key no other is signed for, whatever a service says of the first.

import type { RecordStore, TransactionRecord } from '../../client/staking/pending-transaction.ts';
import { NotAsAsked } from '../../client/staking/staking-errors.ts';
import { createsAccount } from '../../src/domain/transaction/transaction-kinds.ts';
import {
  createLocalJson,
  fileNameOf,
  localPath,
  pruneLocalFolder,
  readLocalJson,
} from '../local/state-folder.ts';

/** The memory of one service. */
export interface RequestMemory extends RecordStore {
  /** The stake account that was signed for under this key; undefined where nothing was. */
  readonly stakeAccountOf: (walletAddress: string, idempotencyKey: string) => string | undefined;
}

const FOLDER = 'requests';
/** As long as a service remembers what it did not sign for. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;

/** One small file a key, in the folder of the command line; those of more than 30 days ago go when another is written. */
export const createRequestMemory = (
  environment: Readonly<Record<string, string | undefined>>,
  baseUrl: string,
): RequestMemory => {
  const pathOf = (walletAddress: string, idempotencyKey: string): string =>
    localPath(environment, FOLDER, fileNameOf(baseUrl, walletAddress, idempotencyKey));
  const stakeAccountOf: RequestMemory['stakeAccountOf'] = (walletAddress, idempotencyKey) => {
    const found = readLocalJson(pathOf(walletAddress, idempotencyKey)) as
      | { stakeAccountAddress?: unknown }
      | undefined;
    return typeof found?.stakeAccountAddress === 'string' ? found.stakeAccountAddress : undefined;
  };
  const save = ({
    kind,
    walletAddress,
    idempotencyKey,
    stakeAccountAddress,
    signature,
  }: TransactionRecord): void => {
    // Only what was signed can land, and what is done to an account names it in the request.
    if (!createsAccount(kind) || signature === undefined) return;
    const path = pathOf(walletAddress, idempotencyKey);
    if (createLocalJson(path, { walletAddress, idempotencyKey, stakeAccountAddress })) {
      pruneLocalFolder(localPath(environment, FOLDER), Date.now() - REMEMBERED_MS);
      return;
    }
    // Another run was first.
    if (stakeAccountOf(walletAddress, idempotencyKey) !== stakeAccountAddress)
      throw new NotAsAsked(
        `A different stake account was signed for under this idempotency key before (${path}). Nothing was sent.`,
        'service',
      );
  };
  return {
    stakeAccountOf,
    save,
    // It landed, or is on its way: the memory was written before it was sent.
    saveIfPossible: () => undefined,
    remove: () => undefined,
  };
};
