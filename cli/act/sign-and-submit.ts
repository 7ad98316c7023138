// Runs the client's staking flow with a key of this machine, for the command line and the stdio MCP server.
import { machineClock } from '../../client/client-clock.ts';
import { type CarriedOut, carryOut } from '../../client/staking/carry-out.ts';
import { newRecord } from '../../client/staking/pending-transaction.ts';
import type { Prepared, StakingPorts } from '../../client/staking/staking-flow.ts';
import type { StakingRequest, StakingService } from '../../client/staking/staking-request.ts';
import { verifyEffects, verifyRequest } from '../../client/staking/verify-against-request.ts';
import { takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import type { RequestMemory } from './request-memory.ts';

/** What it needs besides the request. */
export interface SigningOptions
  extends Pick<
    StakingPorts,
    'binding' | 'approve' | 'approveAgain' | 'provesDead' | 'now' | 'signal' | 'onStep'
  > {
  readonly idempotencyKey: string;
  readonly memory: RequestMemory;
  /** The wallet's signature of these bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** A request that was carried out, with what was signed for it. */
export type SignedAndLanded = CarriedOut & { readonly prepared: Prepared };

/**
 * Carries `request` out once; `service` may plan several transactions. Waits for the service once: a lost answer is reported with the signature and the key, which repeat
 * it safely. Rejects as `carryOut`.
 */
export const signAndSubmit = async (
  service: StakingService,
  request: StakingRequest,
  { idempotencyKey, memory, sign, ...ports }: SigningOptions,
): Promise<SignedAndLanded> => {
  const { walletAddress } = request;
  const record = newRecord(request, {
    cluster: '',
    voteAccount: ports.binding.voteAccount,
    idempotencyKey,
    begunAtMs: ports.now(),
  });
  const stakeAccountAddress =
    record.stakeAccountAddress ?? memory.stakeAccountOf(walletAddress, idempotencyKey);
  const completed = await carryOut(
    { ...record, ...(stakeAccountAddress === undefined ? {} : { stakeAccountAddress }) },
    {
      ...ports,
      service,
      verify: verifyRequest,
      verifyEffects,
      store: memory,
      sleep: (ms) => machineClock.sleep(ms, ports.signal),
      sign: (transaction) => ({
        how: 'signed',
        bytes: withSignature(transaction, walletAddress, sign(takeApart(transaction).message)),
      }),
      mostAttempts: 1,
    },
  );
  // Nothing of an earlier run is taken up here: what landed was built in this one.
  return completed as SignedAndLanded;
};
