// Explains to developers how to handle each error code. The answer itself contains advice for its own case.
import type { ErrorCode } from '../../kernel/error-codes.ts';

/** One or two sentences per code. */
export const errorFixes: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Correct the members that `details` names. Nothing was done.',
  INSUFFICIENT_BALANCE: 'Lower the amount or fund the wallet. The message says how much is missing.',
  BELOW_MINIMUM_STAKE: 'Stake at least the minimum that the message names.',
  STAKE_NOT_WITHDRAWABLE:
    'Unstake first, then wait for the end of the epoch. `GET /api/v1/stake/accounts/{walletAddress}` says when.',
  STAKE_LOCKED: 'A lockup is in force: wait for its end, or let its custodian sign.',
  STAKE_NOT_DELEGATED: 'Nothing is staked in this account: withdraw from it, or stake it again.',
  STAKE_ALREADY_DEACTIVATED: 'It is cooling down already. Withdraw after the epoch, or undo before its end.',
  WITHDRAW_LEAVES_BELOW_RENT: 'Withdraw everything, or leave what the message names.',
  INSUFFICIENT_STAKE_BALANCE: 'Ask for no more than the account can give; the message says how much that is.',
  STAKE_BALANCE_CHANGED: 'The account changed meanwhile. Read it again and repeat the call.',
  INVALID_SECRET_KEY:
    'Send the base58 key of 64 bytes as wallets export it, or better: build unsigned and sign yourself.',
  SECRET_KEY_MISMATCH: 'The key is another wallet’s. Send the address that belongs to it.',
  NOT_A_STAKE_ACCOUNT: 'Check the address: no stake account is there. It may have been withdrawn and closed.',
  STAKE_ACCOUNT_ADDRESS_PROVIDED: 'Send the wallet’s address where a wallet is asked for.',
  WALLET_CANNOT_PAY: 'Use the address of the wallet itself, not of an account that a program owns.',
  AUTHORITY_MISMATCH:
    'Another wallet may do this with the account. Act with the wallet that the message names.',
  EPOCH_REWARDS_ACTIVE: 'Rewards are being paid and the Stake program waits: repeat after `Retry-After`.',
  BLOCKHASH_EXPIRED: 'Build the transaction again, sign it and submit it within a minute.',
  INVALID_TRANSACTION: 'Submit the whole signed transaction, base64, as the wallet returned it.',
  FOREIGN_TRANSACTION: 'Build the transaction with this service, or send it through an RPC node of your own.',
  SUBMISSION_FAILED: 'The chain refused it; the message says why. Build a new transaction.',
  SUBMISSION_UNRESOLVED:
    'It may still land: repeat the call with the same idempotency key, or ask for the signature’s state. Never begin anew without.',
  RATE_LIMITED: 'Wait for `Retry-After`; the header `RateLimit` says how much is left.',
  UPSTREAM_UNAVAILABLE: 'No RPC node or provider answers. Repeat after `Retry-After`.',
  IDEMPOTENCY_KEY_REUSED: 'A key stands for one request. Use a new key for another request.',
  TRANSACTION_ALREADY_SUBMITTED:
    'Build the transaction again if it is another change. For the outcome of the same one, repeat it with its own key.',
  INSECURE_TRANSPORT: 'Send secret keys over HTTPS only, or use unsigned transactions.',
  HOST_NOT_ALLOWED: 'Call the service by its public name. Operators: HOLDFAST_ALLOWED_HOSTS.',
  ORIGIN_NOT_ALLOWED: 'Call it from your server, not from a web page. Operators: HOLDFAST_ALLOWED_ORIGINS.',
  STAKE_ADDRESS_OCCUPIED:
    'Use a new idempotency key: the stake account of this one exists with other contents.',
  STALE_NONCE: 'Sign the policy again with a nonce above the one in force.',
  INVALID_SIGNATURE: 'Sign exactly the text that the guide shows, with the wallet’s key.',
  WEBHOOK_LIMIT: 'Delete registrations that are not needed, or wait a day.',
  STORE_UNAVAILABLE: 'Nothing was done. Repeat after `Retry-After`, with the same idempotency key.',
  SHUTTING_DOWN: 'The service restarts. Repeat after `Retry-After`, with the same idempotency key.',
  SIGN_LINK_INVALID: 'Ask for a new link, and open it as it is.',
  SIGN_LINK_EXPIRED: 'Ask for a new link: links are valid for 24 hours.',
  NOT_FOUND: 'Check path and id against the reference.',
  METHOD_NOT_ALLOWED: 'Use a method that the header `Allow` names.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`.',
  BODY_TOO_LARGE: 'Send less than 64 KiB.',
  HEADERS_TOO_LARGE: 'Send fewer or shorter headers and a shorter URL.',
  REQUEST_TIMEOUT: 'Send the whole request within the time limit; repeat it.',
  INTERNAL: 'A fault of the service: report the `X-Request-Id`. Repeat only with the same idempotency key.',
  MISSING_WALLET_ADDRESS: 'Add `walletAddress`.',
  WEBHOOK_DISABLED: 'Repair the receiver, then ask for a ping: its 2xx switches the registration on again.',
  NOT_READY: 'The service or its cluster is not ready; the answer says what. Repeat later.',
  NOT_CONFIGURED: 'The operator has not set this up.',
  STAKE_NOT_INACTIVE: 'Wait until the account has cooled down, then stake it again.',
  AMOUNT_NOT_REACHABLE: 'Ask for `nearestBelowSol` or `nearestAboveSol`.',
  PLAN_NEEDS_SEVERAL: 'Ask `POST /api/v1/plan` and send its transactions one after the other.',
  NOTHING_TO_DO:
    'No stake account can take part now. The message says why, `suggestedAction` what to do next.',
  NOTHING_TO_UNDO: 'Only stake that was deactivated in this epoch can be kept staked, and none was.',
  UNDO_TOO_LATE: 'The epoch of the deactivation is over. Once the account is inactive, stake it again.',
  UNDO_IMPOSSIBLE: 'Only what was deactivated in this epoch can be kept staked; stake it again later.',
  EPOCH_BOUNDARY_NEAR:
    'It could land in the next epoch and do harm there. Once the account has cooled down, stake it again.',
  STAKE_NOT_ACTIVATING: 'Only a stake made in this epoch can take more. Make a new stake.',
  OPERATOR_TOKEN_REQUIRED:
    'Send the text of the file operator-token in the data folder as a bearer token; only the operator console asks for it.',
};
