// Methods and calls of the operations under "Autopilot".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  DeleteStakingPolicyAnswer,
  DeleteStakingPolicyInput,
  GetStakingPolicyAnswer,
  GetStakingPolicyInput,
  SetStakingPolicyAnswer,
  SetStakingPolicyInput,
} from './autopilot-operations.ts';

/** Methods of autopilot operations. */
export interface AutopilotMethods {
  /**
   * Set an autopilot policy: `POST /api/v1/autopilot/policy`
   *
   * When liquid SOL above `keepLiquidSol` exceeds `minSweepSol`, at most once an epoch, the service
   * delivers an unsigned stake transaction to the callback as autopilot_sweep. Nothing is ever signed for
   * the wallet: verify the transaction, sign and submit it yourself. The wallet authorizes the policy by
   * signing a canonical text of exactly these lines, joined by newlines: "<prefix>-policy:v1",
   * "cluster=<genesis hash>", "service=<origin of this service>", "vote=<vote account>", "wallet=",
   * "`keepLiquidLamports`=", "`minSweepLamports`=", "`callbackUrl`=", "paused=true|false", "nonce=". If the
   * signature is wrong, the request is refused and the error contains the text to sign. The first answer
   * contains the secret that signs deliveries (Standard Webhooks); it is not shown again.
   */
  readonly setStakingPolicy: (
    input: SetStakingPolicyInput,
    options?: CallOptions,
  ) => Promise<SetStakingPolicyAnswer>;
  /**
   * Show an autopilot policy: `GET /api/v1/autopilot/policy/{walletAddress}`
   *
   * Reports whether a wallet has a policy, and the nonce that the next one must exceed. With the policy's
   * secret as a bearer token, or from the network that set it, also returns its amounts, the last stake
   * offered, the last reason for no offer, and the state of its callback. Only the origin of the callback
   * is shown.
   */
  readonly getStakingPolicy: (
    input: GetStakingPolicyInput,
    options?: CallOptions,
  ) => Promise<GetStakingPolicyAnswer>;
  /**
   * Delete an autopilot policy: `DELETE /api/v1/autopilot/policy/{walletAddress}`
   *
   * Ends the policy. No more stakes are offered, and pending offers are not resent. The wallet signs
   * exactly these lines, joined by newlines: "<prefix>-delete:v1", "cluster=<genesis hash>",
   * "service=<origin of this service>", "vote=<vote account>", "wallet=", "nonce=". The wallet’s nonce
   * counter is kept.
   */
  readonly deleteStakingPolicy: (
    input: DeleteStakingPolicyInput,
    options?: CallOptions,
  ) => Promise<DeleteStakingPolicyAnswer>;
}

/** How each of them is called. */
export const autopilotOperations = {
  setStakingPolicy: {
    method: 'POST',
    path: '/api/v1/autopilot/policy',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'keepLiquidSol', 'minSweepSol', 'callbackUrl', 'paused', 'nonce', 'signature'],
  },
  getStakingPolicy: {
    method: 'GET',
    path: '/api/v1/autopilot/policy/{walletAddress}',
    effect: 'read',
    query: [],
    body: [],
    bearer: true,
  },
  deleteStakingPolicy: {
    method: 'DELETE',
    path: '/api/v1/autopilot/policy/{walletAddress}',
    effect: 'build',
    query: [],
    body: ['nonce', 'signature'],
  },
} as const satisfies OperationTable;
