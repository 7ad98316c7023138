// Signs a built transaction locally with the wallet's key and submits it.
import type { HttpClient } from './http-client.ts';
import { signTransaction, type Wallet } from './wallet.ts';

/**
 * Returns the explorer link of the submitted transaction. Throws a `Refusal` if the service refuses the
 * transaction.
 */
export const signBuiltAndSubmit = async (
  service: HttpClient,
  wallet: Wallet,
  { transaction }: { readonly transaction: string },
): Promise<string> => {
  const signedTransaction = signTransaction(transaction, wallet);
  return (await service.post('/api/v1/transaction/submit', { signedTransaction })).explorerUrl;
};
