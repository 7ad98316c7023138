// Converts the verifier's failures into the client's own error, the only error class that its users need to
// handle.
import { isAppError } from '../src/kernel/app-error.ts';
import { HoldfastError } from './holdfast-error.ts';

/** Runs `verify`. Rethrows its `AppError` as a `HoldfastError` with the same code, reason and parameters. */
export const callVerifier = <Result>(operation: string, verify: () => Result): Result => {
  try {
    return verify();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const { code, message, reason, params, suggestedAction } = error;
    throw new HoldfastError({
      errorCode: code,
      message,
      operation,
      suggestedAction: typeof suggestedAction === 'string' ? suggestedAction : undefined,
      body: { reason, params },
      cause: error,
    });
  }
};
