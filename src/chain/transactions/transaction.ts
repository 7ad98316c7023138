// Builds every transaction of this service: a legacy message, or version 0 where asked, four instructions for a stake, the memo last in all, byte for byte what @solana/kit compiles.
import {
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
  getDeactivateInstruction,
  getDelegateStakeInstruction,
  getInitializeInstruction,
  getWithdrawInstruction,
} from '@solana-program/stake';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { STAKE_ACCOUNT_BYTES } from '../../domain/stake/stake-account.ts';
import { decodeInstruction } from '../../domain/transaction/instruction-decoder.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../domain/transaction/instruction-fees.ts';
import {
  MEMO_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../domain/transaction/instruction-programs.ts';
import type { DecodedInstruction } from '../../domain/transaction/instruction-types.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import { validationError } from '../../kernel/app-error.ts';
import { TemplateCache } from './transaction-template.ts';
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
}

/** What the builder of a kind takes. */
type BuildInput<Kind extends TransactionKind> = Common & KindInputs[Kind];

const versionOf = ({ version = 'legacy' }: Pick<Common, 'version'>): TransactionVersion => version;
/** The first byte of a version 0 message; that of a legacy one counts its signers. */
const VERSION_0 = 0x80;

/** How the message of one kind is made. */
interface Recipe<Input> {
  /** Its instructions without the memo, which is the last of all. */
  readonly instructions: (input: Input) => readonly Instruction[];
  /** The members that hold addresses which differ from one build to the next. */
  readonly addresses: readonly (keyof Input & string)[];
  /** Whatever else changes the layout or the fixed bytes beside version and memo: a fixed address, the order of two that vary. */
  readonly shape?: (input: Input) => string;
  /** Who must sign beside the wallet. */
  readonly signers?: (input: Input) => readonly (Address | undefined)[];
}

const compareAddresses = getAddressComparator();

const recipes: { readonly [Kind in TransactionKind]: Recipe<BuildInput<Kind>> } = {
  stake: {
    instructions: ({ wallet, stakeAccount, voteAccount, lamports }) => [
      getCreateAccountInstruction({
        payer: createNoopSigner(wallet),
        newAccount: createNoopSigner(stakeAccount),
        lamports,
        space: STAKE_ACCOUNT_BYTES,
        programAddress: STAKE_PROGRAM,
      }),
      getInitializeInstruction({
        stake: stakeAccount,
        arg0: { staker: wallet, withdrawer: wallet },
        // No lockup; the System program's address is the 32 zero bytes of an absent custodian.
        arg1: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
      }),
      getDelegateStakeInstruction({
        stake: stakeAccount,
        vote: voteAccount,
        stakeAuthority: createNoopSigner(wallet),
      }),
    ],
    addresses: ['wallet', 'stakeAccount'],
    shape: ({ voteAccount }) => voteAccount,
    signers: ({ stakeAccount }) => [stakeAccount],
  },
  unstake: {
    instructions: ({ wallet, stakeAccount }) => [
      getDeactivateInstruction({ stake: stakeAccount, stakeAuthority: createNoopSigner(wallet) }),
    ],
    addresses: ['wallet', 'stakeAccount'],
  },
  withdraw: {
    instructions: ({ wallet, stakeAccount, recipient, custodian, lamports }) => [
      getWithdrawInstruction({
        stake: stakeAccount,
        recipient: recipient ?? wallet,
        withdrawAuthority: createNoopSigner(wallet),
        ...(custodian === undefined ? {} : { lockupAuthority: createNoopSigner(custodian) }),
        args: lamports,
      }),
    ],
    addresses: ['wallet', 'stakeAccount', 'recipient', 'custodian'],
    // Accounts of one kind are sorted by address, so the template depends on which of the two comes first.
    shape: ({ wallet, stakeAccount, recipient = wallet }) =>
      String(recipient !== wallet && compareAddresses(recipient, stakeAccount) < 0),
    // A custodian who is the wallet signs as the wallet.
    signers: ({ wallet, custodian }) => (custodian === wallet ? [] : [custodian]),
  },
  restake: {
    instructions: ({ wallet, stakeAccount, voteAccount }) => [
      getDelegateStakeInstruction({
        stake: stakeAccount,
        vote: voteAccount,
        stakeAuthority: createNoopSigner(wallet),
      }),
    ],
    addresses: ['wallet', 'stakeAccount'],
    shape: ({ voteAccount }) => voteAccount,
  },
  donate: {
    instructions: ({ wallet, donationAddress, lamports }) => [
      getTransferSolInstruction({
        source: createNoopSigner(wallet),
        destination: donationAddress,
        amount: lamports,
      }),
    ],
    addresses: ['wallet'],
    shape: ({ donationAddress }) => donationAddress,
  },
};

const compileWith =
  <Input extends Common>(instructions: Recipe<Input>['instructions']) =>
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
      (timed) => appendTransactionMessageInstructions([...instructions(input), memo], timed),
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
  instructions,
  addresses,
  shape = () => '',
  signers = () => [],
}: Recipe<Input>) => {
  const templates = new TemplateCache<Input>(compileWith(instructions), addresses);
  return (input: Input): BuiltTransaction =>
    built(
      templates.compile(input, `${versionOf(input)} ${shape(input)} ${input.memo}`),
      [input.wallet, ...signers(input)].filter((address) => address !== undefined),
    );
};

/** Builds a transaction of a kind: its instructions in the order of the kind's layout, the memo last. */
export const buildTransaction: {
  readonly [Kind in TransactionKind]: (input: BuildInput<Kind>) => BuiltTransaction;
} = {
  stake: builder(recipes.stake),
  unstake: builder(recipes.unstake),
  withdraw: builder(recipes.withdraw),
  restake: builder(recipes.restake),
  donate: builder(recipes.donate),
};
