// A request to the autopilot, and the check that the text to sign contains exactly this request.
import type { Address } from '@solana/kit';
import {
  type PolicyScope,
  policyDeletionText,
  policyText,
} from '../../../../../src/domain/autopilot/policy-text.ts';
import { BASE58_CHARACTER } from '../../../../../src/kernel/base58.ts';

/** A policy to set, new or replacing the current one. */
export interface PolicyToSet {
  readonly kind: 'set';
  readonly walletAddress: string;
  readonly keepLiquidLamports: bigint;
  readonly minSweepLamports: bigint;
  /** URL in WHATWG-normalized form. */
  readonly callbackUrl: string;
  readonly paused: boolean;
}

/** A request that needs a signature. */
export type PolicyRequest = PolicyToSet | { readonly kind: 'delete'; readonly walletAddress: string };

/** Returns a nonce greater than every earlier one of the wallet, regardless of the clock that chose the last nonce. */
export const nextNonce = (nowMs: number, lastNonce: number): number => Math.max(nowMs, lastNonce + 1);

const SCOPE = new RegExp(
  `^([a-z0-9-]+)-(?:policy|delete):v1\\ncluster=(${BASE58_CHARACTER}{32,44})\\nservice=(https?://[^\\s/]+)\\n`,
);

/**
 * Returns the scope of a signature of `text`, or null unless the text is, byte for byte, that of this request
 * at this validator. Only values that the page cannot know are taken from the text: the operator's prefix,
 * the cluster, and the service's name.
 */
export const readPolicyScope = (
  text: string,
  request: PolicyRequest,
  nonce: number,
  voteAccount: string,
): PolicyScope | null => {
  const [, prefix, genesisHash, serviceOrigin] = SCOPE.exec(text) ?? [];
  if (prefix === undefined || genesisHash === undefined || serviceOrigin === undefined) return null;
  const scope = { prefix, genesisHash, serviceOrigin, voteAccount: voteAccount as Address };
  const walletAddress = request.walletAddress as Address;
  const expected =
    request.kind === 'set'
      ? policyText(scope, { ...request, walletAddress, nonce })
      : policyDeletionText(scope, walletAddress, nonce);
  return text === expected ? scope : null;
};
