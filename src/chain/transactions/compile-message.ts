// Compiles instructions into a message with @solana/kit, and keeps their description so that the bytes need not
// be decoded again.
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  type Instruction,
  isSignerRole,
  isSolanaError,
  isWritableRole,
  mergeRoles,
  pipe,
  SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_CANNOT_PAY_FEES,
  SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_MUST_NOT_BE_WRITABLE,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { DecodedInstruction } from '../../domain/instruction-types.ts';
import { decodeInstruction } from '../../domain/transaction/instruction-decoder.ts';
import {
  DEFAULT_HEAP_BYTES,
  type HeaderBudget,
  loadedAccountsDataBytes,
} from '../../domain/transaction/instruction-fees.ts';
import { validationError } from '../../kernel/app-error.ts';

export interface CompiledMessage {
  readonly bytes: Uint8Array;
  /** Accounts, fee payer first. */
  readonly requiredSigners: readonly Address[];
  /** Fee and limits in a version 1 header; null in other versions. */
  readonly headerBudget: HeaderBudget | null;
  /** Instructions, decoded on first access. */
  readonly instructions: readonly DecodedInstruction[];
}

/**
 * Describes instructions as they are in the message: an account that is a signer or writable in one of them
 * is a signer or writable in all of them.
 */
const describeInstructions = (
  feePayer: Address,
  instructions: readonly Instruction[],
): readonly DecodedInstruction[] => {
  const roles = new Map<Address, AccountRole>([[feePayer, AccountRole.WRITABLE_SIGNER]]);
  for (const { address, role } of instructions.flatMap(({ accounts = [] }) => accounts))
    roles.set(address, mergeRoles(roles.get(address) ?? AccountRole.READONLY, role));
  return instructions.map(({ programAddress, accounts = [], data }) =>
    decodeInstruction({
      programId: programAddress,
      accounts: accounts.map(({ address }) => ({
        address,
        signer: isSignerRole(roles.get(address)!),
        writable: isWritableRole(roles.get(address)!),
      })),
      data: data as Uint8Array,
    }),
  );
};

export interface MessageForm {
  readonly feePayer: Address;
  readonly version: 'legacy' | 0 | 1;
  readonly blockhash: string;
  /** Fee and limit for a version 1 header. Other versions ignore them. */
  readonly priorityFeeLamports: bigint;
  readonly computeUnitLimit: number;
}

const headerBudgetOf = (
  { feePayer, priorityFeeLamports, computeUnitLimit }: MessageForm,
  instructions: readonly Instruction[],
): HeaderBudget => {
  const addresses = new Set([feePayer]);
  for (const { programAddress, accounts = [] } of instructions) {
    addresses.add(programAddress);
    for (const { address } of accounts) addresses.add(address);
  }
  return {
    priorityFeeLamports,
    computeUnitLimit,
    loadedAccountsDataBytes: loadedAccountsDataBytes([...addresses]),
    heapBytes: DEFAULT_HEAP_BYTES,
  };
};

const compileBytes = (
  { feePayer, version, blockhash }: MessageForm,
  instructions: readonly Instruction[],
  headerBudget: HeaderBudget | null,
) => {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  if (version !== 1 || headerBudget === null)
    return compileTransaction(
      pipe(
        createTransactionMessage({ version: version === 0 ? 0 : 'legacy' }),
        (empty) => setTransactionMessageFeePayer(feePayer, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
        (timed) => appendTransactionMessageInstructions(instructions, timed),
      ),
    );
  const { priorityFeeLamports, computeUnitLimit, loadedAccountsDataBytes: dataBytes } = headerBudget;
  const config = {
    computeUnitLimit,
    loadedAccountsDataSizeLimit: dataBytes,
    ...(priorityFeeLamports > 0n && { priorityFeeLamports }),
  };
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 1 }),
      (empty) => setTransactionMessageFeePayer(feePayer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => setTransactionMessageConfig(config, timed),
      (limited) => appendTransactionMessageInstructions(instructions, limited),
    ),
  );
};

/**
 * Compiles a message. Throws `AppError('VALIDATION_ERROR')` if an invoked program is also the fee payer or a
 * writable account.
 */
export const compileMessage = (form: MessageForm, instructions: readonly Instruction[]): CompiledMessage => {
  const headerBudget = form.version === 1 ? headerBudgetOf(form, instructions) : null;
  try {
    const { messageBytes, signatures } = compileBytes(form, instructions, headerBudget);
    let described: readonly DecodedInstruction[] | undefined;
    return {
      bytes: messageBytes as unknown as Uint8Array,
      // Accounts in the order of the message.
      requiredSigners: Object.keys(signatures) as Address[],
      headerBudget,
      get instructions() {
        described ??= describeInstructions(form.feePayer, instructions);
        return described;
      },
    };
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
        message: 'One of the addresses is a program, which cannot pay, sign or hold stake',
      },
    ]);
  }
};
