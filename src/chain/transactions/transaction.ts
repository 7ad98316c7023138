// Builds all transactions of this service with @solana/kit, as legacy messages by default or as version 0 or
// 1 on request. The memo is always the last instruction. Stake instructions also list the accounts that
// Ledger's app and web3.js expect.
import {
  AccountRole,
  type Address,
  createNoopSigner,
  getAddressComparator,
  type Instruction,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import {
  getAuthorizeInstruction,
  getDeactivateInstruction,
  getDelegateStakeInstruction,
  getInitializeInstruction,
  getMergeInstruction,
  getMoveLamportsInstruction,
  getMoveStakeInstruction,
  getSetLockupInstruction,
  getSplitInstruction,
  getWithdrawInstruction,
  StakeAuthorize,
} from '@solana-program/stake';
import {
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getCreateAccountWithSeedInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  getWithdrawNonceAccountInstruction,
} from '@solana-program/system';
import { MEMO_PROGRAM, STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import type { DecodedInstruction } from '../../domain/instruction-types.ts';
import { withClassicAccounts } from '../../domain/machine/classic-accounts.ts';
import type { MachineOperation } from '../../domain/machine/stake-machine-state.ts';
import { NONCE_ACCOUNT_BYTES } from '../../domain/nonce-account.ts';
import { NO_LOCKUP, STAKE_ACCOUNT_BYTES } from '../../domain/stake/stake-account.ts';
import {
  computeBudgetInstructions,
  computeUnitLimit,
  type HeaderBudget,
  LAMPORTS_PER_SIGNATURE,
  type PriorityFee,
  priorityFeeOf,
  type UnitPrice,
} from '../../domain/transaction/instruction-fees.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import { type CompiledMessage, compileMessage, type MessageForm } from './compile-message.ts';
import { CompiledMessageCache } from './compiled-message-cache.ts';

export { encodeWire } from './wire-transaction.ts';

/**
 * Versions of the built messages. Every library and wallet reads legacy messages; version 0 takes two more
 * bytes for the same content. Version 1 has its fee and limits in the header.
 */
export type TransactionVersion = 'legacy' | 0 | 1;

export interface BuiltTransaction {
  readonly version: TransactionVersion;
  /** The compiled message, which the signers sign. */
  readonly messageBytes: Uint8Array;
  /** Accounts, fee payer first. */
  readonly requiredSigners: readonly Address[];
  readonly wallet: Address;
  readonly feePayer: Address;
  /**
   * The instructions in `messageBytes`, described on first access exactly as if these bytes had been decoded.
   */
  readonly instructions: readonly DecodedInstruction[];
  /** 5,000 lamports per signature, plus the priority fee. */
  readonly networkFeeLamports: bigint;
  /**
   * Set by the two Compute Budget instructions at the front, or in the header. Null if the transaction pays
   * no priority fee.
   */
  readonly priorityFee: PriorityFee | null;
  /** Fee and limits in a version 1 header; null in other versions. */
  readonly headerBudget: HeaderBudget | null;
}

interface Common {
  /** The wallet, which is the authority in every instruction. */
  readonly wallet: Address;
  /** Exact text of the memo. */
  readonly memo: string;
  /** Recent blockhash in base58. */
  readonly blockhash: string;
  /** Default: `legacy`. */
  readonly version?: TransactionVersion | undefined;
  /** Default: no priority fee. */
  readonly unitPrice?: UnitPrice | undefined;
  /** The nonce account whose value is `blockhash`; the wallet is its authority. Default: a recent blockhash. */
  readonly nonceAccount?: Address | undefined;
  /** Pays the fee and signs. Default: the wallet. */
  readonly feePayer?: Address | undefined;
}

/** Additional inputs of each kind of transaction. */
interface KindInputs {
  /** A new stake account for `wallet`, delegated immediately. */
  readonly stake: {
    readonly stakeAccount: Address;
    readonly voteAccount: Address;
    /** Total moved into the new account, including the rent-exempt minimum. */
    readonly lamports: bigint;
    /** Becomes the stake authority once the account is delegated. Default: the wallet. */
    readonly stakeAuthority?: Address | undefined;
    /**
     * Seed for deriving the account from the wallet, which is then the only signer. Default: the account also
     * signs.
     */
    readonly seed?: string | undefined;
  };
  readonly unstake: { readonly stakeAccount: Address };
  readonly withdraw: {
    readonly stakeAccount: Address;
    readonly lamports: bigint;
    /** Default: the wallet. */
    readonly recipient?: Address;
    /** Custodian that also signs, which lifts a lockup in force. */
    readonly custodian?: Address;
  };
  readonly restake: { readonly stakeAccount: Address; readonly voteAccount: Address };
  readonly donate: { readonly donationAddress: Address; readonly lamports: bigint };
  /** The planner's operations. Every created account also signs. */
  readonly rearrange: { readonly operations: readonly MachineOperation[] };
}

type BuildInput<Kind extends TransactionKind> = Common & KindInputs[Kind];

const versionOf = ({ version = 'legacy' }: Pick<Common, 'version'>): TransactionVersion => version;

const payerOf = ({ wallet, feePayer = wallet }: Pick<Common, 'wallet' | 'feePayer'>): Address => feePayer;

/** Describes how to build the message of one kind. */
interface Recipe<Input> {
  /** Operations in order, without the memo. */
  readonly operations: (input: Input) => readonly MachineOperation[];
  /** Fields with addresses that vary between builds. */
  readonly addresses: readonly (keyof Input & string)[];
  /**
   * Names everything that changes the layout or the fixed bytes, except version and memo: a fixed address, or
   * the order of two varying addresses.
   */
  readonly shape?: (input: Input) => string;
  /** Returns false for inputs that a template cannot represent. Default: true. */
  readonly isCached?: (input: Input) => boolean;
}

const compareAddresses = getAddressComparator();

/** Marks an address as a signer without its key. The signature is added later. */
const signer = createNoopSigner;

const custodianOf = (custodian: Address | undefined) =>
  custodian === undefined ? {} : { lockupAuthority: signer(custodian) };

/**
 * Builds the instruction of each operation with the official client library, which omits the classic accounts
 * (see `classic-accounts.ts`).
 */
const instructionBuilders: {
  readonly [T in MachineOperation['type']]: (
    operation: Extract<MachineOperation, { readonly type: T }>,
  ) => Instruction;
} = {
  create: ({ account, payer, lamports, seed }) =>
    seed === undefined
      ? getCreateAccountInstruction({
          payer: signer(payer),
          newAccount: signer(account),
          lamports,
          space: STAKE_ACCOUNT_BYTES,
          programAddress: STAKE_PROGRAM,
        })
      : getCreateAccountWithSeedInstruction({
          payer: signer(payer),
          newAccount: account,
          base: payer,
          seed,
          amount: lamports,
          space: STAKE_ACCOUNT_BYTES,
          programAddress: STAKE_PROGRAM,
        }),
  transfer: ({ from, to, lamports }) =>
    getTransferSolInstruction({ source: signer(from), destination: to, amount: lamports }),
  initialize: ({ account, stakeAuthority, withdrawAuthority, lockup }) =>
    getInitializeInstruction({
      stake: account,
      arg0: { staker: stakeAuthority, withdrawer: withdrawAuthority },
      arg1: lockup,
    }),
  delegate: ({ account, voteAccount, authority }) =>
    getDelegateStakeInstruction({ stake: account, vote: voteAccount, stakeAuthority: signer(authority) }),
  deactivate: ({ account, authority }) =>
    getDeactivateInstruction({ stake: account, stakeAuthority: signer(authority) }),
  split: ({ account, into, lamports, authority }) =>
    getSplitInstruction({
      stake: account,
      splitStake: into,
      stakeAuthority: signer(authority),
      args: lamports,
    }),
  merge: ({ account, from, authority }) =>
    getMergeInstruction({
      destinationStake: account,
      sourceStake: from,
      stakeAuthority: signer(authority),
    }),
  moveStake: ({ account, into, lamports, authority }) =>
    getMoveStakeInstruction({
      sourceStake: account,
      destinationStake: into,
      stakeAuthority: signer(authority),
      args: lamports,
    }),
  moveLamports: ({ account, into, lamports, authority }) =>
    getMoveLamportsInstruction({
      sourceStake: account,
      destinationStake: into,
      stakeAuthority: signer(authority),
      args: lamports,
    }),
  withdraw: ({ account, to, lamports, authority, custodian }) =>
    getWithdrawInstruction({
      stake: account,
      recipient: to,
      withdrawAuthority: signer(authority),
      args: lamports,
      ...custodianOf(custodian),
    }),
  authorize: ({ account, authority, newAuthority, role, custodian }) =>
    getAuthorizeInstruction({
      stake: account,
      authority: signer(authority),
      arg0: newAuthority,
      arg1: role === 'staker' ? StakeAuthorize.Staker : StakeAuthorize.Withdrawer,
      ...custodianOf(custodian),
    }),
  setLockup: ({ account, authority, lockup: { unixTimestamp = null, epoch = null, custodian = null } }) =>
    getSetLockupInstruction({
      stake: account,
      authority: signer(authority),
      unixTimestamp,
      epoch,
      custodian,
    }),
};

/** Builds the instruction of an operation, with the accounts that hardware wallets and other readers expect. */
export const instructionOf = (operation: MachineOperation): Instruction => {
  const instruction = (instructionBuilders[operation.type] as (one: MachineOperation) => Instruction)(
    operation,
  );
  return {
    ...instruction,
    accounts: withClassicAccounts(operation.type, instruction.accounts ?? [], (address) => ({
      address,
      role: AccountRole.READONLY,
    })),
  };
};

const advanceNonce = (nonceAccount: Address, wallet: Address): Instruction =>
  getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: signer(wallet) });

