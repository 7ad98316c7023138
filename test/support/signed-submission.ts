// Signs instructions into a submission with @solana/kit, like an outside wallet.
import {
  type AccountMeta,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  type Nonce,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import type { Submission } from '../../src/chain/ports.ts';

type Lifetime =
  | { readonly blockhash: string; readonly lastValidBlockHeight: bigint }
  | { readonly nonce: string; readonly nonceAccount: Address };

/** An instruction with or without accounts. */
export type AnyInstruction = Instruction<string, readonly AccountMeta[]> | Instruction;

const draftOf = (payer: KeyPairSigner, instructions: readonly AnyInstruction[]) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(payer, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );

/** Signs with `payer` and with every signer among the accounts. `payer` also advances a nonce. */
export const signSubmission = async (
  payer: KeyPairSigner,
  lifetime: Lifetime,
  instructions: readonly AnyInstruction[],
): Promise<Submission> => {
  const draft = draftOf(payer, instructions);
  const transaction =
    'nonce' in lifetime
      ? await signTransactionMessageWithSigners(
          setTransactionMessageLifetimeUsingDurableNonce(
            {
              nonce: lifetime.nonce as Nonce,
              nonceAccountAddress: lifetime.nonceAccount,
              nonceAuthorityAddress: payer.address,
            },
            draft,
          ),
        )
      : await signTransactionMessageWithSigners(
          setTransactionMessageLifetimeUsingBlockhash(
            {
              blockhash: lifetime.blockhash as Blockhash,
              lastValidBlockHeight: lifetime.lastValidBlockHeight,
            },
            draft,
          ),
        );
  return {
    wireBytes: new Uint8Array(getTransactionEncoder().encode(transaction)),
    signature: getSignatureFromTransaction(transaction),
    ...('nonce' in lifetime
      ? { lastValidBlockHeight: 0n, nonce: { account: lifetime.nonceAccount, value: lifetime.nonce } }
      : { lastValidBlockHeight: lifetime.lastValidBlockHeight }),
  };
};
