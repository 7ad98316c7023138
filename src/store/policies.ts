// The autopilot's policies: one a wallet, ruled by a nonce that only grows, with what became of it last; kept after deletion for the nonce.
import type { Address } from '@solana/kit';
import type { StakingPolicy } from '../domain/policy-text.ts';
import type { SkipReason } from '../domain/portfolio/sweep-decision.ts';
import type { NewRegistration } from './webhooks.ts';

/** The last stake that was offered. */
export interface LastSweep {
  readonly epoch: bigint;
  readonly lamports: bigint;
  readonly eventId: string;
  readonly atMs: number;
}

/** The last time that nothing was offered, and why. */
export interface LastSkip {
  readonly epoch: bigint;
  readonly reason: SkipReason;
  readonly atMs: number;
}

/** A policy as it is kept. */
export interface PolicyRecord extends StakingPolicy {
  /** Its callback's registration, kind `autopilot`. */
  readonly registrationId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number | null;
  /** Of the wallet, whatever policy it had. */
  readonly lastSweep: LastSweep | null;
  readonly lastSkip: LastSkip | null;
}

/** A policy to be kept, with the signature that proves it. */
export interface SignedPolicy extends StakingPolicy {
  /** Base58; kept as evidence, never shown. */
  readonly signature: string;
}

/** How keeping one ended. `stale`: the wallet has used `nonce` or a greater one. */
export type PutPolicyOutcome =
  | { readonly outcome: 'stored'; readonly record: PolicyRecord; readonly isNewRegistration: boolean }
  | { readonly outcome: 'stale'; readonly nonce: number }
  | { readonly outcome: 'limit' };

/** Durable policies. Every write is on disk when its promise resolves. All reject with `STORE_UNAVAILABLE`. */
export interface Policies {
  /** Also a deleted one, with `deletedAtMs`. */
  readonly find: (walletAddress: Address) => Promise<PolicyRecord | null>;
  /**
   * Keeps the policy if its nonce is greater than every earlier one of the wallet. A policy that lives keeps its registration, whose callback
   * follows; else `registration` is made, unless the client made `mostPerClient` that live or are less than 24 hours old.
   */
  readonly put: (
    policy: SignedPolicy,
    registration: NewRegistration,
    mostPerClient: number,
    nowMs: number,
  ) => Promise<PutPolicyOutcome>;
  /** Deletes policy and registration if the nonce is greater. `none`: the wallet has no policy. */
  readonly delete: (
    walletAddress: Address,
    nonce: number,
    nowMs: number,
  ) => Promise<
    { readonly outcome: 'deleted' | 'none' } | { readonly outcome: 'stale'; readonly nonce: number }
  >;
  /** Neither paused nor deleted, by wallet, at most `limit` after `afterWallet`. */
  readonly active: (afterWallet: string | null, limit: number) => Promise<readonly PolicyRecord[]>;
  /** Notes what was offered; never replaces a later epoch's. */
  readonly noteSweep: (walletAddress: Address, sweep: LastSweep) => Promise<void>;
  readonly noteSkip: (walletAddress: Address, skip: LastSkip) => Promise<void>;
}
