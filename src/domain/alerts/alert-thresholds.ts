// Thresholds of alerts, used both to detect a problem and to describe the alert. Pure.

/** A validator whose last vote is more than this many slots behind the node is delinquent. */
export const DELINQUENT_SLOTS = 128n;
/** Number of agreeing responses that confirm that the validator stopped voting or votes again. */
export const VOTING_ANSWERS = 3;
/**
 * Epochs without credits after which anyone may deactivate the validator's stake (DeactivateDelinquent of the
 * Stake program).
 */
export const DESTAKE_EPOCHS = 5n;
/**
 * Number of remaining epochs at which the operator is first notified that the balance is running out. Each
 * later epoch without a deposit causes another alert.
 */
export const RISK_AT_EPOCHS = 3;
/** Age in seconds from which the stake index counts as stale. */
export const STALE_INDEX_SECONDS = 600;
