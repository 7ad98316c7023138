// The operator's token: in a file of the data folder that only its owner reads, rotated by writing another into it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ensureSecretFile, readSecretFile } from './secret-file.ts';
import { ConfigError } from './start-error.ts';

const FILE_NAME = 'operator-token';

/** What the desk is opened with. */
export interface OperatorToken {
  readonly path: string;
  /** In constant time. Reads the file each time, so that a new token counts at once; false while it is missing, damaged or open to others. */
  readonly matches: (given: string) => boolean;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Makes the file with mode 0600 when it is absent. Throws `ConfigError` when others can read it, or it holds no token. */
export const openOperatorToken = (dataDir: string): OperatorToken => {
  const advice = `write a new one: openssl rand -hex 32 > ${FILE_NAME}`;
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
