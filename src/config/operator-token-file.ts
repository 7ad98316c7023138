// The operator's token, in a file in the data folder that only its owner can read. Writing a different token
// to the file rotates it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ensureSecretFile, readSecretFile } from './secret-file.ts';
import { ConfigError } from './start-error.ts';

const FILE_NAME = 'operator-token';

export interface OperatorToken {
  readonly path: string;
  /**
   * Compares a token with the file's in constant time. Reads the file each time, so that a new token takes
   * effect immediately. Returns false while the file is missing, damaged or readable by others.
   */
  readonly matches: (given: string) => boolean;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Creates the file with mode 0600 if it is absent. Throws `ConfigError` if others can read it or it contains
 * no token.
 */
export const openOperatorToken = (dataDir: string): OperatorToken => {
  const advice = `create a new one: openssl rand -hex 32 > ${FILE_NAME}`;
  const { path, secret } = ensureSecretFile(dataDir, FILE_NAME, advice);
  secret[Symbol.dispose]();
  return {
    path,
    matches: (given) => {
      try {
        using current = readSecretFile(path, advice);
        const hex = current?.use((bytes) => Buffer.from(bytes).toString('hex')) ?? '';
        const isEqual = timingSafeEqual(sha256(given), sha256(hex));
        return isEqual && hex !== '';
      } catch (error) {
        if (error instanceof ConfigError) return false;
        throw error;
      }
    },
  };
};
