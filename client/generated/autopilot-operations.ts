// Inputs and answers of the operations under "Autopilot".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { Meta, Sentence } from './shared-types.ts';

/** Input of `POST /api/v1/autopilot/policy`. */
export interface SetStakingPolicyInput {
  /** The wallet whose SOL is offered for staking; it signs the policy. */
  readonly walletAddress: string;
  /** Amount that stays liquid in the wallet, SOL. At least 0. At most 9000000. */
  readonly keepLiquidSol: SolAmount;
  /**
   * A stake is offered only if the wallet holds more than this above keepLiquidSol, SOL. At least 0. At
   * most 9000000.
   */
  readonly minSweepSol: SolAmount;
  /** HTTPS URL for offers, as serialized by the WHATWG URL standard. */
  readonly callbackUrl: string;
  /** A paused policy is saved but makes no offers. Default false. */
  readonly paused?: boolean | undefined;
  /**
   * Greater than every nonce this wallet has used, whether to set or to delete. Milliseconds since the Unix
   * epoch work. At least 1.
   */
  readonly nonce: number;
  /**
   * The wallet's ed25519 signature (base58) of the canonical text, as created by signMessage. A refusal
   * shows the text.
   */
  readonly signature: string;
}

/** Answer of `POST /api/v1/autopilot/policy`. */
export interface SetStakingPolicyAnswer {
  readonly walletAddress: string;
  /**
   * The id of the callback in /api/v1/webhooks/{id}/deliveries, /ping, /replay and /rotate-secret, which
   * take the policy's secret.
   */
  readonly webhookId: string;
  /** A paused policy makes no offers. */
  readonly paused: boolean;
  /** The wallet’s latest nonce; the next must be greater. */
  readonly nonce: number;
  /** Time at which the policy was first set. ISO 8601. */
  readonly createdAt: string;
  /** Time at which it was last set. ISO 8601. */
  readonly updatedAt: string;
  /** Amount that stays liquid in the wallet. */
  readonly keepLiquidSol: number;
  /** A stake is offered only if the wallet holds more than this above keepLiquidSol. */
  readonly minSweepSol: number;
  /** Origin of the callback; its path is not shown. */
  readonly callbackOrigin: string;
  /**
   * A disabled callback gets only pings: it accepted no delivery for 5 days, or responded with 410. To
   * re-enable it, set the policy again or get a 2xx response to a ping.
   */
  readonly callbackStatus: 'active' | 'disabled';
  /** The last stake that was offered; null before the first. */
  readonly lastSweep: {
    /** The epoch of the offer; at most one offer per epoch. */
    readonly epoch: number;
    /** Amount last offered, including rent. */
    readonly amountSol: number;
    /** The `webhook-id` of its deliveries. */
    readonly eventId: string;
    /** Time of the offer. ISO 8601. */
    readonly at: string;
  } | null;
  /** Reason why the last check made no offer; null if there was never one. */
  readonly lastSkip: {
    /** The epoch. */
    readonly epoch: number;
    readonly reason:
      | 'WALLET_SHORT'
      | 'BELOW_MIN_SWEEP'
      | 'BELOW_MINIMUM_STAKE'
      | 'EPOCH_REWARDS_ACTIVE'
      | 'WALLET_CANNOT_PAY';
    readonly message: string;
    /** Time since when this has been the reason. ISO 8601. */
    readonly at: string;
  } | null;
  /** Signs the deliveries of this policy (whsec_…); only in the answer that created it. */
  readonly secret?: string | undefined;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/autopilot/policy/{walletAddress}`. */
export interface GetStakingPolicyInput {
  /** The wallet. */
  readonly walletAddress: string;
}

/** Answer of `GET /api/v1/autopilot/policy/{walletAddress}`. */
export interface GetStakingPolicyAnswer {
  readonly walletAddress: string;
  /**
   * The id of the callback in /api/v1/webhooks/{id}/deliveries, /ping, /replay and /rotate-secret, which
   * take the policy's secret.
   */
  readonly webhookId: string;
  /** A paused policy makes no offers. */
  readonly paused: boolean;
  /** The wallet’s latest nonce; the next must be greater. */
  readonly nonce: number;
  /** Time at which the policy was first set. ISO 8601. */
  readonly createdAt: string;
  /** Time at which it was last set. ISO 8601. */
  readonly updatedAt: string;
  /** Amount that stays liquid in the wallet. */
  readonly keepLiquidSol?: number | undefined;
  /** A stake is offered only if the wallet holds more than this above keepLiquidSol. */
  readonly minSweepSol?: number | undefined;
  /** Origin of the callback; its path is not shown. */
  readonly callbackOrigin?: string | undefined;
  /**
   * A disabled callback gets only pings: it accepted no delivery for 5 days, or responded with 410. To
   * re-enable it, set the policy again or get a 2xx response to a ping.
   */
  readonly callbackStatus?: 'active' | 'disabled' | undefined;
  /** The last stake that was offered; null before the first. */
  readonly lastSweep?:
    | {
        /** The epoch of the offer; at most one offer per epoch. */
        readonly epoch: number;
        /** Amount last offered, including rent. */
        readonly amountSol: number;
        /** The `webhook-id` of its deliveries. */
        readonly eventId: string;
        /** Time of the offer. ISO 8601. */
        readonly at: string;
      }
    | null
    | undefined;
  /** Reason why the last check made no offer; null if there was never one. */
  readonly lastSkip?:
    | {
        /** The epoch. */
        readonly epoch: number;
        readonly reason:
          | 'WALLET_SHORT'
          | 'BELOW_MIN_SWEEP'
          | 'BELOW_MINIMUM_STAKE'
          | 'EPOCH_REWARDS_ACTIVE'
          | 'WALLET_CANNOT_PAY';
        readonly message: string;
        /** Time since when this has been the reason. ISO 8601. */
        readonly at: string;
      }
    | null
    | undefined;
  readonly _meta: Meta;
}

/** Input of `DELETE /api/v1/autopilot/policy/{walletAddress}`. */
export interface DeleteStakingPolicyInput {
  /** The wallet that signs. */
  readonly walletAddress: string;
  /**
   * Greater than every nonce this wallet has used, whether to set or to delete. Milliseconds since the Unix
   * epoch work. At least 1.
   */
  readonly nonce: number;
  /**
   * The wallet's ed25519 signature (base58) of the canonical text, as created by signMessage. A refusal
   * shows the text.
   */
  readonly signature: string;
}

/** Answer of `DELETE /api/v1/autopilot/policy/{walletAddress}`. */
export interface DeleteStakingPolicyAnswer {
  readonly deleted: boolean;
  readonly walletAddress: string;
  /** The wallet’s latest nonce; the next must be greater. */
  readonly nonce: number;
  readonly _meta: Meta;
}
