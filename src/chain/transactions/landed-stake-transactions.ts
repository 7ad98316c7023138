// Reads and caches the effects of finalized transactions on stake accounts, including effects through other
// programs and lookup tables.
import type { Address, Signature } from '@solana/kit';
import { z } from 'zod';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { readStakeOperation, type StakeOperation } from '../../domain/stake/stake-operation.ts';
import { decodeBase58Bytes } from '../../kernel/base58.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { asUnavailable, type RpcCall, type RpcPool } from '../rpc/rpc-pool.ts';
import { addressSchema, signatureSchema, u64Schema } from '../rpc/rpc-schemas.ts';

/** A landed transaction, reduced to its effects on stake accounts. */
export interface LandedStakeTransaction {
  readonly signature: Signature;
  /** Signers, the fee payer first. */
  readonly signers: readonly Address[];
  readonly slot: bigint;
  /** Block time in Unix seconds; null if the node does not know it. */
  readonly seconds: bigint | null;
  readonly succeeded: boolean;
  /** Instructions in the order of execution. */
  readonly operations: readonly StakeOperation[];
  /** Lamports of every account of the transaction after it landed. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

export interface LandedStakeTransactions {
  /**
   * Returns null if no node has the transaction any longer. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no
   * node responds.
   */
  readonly read: (signature: Signature, signal: AbortSignal) => Promise<LandedStakeTransaction | null>;
}

const instructionSchema = z.object({
  programIdIndex: z.int().nonnegative(),
  accounts: z.array(z.int().nonnegative()),
  data: z.string(),
});
const transactionSchema = z
  .object({
    slot: u64Schema,
    blockTime: z.int().nullable().optional(),
    // Null if the node has the transaction but not its effects.
    meta: z
      .object({
        err: z.unknown(),
        postBalances: z.array(u64Schema),
        innerInstructions: z
          .array(z.object({ index: z.int().nonnegative(), instructions: z.array(instructionSchema) }))
          .nullable()
          .optional(),
        loadedAddresses: z
          .object({ writable: z.array(addressSchema), readonly: z.array(addressSchema) })
          .nullable()
          .optional(),
      })
      .nullable(),
    transaction: z.object({
      signatures: z.array(signatureSchema).min(1),
      message: z.object({
        accountKeys: z.array(addressSchema),
        instructions: z.array(instructionSchema),
      }),
    }),
  })
  .nullable();

type Answer = NonNullable<z.output<typeof transactionSchema>>;
type Meta = NonNullable<Answer['meta']>;

/**
 * Maximum length of instruction data, longer than any Stake instruction. Decoding time grows with the square
 * of the length.
 */
const MAX_DATA = 2_048;
/** Number of cached transactions, enough for the watcher's repeated reads. */
const CACHE_SIZE = 4_096;

const bytesOf = (base58: string): Uint8Array | null => {
  const source = new TextEncoder().encode(base58);
  const target = new Uint8Array(source.length);
  const length = decodeBase58Bytes(source, 0, source.length, target);
  return length < 0 ? null : target.subarray(0, length);
};

const parsed = (
  { slot, blockTime, transaction: { message, signatures } }: Answer,
  meta: Meta,
): LandedStakeTransaction => {
  const loaded = meta.loadedAddresses;
  const keys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
  const operations: StakeOperation[] = [];
  const run = ({ programIdIndex, accounts, data }: z.output<typeof instructionSchema>): void => {
    if (keys[programIdIndex] !== STAKE_PROGRAM || data.length > MAX_DATA) return;
    const bytes = bytesOf(data);
    const named = accounts.flatMap((index) => keys[index] ?? []);
    const operation = bytes && readStakeOperation(named, bytes);
    if (operation) operations.push(operation);
  };
  for (const [index, instruction] of message.instructions.entries()) {
    run(instruction);
    for (const inner of meta.innerInstructions ?? [])
      if (inner.index === index) inner.instructions.forEach(run);
  }
  return {
    signature: signatures[0]!,
    signers: message.accountKeys.slice(0, signatures.length),
    slot,
    seconds: blockTime == null ? null : BigInt(blockTime),
    succeeded: (meta.err ?? null) === null,
    operations,
    balances: new Map(
      keys.flatMap((key, i) => (meta.postBalances[i] === undefined ? [] : [[key, meta.postBalances[i]]])),
    ),
  };
};

/** Creates the reads over a pool. Finalized transactions never change, so the last 4,096 stay cached. */
export const createLandedStakeTransactions = (pool: Pick<RpcPool, 'call'>): LandedStakeTransactions => {
  const cache = new BoundedMap<Signature, LandedStakeTransaction>(CACHE_SIZE);
  return {
    read: async (signature, signal) => {
      const known = cache.get(signature);
      if (known !== undefined) return known;
      const call: RpcCall<z.output<typeof transactionSchema>> = {
        method: 'getTransaction',
        params: [signature, { commitment: 'finalized', encoding: 'json', maxSupportedTransactionVersion: 1 }],
        schema: transactionSchema,
        accepts: (response) => response === null || response.transaction.signatures[0] === signature,
      };
      const response = await pool.call(call, { signal }).catch((error: unknown) => {
        throw asUnavailable(error);
      });
      if (response === null || response.meta === null) return null;
      const transaction = parsed(response, response.meta);
      cache.set(signature, transaction);
      return transaction;
    },
  };
};
