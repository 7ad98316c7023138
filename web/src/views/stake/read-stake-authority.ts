// Reads the address that gets the stake authority of a new stake.
import { decodeBase58Bytes } from '../../../../src/kernel/base58.ts';

/** The address, or the text of the problem with the input. Both are absent for an empty field. */
export interface ReadStakeAuthority {
  readonly stakeAuthority?: string | undefined;
  readonly problem: 'stakeAuthorityInvalid' | 'stakeAuthorityOwn' | null;
}

const isAddress = (text: string): boolean => {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= 44 && decodeBase58Bytes(bytes, 0, bytes.length, new Uint8Array(32)) === 32;
};

/** Reads the field. The wallet itself is refused, because it gets the authority by default. */
export const readStakeAuthority = (text: string, walletAddress: string | null): ReadStakeAuthority => {
  const given = text.trim();
  if (given === '') return { problem: null };
  if (!isAddress(given)) return { problem: 'stakeAuthorityInvalid' };
  return given === walletAddress
    ? { problem: 'stakeAuthorityOwn' }
    : { stakeAuthority: given, problem: null };
};
