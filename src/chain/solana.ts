// Typed reads of a Solana cluster. Every response is validated by schema and against the request.
import {
  type Address,
  getBase58Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Signature,
} from '@solana/kit';
import { STAKE_PROGRAM } from '../domain/instruction-programs.ts';
import { STAKE_ACCOUNT_BYTES, STAKE_TAG_BASE64, stakeOffsets } from '../domain/stake/stake-account.ts';
import { smaller } from '../kernel/order.ts';
import type { AccountsAtSlot, ChainAccount, ReadOptions, SolanaReads } from './ports.ts';
import { readConfig, signatureStatusesCall } from './rpc/rpc-calls.ts';
import { asUnavailable, type RpcCall, type RpcPool } from './rpc/rpc-pool.ts';
import * as schemas from './rpc/rpc-schemas.ts';

/**
 * Maximum numbers per call: `getMultipleAccounts` takes 100 addresses, `getSignatureStatuses` 256 signatures.
 */
const ACCOUNTS_PER_CALL = 100;
const SIGNATURES_PER_CALL = 256;
/**
 * Program scans are slower than other reads on every provider, so they get this multiple of the pool's
 * timeout.
 */
const SCAN_TIMEOUT_FACTOR = 3;

const decodeTransaction = getTransactionDecoder();
const toBytes = getBase58Encoder();

const chunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

const contextSlot = (response: { context: { slot: bigint } }): bigint => response.context.slot;

const atLeast = ({ minContextSlot }: ReadOptions) => (minContextSlot === undefined ? {} : { minContextSlot });

const holds = (data: Uint8Array, offset: number, expected: Uint8Array): boolean =>
  expected.every((byte, i) => data[offset + i] === byte);

/** In v1 transactions the signatures follow the message, so the codec is needed to find them. */
const isSignedWith = (wireBytes: Uint8Array, signature: Signature): boolean => {
  try {
    return getSignatureFromTransaction(decodeTransaction.decode(wireBytes)) === signature;
  } catch {
    return false;
  }
};

interface StakeScan {
  readonly authority: { readonly offset: number; readonly wallet: Address };
  readonly voteAccount?: Address;
}