/** Kinds that always have the same instructions. */
type FixedKind = Exclude<TransactionKind, 'rearrange'>;

const recipes: { readonly [Kind in FixedKind]: Recipe<BuildInput<Kind>> } = {
  stake: {
    operations: ({ wallet, stakeAccount: account, voteAccount, lamports, stakeAuthority = wallet, seed }) => [
      { type: 'create', account, payer: wallet, lamports, seed },
      {
        type: 'initialize',
        account,
        stakeAuthority: wallet,
        withdrawAuthority: wallet,
        lockup: NO_LOCKUP,
      },
      { type: 'delegate', account, voteAccount, authority: wallet },
      // The wallet delegates before it hands over the authority, so that it is the only signer.
      ...(stakeAuthority === wallet
        ? []
        : [
            {
              type: 'authorize' as const,
              account,
              role: 'staker' as const,
              authority: wallet,
              newAuthority: stakeAuthority,
            },
          ]),
    ],
    addresses: ['wallet', 'stakeAccount'],
    shape: ({ voteAccount }) => voteAccount,
    isCached: ({ stakeAuthority, seed }) => stakeAuthority === undefined && seed === undefined,
  },
  unstake: {
    operations: ({ wallet, stakeAccount }) => [
      { type: 'deactivate', account: stakeAccount, authority: wallet },
    ],
    addresses: ['wallet', 'stakeAccount'],
  },
  withdraw: {
    operations: ({ wallet, stakeAccount, recipient = wallet, custodian, lamports }) => [
      { type: 'withdraw', account: stakeAccount, to: recipient, lamports, authority: wallet, custodian },
    ],
    addresses: ['wallet', 'stakeAccount', 'recipient', 'custodian'],
    // Accounts with the same role are sorted by address, so the template depends on which of the two comes first.
    shape: ({ wallet, stakeAccount, recipient = wallet }) =>
      String(recipient !== wallet && compareAddresses(recipient, stakeAccount) < 0),
  },
  restake: {
    operations: ({ wallet, stakeAccount, voteAccount }) => [
      { type: 'delegate', account: stakeAccount, voteAccount, authority: wallet },
    ],
    addresses: ['wallet', 'stakeAccount'],
    shape: ({ voteAccount }) => voteAccount,
  },
  donate: {
    operations: ({ wallet, donationAddress, lamports }) => [
      { type: 'transfer', from: wallet, to: donationAddress, lamports },
    ],
    addresses: ['wallet'],
    shape: ({ donationAddress }) => donationAddress,
  },
};

