// Public entry for staking with your own key: the flow, its verifier, and helpers for building a signer and a
// store.
import { callVerifier } from './call-verifier.ts';
import { type VerifyRequest, verifyRequest as verify } from './staking/verify-against-request.ts';

export type { EffectsCheck, NodeFacts } from '../src/domain/transaction/effects/check-effects.ts';
export type { FieldVerdict } from '../src/operations/verify/add-verifier-problems.ts';
export type { CheckPorts } from './staking/check-built.ts';
export type { OpenSignature } from './staking/may-sign-again.ts';
export {
  newRecord,
  type RecordSlot,
  type RecordStore,
  slotStore,
  storageSlot,
  type TransactionRecord,
} from './staking/pending-transaction.ts';
export type { FollowingTransaction, Prepared } from './staking/prepared-transaction.ts';
export {
  type CarriedOut,
  carryOut,
  type Decision,
  type Signed,
  type StakingPorts,
} from './staking/run-staking-flow.ts';
export { Declined, NotAsAsked, SignatureMissing, StoppedHalfway } from './staking/staking-errors.ts';
export {
  type BuiltTransaction,
  type RequestKind,
  type StakingRequest,
  type StakingService,
  type SubmitAnswer,
  stakingService,
} from './staking/staking-request.ts';
export type {
  ApprovalReason,
  Completed,
  FlowRules,
  StakingState,
  StateName,
} from './staking/staking-states.ts';
export {
  type ServiceBinding,
  type TransactionVerdict,
  type VerifyRequest,
  verifyEffects,
} from './staking/verify-against-request.ts';
export { takeApart, withSignature } from './staking/wire-signatures.ts';

/**
 * Checks the transaction bytes `wire`. `ok` is true only for the requested kind. Throws the `HoldfastError`
 * `INVALID_TRANSACTION` unless they are exactly one well-formed transaction.
 */
export const verifyRequest: VerifyRequest = (...given) =>
  callVerifier('verifyRequest', () => verify(...given));