/** Creates typed reads over a pool. Stateless: no caching here. */
export const createSolanaReads = (pool: RpcPool): SolanaReads => {
  const call = async <T>(request: RpcCall<T>, options: ReadOptions, timeoutMs?: number): Promise<T> => {
    try {
      return await pool.call(
        { ...request, ...atLeast(options) },
        { signal: options.signal, ...(timeoutMs ? { timeoutMs } : {}) },
      );
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  const accountsOfOneCall = async (
    addresses: readonly Address[],
    options: ReadOptions,
  ): Promise<AccountsAtSlot> => {
    const { context, value } = await call(
      {
        method: 'getMultipleAccounts',
        params: [addresses, { ...readConfig(options), encoding: 'base64' }],
        schema: schemas.multipleAccountsSchema,
        accepts: ({ value }) => value.length === addresses.length,
        slotOf: contextSlot,
      },
      options,
    );
    return {
      slot: context.slot,
      accounts: value.map((account, i) => (account === null ? null : { ...account, address: addresses[i]! })),
    };
  };

  const scan = async ({ authority, voteAccount }: StakeScan, options: ReadOptions) => {
    const { context, value } = await call(
      {
        method: 'getProgramAccounts',
        params: [
          STAKE_PROGRAM,
          {
            ...readConfig(options),
            encoding: 'base64',
            withContext: true,
            filters: [
              { dataSize: STAKE_ACCOUNT_BYTES },
              { memcmp: { offset: authority.offset, bytes: authority.wallet, encoding: 'base58' } },
              ...(voteAccount === undefined
                ? []
                : [
                    { memcmp: { offset: 0, bytes: STAKE_TAG_BASE64, encoding: 'base64' } },
                    { memcmp: { offset: stakeOffsets.voter, bytes: voteAccount, encoding: 'base58' } },
                  ]),
            ],
          },
        ],
        schema: schemas.programAccountsSchema,
        slotOf: contextSlot,
      },
      options,
      pool.timeoutMs * SCAN_TIMEOUT_FACTOR,
    );
    const wallet = new Uint8Array(toBytes.encode(authority.wallet));
    const voter = voteAccount === undefined ? undefined : new Uint8Array(toBytes.encode(voteAccount));
    const accounts = value
      .map(({ pubkey, account }): ChainAccount => ({ address: pubkey, ...account }))
      .filter(({ owner, data }) => {
        if (owner !== STAKE_PROGRAM || data.length !== STAKE_ACCOUNT_BYTES) return false;
        if (!holds(data, authority.offset, wallet)) return false;
        const tag = data[0]! | (data[1]! << 8) | (data[2]! << 16) | (data[3]! << 24);
        return voter === undefined
          ? tag === 1 || tag === 2
          : tag === 2 && holds(data, stakeOffsets.voter, voter);
      });
    return { slot: context.slot, accounts };
  };

  return {
    accounts: async (addresses, options) => {
      if (addresses.length <= ACCOUNTS_PER_CALL && addresses.length > 0)
        return accountsOfOneCall(addresses, options);
      if (addresses.length === 0) return { slot: options.minContextSlot ?? 0n, accounts: [] };
      const parts = await Promise.all(
        chunks(addresses, ACCOUNTS_PER_CALL).map((part) => accountsOfOneCall(part, options)),
      );
      return { slot: parts.map((p) => p.slot).reduce(smaller), accounts: parts.flatMap((p) => p.accounts) };
    },

    stakeAccountsOf: async (wallet, voteAccount, options) => {
      const [asWithdrawer, asStaker] = await Promise.all([
        scan({ authority: { offset: stakeOffsets.withdrawer, wallet }, voteAccount }, options),
        scan({ authority: { offset: stakeOffsets.staker, wallet }, voteAccount }, options),
      ]);
      const [older, newer] =
        asWithdrawer.slot < asStaker.slot ? [asWithdrawer, asStaker] : [asStaker, asWithdrawer];
      const byAddress = new Map(
        [...older.accounts, ...newer.accounts].map((account) => [account.address, account]),
      );
      return { slot: older.slot, accounts: [...byAddress.values()] };
    },

    stakeAccountsStakedBy: (wallet, voteAccount, options) =>
      scan({ authority: { offset: stakeOffsets.staker, wallet }, voteAccount }, options),

    stakeAccountsWithdrawableBy: (wallet, options) =>
      scan({ authority: { offset: stakeOffsets.withdrawer, wallet } }, options),

    signaturesFor: async (address, options) => {
      const rows = await call(
        {
          method: 'getSignaturesForAddress',
          params: [
            address,
            {
              ...readConfig(options),
              limit: options.limit,
              ...(options.before ? { before: options.before } : {}),
            },
          ],
          schema: schemas.signaturesForAddressSchema,
        },
        options,
      );
      return rows.map(({ signature, slot, err, memo, blockTime }) => ({
        signature,
        slot,
        succeeded: err === null,
        memo,
        blockTimeSeconds: blockTime ?? null,
      }));
    },

    signatureStatuses: async (signatures, options) => {
      const parts = await Promise.all(
        chunks(signatures, SIGNATURES_PER_CALL).map((part) =>
          call(signatureStatusesCall(part, options.searchHistory), options),
        ),
      );
      if (parts.length === 0) return { slot: options.minContextSlot ?? 0n, statuses: [] };
      return { slot: parts.map((p) => p.slot).reduce(smaller), statuses: parts.flatMap((p) => p.statuses) };
    },

    transaction: async (signature, options) => {
      const commitment = options.commitment === 'finalized' ? 'finalized' : 'confirmed';
      const found = await call(
        {
          method: 'getTransaction',
          params: [signature, { commitment, encoding: 'base64', maxSupportedTransactionVersion: 1 }],
          schema: schemas.transactionSchema,
          accepts: (found) => found === null || isSignedWith(found.transaction, signature),
        },
        options,
      );
      if (found === null) return null;
      return {
        slot: found.slot,
        wireBytes: found.transaction,
        preBalances: found.meta?.preBalances,
        postBalances: found.meta?.postBalances,
        error: found.meta?.err ?? null,
        blockTimeSeconds: found.blockTime ?? null,
      };
    },
  };
};
