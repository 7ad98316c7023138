// The error vocabulary: every code that a caller can receive, with its HTTP status, its title and whether a
// retry can help.

/**
 * Fixed properties of an error code. `status` is the HTTP status, `title` the short `error` field of the
 * body.
 */
export interface ErrorCodeFacts {
  readonly status: number;
  readonly title: string;
  /** True if the same request may succeed later without any change by the caller. */
  readonly retryable: boolean;
  /** True if the title is fixed: operations cannot replace it with their failure title (`Stake failed`). */
  readonly keepsTitle?: true;
}

const code = (status: number, title: string, retryable = false): ErrorCodeFacts => ({
  status,
  title,
  retryable,
});

/**
 * All error codes. Append-only: a code never changes its meaning and is never removed. An operation may
 * override title and status (see `ErrorPresentation` in `operations/operation.ts`), because some titles name
 * the operation.
 */
export const errorCodes = {
  VALIDATION_ERROR: code(400, 'Validation error'),
  INSUFFICIENT_BALANCE: code(400, 'Insufficient balance'),
  BELOW_MINIMUM_STAKE: code(400, 'Below minimum stake'),
  STAKE_NOT_WITHDRAWABLE: code(400, 'Stake not withdrawable'),
  STAKE_LOCKED: code(400, 'Stake locked'),
  STAKE_NOT_DELEGATED: code(400, 'Stake not delegated'),
  STAKE_ALREADY_DEACTIVATED: code(400, 'Stake already deactivated'),
  WITHDRAW_LEAVES_BELOW_RENT: code(400, 'Withdrawal leaves less than rent'),
  INSUFFICIENT_STAKE_BALANCE: code(400, 'Insufficient stake balance'),
  STAKE_BALANCE_CHANGED: code(502, 'Stake balance changed', true),
  INVALID_SECRET_KEY: code(400, 'Invalid secret key'),
  SECRET_KEY_MISMATCH: code(400, 'Secret key mismatch'),
  NOT_A_STAKE_ACCOUNT: { ...code(400, 'Invalid stake account'), keepsTitle: true },
  STAKE_ACCOUNT_ADDRESS_PROVIDED: { ...code(400, 'Stake account address provided'), keepsTitle: true },
  WALLET_CANNOT_PAY: code(400, 'Wallet cannot pay fees'),
  AUTHORITY_MISMATCH: code(400, 'Authority mismatch'),
  EPOCH_REWARDS_ACTIVE: code(502, 'Epoch rewards in progress', true),
  BLOCKHASH_EXPIRED: code(400, 'Blockhash expired'),
  INVALID_TRANSACTION: code(400, 'Invalid transaction'),
  FOREIGN_TRANSACTION: code(400, 'Transaction not built here'),
  SUBMISSION_FAILED: code(502, 'Submission failed'),
  SUBMISSION_UNRESOLVED: code(502, 'Submission unresolved', true),
  RATE_LIMITED: code(429, 'Rate limit exceeded', true),
  UPSTREAM_UNAVAILABLE: code(502, 'Upstream unavailable', true),
  IDEMPOTENCY_KEY_REUSED: { ...code(422, 'Idempotency key reused'), keepsTitle: true },
  INSECURE_TRANSPORT: code(403, 'Insecure transport'),
  HOST_NOT_ALLOWED: code(403, 'Host not allowed'),
  ORIGIN_NOT_ALLOWED: code(403, 'Origin not allowed'),
  STAKE_ADDRESS_OCCUPIED: code(409, 'Stake address occupied'),
  STALE_NONCE: code(409, 'Stale nonce'),
  INVALID_SIGNATURE: code(400, 'Invalid signature'),
  WEBHOOK_LIMIT: code(409, 'Webhook limit reached'),
  STORE_UNAVAILABLE: code(503, 'Store unavailable', true),
  SHUTTING_DOWN: code(503, 'Shutting down', true),
  SIGN_LINK_INVALID: code(400, 'Sign link invalid'),
  SIGN_LINK_EXPIRED: code(410, 'Sign link expired'),
  NOT_FOUND: code(404, 'Not found'),
  METHOD_NOT_ALLOWED: code(405, 'Method not allowed'),
  UNSUPPORTED_MEDIA_TYPE: code(415, 'Unsupported media type'),
  BODY_TOO_LARGE: code(413, 'Body too large'),
  HEADERS_TOO_LARGE: code(431, 'Headers too large'),
  REQUEST_TIMEOUT: code(408, 'Request timeout', true),
  INTERNAL: code(500, 'Internal server error'),
  MISSING_WALLET_ADDRESS: code(400, 'Missing walletAddress'),
  WEBHOOK_DISABLED: code(409, 'Webhook disabled'),
  NOT_READY: code(503, 'Not ready', true),
  NOT_CONFIGURED: code(404, 'Not configured'),
  STAKE_NOT_INACTIVE: code(400, 'Stake not inactive'),
  AMOUNT_NOT_REACHABLE: code(400, 'Amount not reachable'),
  PLAN_NEEDS_SEVERAL: code(409, 'Several transactions needed'),
  NOTHING_TO_DO: code(400, 'Nothing to do'),
  UNDO_TOO_LATE: code(400, 'Too late to undo'),
  UNDO_IMPOSSIBLE: code(400, 'Undo impossible'),
  EPOCH_BOUNDARY_NEAR: code(409, 'Epoch boundary near'),
  STAKE_NOT_ACTIVATING: code(400, 'Stake not activating'),
  OPERATOR_TOKEN_REQUIRED: code(401, 'Operator token required'),
  TRANSACTION_ALREADY_SUBMITTED: code(409, 'Transaction already submitted'),
  NOTHING_TO_UNDO: code(400, 'Nothing to undo'),
  STILL_ALIVE: code(409, 'Transaction can still land'),
  NONCE_UNUSABLE: code(400, 'Nonce account unusable'),
  NONCE_LIMIT: code(409, 'Nonce account limit reached'),
} as const satisfies Record<string, ErrorCodeFacts>;

/** A code of the error vocabulary; every error body contains it as `errorCode`. */
export type ErrorCode = keyof typeof errorCodes;
