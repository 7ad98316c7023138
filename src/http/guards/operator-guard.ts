// Lets nobody use the operator's routes without the operator's token; what loads the console page needs none.
import type { IncomingMessage } from 'node:http';
import type { Target } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';

// RFC 6750: the scheme in any case, one token without blanks.
const BEARER = /^bearer +(\S+) *$/i;

/** Why a request may not pass; null when it may. `onRefused` is called with each that may not. */
export const createOperatorGuard =
  (matches: (token: string) => boolean, onRefused: () => void) =>
  ({ headers }: IncomingMessage, { endpoint }: Target): AppError | null => {
    if (endpoint === undefined) return null;
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    if (token !== undefined && matches(token)) return null;
    onRefused();
    return new AppError('OPERATOR_TOKEN_REQUIRED', "This takes the operator's token.", {
      suggestedAction:
        'Send it as Authorization: Bearer …; the service prints the path of its file at the start.',
    });
  };
