// Compiles instructions into a message with @solana/kit, and keeps their description so that the bytes need not be decoded again.
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
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { DecodedInstruction } from '../../domain/instruction-types.ts';
import { decodeInstruction } from '../../domain/transaction/instruction-decoder.ts';
import { validationError } from '../../kernel/app-error.ts';

/** A compiled message. */
export interface CompiledMessage {
  readonly bytes: Uint8Array;
  /** Accounts, fee payer first. */
  readonly requiredSigners: readonly Address[];
  /** Instructions, described on first access. */
  readonly instructions: readonly DecodedInstruction[];
}

/**
 * Describes instructions as they are in the message: an account that is a signer or writable in one of them
 * is so in all of them.
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

/** Compiles a message. Throws `VALIDATION_ERROR` if an invoked program is also the fee payer or a writable account. */
export const compileMessage = (
  {
    feePayer,
    version,
    blockhash,
  }: { readonly feePayer: Address; readonly version: 'legacy' | 0; readonly blockhash: string },
  instructions: readonly Instruction[],
): CompiledMessage => {
  const message = pipe(
    createTransactionMessage({ version }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        paid,
      ),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  try {
    const { messageBytes, signatures } = compileTransaction(message);
    let described: readonly DecodedInstruction[] | undefined;
    return {
      bytes: messageBytes as unknown as Uint8Array,
      // Accounts in the order of the message.
      requiredSigners: Object.keys(signatures) as Address[],
      get instructions() {
        described ??= describeInstructions(feePayer, instructions);
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
