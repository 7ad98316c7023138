// Replaces the bundled Stake program with another release, to simulate a cluster with an earlier or later version.

import { encodeBase58 } from '../base58.ts';
import type { RuntimeClient } from '../runtime-client.ts';
import { STAKE_PROGRAM } from './delegation-bytes.ts';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
/** `UpgradeableLoaderState::Program` consists of tag 2 and the address of the data account. */
const PROGRAM_TAG = 2;
const PROGRAM_BYTES = 36;
/**
 * `UpgradeableLoaderState::ProgramData` consists of tag 3, the deployment slot and no authority. The image
 * begins after 45 bytes.
 */
const PROGRAM_DATA_TAG = 3;
const PROGRAM_DATA_HEADER_BYTES = 45;
/** Lamports for the data account, more than the rent-exempt minimum of any image. */
const PROGRAM_DATA_LAMPORTS = 100_000_000_000n;

const base64AccountOf = async (
  client: RuntimeClient,
  address: string,
): Promise<{ lamports: bigint; data: Buffer }> => {
  const { value } = (await client.call('getAccountInfo', [address, { encoding: 'base64' }])) as {
    value: { lamports: number; data: [string, string] };
  };
  return { lamports: BigInt(value.lamports), data: Buffer.from(value.data[0], 'base64') };
};

/**
 * Replaces the runtime's Stake program with the ELF file that `imageFor` returns. From then on, RPC and
 * transactions use only the new program. If the runtime cannot load the file, it silently keeps the old
 * program.
 */
export async function replaceStakeProgram(
  client: RuntimeClient,
  imageFor: (bundled: Uint8Array) => Uint8Array,
): Promise<void> {
  const program = await base64AccountOf(client, STAKE_PROGRAM);
  if (program.data.length !== PROGRAM_BYTES || program.data.readUInt32LE(0) !== PROGRAM_TAG)
    throw new Error("This runtime's Stake program was not deployed with the upgradeable loader.");
  const dataAddress = encodeBase58(program.data.subarray(4));
  const bundled = (await base64AccountOf(client, dataAddress)).data.subarray(PROGRAM_DATA_HEADER_BYTES);
  const header = Buffer.alloc(PROGRAM_DATA_HEADER_BYTES);
  header.writeUInt32LE(PROGRAM_DATA_TAG);
  const data = Buffer.concat([header, imageFor(bundled)]);
  await client.setAccount(
    { address: dataAddress, lamports: PROGRAM_DATA_LAMPORTS, data },
    UPGRADEABLE_LOADER,
  );
  // The runtime caches compiled programs. It loads a new image only when the program account itself is
  // written (measured).
  await client.setAccount({ address: STAKE_PROGRAM, ...program }, UPGRADEABLE_LOADER);
}
