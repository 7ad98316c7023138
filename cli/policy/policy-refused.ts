// Error for a request that the policy does not allow. Nothing was signed.

/** Reasons for a refusal, in the order in which they are checked. */
export type PolicyRefusalCode =
  | 'POLICY_CHANGED'
  | 'POLICY_AUDIT_DAMAGED'
  | 'POLICY_FROZEN'
  | 'POLICY_OTHER_WALLET'
  | 'POLICY_OTHER_CLUSTER'
  | 'POLICY_OTHER_SERVICE'
  | 'POLICY_HOURS'
  | 'POLICY_OPERATION'
  | 'POLICY_VALIDATOR'
  | 'POLICY_RECIPIENT'
  | 'POLICY_AMOUNT_UNKNOWN'
  | 'POLICY_EPOCH_UNKNOWN'
  | 'POLICY_LIMIT'
  | 'POLICY_NEEDS_PERSON'
  | 'POLICY_DECLINED';

/** Reason for a refusal, with its parameters. Amounts are in SOL, as text. */
export interface PolicyRefusal {
  readonly code: PolicyRefusalCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, string | number | null>>;
  /** Link with which a person can sign the request on the service's page, for `POLICY_NEEDS_PERSON`. */
  readonly signUrl?: string | undefined;
  readonly signUrlExpiresAt?: string | undefined;
  /** Key of the refused request. The link contains it too. */
  readonly idempotencyKey?: string;
}

export class PolicyRefused extends Error {
  override readonly name = 'PolicyRefused';
  readonly code: PolicyRefusalCode;
  readonly refusal: PolicyRefusal;

  constructor(refusal: PolicyRefusal) {
    super(refusal.message);
    this.code = refusal.code;
    this.refusal = refusal;
  }
}
