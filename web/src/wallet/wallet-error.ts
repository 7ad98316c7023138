// Wallet errors, in words for users.
import { TitledError } from '../text/titled-error.ts';

/**
 * `refused`: the person declined. `unsupported`: the wallet cannot do it. `changed`: it returned something
 * other than requested.
 */
export type WalletErrorKind = 'refused' | 'unsupported' | 'wrong-chain' | 'changed' | 'failed' | 'insecure';

/** A wallet's failure. */
export class WalletError extends TitledError {
  override readonly name = 'WalletError';
  readonly kind: WalletErrorKind;

  constructor(kind: WalletErrorKind, title: string, message: string, cause?: unknown) {
    super(title, message, cause);
    this.kind = kind;
  }
}

/** True if `error` comes from a wallet and, if `kind` is given, is of that kind. */
export const isWalletError = (error: unknown, kind?: WalletErrorKind): error is WalletError =>
  error instanceof WalletError && (kind === undefined || error.kind === kind);

// There is no standard for refusals: most wallets use EIP-1193's 4001, and the words are those that wallets
// use.
const REFUSAL = /reject|refus|declin|denied|cancel|closed|abort/i;

/** Requests to a wallet, in the words of a refusal and of a failure. */
const ASKED = {
  signature: {
    title: 'You declined in your wallet',
    refused: (walletName: string) => `${walletName} did not sign, and nothing was sent.`,
    failed: (walletName: string) => `${walletName} could not sign`,
    nothing: 'Nothing was sent.',
  },
  connection: {
    title: 'Connection declined',
    refused: (walletName: string) => `${walletName} shared nothing with this page.`,
    failed: (walletName: string) => `${walletName} could not connect`,
    nothing: 'Nothing was shared.',
  },
} as const;

/** Converts anything that a wallet threw into a `WalletError`. */
export const asWalletError = (
  error: unknown,
  walletName: string,
  asked: keyof typeof ASKED = 'signature',
): WalletError => {
  const words = ASKED[asked];
  if (isWalletError(error)) return error;
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  const text = typeof message === 'string' ? message : '';
  return code === 4001 || REFUSAL.test(text)
    ? new WalletError('refused', words.title, words.refused(walletName), error)
    : new WalletError(
        'failed',
        words.failed(walletName),
        text === ''
          ? `The wallet gave no reason. ${words.nothing}`
          : `The wallet says: ${text.slice(0, 300)}`,
        error,
      );
};
