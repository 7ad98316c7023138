// Scans all accounts delegated to a vote account and checks each row against the filters.
import type { Address } from '@solana/kit';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import {
  decodeStakeAccount,
  STAKE_ACCOUNT_BYTES,
  STAKE_TAG_BASE64,
  stakeOffsets,
} from '../../domain/stake/stake-account.ts';
import type { ChainAccount } from '../ports.ts';
import { NodeFailure, RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import type { DelegatedAccount } from './index-table.ts';
import { readScanResponse } from './read-scan-response.ts';

/** Filters for scan and subscription: full-size stake accounts with tag 2 (delegated) and our vote account. */
export const delegatedToFilters = (voteAccount: Address) => [
  { dataSize: STAKE_ACCOUNT_BYTES },
  { memcmp: { offset: stakeOffsets.tag, bytes: STAKE_TAG_BASE64, encoding: 'base64' } },
  { memcmp: { offset: stakeOffsets.voter, bytes: voteAccount, encoding: 'base58' } },
];

/** Decodes a full-size stake account delegated to `voteAccount`; returns null for any other account. */
export const delegatedTo = (voteAccount: Address, account: ChainAccount): DelegatedAccount | null => {
  const decoded = decodeStakeAccount(account);
  return decoded?.delegation?.voteAccount === voteAccount ? (decoded as DelegatedAccount) : null;
};

/** Options and receiver of a scan. */
export interface IndexScan {
  readonly pool: RpcPool;
  readonly voteAccount: Address;
  /** True to request addresses without data. */
  readonly keysOnly: boolean;
  /** Responses from before this slot are refused and requested from another node. */
  readonly minSlot: number;
  /**
   * Returns true for slots that the cluster can have reached. A response from a later slot counts as broken.
   */
  readonly plausible: (slot: number) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called when a node starts to respond, once per node. */
  readonly onStart: (slot: number) => void;
  /** Called for each listed account. `account` is null in a scan for addresses only. */
  readonly onRow: (address: Address, account: DelegatedAccount | null) => void;
  /** Called with the bytes read so far, and the total if the node reports it. */
  readonly onProgress?: (bytes: number, ofBytes: number | null) => void;
}

/**
 * Runs the scan at `confirmed`. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no node completes it; rows
 * received before the error are still valid.
 */
export const runIndexScan = async (
  scan: IndexScan,
): Promise<{ readonly slot: number; readonly rows: number }> => {
  const onSlot = (slot: number) => {
    if (slot < scan.minSlot) {
      const message = 'Minimum context slot has not been reached';
      throw new RpcError(rpcErrorCodes.minContextSlotNotReached, message, undefined);
    }
    if (!scan.plausible(slot)) throw new NodeFailure('garbage', { mayHaveArrived: true });
    scan.onStart(slot);
  };
  const onRow = (row: ChainAccount) => {
    const account = scan.keysOnly ? null : delegatedTo(scan.voteAccount, row);
    if (!scan.keysOnly && account === null) throw new NodeFailure('garbage', { mayHaveArrived: true });
    scan.onRow(row.address, account);
  };
  try {
    return await scan.pool.askForLarge(
      {
        method: 'getProgramAccounts',
        params: [
          STAKE_PROGRAM,
          {
            commitment: 'confirmed',
            encoding: 'base64',
            withContext: true,
            ...(scan.minSlot > 0 ? { minContextSlot: scan.minSlot } : {}),
            dataSlice: { offset: 0, length: scan.keysOnly ? 0 : STAKE_ACCOUNT_BYTES },
            filters: delegatedToFilters(scan.voteAccount),
          },
        ],
        read: (body, id) => readScanResponse(body, id, { onSlot, onRow }, scan.signal),
      },
      { signal: scan.signal, timeoutMs: scan.timeoutMs, onProgress: scan.onProgress },
    );
  } catch (error) {
    throw asUnavailable(error);
  }
};
