// Names the checks of the verifier and the fields in which their failures show.

/** The parts of a transaction that can be right or wrong, in the order in which they are shown. */
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

/** One of them. */
export type VerdictField = (typeof VERDICT_FIELDS)[number];

/** Every check of the verifier, with the field in which its failure shows. */
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
