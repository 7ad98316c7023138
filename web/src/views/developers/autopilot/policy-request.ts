// What a person wants of the autopilot, and the proof that the text to sign says this and nothing else.
import type { Address } from '@solana/kit';
import {
  type PolicyScope,
  policyDeletionText,
  policyText,
} from '../../../../../src/domain/autopilot/policy-text.ts';
import { BASE58_CHARACTER } from '../../../../../src/kernel/base58.ts';

/** A policy to set, new or in place of the present one. */
export interface PolicyToSet {
  readonly kind: 'set';
  readonly walletAddress: string;
  readonly keepLiquidLamports: bigint;
  readonly minSweepLamports: bigint;
  /** Equal to its WHATWG href. */
  readonly callbackUrl: string;
  readonly paused: boolean;
}

/** A request that takes a signature. */
export type PolicyRequest = PolicyToSet | { readonly kind: 'delete'; readonly walletAddress: string };

/** Greater than every nonce of the wallet, whatever clock chose the last one. */
export const nextNonce = (nowMs: number, lastNonce: number): number => Math.max(nowMs, lastNonce + 1);

const SCOPE = new RegExp(
  `^([a-z0-9-]+)-(?:policy|delete):v1\\ncluster=(${BASE58_CHARACTER}{32,44})\\nservice=(https?://[^\\s/]+)\\n`,
);

/**
 * Where a signature of `text` would hold; null unless it is, byte for byte, the text of this request at this validator. Only what the page
 * cannot know is taken from the text: the operator's first word, the cluster, and the name by which the service goes.
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