type Operations<Input> = Recipe<Input>['operations'];

const memoBytesOf = ({ memo }: Pick<Common, 'memo'>): number => new TextEncoder().encode(memo).length;

const feeOf = <Input extends Common>(input: Input, operations: Operations<Input>): PriorityFee | null =>
  input.unitPrice === undefined
    ? null
    : priorityFeeOf(input.unitPrice, operations(input), memoBytesOf(input));

const formOf = (
  input: Common,
  operations: readonly MachineOperation[],
  fee: PriorityFee | null,
): MessageForm => ({
  feePayer: payerOf(input),
  version: versionOf(input),
  blockhash: input.blockhash,
  priorityFeeLamports: fee?.lamports ?? 0n,
  computeUnitLimit: computeUnitLimit(operations, memoBytesOf(input)),
});

const compileWith =
  <Input extends Common>(operations: Operations<Input>) =>
  (input: Input, fee: PriorityFee | null = null): CompiledMessage => {
    const form = formOf(input, operations(input), fee);
    return compileMessage(form, [
      // The runtime reads the nonce from the first instruction.
      ...(input.nonceAccount === undefined ? [] : [advanceNonce(input.nonceAccount, input.wallet)]),
      ...(fee === null || form.version === 1 ? [] : computeBudgetInstructions(fee)),
      ...operations(input).map(instructionOf),
      getAddMemoInstruction({ memo: input.memo }, { programAddress: MEMO_PROGRAM }),
    ]);
  };

