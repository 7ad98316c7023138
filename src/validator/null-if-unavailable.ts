// Converts an expected failure of a read into null.
import { isAppError } from '../kernel/app-error.ts';

/** Returns null if the work fails with an `AppError`. */
export const nullIfUnavailable = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
};
