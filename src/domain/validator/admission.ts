// How long a vote account can pay for its admission: at the start of each epoch the ticket for the next one is taken from its balance.

/** A vote account as the admission looks at it. */
interface AdmissionFacts {
  readonly balanceLamports: bigint;
  /** What must stay in it. */
  readonly rentLamports: bigint;
  /** The price of one epoch; more than 0. */
  readonly ticketLamports: bigint;
  readonly hasBlsKey: boolean;
  /** The current one. */
  readonly epoch: bigint;
}

/** What follows, if nothing is paid in meanwhile. */
export interface AdmissionOutlook {
  /** Boundaries to come at which the ticket can be paid. */
  readonly epochsLeft: bigint;
  /** The first epoch that it is not admitted to, and in which nobody who delegates to it earns. */
  readonly excludedFromEpoch: bigint;
}

/** The boundary that begins epoch E decides about E + 1; the current epoch and the next one are decided already. */
export const admissionOutlook = (facts: AdmissionFacts): AdmissionOutlook => {
  const { balanceLamports, rentLamports, ticketLamports, hasBlsKey, epoch } = facts;
  const spendable = balanceLamports - rentLamports;
  const epochsLeft = hasBlsKey && spendable > 0n ? spendable / ticketLamports : 0n;
  return { epochsLeft, excludedFromEpoch: epoch + epochsLeft + 2n };
};
