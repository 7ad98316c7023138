// Computes how long a vote account can pay for its admission. At the start of each epoch, the fee for the
// next one is taken from its balance.

/** Facts of a vote account that determine its admission. */
interface AdmissionFacts {
  readonly balanceLamports: bigint;
  /** Amount that must stay in the account. */
  readonly rentLamports: bigint;
  /** Price of one epoch; more than 0. */
  readonly ticketLamports: bigint;
  readonly hasBlsKey: boolean;
  /** The current epoch. */
  readonly epoch: bigint;
}

/** The outlook without further deposits. */
export interface AdmissionOutlook {
  /** Number of upcoming boundaries at which the fee can be paid. */
  readonly epochsLeft: bigint;
  /** The first epoch without admission, in which its delegators earn nothing. */
  readonly excludedFromEpoch: bigint;
}

/**
 * The boundary that begins epoch E decides about E + 1. The current and the next epoch are already decided.
 */
export const admissionOutlook = (facts: AdmissionFacts): AdmissionOutlook => {
  const { balanceLamports, rentLamports, ticketLamports, hasBlsKey, epoch } = facts;
  const spendable = balanceLamports - rentLamports;
  const epochsLeft = hasBlsKey && spendable > 0n ? spendable / ticketLamports : 0n;
  return { epochsLeft, excludedFromEpoch: epoch + epochsLeft + 2n };
};
