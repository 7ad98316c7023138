// Explains to developers how to handle each error code. The error response itself contains advice for the
// specific case.
import type { ErrorCode } from '../../kernel/error-codes.ts';

/** How to fix each error, in one or two sentences. */
export const errorFixes: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Correct the fields listed in `details`. Nothing was done.',
  INSUFFICIENT_BALANCE: 'Lower the amount or fund the wallet. The message says how much is missing.',
  BELOW_MINIMUM_STAKE: 'Stake at least the minimum stated in the message.',
  STAKE_NOT_WITHDRAWABLE:
    'Unstake first, then wait for the end of the epoch. `GET /api/v1/stake/accounts/{walletAddress}` says when. In `params`, `freeSol` can be withdrawn now and `excessSol` is the rest of the requested amount; `excessSol` of an account is another figure.',
  STAKE_LOCKED: 'The account is locked up. Wait until the lockup ends, or have its custodian sign.',
  STAKE_NOT_DELEGATED: 'Nothing is staked in this account: withdraw from it, or stake it again.',
  STAKE_ALREADY_DEACTIVATED:
    'The stake is already deactivating. Withdraw after the epoch, or undo before it ends.',
  WITHDRAW_LEAVES_BELOW_RENT: 'Withdraw everything, or leave the amount stated in the message.',
  INSUFFICIENT_STAKE_BALANCE: 'Request no more than the account can release; the message states the amount.',
  STAKE_BALANCE_CHANGED: 'The account changed in the meantime. Read it again and repeat the call.',
  INVALID_SECRET_KEY:
    'Send the 64-byte base58 key as wallets export it. Better: build an unsigned transaction and sign it yourself.',
  SECRET_KEY_MISMATCH: 'The key belongs to another wallet. Send the address that belongs to the key.',
  NOT_A_STAKE_ACCOUNT: 'Check the address: it is not a stake account. It may have been withdrawn and closed.',
  STAKE_ACCOUNT_ADDRESS_PROVIDED: 'Send the address of the wallet, not of a stake account.',
  WALLET_CANNOT_PAY: 'Use the address of the wallet itself, not of an account owned by a program.',
  AUTHORITY_MISMATCH: 'Only the wallet named in the message may do this with the account. Use that wallet.',
  EPOCH_REWARDS_ACTIVE:
    'Rewards are being paid out, and the Stake program refuses instructions until that is done. Repeat after `Retry-After`.',
  BLOCKHASH_EXPIRED: 'Build the transaction again, sign it and submit it within a minute.',
  INVALID_TRANSACTION: 'Submit the whole signed transaction in base64, as the wallet returned it.',
  FOREIGN_TRANSACTION: 'Build the transaction with this service, or send it through an RPC node of your own.',
  SUBMISSION_FAILED:
    'The chain refused the transaction; the message gives the reason. Build a new transaction.',
  SUBMISSION_UNRESOLVED:
    'The transaction may still land: repeat the call with the same idempotency key, or query the state of the signature. Do not retry without the key.',
  RATE_LIMITED: 'Wait for `Retry-After`; the header `RateLimit` shows how many requests are left.',
  UPSTREAM_UNAVAILABLE: 'No RPC node or provider is responding. Repeat after `Retry-After`.',
  IDEMPOTENCY_KEY_REUSED: 'Each idempotency key identifies one request. Use a new key for another request.',
  TRANSACTION_ALREADY_SUBMITTED:
    'For another change, build a new transaction. To get the outcome of this one, repeat it with its original key.',
  NONCE_UNUSABLE:
    'Name a nonce account of the wallet. `GET /api/v1/nonce/{walletAddress}` lists those that this service creates.',
  NONCE_LIMIT:
    'Use one of the wallet’s nonce accounts, or close one with `POST /api/v1/nonce/close/transaction`.',
  STILL_ALIVE: 'Sign and submit the old transaction, or rebuild it after `expiresInSeconds`.',
  INSECURE_TRANSPORT: 'Send secret keys over HTTPS only, or use unsigned transactions.',
  HOST_NOT_ALLOWED: 'Call the service under its public name. Operators: HOLDFAST_ALLOWED_HOSTS.',
  ORIGIN_NOT_ALLOWED: 'Call it from your server, not from a web page. Operators: HOLDFAST_ALLOWED_ORIGINS.',
  STAKE_ADDRESS_OCCUPIED:
    'Read `reason`. `STAKE_DONE`: the stake of this key exists (`signature`); do not send it again. Otherwise follow `suggestedAction`, and use a new key only if you want another stake.',
  STALE_NONCE: 'Sign the policy again with a nonce above the current one.',
  INVALID_SIGNATURE: 'Sign exactly the text that the guide shows, with the wallet’s key.',
  WEBHOOK_LIMIT: 'Delete registrations that you no longer need, or wait a day.',
  STORE_UNAVAILABLE: 'Nothing was done. Repeat after `Retry-After`, with the same idempotency key.',
  SHUTTING_DOWN: 'The service is restarting. Repeat after `Retry-After`, with the same idempotency key.',
  SIGN_LINK_INVALID: 'Ask for a new link, and open it unchanged.',
  SIGN_LINK_EXPIRED: 'Ask for a new link: links are valid for 24 hours.',
  NOT_FOUND: 'Check the path and the id against the reference.',
  METHOD_NOT_ALLOWED: 'Use a method named in the header `Allow`.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`.',
  BODY_TOO_LARGE: 'Send less than 64 KiB.',
  HEADERS_TOO_LARGE: 'Send fewer or shorter headers and a shorter URL.',
  REQUEST_TIMEOUT: 'Repeat the request, and send it completely within the time limit.',
  INTERNAL:
    'Something failed inside the service. Report the `X-Request-Id`. Repeat only with the same idempotency key.',
  MISSING_WALLET_ADDRESS: 'Add `walletAddress`.',
  WEBHOOK_DISABLED: 'Fix the receiver, then request a ping. A 2xx response re-enables the registration.',
  NOT_READY: 'The service or its cluster is not ready; the response names the cause. Repeat later.',
  NOT_CONFIGURED: 'The operator has not set this up.',
  STAKE_NOT_INACTIVE: 'Wait until the account is inactive, then stake it again.',
  AMOUNT_NOT_REACHABLE: 'Request `nearestBelowSol` or `nearestAboveSol`.',
  PLAN_NEEDS_SEVERAL: 'Call `POST /api/v1/plan` and send its transactions one after the other.',
  NOTHING_TO_DO:
    'No stake account can be used now. The message gives the reason, `suggestedAction` the next step.',
  NOTHING_TO_UNDO: 'No stake was deactivated in this epoch, so there is nothing to undo.',
  UNDO_TOO_LATE: 'The epoch of the deactivation is over. Once the account is inactive, stake it again.',
  UNDO_IMPOSSIBLE: 'Only stake that was deactivated in this epoch can be kept staked; stake it again later.',
  EPOCH_BOUNDARY_NEAR:
    'The transaction could land in the next epoch and restart activation there. Once the account is inactive, stake it again.',
  STAKE_NOT_ACTIVATING: 'You can only add to a stake made in this epoch. Make a new stake.',
  OPERATOR_TOKEN_REQUIRED:
    'Send the contents of the file operator-token in the data folder as a bearer token; only the operator console requires it.',
};
