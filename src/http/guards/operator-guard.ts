// Requires the operator's token on the operator's routes. The files of the console page need no token.
import type { IncomingMessage } from 'node:http';
import type { Target } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';

// RFC 6750: the scheme in any case, then one token without spaces.
const BEARER = /^bearer +(\S+) *$/i;

/**
 * Creates the guard. It returns the refusal of a request, or null if it may proceed, and calls `onRefused` for
 * each refusal.
 */
export const createOperatorGuard =
  (matches: (token: string) => boolean, onRefused: () => void) =>
  ({ headers }: IncomingMessage, { endpoint }: Target): AppError | null => {
    if (endpoint === undefined) return null;
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    if (token !== undefined && matches(token)) return null;
    onRefused();
    return new AppError('OPERATOR_TOKEN_REQUIRED', "This requires the operator's token.", {
      suggestedAction:
        'Send it as Authorization: Bearer …; the service prints the path of its file at startup.',
    });
  };
