// Defines a wallet owner's requests, and the service's builder for the transaction of each.
import type { GoalName } from '../../src/domain/plan/plan-goals.ts';
import type { TransactionKind } from '../../src/domain/transaction/transaction-kinds.ts';
import type { StakePlan } from '../generated/shared-types.ts';
import type {
  CreateStakeTransactionAnswer,
  CreateStakeTransactionInput,
  PlanStakeChangeAnswer,
  PlanStakeChangeInput,
  SubmitTransactionAnswer,
  TransactionStateAnswer,
} from '../generated/transactions-operations.ts';
import type { HoldfastClient } from '../holdfast-client.ts';
import { HoldfastError, isHoldfastError } from '../holdfast-error.ts';
import type { CallOptions } from '../operation-facts.ts';
import { lamportsToSol } from '../sol-amount.ts';

/** Kinds of requests: all kinds of transactions except donations, which do not affect stake. */
export type RequestKind = Exclude<TransactionKind, 'donate'>;

/** The parameters of a stake change in addition to amount and account. */
export interface ChangeMembers {
  readonly goal: GoalName;
  /** Default: `exact`. */
  readonly rounding?: PlanStakeChangeInput['rounding'];
  /** Target of a sweep. */
  readonly to?: PlanStakeChangeInput['to'];
  /** Restricts the change to these accounts. */
  readonly accounts?: readonly string[];
}

/** Priority fee that a request may pay: at most `maxLamports`, or at most `MAX_PRIORITY_LAMPORTS` if it names a level. */
export type Priority = NonNullable<PlanStakeChangeInput['priority']>;

/** Fields of each kind in addition to the wallet. Amounts are lamports. */
interface RequestMembers {
  readonly stake: {
    readonly amountLamports: bigint;
    /** Becomes the stake authority: it can unstake and redelegate, but cannot withdraw anything. Default: the wallet. */
    readonly stakeAuthority?: string | undefined;
  };
  readonly unstake: { readonly stakeAccountAddress: string };
  readonly withdraw: {
    readonly stakeAccountAddress: string;
    /** Undefined to withdraw everything, which closes the account. */
    readonly amountLamports?: bigint | undefined;
  };
  readonly restake: { readonly stakeAccountAddress: string };
  /** Parameters of any change that the planner supports. */
  readonly rearrange: ChangeMembers & {
    readonly amountLamports?: bigint | undefined;
    /** Restricts the change to this account. */
    readonly stakeAccountAddress?: string | undefined;
  };
}

/** A request for one stake operation. */
export type StakingRequest = {
  readonly [Kind in RequestKind]: {
    readonly kind: Kind;
    readonly walletAddress: string;
    /**
     * The withdraw authority of the accounts, if the wallet is only their stake authority. Only for
     * unstaking, restaking and goals that withdraw nothing. Default: the wallet.
     */
    readonly owner?: string | undefined;
    /** Priority fee while the network is busy. Default: none. */
    readonly priority?: Priority | undefined;
  } & RequestMembers[Kind];
}[RequestKind];

/** Fields of a builder's response that the flow reads. */
export type BuiltTransaction = Pick<
  CreateStakeTransactionAnswer,
  'transaction' | 'lastValidBlockHeight' | 'estimatedExpiresAt' | 'warnings' | '_meta'
> &
  Partial<
    Pick<
      CreateStakeTransactionAnswer,
      'notices' | 'priorityFee' | 'transactionVersion' | 'epochTiming' | 'signUrl' | 'signUrlExpiresAt'
    >
  > & {
    /** For a change: every account's state before and after, as stated by the service. */
    readonly plan?: StakePlan | undefined;
    /** For a change: the later transactions of its plan. */
    readonly following?: readonly BuiltTransaction[] | undefined;
  };

/**
 * The service's response for a landed transaction. If the response was lost, this contains only the known
 * fields.
 */
export type SubmitAnswer = Pick<SubmitTransactionAnswer, 'signature'> & Partial<SubmitTransactionAnswer>;

