// Builds the validator's RocksDB from the sources of its crate. With about nine files per compiler run, this
// takes a quarter of the usual time.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The crate version in Agave's lock file. */
const CRATE = { name: 'librocksdb-sys', version: '0.17.3' } as const;
const FILES_PER_GROUP = 9;
/**
 * Preprocessor definitions that the crate's build script sets on Linux with `lz4`, the only feature that the
 * validator enables.
 */
const DEFINES = [
  ...['LZ4=1', 'NDEBUG=1', 'OS_LINUX', 'ROCKSDB_PLATFORM_POSIX', 'ROCKSDB_LIB_IO_POSIX'],
  ...['ROCKSDB_SCHED_GETCPU_PRESENT', 'ROCKSDB_SUPPORT_THREAD_LOCAL'],
].map((define) => `-D${define}`);
const FLAGS = ['-std=c++17', '-O1', '-fPIC', '-ffunction-sections', '-fdata-sections', '-w', ...DEFINES];

/** Returns the paths of the crate's and lz4's sources, which `cargo fetch` downloads. */
const fetchSources = async (folder: string): Promise<{ readonly crate: string; readonly lz4: string }> => {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src', 'lib.rs'), '');
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[package]
name = "sources"
version = "0.0.0"
edition = "2021"
[workspace]
[dependencies.${CRATE.name}]
version = "=${CRATE.version}"
default-features = false
features = ["lz4", "bindgen-runtime"]
`,
  );
  const { stdout } = await run('cargo', ['metadata', '--format-version', '1'], {
    cwd: folder,
    maxBuffer: 64 * 2 ** 20,
  });
  const { packages } = JSON.parse(stdout) as { packages: { name: string; manifest_path: string }[] };
  const folderOf = (name: string): string => {
    const found = packages.find((one) => one.name === name);
    if (found === undefined) throw new Error(`cargo does not know the crate ${name}.`);
    return dirname(found.manifest_path);
  };
  return { crate: folderOf(CRATE.name), lz4: join(folderOf('lz4-sys'), 'liblz4', 'lib') };
};

/**
 * Builds a folder for `ROCKSDB_LIB_DIR`. Its `librocksdb.so` is a linker script that names the static library,
 * so the programs need no shared library at run time. Continues an interrupted build.
 */
export const buildRocksDb = async (options: {
  readonly folder: string;
  readonly jobs: number;
  readonly say: (line: string) => void;
}): Promise<string> => {
  const { folder, jobs, say } = options;
  const script = join(folder, 'librocksdb.so');
  if (existsSync(script)) return folder;
  const { crate, lz4 } = await fetchSources(join(folder, 'sources'));
  const includes = [crate, join(crate, 'rocksdb'), join(crate, 'rocksdb', 'include'), lz4];
  const files = readFileSync(join(crate, 'rocksdb_lib_sources.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((file) => join(crate, 'rocksdb', file.trim()))
    .filter((file) => !file.endsWith('/util/build_version.cc'))
    .concat(join(crate, 'build_version.cc'));
  const objects: string[] = [];
  const compile = async (group: readonly string[], name: string): Promise<void> => {
    const [source, object] = [join(folder, `${name}.cc`), join(folder, `${name}.o`)];
    if (!existsSync(object)) {
      writeFileSync(source, group.map((file) => `#include "${file}"\n`).join(''));
      try {
        await run('clang++', [
          ...FLAGS,
          ...includes.map((path) => `-I${path}`),
          ...['-c', source, '-o', `${object}.part`],
        ]);
      } catch (error) {
        // Files that define the same name cannot be compiled together, so the group is split.
        if (group.length === 1) throw error;
        const half = Math.ceil(group.length / 2);
        await compile(group.slice(0, half), `${name}a`);
        await compile(group.slice(half), `${name}b`);
        return;
      }
      renameSync(`${object}.part`, object);
    }
    objects.push(object);
  };
  const groups = Array.from({ length: Math.ceil(files.length / FILES_PER_GROUP) }, (_, index) =>
    files.slice(index * FILES_PER_GROUP, (index + 1) * FILES_PER_GROUP),
  );
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < groups.length; index = next++) {
      await compile(groups[index] ?? [], `group-${index}`);
      say(`RocksDB: ${index + 1} of ${groups.length} groups`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  const library = join(folder, 'librocksdb-static.a');
  await run('ar', ['rcs', library, ...objects]);
  writeFileSync(script, `INPUT(${library} -lstdc++)\n`);
  return folder;
};
