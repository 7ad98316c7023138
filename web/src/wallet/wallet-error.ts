// Errors of wallets, with texts for users.
import { TitledError } from '../text/titled-error.ts';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';

const { say } = defineWords('wallet', walletEnglish);

/**
 * `refused`: the user declined. `unsupported`: the wallet cannot do it. `wrong-chain`: the wallet does not offer
 * the cluster. `wrong-account`: another account is connected now. `changed`: the wallet returned something other
 * than requested.
 */
export type WalletErrorKind =
  | 'refused'
  | 'unsupported'
  | 'wrong-chain'
  | 'wrong-account'
  | 'changed'
  | 'failed'
  | 'insecure';

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

// There is no standard for refusals: most wallets use EIP-1193's 4001, others are recognized by words in their
// message.
const REFUSAL = /reject|refus|declin|denied|cancel|closed|abort/i;

/** Converts anything that a wallet threw into a `WalletError`. */
export const asWalletError = (
  error: unknown,
  walletName: string,
  asked: 'signature' | 'connection' = 'signature',
): WalletError => {
  if (isWalletError(error)) return error;
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  const text = typeof message === 'string' ? message : '';
  return code === 4001 || REFUSAL.test(text)
    ? new WalletError(
        'refused',
        say(`${asked}Refused`),
        say(`${asked}RefusedText`, { wallet: walletName }),
        error,
      )
    : new WalletError(
        'failed',
        say(`${asked}Failed`, { wallet: walletName }),
        text === '' ? say(`${asked}Silent`) : say('walletSays', { text: text.slice(0, 300) }),
        error,
      );
};