/** The service, as used by the flow. Every method rejects with `HoldfastError`. */
export interface StakingService {
  readonly build: (
    request: StakingRequest,
    idempotencyKey: string,
    signal: AbortSignal,
  ) => Promise<BuiltTransaction>;
  /**
   * Calls `acknowledged` once the service has confirmed the receipt of the transaction, at the latest when it
   * responds.
   */
  readonly submit: (
    signedTransaction: string,
    idempotencyKey: string,
    signal: AbortSignal,
    acknowledged: () => void,
  ) => Promise<SubmitAnswer>;
  readonly stateOf: (
    signature: string,
    signal: AbortSignal,
  ) => Promise<Pick<TransactionStateAnswer, 'state' | 'error' | 'explorerUrl'>>;
  /**
   * Returns the signature of the transaction that was submitted with this idempotency key; null if there is none.
   * Absent without a service.
   */
  readonly signatureOf?: (
    walletAddress: string,
    idempotencyKey: string,
    signal: AbortSignal,
  ) => Promise<string | null>;
  /** The cluster's block height. */
  readonly blockHeight: (signal: AbortSignal) => Promise<number>;
}

export interface BuildOptions {
  /** Default: the service's default. */
  readonly transactionVersion?: CreateStakeTransactionInput['transactionVersion'];
  /**
   * Derivation of a new stake account's address. With `seed`, only the wallet needs to sign. Not for
   * withdrawing and restaking. Default: the service's default.
   */
  readonly addressing?: CreateStakeTransactionInput['addressing'];
  /** Number of retries of a build. A build changes nothing. Default: the client's. */
  readonly retries?: number | undefined;
}

/** The fields of a stored request. */
interface RequestParts {
  readonly walletAddress: string;
  readonly amountLamports?: bigint | undefined;
  readonly stakeAccountAddress?: string | undefined;
  readonly change?: ChangeMembers | undefined;
  readonly priority?: Priority | undefined;
  readonly owner?: string | undefined;
  readonly stakeAuthority?: string | undefined;
}

type RequestOf<Kind extends RequestKind> = Extract<StakingRequest, { kind: Kind }>;

/** Per kind: the field that a request cannot do without, the request's fields, and its transaction. */
const requests: {
  readonly [Kind in RequestKind]: {
    readonly needs: keyof RequestParts;
    /** Reads the fields. `needs` is present. */
    readonly members: (parts: RequestParts) => RequestMembers[Kind];
    readonly build: (
      client: HoldfastClient,
      request: RequestOf<Kind>,
      more: Omit<BuildOptions, 'retries'> & { readonly priority?: Priority | undefined },
      options: CallOptions,
    ) => Promise<BuiltTransaction>;
  };
} = {
  stake: {
    needs: 'amountLamports',
    members: ({ amountLamports, stakeAuthority }) => ({
      amountLamports: amountLamports!,
      ...(stakeAuthority !== undefined && { stakeAuthority }),
    }),
    build: (client, { walletAddress, amountLamports, stakeAuthority }, more, options) =>
      client.createStakeTransaction(
        {
          walletAddress,
          amountSol: lamportsToSol(amountLamports),
          ...(stakeAuthority !== undefined && { stakeAuthority }),
          ...more,
        },
        options,
      ),
  },
  unstake: {
    needs: 'stakeAccountAddress',
    members: ({ stakeAccountAddress }) => ({ stakeAccountAddress: stakeAccountAddress! }),
    build: (client, { walletAddress, owner, stakeAccountAddress }, more, options) =>
      client.createUnstakeTransaction(
        { walletAddress, stakeAccountAddress, ...(owner !== undefined && { owner }), ...more },
        options,
      ),
  },
  withdraw: {
    needs: 'stakeAccountAddress',
    members: ({ stakeAccountAddress, amountLamports }) => ({
      stakeAccountAddress: stakeAccountAddress!,
      amountLamports,
    }),
    build: (client, { walletAddress, stakeAccountAddress, amountLamports }, more, options) =>
      client.createWithdrawTransaction(
        {
          walletAddress,
          stakeAccountAddress,
          ...more,
          ...(amountLamports === undefined ? {} : { amountSol: lamportsToSol(amountLamports) }),
        },
        options,
      ),
  },
  restake: {
    needs: 'stakeAccountAddress',
    members: ({ stakeAccountAddress }) => ({ stakeAccountAddress: stakeAccountAddress! }),
    build: (client, { walletAddress, owner, stakeAccountAddress }, more, options) =>
      client.createRestakeTransaction(
        { walletAddress, stakeAccountAddress, ...(owner !== undefined && { owner }), ...more },
        options,
      ),
  },
  rearrange: {
    needs: 'change',
    members: ({ change, amountLamports, stakeAccountAddress }) => ({
      ...change!,
      amountLamports,
      stakeAccountAddress,
    }),
    build: async (client, request, more, options) => {
      const { walletAddress, owner, goal, rounding, to, amountLamports, stakeAccountAddress, accounts } =
        request;
      const stakeAccountAddresses = stakeAccountAddress === undefined ? accounts : [stakeAccountAddress];
      const response = await client.planStakeChange(
        {
          walletAddress,
          goal,
          rounding,
          to,
          ...(owner !== undefined && { owner }),
          ...more,
          ...(amountLamports === undefined ? {} : { amountSol: lamportsToSol(amountLamports) }),
          ...(stakeAccountAddresses === undefined ? {} : { stakeAccountAddresses }),
        },
        options,
      );
      return transactionsOf(response);
    },
  },
};

