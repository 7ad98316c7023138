// Reads a wallet's autopilot policy, and sends its changes.
import { useState } from 'react';
import type { GetStakingPolicyAnswer } from '../../../../../client/generated/autopilot-operations.ts';
import { isHoldfastError } from '../../../../../client/holdfast-error.ts';
import { lamportsToSol } from '../../../../../client/sol-amount.ts';
import { api } from '../../../api/holdfast.ts';
import { refresh, useResource } from '../../../api/use-resource.ts';
import { signTextWithWallet } from '../../../wallet/sign-text.ts';
import { heldSecrets, holdSecret, type NewSecret } from '../webhooks/webhook-secrets.ts';
import type { PolicyRequest } from './policy-request.ts';
import { lastNonceOf, type PolicySigningPorts } from './sign-policy.ts';

/** The policy (null if there is none) and the newest nonce. */
export interface PolicyRead {
  readonly policy: GetStakingPolicyAnswer | null;
  readonly lastNonce: number;
}

const SECOND = 1_000;

/** A policy with all figures, as shown to its owner. */
export type OwnPolicy = Required<GetStakingPolicyAnswer>;

/** True if the service returned the figures. */
export const hasFigures = (policy: GetStakingPolicyAnswer): policy is OwnPolicy =>
  policy.keepLiquidSol !== undefined;

/**
 * Sends the policy's secret if this tab has it. Without the secret, the service shows the figures only to the
 * network that set the policy.
 */
const readShown = async (walletAddress: string, signal: AbortSignal): Promise<GetStakingPolicyAnswer> => {
  const policy = await api.getStakingPolicy({ walletAddress }, { signal });
  const bearer = heldSecrets.get().byId[policy.webhookId];
  return hasFigures(policy) || bearer === undefined
    ? policy
    : api.getStakingPolicy({ walletAddress }, { signal, bearer });
};

const readPolicy = async (walletAddress: string, signal: AbortSignal): Promise<PolicyRead> => {
  try {
    const policy = await readShown(walletAddress, signal);
    return { policy, lastNonce: policy.nonce };
  } catch (error) {
    if (isHoldfastError(error, 'NOT_FOUND')) return { policy: null, lastNonce: lastNonceOf(error) };
    throw error;
  }
};

/** True if the service has not evaluated a new policy yet, which takes a few seconds. */
const isUndecided = (read: PolicyRead | undefined): boolean => {
  const policy = read?.policy;
  return policy && hasFigures(policy)
    ? !policy.paused && policy.lastSweep === null && policy.lastSkip === null
    : false;
};

/**
 * Reads the policy every 15 s, because offers are decided in the background. If `walletAddress` is null,
 * nothing is read.
 */
export const usePolicy = (walletAddress: string | null) => {
  const [isLively, setLively] = useState(false);
  const resource = useResource(
    walletAddress && `autopilot/${walletAddress}`,
    (signal) => readPolicy(walletAddress!, signal),
    isLively ? 2 * SECOND : 15 * SECOND,
  );
  const undecided = isUndecided(resource.data);
  if (undecided !== isLively) setLively(undecided);
  return resource;
};

/** Refreshes the policy. */
export const refreshPolicy = (walletAddress: string): void => refresh(`autopilot/${walletAddress}`);

const send = async (request: PolicyRequest, nonce: number, signature: string): Promise<NewSecret | null> => {
  const { walletAddress } = request;
  if (request.kind === 'delete') {
    await api.deleteStakingPolicy({ walletAddress, nonce, signature });
    return null;
  }
  const { secret, webhookId } = await api.setStakingPolicy({
    walletAddress,
    keepLiquidSol: lamportsToSol(request.keepLiquidLamports),
    minSweepSol: lamportsToSol(request.minSweepLamports),
    callbackUrl: request.callbackUrl,
    paused: request.paused,
    nonce,
    signature,
  });
  if (secret === undefined) return null;
  holdSecret(webhookId, secret);
  return { id: webhookId, secret };
};

/** Connects the service and the connected wallet. */
export const policyDeps: PolicySigningPorts = {
  send,
  voteAccount: async () => (await api.validatorProfile()).voteAccount,
  sign: signTextWithWallet,
  now: Date.now,
};
