// Names the verifier's checks and the fields that show their failures.

/** Parts of a transaction that are checked, in display order. */
export const VERDICT_FIELDS = [
  'feePayer',
  'instructions',
  'signers',
  'stakeAccount',
  'stakeAuthority',
  'withdrawAuthority',
  'lockup',
  'validator',
  'fundedBy',
  'recipient',
  'amount',
  'memo',
  'priorityFee',
] as const;

/** The name of such a part. */
export type VerdictField = (typeof VERDICT_FIELDS)[number];

/** All checks of the verifier, each with the field that shows its failure. */
export const fieldOfCheck = {
  kind: 'instructions',
  order: 'instructions',
  instructions: 'instructions',
  'lookup-tables': 'instructions',
  signers: 'signers',
  wallet: 'feePayer',
  'create-account': 'stakeAccount',
  'stake-account': 'stakeAccount',
  'stake-authority': 'stakeAuthority',
  'withdraw-authority': 'withdrawAuthority',
  lockup: 'lockup',
  'vote-account': 'validator',
  recipient: 'recipient',
  sender: 'fundedBy',
  lamports: 'amount',
  memo: 'memo',
  'priority-fee': 'priorityFee',
} as const satisfies Record<string, VerdictField>;

/** The name of a check. */
export type VerifierCheck = keyof typeof fieldOfCheck;
