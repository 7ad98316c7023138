// Fetches mainnet's Stake program v5.1 from the crate that Agave's own test validator has bundled since version
// 4.2.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './agave-tools.ts';

const run = promisify(execFile);

const CRATE = 'solana-program-binaries';
const CRATE_VERSION = '4.2.2';
const IMAGE = 'core_bpf_stake-5.1.0.so';
const SHA_256 = '3d2d39c596ce8be2d47816b4ee5db9fc759d80fde54b08c930ad0b6daed64c2c';

const isRight = (path: string): boolean => {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex') === SHA_256;
  } catch {
    return false;
  }
};

/**
 * Returns the path of the image in the cache folder. Fetches the crate if the image is missing. Throws if the
 * image's SHA-256 differs from the expected one.
 */
export const openStakeImage = async (folder = cacheFolder()): Promise<string> => {
  const path = join(folder, IMAGE);
  if (isRight(path)) return path;
  const project = join(folder, 'stake-image');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'src', 'lib.rs'), '');
  const manifest = join(project, 'Cargo.toml');
  writeFileSync(
    manifest,
    `[package]\nname = "stake-image"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n${CRATE} = "=${CRATE_VERSION}"\n\n[workspace]\n`,
  );
  const args = ['metadata', '--format-version', '1', '--manifest-path', manifest];
  const { stdout } = await run('cargo', args, { maxBuffer: 2 ** 28 });
  const { packages } = JSON.parse(stdout) as { packages: { name: string; manifest_path: string }[] };
  const crate = packages.find(({ name }) => name === CRATE);
  if (crate === undefined) throw new Error(`cargo does not know ${CRATE} ${CRATE_VERSION}.`);
  writeFileSync(path, readFileSync(join(dirname(crate.manifest_path), 'src', 'programs', IMAGE)));
  if (!isRight(path))
    throw new Error(`${IMAGE} of ${CRATE} ${CRATE_VERSION} does not have the expected SHA-256.`);
  return path;
};
