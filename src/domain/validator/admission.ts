// Computes how long a vote account can pay for its admission. At the start of each epoch, the cluster charges
// the account the fee for the next one.

/** Properties of a vote account that determine its admission. */
interface AdmissionFacts {
  readonly balanceLamports: bigint;
  /** Amount that must stay in the account. */
  readonly rentLamports: bigint;
  /** Price per epoch, which is more than 0. */
  readonly ticketLamports: bigint;
  readonly hasBlsKey: boolean;
  readonly epoch: bigint;
}

/** The outlook if there are no further deposits. */
export interface AdmissionOutlook {
  /** Number of upcoming boundaries at which the fee can be paid. */
  readonly epochsLeft: bigint;
  /** The first epoch without admission, in which its delegators earn nothing. */
  readonly excludedFromEpoch: bigint;
}

/**
 * Computes the outlook. The boundary at which epoch E begins decides on admission to E + 1, so the current and
 * the next epoch are already decided.
 */
export const admissionOutlook = (facts: AdmissionFacts): AdmissionOutlook => {
  const { balanceLamports, rentLamports, ticketLamports, hasBlsKey, epoch } = facts;
  const spendable = balanceLamports - rentLamports;
  const epochsLeft = hasBlsKey && spendable > 0n ? spendable / ticketLamports : 0n;
  return { epochsLeft, excludedFromEpoch: epoch + epochsLeft + 2n };
};
