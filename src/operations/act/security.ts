// What the service promises about a secret key it was sent, in the words of every answer that needs one.

/** The `security` member of one-shot answers and the `securityModel` of wallet generation. */
export const security = {
  keyUsage:
    'Used in memory to sign the transaction of a one-shot call and nothing else; its bytes are overwritten before the answer is sent. The unsigned flow never needs it.',
  stored: false,
  logged: false,
  transport: 'Accepted over HTTPS only, or over loopback where the operator allows that.',
  verify: '/api/v1/verify/code',
} as const;
