// One scan of all accounts delegated to a vote account, streamed: each row is checked against what was asked before it is handed over.
import { type Address, getBase58Encoder } from '@solana/kit';
import {
  STAKE_ACCOUNT_BYTES,
  STAKE_TAG,
  STAKE_TAG_BASE64,
  stakeOffsets,
} from '../../domain/stake/stake-account.ts';
import { STAKE_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import { NodeFailure, RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { ScanParser } from './index-scan-parser.ts';
import type { ScanRow } from './index-scan-row.ts';
import { INDEXED_BYTES } from './index-table.ts';

const toBytes = getBase58Encoder();

/** The filters of both the scan and the subscription: a whole stake account, tag 2 (delegated), our voter. */
export const delegatedToFilters = (voteAccount: Address) => [
  { dataSize: STAKE_ACCOUNT_BYTES },
  { memcmp: { offset: stakeOffsets.tag, bytes: STAKE_TAG_BASE64, encoding: 'base64' } },
  { memcmp: { offset: stakeOffsets.voter, bytes: voteAccount, encoding: 'base58' } },
];

/** Tells whether the bytes of a stake account (the first 196 suffice) say: delegated, to this vote account. */
export const delegationTest = (voteAccount: Address): ((data: Uint8Array) => boolean) => {
  const voter = new Uint8Array(toBytes.encode(voteAccount));
  return (data) => {
    if (data[stakeOffsets.tag] !== STAKE_TAG || data[1] !== 0 || data[2] !== 0 || data[3] !== 0) return false;
    for (let i = 0; i < voter.length; i += 1) if (data[stakeOffsets.voter + i] !== voter[i]) return false;
    return true;
  };
};

/** What to scan for, and who takes it. */
export interface IndexScan {
  readonly pool: RpcPool;
  readonly voteAccount: Address;
  /** Only which accounts there are: rows come without data. */
  readonly keysOnly: boolean;
  /** Answers from before this slot are asked for again elsewhere. */
  readonly minSlot: number;
  /** True for a slot that the cluster can have reached; answers from the future are broken. */
  readonly plausible: (slot: number) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** A node answers; called again if another one has to be asked. */
  readonly onStart: (slot: number) => void;
  /** The row object is overwritten by the next one. */
  readonly onRow: (row: ScanRow) => void;
  /** Bytes read so far, and in all where the node says so. */
  readonly onProgress?: (bytes: number, ofBytes: number | null) => void;
}

/** Runs the scan at `confirmed`. Throws `AppError('UPSTREAM_UNAVAILABLE')`; rows handed over until then are true all the same. */
export const runIndexScan = async (
  scan: IndexScan,
): Promise<{ readonly slot: number; readonly rows: number }> => {
  const isOurs = delegationTest(scan.voteAccount);
  const onSlot = (slot: number) => {
    if (slot < scan.minSlot) {
      const message = 'Minimum context slot has not been reached';
      throw new RpcError(rpcErrorCodes.minContextSlotNotReached, message, undefined);
    }
    if (!scan.plausible(slot)) throw new NodeFailure('garbage', { mayHaveArrived: true });
    scan.onStart(slot);
  };
  const onRow = (row: ScanRow) => {
    if (!scan.keysOnly && (row.dataBytes < INDEXED_BYTES || !isOurs(row.data)))
      throw new NodeFailure('garbage', { mayHaveArrived: true });
    scan.onRow(row);
  };
  try {
    return await scan.pool.stream(
      {
        method: 'getProgramAccounts',
        params: [
          STAKE_PROGRAM,
          {
            commitment: 'confirmed',
            encoding: 'base64',
            withContext: true,
            ...(scan.minSlot > 0 ? { minContextSlot: scan.minSlot } : {}),
            dataSlice: { offset: 0, length: scan.keysOnly ? 0 : INDEXED_BYTES },
            filters: delegatedToFilters(scan.voteAccount),
          },
        ],
        open: (id) => {
          const parser = new ScanParser(id, { onSlot, onRow });
          let bytes = 0;
          let ofBytes: number | null = null;
          return {
            expect: (bodyBytes) => {
              ofBytes = bodyBytes;
            },
            write: (chunk) => {
              parser.write(chunk);
              bytes += chunk.length;
              scan.onProgress?.(bytes, ofBytes);
            },
            end: () => parser.end(),
          };
        },
      },
      { signal: scan.signal, timeoutMs: scan.timeoutMs },
    );
  } catch (error) {
    throw asUnavailable(error);
  }
};
