// Finds the Agave test validator and the solana command line at a pinned version, or builds them with cargo
// into a cache folder.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { buildRocksDb } from './rocksdb-library.ts';

const run = promisify(execFile);

/** The newest Agave version that compiles from the crates registry with Rust 1.95, which its lock file pins. */
const AGAVE_VERSION = '4.1.2';
const VALIDATOR = 'solana-test-validator';
const CLI = 'solana';
/** Number of crates in each lock file, to show progress. Crates for other platforms are never compiled. */
const CRATES = { 'agave-validator': 935, 'solana-cli': 770 } as const;
const COMMANDS = ['cargo', 'clang', 'cmake', 'make', 'pkg-config', 'protoc', 'perl'] as const;
/**
 * The only crates that are compiled with optimization, which saves two thirds of the CPU time. A validator
 * spends most of its time in them: signatures, hashes, erasure codes, the virtual machine and maps.
 * (solana-poseidon alone takes rustc 1.95 more than five minutes at level 1 and 14 s at level 0; 2026-11.)
 */
const OPTIMISED = [
  ...['curve25519-dalek', 'ed25519-dalek', 'sha2', 'sha3', 'keccak', 'blake3', 'reed-solomon-erasure'],
  ...['solana-sbpf', 'solana-hash', 'solana-pubkey', 'solana-address', 'solana-entry', 'solana-perf'],
  ...['hashbrown', 'dashmap', 'crossbeam-channel', 'bincode', 'bytemuck', 'memchr', 'rayon-core'],
];
/**
 * Configuration key for the path of protoc on Debian. Using that binary avoids compiling protobuf's C++ sources
 * (about ten minutes on two cores).
 */
const PROTOC_AT_USR = 'target.x86_64-unknown-linux-gnu.protobuf-src.rustc-env.INSTALL_DIR="/usr"';
const JOBS = 2;
const LIBRARIES = ['openssl', 'libudev', 'zlib'] as const;

const NEEDS = `builds Agave ${AGAVE_VERSION} from crates.io without link-time optimization:
  memory  4 GB free with 2 jobs
  disk    10 GB under the cache folder (2 GB of downloads in addition, in ~/.cargo)
  time    half an hour to an hour on two cores; an interrupted build continues where it stopped
  Debian  apt-get install clang libclang-dev llvm cmake make pkg-config libssl-dev libudev-dev zlib1g-dev libprotobuf-dev protobuf-compiler`;

/** Paths of the two programs, with their version. */
export interface AgaveTools {
  readonly validator: string;
  readonly solana: string;
  /** Version, for example `4.1.2`. */
  readonly version: string;
}

export interface AgaveToolsOptions {
  /**
   * Folder with `bin/`. Default: the cache folder of the pinned version. Nothing is built in a given folder,
   * and `solana` may be missing there.
   */
  readonly folder?: string;
  /** Default: `~/.cache/holdfast`. */
  readonly cacheFolder?: string;
  /** Number of parallel compilers; default 2. */
  readonly jobs?: number;
  readonly say: (line: string) => void;
}

/** Returns this project's cache folder in the user's home, or below `XDG_CACHE_HOME` if that is set. */
export const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const toolsIn = async (folder: string): Promise<AgaveTools | undefined> => {
  const [validator, solana] = [join(folder, 'bin', VALIDATOR), join(folder, 'bin', CLI)];
  if (!isExecutable(validator)) return undefined;
  const { stdout } = await run(validator, ['--version']);
  return { validator, solana, version: /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? stdout.trim() };
};

const missing = (): readonly string[] => [
  ...COMMANDS.filter((command) => spawnSync(command, ['--version']).error !== undefined),
  ...LIBRARIES.filter((library) => spawnSync('pkg-config', ['--exists', library]).status !== 0),
];

const build = async (
  root: string,
  crate: keyof typeof CRATES,
  rocksDbFolder: string,
  options: AgaveToolsOptions,
): Promise<void> => {
  const { say, jobs = JOBS } = options;
  const only = crate === 'agave-validator' ? ['--bin', VALIDATOR] : [];
  const args = [
    ...['install', crate, '--version', AGAVE_VERSION, '--locked', ...only],
    ...OPTIMISED.flatMap((name) => ['--config', `profile.release.package.${name}.opt-level=1`]),
    ...['--root', root, '-j', `${jobs}`],
    ...(isExecutable('/usr/bin/protoc') ? ['--config', PROTOC_AT_USR] : []),
  ];
  say(`cargo ${args.join(' ')}`);
  const cargo = spawn('cargo', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ROCKSDB_LIB_DIR: rocksDbFolder,
      CARGO_TARGET_DIR: join(root, 'target'),
      CARGO_PROFILE_RELEASE_LTO: 'false',
      CARGO_PROFILE_RELEASE_OPT_LEVEL: '0',
      CARGO_PROFILE_RELEASE_DEBUG: 'false',
      CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '64',
      CARGO_PROFILE_RELEASE_STRIP: 'true',
    },
  });
  let compiled = 0;
  const last: string[] = [];
  for await (const line of createInterface({ input: cargo.stderr })) {
    last.push(line);
    if (last.length > 40) last.shift();
    if (!line.includes('Compiling')) continue;
    compiled += 1;
    if (compiled % 25 === 0)
      say(`${crate}: ${compiled} of about ${CRATES[crate]} crates; now ${line.trim()}`);
  }
  const code = await new Promise<number | null>((resolve) => {
    if (cargo.exitCode === null) cargo.once('exit', resolve);
    else resolve(cargo.exitCode);
  });
  if (code !== 0) throw new Error(`cargo ended with ${code}:\n${last.join('\n')}`);
};

/**
 * Returns the tools. Builds them first if they are missing. Throws an error that names what is missing on this
 * machine.
 */
export const openAgaveTools = async (options: AgaveToolsOptions): Promise<AgaveTools> => {
  const { say } = options;
  if (options.folder !== undefined) {
    const named = await toolsIn(options.folder);
    if (named === undefined) throw new Error(`${options.folder}/bin lacks ${VALIDATOR}.`);
    return named;
  }
  const root = join(options.cacheFolder ?? cacheFolder(), `agave-${AGAVE_VERSION}`);
  const cached = await toolsIn(root);
  if (cached !== undefined && isExecutable(cached.solana)) return cached;
  say(NEEDS);
  const lacks = missing();
  if (lacks.length > 0) throw new Error(`Missing on this machine: ${lacks.join(', ')}.`);
  mkdirSync(root, { recursive: true });
  const rocksDb = await buildRocksDb({ folder: join(root, 'rocksdb'), jobs: options.jobs ?? JOBS, say });
  if (!isExecutable(join(root, 'bin', VALIDATOR))) await build(root, 'agave-validator', rocksDb, options);
  await build(root, 'solana-cli', rocksDb, options);
  const built = await toolsIn(root);
  if (built === undefined || !isExecutable(built.solana))
    throw new Error(`cargo succeeded, but ${root}/bin is not complete.`);
  return built;
};
