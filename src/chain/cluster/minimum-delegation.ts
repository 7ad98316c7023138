// Reads the minimum delegation from the Stake program once per epoch, because the program is only upgraded at
// epoch boundaries. Derives the minimum stake from it.
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { ClusterLimits, EpochPosition, SolanaReads } from '../ports.ts';
import { simulateTransactionCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { addressSchema, valueWithContextSchema } from '../rpc/rpc-schemas.ts';

/**
 * Index of the instruction `StakeInstruction::GetMinimumDelegation`, which takes no accounts and returns a
 * u64.
 */
const GET_MINIMUM_DELEGATION = 13;
const NODE_IDENTITY_OFFSET = 4;
const zeroSignature = new Uint8Array(64);

/**
 * Wire bytes of an unsigned legacy transaction that asks the Stake program for its minimum delegation. A
 * simulation replaces the blockhash and skips the signature check, but needs an existing payer.
 */
const minimumDelegationQuestion = (payer: Address): string => {
  const encoder = getAddressEncoder();
  return Buffer.concat([
    Uint8Array.of(1),
    zeroSignature,
    Uint8Array.of(1, 0, 1, 2),
    encoder.encode(payer) as Uint8Array,
    encoder.encode(STAKE_PROGRAM) as Uint8Array,
    new Uint8Array(32),
    Uint8Array.of(1, 1, 0, 4, GET_MINIMUM_DELEGATION, 0, 0, 0),
  ]).toString('base64');
};

interface MinimumDelegationDeps {
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly logger: Logger;
  /**
   * The vote account's node identity is the payer of the simulation, because validator identities hold SOL
   * for votes. The slot leader is the fallback.
   */
  readonly voteAccount: Address | undefined;
}

/**
 * Reads the minimum delegation, in lamports, from a node that has reached `minContextSlot`. Throws
 * `AppError('UPSTREAM_UNAVAILABLE')` if there is no such node.
 */
export const readMinimumDelegation = async (
  deps: MinimumDelegationDeps,
  minContextSlot: bigint,
  signal: AbortSignal,
): Promise<bigint> => {
  const { pool, reads } = deps;

  const leader = async () =>
    pool.call(
      { method: 'getSlotLeader', params: [{ commitment: 'confirmed' }], schema: addressSchema },
      { signal },
    );
  const identity = async () => {
    if (deps.voteAccount === undefined) return undefined;
    const { accounts } = await reads.accounts([deps.voteAccount], { signal });
    const data = accounts[0]?.data;
    return data && data.length >= NODE_IDENTITY_OFFSET + 32
      ? getAddressDecoder().decode(data.subarray(NODE_IDENTITY_OFFSET, NODE_IDENTITY_OFFSET + 32))
      : undefined;
  };

  const simulated = async (payer: Address): Promise<bigint | undefined> => {
    const { value } = await pool.call(
      {
        ...simulateTransactionCall(minimumDelegationQuestion(payer), { replaceRecentBlockhash: true }),
        minContextSlot,
      },
      { signal },
    );
    const { err, returnData } = value;
    if (err !== null || returnData?.programId !== STAKE_PROGRAM || returnData.data.length > 8)
      return undefined;
    // Nodes may strip trailing zero bytes from return data.
    return returnData.data.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  };

  const fromRpc = () =>
    pool.call(
      {
        method: 'getStakeMinimumDelegation',
        params: [{ commitment: 'confirmed' }],
        schema: valueWithContextSchema,
        slotOf: ({ context }) => context.slot,
        minContextSlot,
      },
      { signal },
    );

  for (const payerOf of [identity, leader]) {
    try {
      const payer = await payerOf();
      const lamports = payer === undefined ? undefined : await simulated(payer);
      if (lamports !== undefined && lamports > 0n) return lamports;
    } catch (error) {
      signal.throwIfAborted();
      deps.logger.debug({ err: error }, 'could not simulate the minimum delegation');
    }
  }
  try {
    const { value } = await fromRpc();
    if (value > 0n) return value;
  } catch (error) {
    throw asUnavailable(error);
  }
  throw new AppError('UPSTREAM_UNAVAILABLE', 'The RPC did not return the minimum delegation.', {
    reason: 'NO_MINIMUM_DELEGATION',
  });
};

/**
 * Returns a function that caches the minimum delegation for the epoch of `position` and ignores nodes that
 * have not reached that epoch.
 */
export const createMinimumDelegationKeeper = (deps: MinimumDelegationDeps) => {
  let cached: { readonly epoch: bigint; readonly lamports: bigint } | undefined;
  return async (
    { epoch, absoluteSlot, slotIndex }: Pick<EpochPosition, 'epoch' | 'absoluteSlot' | 'slotIndex'>,
    signal: AbortSignal,
  ): Promise<bigint> => {
    signal.throwIfAborted();
    if (cached?.epoch === epoch) return cached.lamports;
    const lamports = await readMinimumDelegation(deps, absoluteSlot - slotIndex, signal);
    if (cached === undefined || cached.epoch < epoch) cached = { epoch, lamports };
    return lamports;
  };
};

/**
 * Computes the minimum total for a new stake account. Below it, the Stake program refuses to delegate
 * (InsufficientDelegation, Custom 12).
 */
export const minimumStakeLamports = (limits: ClusterLimits): bigint =>
  limits.stakeRentLamports + limits.minimumDelegationLamports;
