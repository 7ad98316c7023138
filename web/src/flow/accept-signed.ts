// Takes signed bytes from a wallet only where they still do what was reviewed, and are signed.
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { WalletError } from '../wallet/wallet-error.ts';
import { signatureOf } from '../wallet/wire.ts';
import type { FlowDeps } from './flow-types.ts';
import type { Wish } from './transaction-record.ts';

/** The transaction's signature. Rejects with `WalletError`, or with `HoldfastError` where it could not be checked. */
export const acceptSigned = async (
  recheck: FlowDeps['recheck'],
  wish: Wish,
  bytes: Uint8Array,
): Promise<string> => {
  // Some wallets add a fee or a guard. What they return is checked like what they were given.
  const isOurs = await recheck(wish, bytes).then(
    ({ ok }) => ok,
    (error: unknown) => {
      if (isHoldfastError(error)) throw error;
      // It cannot even be read.
      return false;
    },
  );
  if (!isOurs)
    throw new WalletError(
      'changed',
      'Your wallet changed the transaction',
      'What it signed is not what you reviewed here, so it was not sent. Turn off whatever changes transactions in the wallet, or use another one.',
    );
  const signature = signatureOf(bytes);
  if (signature === null)
    throw new WalletError(
      'failed',
      'The wallet did not sign',
      'It returned the transaction without a signature. Nothing was sent.',
    );
  return signature;
};
