// What the service promises about a secret key it was sent, in the words of every answer that needs one.

/** The `security` member of one-shot answers and the `securityModel` of wallet generation. */
export const security = {
  keyUsage:
    'Used once, in memory, to sign this transaction; its bytes are overwritten before the transaction is sent. The unsigned flow never needs it.',
  stored: false,
  logged: false,
  transport: 'Accepted over HTTPS only, or over loopback where the operator allows that.',
  verify: '/api/v1/verify/code',
} as const;
