// Builds every transaction of this service: a legacy message, or version 0 where asked, four instructions for a stake, the memo last in all, compiled as @solana/kit does, with the accounts that Ledger's app and web3.js read.
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getAddressComparator,
  type Instruction,
  isSolanaError,
  pipe,
  SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_CANNOT_PAY_FEES,
  SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_MUST_NOT_BE_WRITABLE,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
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
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { MEMO_PROGRAM, STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import type { DecodedInstruction } from '../../domain/instruction-types.ts';
import { withClassicAccounts } from '../../domain/machine/classic-accounts.ts';
import type { MachineOperation } from '../../domain/machine/stake-machine-state.ts';
import { NO_LOCKUP, STAKE_ACCOUNT_BYTES } from '../../domain/stake/stake-account.ts';
import { decodeInstruction } from '../../domain/transaction/instruction-decoder.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../domain/transaction/instruction-fees.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import { validationError } from '../../kernel/app-error.ts';
import { CompiledMessageCache } from './compiled-message-cache.ts';
import { parseMessage } from './wire-message.ts';

export { encodeWire } from './wire-transaction.ts';

/** The forms of message that are built. Legacy ones are read by every library and wallet; version 0 says the same in two bytes more. */
export type TransactionVersion = 'legacy' | 0;

/** A message ready to be signed. */
export interface BuiltTransaction {
  readonly version: TransactionVersion;
  /** The compiled message: what signers sign. */
  readonly messageBytes: Uint8Array;
  /** Fee payer first. */
  readonly requiredSigners: readonly Address[];
  readonly feePayer: Address;
  /** Decoded from `messageBytes` on first use: what the bytes say, not what was asked for. */
  readonly instructions: readonly DecodedInstruction[];
  /** 5,000 lamports for each signature; transactions built here carry no priority fee. */
  readonly networkFeeLamports: bigint;
}

/** What every builder needs. */
interface Common {
  /** Pays the fee, and is the authority of everything. */
  readonly wallet: Address;
  /** Exact text of the memo. */
  readonly memo: string;
  /** Base58 of a recent blockhash. */
  readonly blockhash: string;
  /** Default `legacy`. */
  readonly version?: TransactionVersion | undefined;
}

/** What each kind of transaction is made of beside that. */
interface KindInputs {
  /** A new stake account for `wallet`, delegated at once. */
  readonly stake: {
    readonly stakeAccount: Address;
    readonly voteAccount: Address;
    /** Total moved into the new account, rent included. */
    readonly lamports: bigint;
  };
  readonly unstake: { readonly stakeAccount: Address };
  readonly withdraw: {
    readonly stakeAccount: Address;
    readonly lamports: bigint;
    /** Default: the wallet. */
    readonly recipient?: Address;
    /** Signs too, and so lifts a lockup that is in force. */
    readonly custodian?: Address;
  };
  readonly restake: { readonly stakeAccount: Address; readonly voteAccount: Address };
  readonly donate: { readonly donationAddress: Address; readonly lamports: bigint };
  /** Whatever the planner planned; every created account signs too. */
  readonly rearrange: { readonly operations: readonly MachineOperation[] };
}

/** What the builder of a kind takes. */
type BuildInput<Kind extends TransactionKind> = Common & KindInputs[Kind];

const versionOf = ({ version = 'legacy' }: Pick<Common, 'version'>): TransactionVersion => version;
/** The first byte of a version 0 message; that of a legacy one counts its signers. */
const VERSION_0 = 0x80;

/** How the message of one kind is made. */
interface Recipe<Input> {
  /** What it does; the memo comes last of all. */
  readonly operations: (input: Input) => readonly MachineOperation[];
  /** The members that hold addresses which differ from one build to the next. */
  readonly addresses: readonly (keyof Input & string)[];
  /** Whatever else changes the layout or the fixed bytes beside version and memo: a fixed address, the order of two that vary. */
  readonly shape?: (input: Input) => string;
  /** Who must sign beside the wallet. */
  readonly signers?: (input: Input) => readonly (Address | undefined)[];
}

const compareAddresses = getAddressComparator();

/** An address that signs; who holds its key is decided where the message is signed. */
const signer = createNoopSigner;

const custodianOf = (custodian: Address | undefined) =>
  custodian === undefined ? {} : { lockupAuthority: signer(custodian) };

/** How the instruction of an operation is made, by the official client library: without the classic accounts. */
const instructionBuilders: {
  readonly [T in MachineOperation['type']]: (
    operation: Extract<MachineOperation, { readonly type: T }>,
  ) => Instruction;
} = {
  create: ({ account, payer, lamports }) =>
    getCreateAccountInstruction({
      payer: signer(payer),
      newAccount: signer(account),
      lamports,
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

/** The instruction of an operation, with the accounts that hardware wallets and other readers expect. */
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

/** Kinds that are always made of the same instructions. */
type FixedKind = Exclude<TransactionKind, 'rearrange'>;

const recipes: { readonly [Kind in FixedKind]: Recipe<BuildInput<Kind>> } = {
  stake: {
    operations: ({ wallet, stakeAccount: account, voteAccount, lamports }) => [
      { type: 'create', account, payer: wallet, lamports },
      {
        type: 'initialize',
        account,
        stakeAuthority: wallet,
        withdrawAuthority: wallet,
        lockup: NO_LOCKUP,
      },
      { type: 'delegate', account, voteAccount, authority: wallet },
    ],
    addresses: ['wallet', 'stakeAccount'],
    shape: ({ voteAccount }) => voteAccount,
    signers: ({ stakeAccount }) => [stakeAccount],
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
    // Accounts of one kind are sorted by address, so the template depends on which of the two comes first.
    shape: ({ wallet, stakeAccount, recipient = wallet }) =>
      String(recipient !== wallet && compareAddresses(recipient, stakeAccount) < 0),
    // A custodian who is the wallet signs as the wallet.
    signers: ({ wallet, custodian }) => (custodian === wallet ? [] : [custodian]),
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

const compileWith =
  <Input extends Common>(operations: Recipe<Input>['operations']) =>
  (input: Input): Uint8Array => {
    const memo = getAddMemoInstruction({ memo: input.memo }, { programAddress: MEMO_PROGRAM });
    const message = pipe(
      createTransactionMessage({ version: versionOf(input) }),
      (empty) => setTransactionMessageFeePayer(input.wallet, empty),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: input.blockhash as Blockhash, lastValidBlockHeight: 0n },
          paid,
        ),
      (timed) => appendTransactionMessageInstructions([...operations(input).map(instructionOf), memo], timed),
    );
    try {
      return compileTransaction(message).messageBytes as unknown as Uint8Array;
    } catch (cause) {
      if (
        !isSolanaError(cause, SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_MUST_NOT_BE_WRITABLE) &&
        !isSolanaError(cause, SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_CANNOT_PAY_FEES)
      )
        throw cause;
      throw validationError([
        {
          path: '',
          code: 'program_address',
          message: 'One of the addresses is a program: it can neither pay, sign nor hold stake',
        },
      ]);
    }
  };

const built = (messageBytes: Uint8Array, expectedSigners: readonly Address[]): BuiltTransaction => {
  const version = messageBytes[0] === VERSION_0 ? 0 : 'legacy';
  const signerCount = messageBytes[version === 0 ? 1 : 0];
  // Where two of the given addresses are one, the message needs fewer signers than were named.
  const requiredSigners =
    signerCount === expectedSigners.length ? expectedSigners : parseMessage(messageBytes).requiredSigners;
  let instructions: readonly DecodedInstruction[] | undefined;
  return {
    version,
    messageBytes,
    requiredSigners,
    feePayer: requiredSigners[0]!,
    get instructions() {
      // No lookup tables are used here, so every address is known.
      instructions ??= parseMessage(messageBytes).instructions.map(
        (raw) => decodeInstruction(raw) as DecodedInstruction,
      );
      return instructions;
    },
    networkFeeLamports: LAMPORTS_PER_SIGNATURE * BigInt(requiredSigners.length),
  };
};

const builder = <Input extends Common>({
  operations,
  addresses,
  shape = () => '',
  signers = () => [],
}: Recipe<Input>) => {
  const templates = new CompiledMessageCache<Input>(compileWith(operations), addresses);
  return (input: Input): BuiltTransaction =>
    built(
      templates.compile(input, `${versionOf(input)} ${shape(input)} ${input.memo}`),
      [input.wallet, ...signers(input)].filter((address) => address !== undefined),
    );
};

/** Builds a transaction of a kind: its instructions in the order of the kind's layout or of the plan, the memo last. */
export const buildTransaction: {
  readonly [Kind in TransactionKind]: (input: BuildInput<Kind>) => BuiltTransaction;
} = {
  stake: builder(recipes.stake),
  unstake: builder(recipes.unstake),
  withdraw: builder(recipes.withdraw),
  restake: builder(recipes.restake),
  donate: builder(recipes.donate),
  // No two are alike, so there is nothing to make a template of.
  rearrange: (input) => built(compileWith<typeof input>(({ operations }) => operations)(input), []),
};
