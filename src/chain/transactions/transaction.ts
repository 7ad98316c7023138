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

/** A new stake account for `wallet`, delegated at once. */
export interface StakeTransactionInput extends Common {
  readonly stakeAccount: Address;
  readonly voteAccount: Address;
  /** Total moved into the new account, rent included. */
  readonly lamports: bigint;
}

export interface UnstakeTransactionInput extends Common {
  readonly stakeAccount: Address;
}

export interface WithdrawTransactionInput extends Common {
  readonly stakeAccount: Address;
  readonly lamports: bigint;
  /** Default: the wallet. */
  readonly recipient?: Address;
  /** Signs too, and so lifts a lockup that is in force. */
  readonly custodian?: Address;
}

export interface DonateTransactionInput extends Common {
  readonly donationAddress: Address;
  readonly lamports: bigint;
}

const versionOf = ({ version = 'legacy' }: Pick<Common, 'version'>): TransactionVersion => version;
/** The first byte of a version 0 message; that of a legacy one counts its signers. */
const VERSION_0 = 0x80;

const memoInstruction = (memo: string): Instruction =>
  getAddMemoInstruction({ memo }, { programAddress: MEMO_PROGRAM });

/** Exactly four instructions: create account, initialize, delegate, memo. Signed by the wallet and the new account. */
const stakeInstructions = ({
  wallet,
  stakeAccount,
  voteAccount,
  lamports,
  memo,
}: StakeTransactionInput): Instruction[] => [
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
  memoInstruction(memo),
];

const unstakeInstructions = ({ wallet, stakeAccount, memo }: UnstakeTransactionInput): Instruction[] => [
  getDeactivateInstruction({ stake: stakeAccount, stakeAuthority: createNoopSigner(wallet) }),
  memoInstruction(memo),
];

const withdrawInstructions = ({
  wallet,
  stakeAccount,
  recipient,
  custodian,
  lamports,
  memo,
}: WithdrawTransactionInput): Instruction[] => [
  getWithdrawInstruction({
    stake: stakeAccount,
    recipient: recipient ?? wallet,
    withdrawAuthority: createNoopSigner(wallet),
    ...(custodian === undefined ? {} : { lockupAuthority: createNoopSigner(custodian) }),
    args: lamports,
  }),
  memoInstruction(memo),
];

const donateInstructions = ({
  wallet,
  donationAddress,
  lamports,
  memo,
}: DonateTransactionInput): Instruction[] => [
  getTransferSolInstruction({
    source: createNoopSigner(wallet),
    destination: donationAddress,
    amount: lamports,
  }),
  memoInstruction(memo),
];

const compileWith =
  <Input extends Common>(instructionsOf: (input: Input) => Instruction[]) =>
  (input: Input): Uint8Array => {
    const message = pipe(
      createTransactionMessage({ version: versionOf(input) }),
      (empty) => setTransactionMessageFeePayer(input.wallet, empty),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: input.blockhash as Blockhash, lastValidBlockHeight: 0n },
          paid,
        ),
      (timed) => appendTransactionMessageInstructions(instructionsOf(input), timed),
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

const stakeTemplates = new TemplateCache<StakeTransactionInput>(compileWith(stakeInstructions), [
  'wallet',
  'stakeAccount',
]);
const unstakeTemplates = new TemplateCache<UnstakeTransactionInput>(compileWith(unstakeInstructions), [
  'wallet',
  'stakeAccount',
]);
const withdrawTemplates = new TemplateCache<WithdrawTransactionInput>(compileWith(withdrawInstructions), [
  'wallet',
  'stakeAccount',
  'recipient',
  'custodian',
]);
const donateTemplates = new TemplateCache<DonateTransactionInput>(compileWith(donateInstructions), [
  'wallet',
]);

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

/** Create account, initialize (the wallet is both authorities, no lockup), delegate, memo. */
export const buildStakeTransaction = (input: StakeTransactionInput): BuiltTransaction =>
  built(stakeTemplates.compile(input, `${versionOf(input)} ${input.voteAccount} ${input.memo}`), [
    input.wallet,
    input.stakeAccount,
  ]);

/** Deactivate, memo. */
export const buildUnstakeTransaction = (input: UnstakeTransactionInput): BuiltTransaction =>
  built(unstakeTemplates.compile(input, `${versionOf(input)} ${input.memo}`), [input.wallet]);

/** Withdraw to the recipient, memo. A custodian other than the wallet must sign as well. */
export const buildWithdrawTransaction = (input: WithdrawTransactionInput): BuiltTransaction => {
  const { wallet, stakeAccount, recipient = wallet, custodian } = input;
  // Accounts of one kind are sorted by address, so the template depends on which of the two comes first.
  const recipientFirst = recipient !== wallet && inOrder(recipient, stakeAccount);
  const shape = `${versionOf(input)} ${recipientFirst} ${input.memo}`;
  return built(
    withdrawTemplates.compile({ ...input, recipient }, shape),
    custodian === undefined || custodian === wallet ? [wallet] : [wallet, custodian],
  );
};

const compareAddresses = getAddressComparator();
const inOrder = (first: Address, second: Address): boolean => compareAddresses(first, second) < 0;

/** System transfer, memo. */
export const buildDonateTransaction = (input: DonateTransactionInput): BuiltTransaction =>
  built(donateTemplates.compile(input, `${versionOf(input)} ${input.donationAddress} ${input.memo}`), [
    input.wallet,
  ]);
