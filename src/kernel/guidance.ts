// Guidance as data: text and references to operations. Each interface prints it in its own terms
// (`adapter/print-guidance.ts`).

/**
 * Names of all operations. `defineOperation` accepts no others, so a step cannot name an unknown operation.
 */
export type OperationName =
  | 'addressType'
  | 'advanceNonceTransaction'
  | 'analytics'
  | 'attachSignatures'
  | 'balance'
  | 'checkBalance'
  | 'checkWithdrawReady'
  | 'closeNonceTransaction'
  | 'codeIntegrity'
  | 'createNonceTransaction'
  | 'createRestakeTransaction'
  | 'createStakeTransaction'
  | 'createUndoTransaction'
  | 'createUnstakeTransaction'
  | 'createWithdrawTransaction'
  | 'deleteStakingPolicy'
  | 'deleteWebhook'
  | 'describeSandbox'
  | 'donate'
  | 'epoch'
  | 'generateWallet'
  | 'getStakingPolicy'
  | 'health'
  | 'listAlerts'
  | 'listDeadLetters'
  | 'listDelegators'
  | 'listDeliveries'
  | 'listNonceAccounts'
  | 'listStakeAccounts'
  | 'listSubmissions'
  | 'listWebhooks'
  | 'peerDensity'
  | 'pingWebhook'
  | 'planStakeChange'
  | 'previewUnstake'
  | 'readSignLink'
  | 'ready'
  | 'rebuildTransaction'
  | 'registerWebhook'
  | 'replayDeadLetter'
  | 'replayDeliveries'
  | 'restoreWebhook'
  | 'rotateWebhookSecret'
  | 'sandboxAirdrop'
  | 'sandboxEndEpochs'
  | 'sandboxNetwork'
  | 'sandboxValidator'
  | 'sendTestAlert'
  | 'setStakingPolicy'
  | 'setWalletLabel'
  | 'showDelegator'
  | 'showDelivery'
  | 'showOwnValidator'
  | 'showServiceHealth'
  | 'showStakeFlows'
  | 'simulateStake'
  | 'sourceFile'
  | 'stake'
  | 'stakingRewards'
  | 'stakingSummary'
  | 'submitTransaction'
  | 'transactionByKey'
  | 'transactionState'
  | 'unstake'
  | 'validatorAlerts'
  | 'validatorApy'
  | 'validatorHistory'
  | 'validatorInfrastructure'
  | 'validatorLive'
  | 'validatorPerformance'
  | 'validatorProfile'
  | 'verificationLinks'
  | 'verifyStakeTransaction'
  | 'verifyTransaction'
  | 'walletAlerts'
  | 'walletHistory'
  | 'withdraw'
  | 'withdrawReadiness';

/** Values for an operation's path. Default: the values of the request. */
type StepParams = Readonly<
  Partial<Record<'walletAddress' | 'signature' | 'id' | 'address' | 'filename', string>>
>;

/** A reference to an operation that the caller can use next. */
export interface Step {
  readonly operation: OperationName;
  readonly params?: StepParams;
}

/**
 * Alternative wordings: one for callers that see request and response fields, and one for people who see
 * neither.
 */
interface Wording {
  readonly forPrograms: Guidance;
  readonly forPeople: string;
}

/** A piece of a sentence. */
export type GuidancePart = string | Step | Wording;

/** One or more sentences, or a single step. Plain data that can be stored and read back. */
export type Guidance = GuidancePart | readonly GuidancePart[];

/** Creates a reference to an operation, for `guidance` or as a link. */
export const step = (operation: OperationName, params?: StepParams): Step =>
  params === undefined ? { operation } : { operation, params };

/** Creates both wordings of a phrase: `wording('leave amountSol out', 'leave the amount out')`. */
export const wording = (forPrograms: Guidance, forPeople: string): Wording => ({ forPrograms, forPeople });

/** Returns true for a reference to an operation. */
export const isStep = (given: Guidance | GuidancePart): given is Step =>
  typeof given !== 'string' && 'operation' in given;

/** Lists the pieces of `given`, in order. */
export const guidanceParts = (given: Guidance): readonly GuidancePart[] =>
  Array.isArray(given) ? given : [given as GuidancePart];

/**
 * Builds a sentence with embedded steps, as a template.
 *
 * @example guidance`Poll ${step('transactionState', { signature })} until it is settled.`
 */
export const guidance = (texts: TemplateStringsArray, ...values: readonly Guidance[]): Guidance =>
  texts
    .flatMap((text, at) => [text, ...(at < values.length ? guidanceParts(values[at]!) : [])])
    .filter((part) => part !== '');
