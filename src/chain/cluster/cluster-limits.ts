// Rent and minimum delegation as the cluster says today: at most a minute old, and never older than the epoch.
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { STAKE_ACCOUNT_BYTES } from '../../domain/stake/stake-account.ts';
import { STAKE_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { steadyClock } from '../../kernel/steady-clock.ts';
import type { ClusterLimits, SolanaReads } from '../ports.ts';
import { rentCall, simulateTransactionCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { addressSchema, valueWithContextSchema } from '../rpc/rpc-schemas.ts';

/** How long limits are trusted, ms. Rules change at epoch boundaries only; the rest is caution. */
const LIMITS_TTL_MS = 60_000;
/** `StakeInstruction::GetMinimumDelegation`: it takes no accounts and returns a u64. */
const GET_MINIMUM_DELEGATION = 13;
const NODE_IDENTITY_OFFSET = 4;
const zeroSignature = new Uint8Array(64);

/**
 * The wire bytes of a legacy transaction, unsigned, that asks the Stake program for its minimum delegation. A simulation replaces
 * the blockhash and checks no signature, but wants a payer that exists.
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

/** What the limits are read with. */
export interface LimitsDeps {
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Its node identity pays in the simulation when the slot leader cannot: validators' identities hold SOL to vote with. */
  readonly voteAccount: Address | undefined;
}

/** Reads the limits anew. Throws `AppError('UPSTREAM_UNAVAILABLE')`. */
export const readLimits = async (deps: LimitsDeps, signal: AbortSignal): Promise<ClusterLimits> => {
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
      simulateTransactionCall(minimumDelegationQuestion(payer), { replaceRecentBlockhash: true }),
      { signal },
    );
    const { err, returnData } = value;
    if (err !== null || returnData?.programId !== STAKE_PROGRAM || returnData.data.length > 8)
      return undefined;
    // Trailing zero bytes of a return value may be cut off.
    return returnData.data.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  };

  const fromRpc = () =>
    pool.call(
      {
        method: 'getStakeMinimumDelegation',
        params: [{ commitment: 'confirmed' }],
        schema: valueWithContextSchema,
      },
      { signal },
    );

  const minimumDelegation = async (): Promise<bigint> => {
    for (const payerOf of [identity, leader]) {
      try {
        const payer = await payerOf();
        const lamports = payer === undefined ? undefined : await simulated(payer);
        if (lamports !== undefined && lamports > 0n) return lamports;
      } catch (error) {
        signal.throwIfAborted();
        deps.logger.debug({ err: error }, 'minimum delegation not simulated');
      }
    }
    const { value } = await fromRpc();
    if (value > 0n) return value;
    throw new AppError('UPSTREAM_UNAVAILABLE', 'The RPC does not tell the minimum delegation.');
  };

  try {
    const [stakeRentLamports, walletRentLamports, minimumDelegationLamports] = await Promise.all([
      pool.call(rentCall(STAKE_ACCOUNT_BYTES), { signal }),
      pool.call(rentCall(0), { signal }),
      minimumDelegation(),
    ]);
    return { stakeRentLamports, walletRentLamports, minimumDelegationLamports };
  } catch (error) {
    throw asUnavailable(error);
  }
};

/** Keeps the limits for a minute, or until `forget` is called because an epoch began; renewed in the background from half a minute on. */
export const createLimitsKeeper = (deps: LimitsDeps & { readonly signal: AbortSignal }) => {
  const clock = steadyClock(deps.clock);
  let kept: { limits: ClusterLimits; readAtMs: number } | undefined;
  let generation = 0;
  const renew = async (signal: AbortSignal): Promise<ClusterLimits> => {
    const asked = generation;
    const readAtMs = clock.now();
    const limits = await readLimits(deps, signal);
    if (asked === generation) kept = { limits, readAtMs };
    return limits;
  };
  return {
    get: async (signal: AbortSignal): Promise<ClusterLimits> => {
      signal.throwIfAborted();
      if (kept === undefined) return renew(signal);
      const ageMs = clock.now() - kept.readAtMs;
      if (ageMs >= LIMITS_TTL_MS) return renew(signal);
      if (ageMs >= LIMITS_TTL_MS / 2) renew(deps.signal).catch(() => undefined);
      return kept.limits;
    },
    forget: () => {
      generation += 1;
      kept = undefined;
    },
  };
};