const built = (
  input: Common,
  message: CompiledMessage,
  priorityFee: PriorityFee | null,
): BuiltTransaction => ({
  version: versionOf(input),
  messageBytes: message.bytes,
  requiredSigners: message.requiredSigners,
  wallet: input.wallet,
  feePayer: payerOf(input),
  get instructions() {
    return message.instructions;
  },
  networkFeeLamports:
    LAMPORTS_PER_SIGNATURE * BigInt(message.requiredSigners.length) + (priorityFee?.lamports ?? 0n),
  priorityFee,
  headerBudget: message.headerBudget,
});

const builder = <Input extends Common>({
  operations,
  addresses,
  shape = () => '',
  isCached = () => true,
}: Recipe<Input>) => {
  const compile = compileWith(operations);
  const templates = new CompiledMessageCache<Input>((input) => compile(input), addresses);
  return (input: Input): BuiltTransaction => {
    const fee = feeOf(input, operations);
    // The price changes with every estimate, and a nonce account or a payer belongs to one caller, so a
    // template would rarely be reused.
    const message =
      fee === null && input.nonceAccount === undefined && input.feePayer === undefined && isCached(input)
        ? templates.compile(input, `${versionOf(input)} ${shape(input)} ${input.memo}`)
        : compile(input, fee);
    return built(input, message, fee);
  };
};

/**
 * Builds a transaction of a kind: its instructions in the order given by the kind or by the plan, followed by
 * the memo.
 */
export const buildTransaction: {
  readonly [Kind in TransactionKind]: (input: BuildInput<Kind>) => BuiltTransaction;
} = {
  stake: builder(recipes.stake),
  unstake: builder(recipes.unstake),
  withdraw: builder(recipes.withdraw),
  restake: builder(recipes.restake),
  donate: builder(recipes.donate),
  // No two rearrangements are alike, so a template would never be reused.
  rearrange: (input) => {
    const operations: Operations<typeof input> = (one) => one.operations;
    const fee = feeOf(input, operations);
    return built(input, compileWith(operations)(input, fee), fee);
  },
};

/** A change to one of the wallet's nonce accounts. */
export type NonceChange =
  | { readonly type: 'create'; readonly seed: string; readonly lamports: bigint }
  | { readonly type: 'advance' }
  | { readonly type: 'close'; readonly lamports: bigint };

const nonceInstructions = (
  wallet: Address,
  nonceAccount: Address,
  change: NonceChange,
): readonly Instruction[] => {
  switch (change.type) {
    case 'create':
      return [
        getCreateAccountWithSeedInstruction({
          payer: signer(wallet),
          newAccount: nonceAccount,
          base: wallet,
          seed: change.seed,
          amount: change.lamports,
          space: NONCE_ACCOUNT_BYTES,
          programAddress: SYSTEM_PROGRAM,
        }),
        getInitializeNonceAccountInstruction({ nonceAccount, nonceAuthority: wallet }),
      ];
    case 'advance':
      return [advanceNonce(nonceAccount, wallet)];
    case 'close':
      return [
        getWithdrawNonceAccountInstruction({
          nonceAccount,
          recipientAccount: wallet,
          nonceAuthority: signer(wallet),
          withdrawAmount: change.lamports,
        }),
      ];
  }
};

/**
 * Builds a transaction that changes `nonceAccount`. The memo comes first, because the runtime would otherwise
 * treat an advance of the nonce as the transaction's own lifetime.
 */
export const buildNonceTransaction = (
  input: Omit<Common, 'unitPrice' | 'nonceAccount' | 'feePayer'>,
  nonceAccount: Address,
  change: NonceChange,
): BuiltTransaction => {
  const { wallet, memo } = input;
  const instructions = [
    getAddMemoInstruction({ memo }, { programAddress: MEMO_PROGRAM }),
    ...nonceInstructions(wallet, nonceAccount, change),
  ];
  // No System instruction needs more units than the compute unit limit includes for every transaction.
  const message = compileMessage(formOf(input, [], null), instructions);
  return built(input, message, null);
};
