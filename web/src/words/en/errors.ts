// English texts about failed calls. The service's own texts are translated in the folder `service` of each
// other language.

export const errorsEnglish = {
  NETWORK: 'The service is not responding',
  TIMEOUT: 'The service took too long to respond',
  BAD_ANSWER: 'Unexpected response',
  RATE_LIMITED: 'Busy right now',
  NOT_CONFIGURED: 'Not configured by the operator',
  UPSTREAM_UNAVAILABLE: 'The service cannot reach Solana',
  EPOCH_REWARDS_ACTIVE: 'Rewards are being paid out',
  INSUFFICIENT_BALANCE: 'Not enough SOL',
  BELOW_MINIMUM_STAKE: 'Below the minimum stake',
  WALLET_CANNOT_PAY: 'This wallet cannot pay fees',
  BLOCKHASH_EXPIRED: 'The transaction expired',
  STILL_POSSIBLE: 'The first transaction may still land',
  SUBMISSION_FAILED: 'Solana rejected the transaction',
  SUBMISSION_UNRESOLVED: 'Outcome still unknown',
  STALE_NONCE: 'This wallet has already signed a newer version',
  STORE_UNAVAILABLE: 'The service’s database is not responding',
  SHUTTING_DOWN: 'The service is restarting',
  upstreamText: 'Your stake on the chain is not affected. It just can’t be viewed or changed here right now.',
  networkText: 'Check your connection, then try again.',
  storeText: 'Nothing is lost, and stake on the chain is not affected. Try again in a minute.',
  stillPossibleText:
    'The service says the first transaction expired. If that is wrong, both will land. Look it up in an explorer before you sign again.',
  rateLimited: 'Too many requests from your network. Try again in {seconds} s.',
  rateLimitedMinute: 'Too many requests from your network. Try again in a minute.',
  provider: 'The statistics provider is not responding',
  unknown: 'Something went wrong',
  noReason: 'No reason was given.',
  unreadable: '{what} could not be loaded: {problem}',
  tryAgain: 'Try again',
} as const;