const notPlanned = (refusal: PlanStakeChangeAnswer['refusal']): HoldfastError => {
  const { errorCode = 'NOTHING_TO_DO', message = 'There is nothing to do.', suggestedAction } = refusal ?? {};
  return new HoldfastError({
    operation: 'planStakeChange',
    errorCode,
    message,
    suggestedAction: suggestedAction ?? undefined,
    body: { error: 'Not planned', ...refusal, errorCode, message },
  });
};

/**
 * Returns a plan's first transaction, with the other transactions in its field `following`. Throws
 * `HoldfastError` if the planner refused.
 */
const transactionsOf = ({
  feasible,
  refusal,
  transactions,
  plan,
  warnings,
  notices,
  epochTiming,
  signUrl,
  signUrlExpiresAt,
  _meta,
}: PlanStakeChangeAnswer): BuiltTransaction => {
  const [first, ...rest] = transactions;
  if (!feasible || first === undefined) throw notPlanned(refusal);
  const following = rest.map((one) => ({ ...one, warnings: [], _meta }));
  return {
    ...first,
    plan: plan ?? undefined,
    warnings,
    notices,
    ...(epochTiming && { epochTiming }),
    ...(signUrl !== undefined && { signUrl, signUrlExpiresAt }),
    _meta,
    ...(following.length > 0 && { following }),
  };
};

export const requestKinds = Object.keys(requests) as readonly RequestKind[];

const invalidRequest = (kind: RequestKind, problem: string, suggestedAction: string): HoldfastError =>
  new HoldfastError({
    errorCode: 'INVALID_INPUT',
    operation: kind,
    message: `A request to ${kind} ${problem}. Nothing was sent.`,
    suggestedAction,
  });

/**
 * Refuses the verifier's names of fields. Without this check, a withdrawal with `lamports` instead of
 * `amountLamports` would withdraw everything.
 */
export const requireFlowFields = (request: StakingRequest): void => {
  const { kind } = request;
  if ('lamports' in request)
    throw invalidRequest(kind, 'has no field lamports', 'Send amountLamports instead of lamports.');
  if ('accounts' in request && kind !== 'rearrange')
    throw invalidRequest(kind, 'has no field accounts', 'Send stakeAccountAddress instead of accounts.');
};

/** Restores a request from its stored parts. Throws `HoldfastError` `INVALID_INPUT` if one is missing. */
export const requestOfParts = (kind: RequestKind, parts: RequestParts): StakingRequest => {
  const { needs, members } = requests[kind];
  if (parts[needs] === undefined)
    throw invalidRequest(kind, `needs ${needs}`, `Add ${needs} to the request. Then try again.`);
  const { walletAddress, priority, owner } = parts;
  return {
    kind,
    walletAddress,
    ...(priority && { priority }),
    ...(owner !== undefined && { owner }),
    ...members(parts),
  } as StakingRequest;
};

/** Adapts `client` to the `StakingService` interface of the staking flow. */
export const stakingService = (
  client: HoldfastClient,
  { transactionVersion, addressing, retries }: BuildOptions = {},
): StakingService => ({
  build: (request, idempotencyKey, signal) => {
    const { build } = requests[request.kind] as (typeof requests)['stake'];
    const more = { transactionVersion, addressing, priority: request.priority };
    const options = { idempotencyKey, signal, retries };
    return build(client, request as RequestOf<'stake'>, more, options);
  },
  submit: (signedTransaction, idempotencyKey, signal) =>
    client.submitTransaction({ signedTransaction }, { idempotencyKey, signal }),
  stateOf: (signature, signal) => client.transactionState({ signature }, { signal }),
  signatureOf: (walletAddress, idempotencyKey, signal) =>
    client.transactionByKey({ walletAddress, idempotencyKey }, { signal }).then(
      ({ signature }) => signature,
      (error: unknown) => {
        if (isHoldfastError(error, 'NOT_FOUND')) return null;
        throw error;
      },
    ),
  blockHeight: async (signal) => (await client.epoch({}, { signal })).blockHeight,
});
