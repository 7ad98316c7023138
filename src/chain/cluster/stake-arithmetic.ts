// Detects which warm-up and cooldown arithmetic the deployed Stake program uses.
import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import type { StakeArithmetic } from '../../domain/stake/stake-history.ts';
import type { ChainAccount } from '../ports.ts';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const PLAIN_LOADER = 'BPFLoader2111111111111111111111111111111111';
/** Header of a program data account: tag, slot of the last deployment, upgrade authority. */
const PROGRAM_DATA_HEADER_BYTES = 45;

/** Known images of the Stake program (2026-11): SHA-256 hash of the image without its trailing zeros. */
const KNOWN_IMAGES: ReadonlyMap<string, StakeArithmetic> = new Map([
  // v4.0.0: genesis of Agave 4.1's test validator.
  ['6e0732df69df483472cd3bcff6c11cd0c55abd77a92be1bedbe1ce32906c18b8', 'float64'],
  // v5.0.0: Surfpool 1.5.0.
  ['ed4698ae324150be401830cd302ed46824a3d630f7561f5d6d0d0f8bab286bcc', 'float64'],
  // v5.1.0: genesis of Agave 4.2 to 4.5's test validator.
  ['be260eeb07e6a7e8732065f31fa3efadd3c394572b4db7e82c028f0315c5c5ac', 'integer'],
]);

/**
 * Accounts that determine the arithmetic: the Stake program, and the account with its image if the
 * upgradeable loader owns it.
 */
export const STAKE_PROGRAM_ACCOUNTS: readonly Address[] = [
  STAKE_PROGRAM,
  '6WU8Nxarf9fudRK5atWwjLY4vFaw5UrrWhL88qz7iCMJ' as Address,
];

/** Returns the arithmetic of the program in `STAKE_PROGRAM_ACCOUNTS`; undefined for an unknown image. */
export const stakeArithmeticOf = (
  accounts: readonly (ChainAccount | null)[],
): StakeArithmetic | undefined => {
  const image = imageOf(accounts);
  if (image === undefined) return undefined;
  let end = image.length;
  while (end > 0 && image[end - 1] === 0) end -= 1;
  return KNOWN_IMAGES.get(createHash('sha256').update(image.subarray(0, end)).digest('hex'));
};

const imageOf = ([program, programData]: readonly (ChainAccount | null)[]): Uint8Array | undefined => {
  if (program?.owner === PLAIN_LOADER) return program.data;
  if (program?.owner !== UPGRADEABLE_LOADER || programData?.owner !== UPGRADEABLE_LOADER) return undefined;
  return programData.data.subarray(PROGRAM_DATA_HEADER_BYTES);
};
