// Simulates a phishing page. The service would refuse these transactions, so they are built with public
// libraries and sent directly to the chain.
import {
  address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getAuthorizeInstruction, getDeactivateInstruction, StakeAuthorize } from '@solana-program/stake';
import { fromBase58, type Wallet } from './wallet.ts';

/**
 * Signs one instruction with the wallet, sends the transaction with the node's preflight checks, and returns
 * its signature.
 */
const sendAlone = async (
  rpcUrl: string,
  wallet: Wallet,
  instruct: (signer: KeyPairSigner) => Instruction,
): Promise<string> => {
  const signer = await createKeyPairSignerFromBytes(new Uint8Array(fromBase58(wallet.secretKey)));
  const rpc = createSolanaRpc(rpcUrl);
  const { value: blockhash } = await rpc.getLatestBlockhash().send();
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(signer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(blockhash, message),
      (message) => appendTransactionMessageInstruction(instruct(signer), message),
    ),
  );
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
  return getSignatureFromTransaction(signed);
};

/** Gives the wallet's stake authority to another address. */
export const signAwayStakeAuthority = async (
  rpcUrl: string,
  wallet: Wallet,
  { stakeAccountAddress, to }: { readonly stakeAccountAddress: string; readonly to: string },
): Promise<string> =>
  sendAlone(rpcUrl, wallet, (authority) =>
    getAuthorizeInstruction({
      stake: address(stakeAccountAddress),
      authority,
      arg0: address(to),
      arg1: StakeAuthorize.Staker,
    }),
  );

/** Unstakes with the stolen stake authority. */
export const unstakeWithStolenKey = async (
  rpcUrl: string,
  thief: Wallet,
  stakeAccountAddress: string,
): Promise<string> =>
  sendAlone(rpcUrl, thief, (stakeAuthority) =>
    getDeactivateInstruction({ stake: address(stakeAccountAddress), stakeAuthority }),
  );
