// Signs what a builder answered with the wallet's key, here, and submits it.
import type { HttpClient } from './http-client.ts';
import { signTransaction, type Wallet } from './wallet.ts';

/** Gives the link to the explorer. Throws a `Refusal` where the service refuses it. */
export const signBuiltAndSubmit = async (
  service: HttpClient,
  wallet: Wallet,
  { transaction }: { readonly transaction: string },
): Promise<string> => {
  const signedTransaction = signTransaction(transaction, wallet);
  return (await service.post('/api/v1/transaction/submit', { signedTransaction })).explorerUrl;
};
