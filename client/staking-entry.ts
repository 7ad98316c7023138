// What outsiders import to stake with a key of their own: the flow, the verifier that it needs, and the parts to make a signer and a store of.
export type { FieldVerdict } from '../src/operations/verify/field-verdicts.ts';
export { Declined, NotAsAsked, SignatureMissing } from './staking/staking-errors.ts';
export {
  type BuiltTransaction,
  type RequestKind,
  type StakingRequest,
  type StakingService,
  type SubmitAnswer,
  stakingService,
} from './staking/staking-request.ts';
export {
  type ApprovalReason,
  type Completed,
  type Prepared,
  type Signed,
  type StakingPorts,
  type StakingStep,
  submitAndWait,
} from './staking/submit-and-wait.ts';
export {
  newRecord,
  type RecordSlot,
  type RecordStore,
  slotStore,
  storageSlot,
  type TransactionRecord,
} from './staking/transaction-record.ts';
export { type ServiceBinding, type TransactionVerdict, verifyRequest } from './staking/verify-transaction.ts';
export { takeApart, withSignature } from './staking/wire-parts.ts';
