// The text that a wallet signs to set or end its autopilot policy. It is exact to the byte and bound to one
// cluster, service and validator.
import type { Address } from '@solana/kit';

/** Limits of the service's offers. */
export interface StakingPolicy {
  readonly walletAddress: Address;
  /** Lamports that stay liquid in the wallet. */
  readonly keepLiquidLamports: bigint;
  /** The service only offers a stake if the balance exceeds `keepLiquidLamports` by more than this amount. */
  readonly minSweepLamports: bigint;
  /** URL in its WHATWG-normalized form (equal to its own `href`). */
  readonly callbackUrl: string;
  readonly paused: boolean;
  /** 1 to 2^53 − 1, greater than every earlier nonce of this wallet, including those of deletions. */
  readonly nonce: number;
}

/** The scope in which a signature is valid. */
export interface PolicyScope {
  /** `HOLDFAST_AUTOPILOT_PREFIX`, default `holdfast-autopilot`. */
  readonly prefix: string;
  readonly genesisHash: string;
  /** Origin of the service's public URL. */
  readonly serviceOrigin: string;
  readonly voteAccount: Address;
}

const scopeLines = ({ genesisHash, serviceOrigin, voteAccount }: PolicyScope): string[] => [
  `cluster=${genesisHash}`,
  `service=${serviceOrigin}`,
  `vote=${voteAccount}`,
];

/** Builds the text to sign for setting `policy`, as UTF-8 without a final newline. */
export const policyText = (scope: PolicyScope, policy: StakingPolicy): string =>
  [
    `${scope.prefix}-policy:v1`,
    ...scopeLines(scope),
    `wallet=${policy.walletAddress}`,
    `keepLiquidLamports=${policy.keepLiquidLamports}`,
    `minSweepLamports=${policy.minSweepLamports}`,
    `callbackUrl=${policy.callbackUrl}`,
    `paused=${policy.paused}`,
    `nonce=${policy.nonce}`,
  ].join('\n');

/** Builds the text to sign for deleting the policy of `walletAddress`, as UTF-8 without a final newline. */
export const policyDeletionText = (scope: PolicyScope, walletAddress: Address, nonce: number): string =>
  [`${scope.prefix}-delete:v1`, ...scopeLines(scope), `wallet=${walletAddress}`, `nonce=${nonce}`].join('\n');
