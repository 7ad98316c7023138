// What the operations under "Autopilot" take and give.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { Meta } from './shared-types.ts';

/** What `POST /api/v1/autopilot/policy` takes. */
export interface SetStakingPolicyInput {
  /** The wallet whose SOL is offered for staking; it signs the policy. */
  readonly walletAddress: string;
  /** What stays liquid in the wallet, SOL. At least 0. At most 9000000. */
  readonly keepLiquidSol: SolAmount;
  /**
   * A stake is offered only when more than this lies above keepLiquidSol, SOL. At least 0. At most 9000000.
   */
  readonly minSweepSol: SolAmount;
  /** HTTPS URL that offers are delivered to, written as the WHATWG URL standard writes it. */
  readonly callbackUrl: string;
  /** A paused policy is saved and makes no offers. Default false. */
  readonly paused?: boolean | undefined;
  /**
   * Greater than every nonce that this wallet used before, for setting and deleting alike. Milliseconds
   * since the Unix epoch do. At least 1.
   */
  readonly nonce: number;
  /**
   * The wallet's ed25519 signature (base58) of the canonical text, as signMessage makes it. A refusal shows
   * the text.
   */
  readonly signature: string;
}

/** What `POST /api/v1/autopilot/policy` answers. */
export interface SetStakingPolicyAnswer {
  readonly walletAddress: string;
  /**
   * The id of the callback in /api/v1/webhooks/{id}/deliveries, /ping, /replay and /rotate-secret, which
   * take the policy's secret.
   */
  readonly webhookId: string;
  /** A paused policy makes no offers. */
  readonly paused: boolean;
  /** The newest nonce of the wallet; the next must be greater. */
  readonly nonce: number;
  /** When the policy was first set. ISO 8601. */
  readonly createdAt: string;
  /** When it was last set. ISO 8601. */
  readonly updatedAt: string;
  /** What stays liquid in the wallet. */
  readonly keepLiquidSol: number;
  /** A stake is offered only when more than this lies above keepLiquidSol. */
  readonly minSweepSol: number;
  /** Origin of the callback; its path is not shown. */
  readonly callbackOrigin: string;
  /**
   * A disabled callback gets only pings: it accepted nothing for 5 days, or answered 410. Setting the
   * policy again or a ping answered with 2xx re-enables it.
   */
  readonly callbackStatus: 'active' | 'disabled';
  /** The last stake that was offered; null before the first. */
  readonly lastSweep: {
    /** The epoch it was offered in; there is at most one an epoch. */
    readonly epoch: number;
    /** What was offered last, rent included. */
    readonly amountSol: number;
    /** `webhook-id` of its deliveries. */
    readonly eventId: string;
    /** When it was decided. ISO 8601. */
    readonly at: string;
  } | null;
  /** Why nothing was offered the last time that was so; null where it never was. */
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
    /** Since when this has been the reason. ISO 8601. */
    readonly at: string;
  } | null;
  /** Signs the deliveries of this policy (whsec_…); only in the answer that created it. */
  readonly secret?: string | undefined;
  readonly message: string;
  readonly _meta: Meta;
}

/** What `GET /api/v1/autopilot/policy/{walletAddress}` takes. */
export interface GetStakingPolicyInput {
  /** The wallet. */
  readonly walletAddress: string;
}

/** What `GET /api/v1/autopilot/policy/{walletAddress}` answers. */
export interface GetStakingPolicyAnswer {
  readonly walletAddress: string;
  /**
   * The id of the callback in /api/v1/webhooks/{id}/deliveries, /ping, /replay and /rotate-secret, which
   * take the policy's secret.
   */
  readonly webhookId: string;
  /** A paused policy makes no offers. */
  readonly paused: boolean;
  /** The newest nonce of the wallet; the next must be greater. */
  readonly nonce: number;
  /** When the policy was first set. ISO 8601. */
  readonly createdAt: string;
  /** When it was last set. ISO 8601. */
  readonly updatedAt: string;
  /** What stays liquid in the wallet. */
  readonly keepLiquidSol?: number | undefined;
  /** A stake is offered only when more than this lies above keepLiquidSol. */
  readonly minSweepSol?: number | undefined;
  /** Origin of the callback; its path is not shown. */
  readonly callbackOrigin?: string | undefined;
  /**
   * A disabled callback gets only pings: it accepted nothing for 5 days, or answered 410. Setting the
   * policy again or a ping answered with 2xx re-enables it.
   */
  readonly callbackStatus?: 'active' | 'disabled' | undefined;
  /** The last stake that was offered; null before the first. */
  readonly lastSweep?:
    | {
        /** The epoch it was offered in; there is at most one an epoch. */
        readonly epoch: number;
        /** What was offered last, rent included. */
        readonly amountSol: number;
        /** `webhook-id` of its deliveries. */
        readonly eventId: string;
        /** When it was decided. ISO 8601. */
        readonly at: string;
      }
    | null
    | undefined;
  /** Why nothing was offered the last time that was so; null where it never was. */
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
        /** Since when this has been the reason. ISO 8601. */
        readonly at: string;
      }
    | null
    | undefined;
  readonly _meta: Meta;
}

/** What `DELETE /api/v1/autopilot/policy/{walletAddress}` takes. */
export interface DeleteStakingPolicyInput {
  /** The wallet that signs. */
  readonly walletAddress: string;
  /**
   * Greater than every nonce that this wallet used before, for setting and deleting alike. Milliseconds
   * since the Unix epoch do. At least 1.
   */
  readonly nonce: number;
  /**
   * The wallet's ed25519 signature (base58) of the canonical text, as signMessage makes it. A refusal shows
   * the text.
   */
  readonly signature: string;
}

/** What `DELETE /api/v1/autopilot/policy/{walletAddress}` answers. */
export interface DeleteStakingPolicyAnswer {
  readonly deleted: boolean;
  readonly walletAddress: string;
  /** The newest nonce of the wallet; the next must be greater. */
  readonly nonce: number;
  readonly _meta: Meta;
}
