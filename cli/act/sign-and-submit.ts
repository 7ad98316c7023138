// Runs the client's staking flow with a key on this machine, for the command line and the stdio MCP server.
import { isDeepStrictEqual } from 'node:util';
import { machineClock } from '../../client/client-clock.ts';
import { type CarriedOut, carryOut, type StakingPorts } from '../../client/staking/carry-out.ts';
import { newRecord, type TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { StakingRequest, StakingService } from '../../client/staking/staking-request.ts';
import { verifyEffects, verifyRequest } from '../../client/staking/verify-against-request.ts';
import { takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import { UsageError } from '../usage-error.ts';
import type { SignatureLedger } from './signature-ledger.ts';

/** Options for signing. */
export interface SigningOptions
  extends Pick<
    StakingPorts,
    | 'binding'
    | 'approve'
    | 'approveDespiteOpenSignature'
    | 'nodeFacts'
    | 'provesExpired'
    | 'now'
    | 'signal'
    | 'onState'
  > {
  readonly idempotencyKey: string;
  readonly ledger: SignatureLedger;
  /** Maximum lamports that the wallet's signatures may stake in 24 hours. Default: no limit. */
  readonly mostStakeLamports?: bigint | undefined;
  /** Signs these bytes with the wallet's key. */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/**
 * True for requests about one fixed account. Repeating such a request under its key builds the same
 * transaction again.
 */
const isFixed = ({ kind }: StakingRequest): boolean =>
  kind === 'stake' || kind === 'unstake' || kind === 'restake';

/**
 * Returns the record to start with. If something was already signed under the key, this is the record of that
 * signature, and its outcome is checked first.
 */
const recordOf = (
  request: StakingRequest,
  { idempotencyKey, ledger, now, binding }: SigningOptions,
): TransactionRecord => {
  const { walletAddress } = request;
  const record = newRecord(request, {
    cluster: '',
    voteAccount: binding.voteAccount,
    idempotencyKey,
    begunAtMs: now(),
  });
  if (request.kind === 'stake') {
    const stakeAccountAddress = ledger.accountOf(walletAddress, idempotencyKey);
    return { ...record, ...(stakeAccountAddress === undefined ? {} : { stakeAccountAddress }) };
  }
  if (isFixed(request)) return record;
  const earlier = ledger.lastSigned(walletAddress, idempotencyKey);
  if (earlier === undefined) return record;
  const asked = ({ kind, amountLamports, change, stakeAccountAddress }: TransactionRecord): unknown =>
    JSON.parse(JSON.stringify([kind, amountLamports, change, stakeAccountAddress]));
  // Later transactions of a plan have a different amount: the remainder.
  if (!isDeepStrictEqual(asked(earlier), asked(record)) && (earlier.part?.index ?? 1) === 1)
    throw new UsageError(
      `the idempotency key ${idempotencyKey} was already used for a different request, which was signed: ${earlier.signature}`,
    );
  return earlier;
};

/**
 * Carries out `request` once; it may need several transactions. Records every signature in the ledger before
 * it is made. Requests an outcome from the service only once: if the response is lost, the error contains the
 * signature and the idempotency key, with which the request can be repeated safely. Rejects like `carryOut`,
 * with `OverBudget`, or with `UsageError` if the ledger cannot be written.
 */
export const signAndSubmit = (
  service: StakingService,
  request: StakingRequest,
  options: SigningOptions,
): Promise<CarriedOut> => {
  const { idempotencyKey, ledger, mostStakeLamports, sign, provesExpired, ...ports } = options;
  let id = 0n;
  return carryOut(recordOf(request, options), {
    ...ports,
    service,
    verify: verifyRequest,
    verifyEffects,
    store: {
      save: (record) => {
        if (record.signature !== undefined) ledger.signed(id, record);
      },
      // Already written to the ledger before it was sent.
      saveIfPossible: () => undefined,
      remove: () => undefined,
    },
    provesExpired: async (signed) => {
      const isDead = (await provesExpired?.(signed)) ?? false;
      if (isDead) ledger.proveDead(signed.signature);
      return isDead;
    },
    sleep: (ms) => machineClock.sleep(ms, ports.signal),
    sign: (transaction, record, prepared) => {
      const { message } = takeApart(transaction);
      id = ledger.reserve({ record, requestKey: idempotencyKey, message, prepared }, mostStakeLamports);
      try {
        return {
          how: 'signed',
          bytes: withSignature(transaction, request.walletAddress, sign(message)),
        };
      } catch (error) {
        ledger.release(id);
        throw error;
      }
    },
    mostAttempts: 1,
  });
};
